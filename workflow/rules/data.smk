# Datasets: fetched, verified, prepared once for all runs; kernels compiled once for all jobs.


rule kernels:
    output:
        touch(".cache/kernels.done"),
    log:
        "results/logs/kernels.log",
    benchmark:
        "results/benchmarks/kernels.tsv"
    params:
        code=provenance.code_sha256("projfree.engine.warmup", *study.kernel_modules()),
    message:
        "compiling kernels"
    shell:
        "projfree compile > {log} 2>&1"


rule prepare:
    output:
        "data/prepared/{dataset}.h5",
    log:
        "results/logs/prepare/{dataset}.log",
    benchmark:
        "results/benchmarks/prepare/{dataset}.tsv"
    params:
        code=lambda w: provenance.digest([study.dataset_row(w.dataset), provenance.code_sha256("projfree.data.prepare", *study.generator_modules())]),
    message:
        "preparing {wildcards.dataset}"
    shell:
        "projfree data prepare {wildcards.dataset} > {log} 2>&1"


rule data:
    input:
        lambda w: [
            f"data/prepared/{name}.h5"
            for paper in PAPERS
            for name in study_of(paper, RUN).datasets()
        ],
