# Everything the rules ask of the study: names, paths and digests, no work.
import os
import sys
from functools import cache
from pathlib import Path

ROOT = Path(workflow.snakefile).resolve().parent
sys.path.insert(0, str(next(p for p in (ROOT, *ROOT.parents) if (p / "src" / "projfree").is_dir()) / "src"))

from projfree import provenance, study

study.validate(config, "workflow/schemas/config.schema.json", "config/config.yaml")
RUN = config["run"]
PAPERS = config["papers"] or study.papers()
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
for key, variable in (("mirror", "PROJFREE_MIRROR"), ("offline", "PROJFREE_OFFLINE")):
    if config.get(key):
        os.environ.setdefault(variable, str(config[key]))


wildcard_constraints:
    run=r"[a-z]+(@[\w.-]+)?",
    paper="[a-z]+",
    experiment=r"[\w.-]+",
    method=r"[\w.-]+",
    figure=r"[\w-]+",
    table=r"[\w-]+",
    dataset=r"[\w.-]+",


@cache
def study_of(paper, run):
    """A paper under a run; read once per start of the workflow."""
    return study.load(paper, run, seeds=config.get("seeds"))


def load(wildcards):
    """The study of a job's paper and run."""
    return study_of(wildcards.paper, wildcards.run)


def instance_path(wildcards):
    """The instance an experiment runs on; runs under an alternative use their base run's where nothing differs."""
    loaded = load(wildcards)
    if not loaded.needs_instance(wildcards.experiment):
        return []
    source, run = loaded.instance_of(wildcards.experiment), wildcards.run
    base = run.partition("@")[0]
    if base != run:
        same = ("generator", "problem", "code")
        here, there = loaded.instance(source), study_of(wildcards.paper, base).instance(source)
        run = base if all(here[key] == there[key] for key in same) else run
    return f"results/{run}/instances/{wildcards.paper}/{source}.h5"


def tuning_path(wildcards):
    """The table of tried values of a tuned method."""
    searched = load(wildcards).searches(wildcards.experiment, wildcards.method)
    return "results/{run}/tuning/{paper}/{experiment}/{method}.json" if searched else []


@cache
def digest_of(paper, run, experiment, method):
    """Digest of a job's spec, which holds the hash of the code it imports."""
    return provenance.digest(study_of(paper, run).job(experiment, method))


def job_digest(wildcards):
    """Digest of the job of these wildcards."""
    return digest_of(wildcards.paper, wildcards.run, wildcards.experiment, wildcards.method)


def is_exclusive(wildcards):
    """1 for experiments whose memory bandwidth must not be shared."""
    return int(bool(load(wildcards).experiment(wildcards.experiment).get("exclusive")))


def memory_mb(wildcards, attempt=1):
    """Memory a job may use, from the size of its instance; more on a retry."""
    return attempt * load(wildcards).experiment(wildcards.experiment).get("memory_mb", 1000)


def section_digest(*modules, keys):
    """Digest of the parts of a paper's spec that a rule reads, and of the code it runs."""

    def digest(wildcards):
        spec = load(wildcards).spec
        return provenance.digest([{key: spec.get(key) for key in keys}, provenance.code_sha256(*modules)])

    return digest
