# From an experiment to traces: instance, tuning, and one job per (experiment, method) with all its seeds.


rule instance:
    input:
        kernels=ancient(".cache/kernels.done"),
        prepared=lambda w: [f"data/prepared/{name}.h5" for name in [load(w).dataset(w.experiment)] if name],
    output:
        "results/{run}/instances/{paper}/{experiment}.h5",
    log:
        "results/{run}/logs/instance/{paper}/{experiment}.log",
    benchmark:
        "results/{run}/benchmarks/instance/{paper}/{experiment}.tsv"
    resources:
        mem_mb=memory_mb,
    params:
        spec=lambda w: provenance.digest(load(w).instance(w.experiment)),
    message:
        "instance of {wildcards.paper} {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree instance {wildcards.paper} {wildcards.experiment} --run {wildcards.run}"
        " --output {output} > {log} 2>&1"


rule tune:
    input:
        kernels=ancient(".cache/kernels.done"),
        instance=instance_path,
    output:
        "results/{run}/tuning/{paper}/{experiment}/{method}.json",
    log:
        "results/{run}/logs/tune/{paper}/{experiment}/{method}.log",
    benchmark:
        "results/{run}/benchmarks/tune/{paper}/{experiment}/{method}.tsv"
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
    params:
        spec=job_digest,
    message:
        "tuning {wildcards.method} on {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree tune {wildcards.paper} {wildcards.experiment} {wildcards.method} --run {wildcards.run}"
        " --instance {input.instance} --output {output} > {log} 2>&1"


rule solve:
    input:
        kernels=ancient(".cache/kernels.done"),
        instance=instance_path,
        tuning=tuning_path,
    output:
        "results/{run}/traces/{paper}/{experiment}/{method}.h5",
    log:
        "results/{run}/logs/solve/{paper}/{experiment}/{method}.log",
    benchmark:
        "results/{run}/benchmarks/solve/{paper}/{experiment}/{method}.tsv"
    resources:
        membw=is_exclusive,
        mem_mb=memory_mb,
    params:
        spec=job_digest,
        seeds=config.get("seeds"),
    message:
        "{wildcards.method} on {wildcards.experiment} ({wildcards.run})"
    shell:
        "projfree run {wildcards.paper} {wildcards.experiment} {wildcards.method} --run {wildcards.run}"
        " --output {output} > {log} 2>&1"
