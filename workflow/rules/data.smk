# Datasets: fetched, verified, prepared once for all runs.


rule prepare:
    """One dataset in the form that jobs read: from its files, or a stand-in where they are not to be had."""
    input:
        raw_files,
    output:
        "data/prepared/{dataset}.h5",
    log:
        "results/logs/prepare/{dataset}.log",
    benchmark:
        "results/benchmarks/prepare/{dataset}.tsv"
    localrule: True
    params:
        code=dataset_digest,
    message:
        "preparing {wildcards.dataset}"
    shell:
        ours("projfree data prepare {wildcards.dataset} > {log} 2>&1")


rule data:
    """All prepared datasets of the configured run."""
    input:
        lambda w: [
            f"data/prepared/{name}.h5"
            for paper in papers_of(RUN)
            for name in study_of(paper, RUN).datasets()
        ],
