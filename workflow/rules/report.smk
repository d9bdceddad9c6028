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
    """One figure of a paper."""
    input:
        figure_tables,
    output:
        shown("reports/{run}/{paper}/figures/{figure}.{format}", "{figure}", "figure"),
    log:
        "results/{run}/logs/figure/{paper}/{figure}.{format}.log",
    benchmark:
        "results/{run}/benchmarks/figure/{paper}/{figure}.{format}.tsv"
    localrule: True
    params:
        paper="{paper}",
        run="{run}",
        spec=figure_digest,
    message:
        "{wildcards.figure} of {wildcards.paper} ({wildcards.run})"
    shell:
        ours("projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1")


# All figures of a paper in one process, which loads fonts, styles and tables once.
for paper, run in each():

    rule:
        """Generated: all figures of a paper."""
        name:
            f"figures_{paper}{suffix(run)}"
        input:
            drawn_tables(of_run(paper, run)),
        output:
            all_shown(
                of_run(paper, run),
                "figure",
                page_figures(of_run(paper, run), formats(run)),
            ),
        log:
            f"results/{run}/logs/figures/{paper}.log",
        benchmark:
            f"results/{run}/benchmarks/figures/{paper}.tsv"
        localrule: True
        params:
            paper=paper,
            run=run,
            spec=lambda w, of=of_run(paper, run): figure_digest(of),
        message:
            f"figures of {paper} ({run})"
        shell:
            ours(
                "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"
            )

    together_unless_asked(f"figures_{paper}{suffix(run)}", "figure")


rule page:
    """The page of a paper: verdicts, figures, tables, and what they were made from."""
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
    localrule: True
    params:
        code=section_digest("referee.report.rebuild", keys=PAGE),
        templates=closure.folder_sha256("referee/report/templates"),
        static=closure.folder_sha256("referee/report/static"),
    message:
        "page of {wildcards.paper} ({wildcards.run})"
    shell:
        ours("projfree page {wildcards.paper} --run {wildcards.run} > {log} 2>&1")


rule index:
    """The page over all papers, and the table of all claims."""
    input:
        lambda w: [f"reports/{w.run}/{paper}/index.html" for paper in papers_of(w.run)],
    output:
        page="reports/{run}/index.html",
        ledger="reports/{run}/ledger.html",
    log:
        "results/{run}/logs/index.log",
    benchmark:
        "results/{run}/benchmarks/index.tsv"
    localrule: True
    params:
        code=closure.code_sha256("referee.report.index"),
        templates=closure.folder_sha256("referee/report/templates"),
        static=closure.folder_sha256("referee/report/static"),
    message:
        "index of all papers ({wildcards.run})"
    shell:
        ours("projfree page --run {wildcards.run} > {log} 2>&1")


for paper in PAPERS:

    rule:
        """The page of one paper."""
        name:
            paper
        input:
            f"reports/{RUN}/{paper}/index.html",
