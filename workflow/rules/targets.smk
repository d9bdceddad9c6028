# Whatever is asked for and has no folder is a rule's name, mistyped: all files that are made have one.
rule target:
    input:
        unknown_target,
    output:
        "{target}",
