# From traces to verdicts: one tidy table per experiment, claims, tables, and the verdicts under alternatives.
CLAIMS = ("experiments", "methods", "figures", "forms", "clock", "unit_costs")


rule tidy:
    """The table of all records of an experiment, which is what is drawn, judged and published."""
    input:
        traces,
    output:
        "results/{run}/evidence/{paper}/{experiment}.csv",
    log:
        "results/{run}/logs/tidy/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/tidy/{paper}/{experiment}.tsv"
    localrule: True
    params:
        code=closure.code_sha256("referee.evidence.tidy"),
        methods=lambda w: load(w).experiment(w.experiment).run_here,
    message:
        "tidy table of {wildcards.experiment} ({wildcards.run})"
    shell:
        ours("projfree tidy {output} {input} > {log} 2>&1")


# Panels that are kept in git as they are asked for: of nothing, all of a paper in one process.
for paper, run in each():
    if panels := kept_panels(paper, run):

        rule:
            """Generated: tables of a paper that are kept in git, of just the jobs that are asked for."""
            name:
                f"kept_{paper}{suffix(run)}"
            output:
                bundle_outputs("tuning", of_run(paper, run), panels, "json"),
                evidence_of(of_run(paper, run), panels),
            log:
                f"results/{run}/logs/kept/{paper}.log",
            benchmark:
                f"results/{run}/benchmarks/kept/{paper}.tsv"
            localrule: True
            params:
                records=hashes.digest(panels),
                command=" ".join([f"projfree restore {paper} --run {run}", *panels]),
            message:
                f"{len(panels)} panels of {paper}, as kept ({run})"
            shell:
                ours("{params.command} > {log} 2>&1")

        ORDER.append((f"kept_{paper}{suffix(run)}", "tune", "tidy"))


for paper, run in each():
    if under := kept_under_alternatives(paper, run):

        rule:
            """Generated: tables of runs under alternatives that are kept in git until their verdicts are published."""
            name:
                f"kept_under_alternatives_{paper}{suffix(run)}"
            output:
                [
                    f
                    for other, names in under.items()
                    for f in evidence_of(of_run(paper, other), names)
                ],
            log:
                f"results/{run}/logs/kept_under_alternatives/{paper}.log",
            benchmark:
                f"results/{run}/benchmarks/kept_under_alternatives/{paper}.tsv"
            localrule: True
            params:
                records=hashes.digest(under),
                command=" ".join(
                    [f"projfree restore {paper} --run {run}"]
                    + [
                        f"{other.partition('@')[2]}/{e}"
                        for other, names in under.items()
                        for e in names
                    ]
                ),
            message:
                f"{sum(map(len, under.values()))} panels of {paper} under alternatives, as kept ({run})"
            shell:
                ours("{params.command} > {log} 2>&1")

        ORDER.append((f"kept_under_alternatives_{paper}{suffix(run)}", "tidy"))


rule judge:
    """The verdicts on the claims of a paper."""
    input:
        judged,
    output:
        shown("results/{run}/claims/{paper}.json", "claims", "claims"),
        "results/{run}/claims/{paper}.csv",
    log:
        "results/{run}/logs/judge/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/judge/{paper}.tsv"
    localrule: True
    params:
        spec=lambda w: claims_digest(w, CLAIMS),
    message:
        "judging the claims of {wildcards.paper} ({wildcards.run})"
    shell:
        ours("projfree judge {wildcards.paper} --run {wildcards.run} > {log} 2>&1")


rule table:
    """One table of a paper."""
    input:
        table_tables,
    output:
        shown("reports/{run}/{paper}/tables/{table}.csv", "{table}", "table"),
        "reports/{run}/{paper}/tables/{table}.tex",
    log:
        "results/{run}/logs/table/{paper}/{table}.log",
    benchmark:
        "results/{run}/benchmarks/table/{paper}/{table}.tsv"
    localrule: True
    params:
        paper="{paper}",
        run="{run}",
        spec=table_digest,
    message:
        "{wildcards.table} of {wildcards.paper} ({wildcards.run})"
    shell:
        ours("projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1")


# All tables of a paper in one process.
for paper, run in each():

    rule:
        """Generated: all tables of a paper."""
        name:
            f"tables_{paper}{suffix(run)}"
        input:
            tidy_tables(of_run(paper, run)),
        output:
            all_shown(of_run(paper, run), "table", page_tables(of_run(paper, run))),
            page_tables(of_run(paper, run), "tex"),
        log:
            f"results/{run}/logs/tables/{paper}.log",
        benchmark:
            f"results/{run}/benchmarks/tables/{paper}.tsv"
        localrule: True
        params:
            paper=paper,
            run=run,
            spec=lambda w, of=of_run(paper, run): table_digest(of),
        message:
            f"tables of {paper} ({run})"
        shell:
            ours(
                "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"
            )

    together_unless_asked(f"tables_{paper}{suffix(run)}", "table")


rule under_alternatives:
    """The verdicts of a paper under each alternative of its register of unstated choices."""
    input:
        base="results/{run}/claims/{paper}.json",
        others=alternative_tables,
    output:
        table="reports/{run}/{paper}/tables/alternatives.csv",
    log:
        "results/{run}/logs/under_alternatives/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/under_alternatives/{paper}.tsv"
    localrule: True
    params:
        spec=lambda w: claims_digest(w, (*CLAIMS, "deviations")),
    message:
        "verdicts of {wildcards.paper} under the alternatives of the deviation register ({wildcards.run})"
    shell:
        ours(
            "projfree draw {wildcards.paper} {output.table} --run {wildcards.run} > {log} 2>&1"
        )


rule claims:
    """Verdicts of all papers."""
    input:
        [f"results/{RUN}/claims/{paper}.json" for paper in PAPERS],


rule alternatives:
    """Verdicts of all papers under the alternatives of their registers."""
    input:
        [f"reports/{RUN}/{paper}/tables/alternatives.csv" for paper in PAPERS],
