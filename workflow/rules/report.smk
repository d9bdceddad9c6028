# From evidence to pages. Drawing reads tables only: it never makes a solver run again.
PAGE = (
    "figures",
    "deviations",
    "methods",
    "title",
    "summary",
    "experiments",
    "claims",
    "unit_costs",
)


rule figure:
    input:
        figure_tables,
    output:
        shown("reports/{run}/{paper}/figures/{figure}.{format}", "{figure}", "figure"),
    log:
        "results/{run}/logs/figure/{paper}/{figure}.{format}.log",
    benchmark:
        "results/{run}/benchmarks/figure/{paper}/{figure}.{format}.tsv"
    params:
        paper="{paper}",
        run="{run}",
        spec=figure_digest,
    message:
        "{wildcards.figure} of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"


# All figures of a paper in one process, which loads fonts, styles and tables once.
for paper in PAPERS:

    rule:
        name:
            f"figures_{paper}"
        input:
            drawn_tables(paper),
        output:
            all_shown(paper, "figure", page_figures(of_run(paper), FORMATS)),
        log:
            f"results/{RUN}/logs/figures/{paper}.log",
        benchmark:
            f"results/{RUN}/benchmarks/figures/{paper}.tsv"
        localrule: True
        params:
            paper=paper,
            run=RUN,
            spec=lambda w, p=paper: figure_digest(of_run(p)),
        message:
            f"figures of {paper} ({RUN})"
        shell:
            "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"

    together_unless_asked(f"figures_{paper}", "figure")


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
        about="reports/{run}/{paper}/about.json",
        readme="reports/{run}/{paper}/README.md",
        pages=directory("reports/{run}/{paper}/pages"),
    log:
        "results/{run}/logs/page/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/page/{paper}.tsv"
    params:
        code=section_digest("referee.report.rebuild", keys=PAGE),
        templates=closure.folder_sha256("referee/report/templates"),
        static=closure.folder_sha256("referee/report/static"),
    message:
        "page of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree page {wildcards.paper} --run {wildcards.run} > {log} 2>&1"


rule index:
    input:
        lambda w: [f"reports/{w.run}/{paper}/index.html" for paper in PAPERS],
    output:
        page="reports/{run}/index.html",
        ledger="reports/{run}/ledger.html",
    log:
        "results/{run}/logs/index.log",
    benchmark:
        "results/{run}/benchmarks/index.tsv"
    params:
        code=closure.code_sha256("referee.report.index"),
        templates=closure.folder_sha256("referee/report/templates"),
        static=closure.folder_sha256("referee/report/static"),
    message:
        "index of all papers ({wildcards.run})"
    shell:
        "projfree page --run {wildcards.run} > {log} 2>&1"


for paper in PAPERS:

    rule:
        name:
            paper
        input:
            f"reports/{RUN}/{paper}/index.html",
