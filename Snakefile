include: "workflow/Snakefile"


# An included file cannot set the default target.
rule default:
    """What is made where nothing is asked for: all."""
    default_target: True
    input:
        f"reports/{RUN}/index.html",
