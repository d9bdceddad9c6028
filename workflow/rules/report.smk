# From evidence to pages. Drawing reads tables only: it never makes a solver run again.


def figure_tables(wildcards):
    """Tidy tables of a figure's panels."""
    loaded = load(wildcards)
    panels = study.lookup(loaded.spec["figures"], wildcards.figure, "figure", wildcards.paper)["panels"]
    return sorted({f"results/{wildcards.run}/evidence/{wildcards.paper}/{p['experiment']}.csv" for p in panels})


def page_tuning(wildcards):
    """Tables of tried values."""
    loaded = load(wildcards)
    return [
        f"results/{wildcards.run}/tuning/{wildcards.paper}/{e}/{m}.json"
        for e, m in loaded.solves()
        if loaded.searches(e, m)
    ]


def page_alternatives(wildcards):
    """The verdicts under alternatives, once `snakemake alternatives` has made them."""
    path = f"results/{wildcards.run}/evidence-alternatives/{wildcards.paper}.csv"
    return [path] if Path(path).exists() else []


rule figure:
    input:
        figure_tables,
    output:
        report(
            multiext("reports/{run}/{paper}/figures/{figure}", ".svg", ".pdf", ".png"),
            caption="../report/figure.rst",
            category="{paper}",
            labels={"figure": "{figure}", "run": "{run}"},
        ),
    log:
        "results/{run}/logs/figure/{paper}/{figure}.log",
    benchmark:
        "results/{run}/benchmarks/figure/{paper}/{figure}.tsv"
    params:
        spec=section_digest("projfree.report.figures", keys=("figures", "experiments", "methods")),
    message:
        "{wildcards.figure} of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree figure {wildcards.paper} {wildcards.figure} --run {wildcards.run} {output} > {log} 2>&1"


rule page:
    input:
        claims="results/{run}/claims/{paper}.json",
        figures=lambda w: expand(rules.figure.output[0], figure=load(w).spec["figures"], allow_missing=True),
        tables=lambda w: expand(rules.table.output[0], table=load(w).spec["tables"], allow_missing=True),
        tuning=page_tuning,
        alternatives=page_alternatives,
    output:
        page="reports/{run}/{paper}/index.html",
        claims="reports/{run}/{paper}/claims.json",
    log:
        "results/{run}/logs/page/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/page/{paper}.tsv"
    params:
        code=section_digest("projfree.report.page", keys=("figures", "deviations", "methods", "title", "summary")),
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
