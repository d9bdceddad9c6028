# From traces to verdicts: one tidy table per experiment, claims, tables, and the verdicts under alternatives.
CLAIMS = ("experiments", "claims", "methods", "figures", "clock", "unit_costs")


rule tidy:
    input:
        traces,
    output:
        "results/{run}/evidence/{paper}/{experiment}.csv",
    log:
        "results/{run}/logs/tidy/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/tidy/{paper}/{experiment}.tsv"
    params:
        code=closure.code_sha256("referee.evidence.tidy"),
        methods=lambda w: load(w).experiment(w.experiment).run_here,
    message:
        "tidy table of {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree tidy {output} {input} > {log} 2>&1"


# Panels that are kept in git as they are asked for: of nothing, all of a paper in one process.
for paper in PAPERS:
    if kept_panels(paper):

        rule:
            name:
                f"kept_{paper}"
            output:
                bundle_outputs("tuning", paper, kept_panels(paper), "json"),
                evidence_of(of_run(paper), kept_panels(paper)),
            log:
                f"results/{RUN}/logs/kept/{paper}.log",
            benchmark:
                f"results/{RUN}/benchmarks/kept/{paper}.tsv"
            localrule: True
            params:
                records=hashes.digest(kept_panels(paper)),
                command=" ".join(
                    [f"projfree restore {paper} --run {RUN}", *kept_panels(paper)]
                ),
            message:
                f"{len(kept_panels(paper))} panels of {paper}, as kept ({RUN})"
            shell:
                "{params.command} > {log} 2>&1"

        workflow.ruleorder(f"kept_{paper}", "tune", "tidy")


rule judge:
    input:
        judged,
    output:
        shown("results/{run}/claims/{paper}.json", "claims", "claims"),
    log:
        "results/{run}/logs/judge/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/judge/{paper}.tsv"
    params:
        spec=section_digest("referee.evidence.claims", keys=CLAIMS, found=judged_with),
    message:
        "judging the claims of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree judge {wildcards.paper} --run {wildcards.run} > {log} 2>&1"


rule table:
    input:
        table_tables,
    output:
        shown("reports/{run}/{paper}/tables/{table}.csv", "{table}", "table"),
        "reports/{run}/{paper}/tables/{table}.tex",
    log:
        "results/{run}/logs/table/{paper}/{table}.log",
    benchmark:
        "results/{run}/benchmarks/table/{paper}/{table}.tsv"
    params:
        paper="{paper}",
        run="{run}",
        spec=table_digest,
    message:
        "{wildcards.table} of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"


# All tables of a paper in one process.
for paper in PAPERS:

    rule:
        name:
            f"tables_{paper}"
        input:
            tidy_tables(of_run(paper)),
        output:
            all_shown(paper, "table", page_tables(of_run(paper))),
            page_tables(of_run(paper), "tex"),
        log:
            f"results/{RUN}/logs/tables/{paper}.log",
        benchmark:
            f"results/{RUN}/benchmarks/tables/{paper}.tsv"
        localrule: True
        params:
            paper=paper,
            run=RUN,
            spec=lambda w, p=paper: table_digest(of_run(p)),
        message:
            f"tables of {paper} ({RUN})"
        shell:
            "projfree draw {params.paper} {output} --run {params.run} > {log} 2>&1"

    together_unless_asked(f"tables_{paper}", "table")


rule under_alternatives:
    input:
        base="results/{run}/claims/{paper}.json",
        others=alternative_claims,
    output:
        table="reports/{run}/{paper}/tables/alternatives.csv",
        choices="reports/{run}/{paper}/tables/alternatives-choices.csv",
        claims="reports/{run}/{paper}/tables/alternatives-claims.csv",
    log:
        "results/{run}/logs/under_alternatives/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/under_alternatives/{paper}.tsv"
    params:
        spec=section_digest(
            "referee.evidence.claims",
            "referee.evidence.alternatives",
            keys=(*CLAIMS, "deviations"),
            found=judged_with,
        ),
    message:
        "verdicts of {wildcards.paper} under the alternatives of the deviation register ({wildcards.run})"
    shell:
        "projfree draw {wildcards.paper} {output.table} --run {wildcards.run} > {log} 2>&1"


rule claims:
    input:
        [f"results/{RUN}/claims/{paper}.json" for paper in PAPERS],


rule alternatives:
    input:
        [f"reports/{RUN}/{paper}/tables/alternatives.csv" for paper in PAPERS],
