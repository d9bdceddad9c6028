# From evidence to pages. Drawing reads tables only: it never makes a solver run again.
FIGURE = ("figures", "experiments", "methods")
PAGE = ("figures", "deviations", "methods", "title", "summary")


rule figure:
    input:
        figure_tables,
    output:
        shown("reports/{run}/{paper}/figures/{figure}.svg", "{figure}", "figure"),
        multiext("reports/{run}/{paper}/figures/{figure}", ".pdf", ".png"),
    log:
        "results/{run}/logs/figure/{paper}/{figure}.log",
    benchmark:
        "results/{run}/benchmarks/figure/{paper}/{figure}.tsv"
    conda:
        "../envs/projfree.yml"
    params:
        spec=section_digest("projfree.report.figures", keys=FIGURE),
    message:
        "{wildcards.figure} of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree figure {wildcards.paper} {wildcards.figure} --run {wildcards.run} {output} > {log} 2>&1"


rule page:
    input:
        claims="results/{run}/claims/{paper}.json",
        figures=page_figures,
        tables=page_tables,
        tuning=page_tuning,
        alternatives=page_alternatives,
    output:
        page=shown("reports/{run}/{paper}/index.html", "page", "page"),
        claims="reports/{run}/{paper}/claims.json",
    log:
        "results/{run}/logs/page/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/page/{paper}.tsv"
    conda:
        "../envs/projfree.yml"
    params:
        code=section_digest("projfree.report.page", keys=PAGE),
        templates=provenance.folder_sha256("report/templates"),
    message:
        "page of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree page {wildcards.paper} --run {wildcards.run} --output {output.page} > {log} 2>&1"


rule index:
    input:
        lambda w: [f"reports/{w.run}/{paper}/index.html" for paper in PAPERS],
    output:
        "reports/{run}/index.html",
    log:
        "results/{run}/logs/index.log",
    benchmark:
        "results/{run}/benchmarks/index.tsv"
    conda:
        "../envs/projfree.yml"
    params:
        code=provenance.code_sha256("projfree.report.index"),
        templates=provenance.folder_sha256("report/templates"),
    message:
        "index of all papers ({wildcards.run})"
    shell:
        "projfree index --run {wildcards.run} --output {output} > {log} 2>&1"


for paper in PAPERS:

    rule:
        name:
            paper
        input:
            f"reports/{RUN}/{paper}/index.html",
