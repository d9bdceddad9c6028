# From traces to verdicts: one tidy table per experiment, claims, tables, and the verdicts under alternatives.
EVIDENCE = ("experiments", "claims", "methods")


def tidy_tables(wildcards):
    """Tidy tables of all experiments that have methods."""
    experiments = load(wildcards).experiments
    return [f"results/{wildcards.run}/evidence/{wildcards.paper}/{e}.csv" for e, v in experiments.items() if v["methods"]]


rule tidy:
    input:
        lambda w: expand(rules.solve.output[0], method=load(w).experiment(w.experiment)["methods"], allow_missing=True),
    output:
        "results/{run}/evidence/{paper}/{experiment}.csv",
    log:
        "results/{run}/logs/tidy/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/tidy/{paper}/{experiment}.tsv"
    params:
        code=provenance.code_sha256("projfree.evidence.tidy"),
    message:
        "tidy table of {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree tidy {output} {input} > {log} 2>&1"


rule judge:
    input:
        tidy_tables,
    output:
        "results/{run}/claims/{paper}.json",
    log:
        "results/{run}/logs/judge/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/judge/{paper}.tsv"
    params:
        spec=section_digest("projfree.evidence.claims", keys=EVIDENCE),
    message:
        "judging the claims of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree judge {wildcards.paper} --run {wildcards.run} --output {output} > {log} 2>&1"


rule table:
    input:
        tidy_tables,
    output:
        multiext("reports/{run}/{paper}/tables/{table}", ".csv", ".tex"),
    log:
        "results/{run}/logs/table/{paper}/{table}.log",
    benchmark:
        "results/{run}/benchmarks/table/{paper}/{table}.tsv"
    params:
        spec=section_digest("projfree.evidence.tables", keys=("tables", "experiments")),
    message:
        "{wildcards.table} of {wildcards.paper} ({wildcards.run})"
    shell:
        "projfree table {wildcards.paper} {wildcards.table} --run {wildcards.run} {output} > {log} 2>&1"


rule under_alternatives:
    input:
        base="results/{run}/claims/{paper}.json",
        others=lambda w: [
            f"results/{w.run}@{name}/claims/{w.paper}.json" for name in study.alternatives(load(w).spec)
        ],
    output:
        "results/{run}/evidence-alternatives/{paper}.csv",
    log:
        "results/{run}/logs/under_alternatives/{paper}.log",
    benchmark:
        "results/{run}/benchmarks/under_alternatives/{paper}.tsv"
    message:
        "verdicts of {wildcards.paper} under the alternatives of the deviation register ({wildcards.run})"
    shell:
        "projfree under-alternatives {wildcards.paper} --run {wildcards.run} --output {output} > {log} 2>&1"


rule claims:
    input:
        [f"results/{RUN}/claims/{paper}.json" for paper in PAPERS],


rule alternatives:
    input:
        [f"results/{RUN}/evidence-alternatives/{paper}.csv" for paper in PAPERS],
