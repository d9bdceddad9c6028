# Datasets: fetched, verified, prepared once for all runs.


rule prepare:
    output:
        "data/prepared/{dataset}.h5",
    log:
        "results/logs/prepare/{dataset}.log",
    benchmark:
        "results/benchmarks/prepare/{dataset}.tsv"
    params:
        code=dataset_digest,
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
