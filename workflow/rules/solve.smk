# From an experiment to traces: instance, tuning, and one job per (experiment, method) with all its seeds.


rule instance:
    input:
        prepared=prepared_path,
    output:
        "results/{run}/instances/{paper}/{experiment}.h5",
    log:
        "results/{run}/logs/instance/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/instance/{paper}/{experiment}.tsv"
    resources:
        mem_mb=memory_mb,
        runtime=lambda w, attempt: attempt * 60,
    params:
        recipe=lambda w: hashes.digest(load(w).recipe(w.experiment).plain()),
        seeds=SEEDS,
    message:
        "instance of {wildcards.paper} {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree instance {wildcards.paper} {wildcards.experiment} --run {wildcards.run}{params.seeds}"
        " --output {output} > {log} 2>&1"


# An alternative's own instances go once its jobs are done: of ncgs there are forty, of gigabytes each.
use rule instance as instance_of_alternative with:
    output:
        temp("results/{run}/instances/{paper}/{experiment}.h5"),
    wildcard_constraints:
        run=r"[a-z]+@[\w.+-]+",


ruleorder: instance_of_alternative > instance


rule tune:
    input:
        instance=instance_path,
    output:
        "results/{run}/tuning/{paper}/{experiment}/{method}.json",
    log:
        "results/{run}/logs/tune/{paper}/{experiment}/{method}.log",
    benchmark:
        "results/{run}/benchmarks/tune/{paper}/{experiment}/{method}.tsv"
    group:
        cheap_group
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
        runtime=runtime_minutes,
    params:
        job=job_digest,
        seeds=SEEDS,
    message:
        "tuning {wildcards.method} on {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree tune {wildcards.paper} {wildcards.experiment} {wildcards.method} --run {wildcards.run}{params.seeds}"
        " --instance {input.instance} --output {output} > {log} 2>&1"


rule solve:
    input:
        instance=instance_path,
        tuning=tuning_path,
    output:
        "results/{run}/traces/{paper}/{experiment}/{method}.h5",
    log:
        "results/{run}/logs/solve/{paper}/{experiment}/{method}.log",
    benchmark:
        "results/{run}/benchmarks/solve/{paper}/{experiment}/{method}.tsv"
    group:
        cheap_group
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
        runtime=runtime_minutes,
    params:
        job=job_digest,
        seeds=SEEDS,
    message:
        "{wildcards.method} on {wildcards.experiment} ({wildcards.run})"
    shell:
        "instance={input.instance}; projfree run {wildcards.paper} {wildcards.experiment} {wildcards.method}"
        " --run {wildcards.run}{params.seeds} ${{instance:+--instance $instance}} --output {output} > {log} 2>&1"


# Many cheap runs: one job a bundle, from its instances to its tidy tables.
for paper, name, experiments in bundles():
    own = bundle_sources(paper, experiments, own=True)

    rule:
        name:
            f"bundle_{paper}_{name}".replace("-", "_").replace(".", "_")
        input:
            instance_paths(paper, bundle_sources(paper, experiments, own=False)),
            bundle_datasets(paper, own),
        output:
            instances=instance_paths(paper, own),
            traces=bundle_outputs("traces", paper, experiments, "h5"),
            tuning=bundle_outputs("tuning", paper, experiments, "json"),
            tidy=[f"results/{RUN}/evidence/{paper}/{e}.csv" for e in experiments],
        log:
            f"results/{RUN}/logs/bundle/{paper}/{name}.log",
        benchmark:
            f"results/{RUN}/benchmarks/bundle/{paper}/{name}.tsv"
        # The longest first, so that none is alone at the end.
        priority: round(costs.bundle_bound(study_of(paper, RUN), name))
        resources:
            mem_mb=lambda w, attempt, p=paper, e=experiments: bundle_memory_mb(
                p, e, attempt
            ),
            runtime=lambda w, attempt, p=paper, n=name: bundle_minutes(p, n, attempt),
        params:
            jobs=lambda w, p=paper, e=experiments: bundle_digest(p, e),
            command=" ".join(
                [f"projfree bundle {paper} --run {RUN}{SEEDS}"]
                + [f"--make {e}" for e in own]
                + experiments
            ),
        message:
            f"{len(experiments)} experiment{'s' * (len(experiments) > 1)} of {paper}: {name} ({RUN})"
        shell:
            "{params.command} > {log} 2>&1"

    workflow.ruleorder(
        f"bundle_{paper}_{name}".replace("-", "_").replace(".", "_"),
        "solve",
        "tune",
        "tidy",
        "instance",
    )
