# From an experiment to traces: instance, tuning, and one job per (experiment, method) with all its seeds.


rule instance:
    """The problem of an experiment on all its seeds, which all methods are run on."""
    input:
        prepared=prepared_path,
    output:
        "results/{run}/instances/{paper}/{experiment}.h5",
    log:
        "results/{run}/logs/instance/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/instance/{paper}/{experiment}.tsv"
    wildcard_constraints:
        run="[a-z]+",
    resources:
        mem_mb=memory_mb,
        runtime=lambda w, attempt: attempt * 60,
    params:
        recipe=lambda w: hashes.digest(load(w).recipe(w.experiment).plain()),
        seeds=SEEDS,
    message:
        "instance of {wildcards.paper} {wildcards.experiment} ({wildcards.run})"
    shell:
        ours(
            "projfree instance {wildcards.paper} {wildcards.experiment} --run {wildcards.run}{params.seeds}"
            " --output {output} > {log} 2>&1"
        )


# An alternative's own instances go once its jobs are done: of ncgs there are forty, of gigabytes each.
use rule instance as instance_of_alternative with:
    output:
        temp("results/{run}/instances/{paper}/{experiment}.h5"),
    wildcard_constraints:
        run=r"[a-z]+@[\w.+-]+",


rule tune:
    """The table of tried values of a tuned method, from a seed that is not judged."""
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
        ours(
            "projfree tune {wildcards.paper} {wildcards.experiment} {wildcards.method} --run {wildcards.run}{params.seeds}"
            " --instance {input.instance} --output {output} > {log} 2>&1"
        )


rule solve:
    """The trace of a method: all its seeds in an experiment."""
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
        "instance={input.instance}; "
        + ours(
            "projfree run {wildcards.paper} {wildcards.experiment} {wildcards.method} --run {wildcards.run}"
            "{params.seeds} ${{instance:+--instance $instance}} --output {output} > {log} 2>&1"
        )


# Many cheap runs: one job a bundle, from its instances to its tidy tables.
for of, name, experiments in bundles():
    own = bundle_sources(of, experiments, own=True)
    job = re.sub("[-.]", "_", f"bundle_{of.paper}_{name}") + suffix(of.run)

    rule:
        """Generated: all methods of a bundle of cheap experiments, from their instances to their tables."""
        name:
            job
        input:
            instance_paths(of, bundle_sources(of, experiments, own=False)),
            bundle_datasets(of, own),
        output:
            instances=instance_paths(of, own),
            traces=bundle_outputs("traces", of, experiments, "h5"),
            tuning=bundle_outputs("tuning", of, experiments, "json"),
            tidy=evidence_of(of, experiments),
        log:
            f"results/{of.run}/logs/bundle/{of.paper}/{name}.log",
        benchmark:
            f"results/{of.run}/benchmarks/bundle/{of.paper}/{name}.tsv"
        # The longest first, so that none is alone at the end.
        priority: round(costs.bundle_bound(load(of), name))
        resources:
            mem_mb=lambda w, attempt, of=of, e=experiments: bundle_memory_mb(
                of, e, attempt
            ),
            runtime=lambda w, attempt, of=of, n=name: bundle_minutes(of, n, attempt),
        params:
            jobs=lambda w, of=of, e=experiments: bundle_digest(of, e),
            command=" ".join(
                [f"projfree bundle {of.paper} --run {of.run}{SEEDS}"]
                + [f"--make {e}" for e in own]
                + experiments
            ),
        message:
            f"{len(experiments)} experiment{'s' * (len(experiments) > 1)} of {of.paper}: {name} ({of.run})"
        shell:
            ours("{params.command} > {log} 2>&1")

    ORDER.append((job, "solve", "tune", "tidy", "instance"))
