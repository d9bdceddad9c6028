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
    conda:
        "../envs/projfree.yml"
    resources:
        mem_mb=memory_mb,
    params:
        spec=lambda w: provenance.digest(load(w).instance(w.experiment)),
        seeds=SEEDS,
    message:
        "instance of {wildcards.paper} {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree instance {wildcards.paper} {wildcards.experiment} --run {wildcards.run}{params.seeds}"
        " --output {output} > {log} 2>&1"


rule tune:
    input:
        instance=instance_path,
    output:
        "results/{run}/tuning/{paper}/{experiment}/{method}.json",
    log:
        "results/{run}/logs/tune/{paper}/{experiment}/{method}.log",
    benchmark:
        "results/{run}/benchmarks/tune/{paper}/{experiment}/{method}.tsv"
    conda:
        "../envs/projfree.yml"
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
    params:
        spec=job_digest,
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
    conda:
        "../envs/projfree.yml"
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
    params:
        spec=job_digest,
        seeds=SEEDS,
    message:
        "{wildcards.method} on {wildcards.experiment} ({wildcards.run})"
    shell:
        "instance={input.instance}; projfree run {wildcards.paper} {wildcards.experiment} {wildcards.method}"
        " --run {wildcards.run}{params.seeds} ${{instance:+--instance $instance}} --output {output} > {log} 2>&1"


# Experiments of many cheap runs: one job each, from the instance to the tidy table.
for paper, experiment in bundles():

    rule:
        name:
            f"bundle_{paper}_{experiment}".replace("-", "_").replace(".", "_")
        input:
            instance=bundle_instance(paper, experiment, own=False),
            prepared=bundle_dataset(paper, experiment),
        output:
            instance=bundle_instance(paper, experiment, own=True),
            traces=bundle_outputs("traces", paper, experiment, "h5"),
            tuning=bundle_outputs("tuning", paper, experiment, "json"),
            tidy=f"results/{RUN}/evidence/{paper}/{experiment}.csv",
        log:
            f"results/{RUN}/logs/bundle/{paper}/{experiment}.log",
        benchmark:
            f"results/{RUN}/benchmarks/bundle/{paper}/{experiment}.tsv"
        conda:
            "../envs/projfree.yml"
        resources:
            mem_mb=study_of(paper, RUN).experiment(experiment).get("memory_mb", 1000),
        params:
            spec=bundle_digest(paper, experiment),
            command=f"projfree bundle {paper} {experiment} --run {RUN}{SEEDS}"
            + " --make-instance" * bool(bundle_instance(paper, experiment, own=True)),
        message:
            f"all methods on {experiment} of {paper} ({RUN})"
        shell:
            "instance={input.instance}; {params.command} ${{instance:+--instance $instance}} > {log} 2>&1"

    workflow.ruleorder(
        f"bundle_{paper}_{experiment}".replace("-", "_").replace(".", "_"),
        "solve",
        "tune",
        "tidy",
        "instance",
    )
