"""Root attributes of a trace: its job and its inputs."""

from projfree.common import provenance
from projfree.trace.check import described

from ..common import revision
from . import instance


def job_attrs(job, instance_path) -> dict:
    """Root attributes that the trace of a job will have; a probe may have no instance."""
    return trace_attrs(job, instance.instance_attrs(instance_path))


def trace_attrs(job, about: dict) -> dict:
    """Root attributes of the trace contract; `about` is what `instance_attrs` tells."""
    spec = written(job)
    return {
        **described(spec),
        "git_commit": revision.git_commit(),
        "environment": provenance.environment(),
        "instance_digest": str(about["digest"]),
        "instance_sha256": str(about["sha256"]),
        "dataset_sha256": str(about["dataset_sha256"]),
        "stand_in": bool(about["stand_in"]),
        "stand_in_note": str(about["stand_in_note"]),
        "spec": spec,
    }


def written(job) -> dict:
    """A job as files hold it: given values without defaults; a probe is stored like a solver."""
    plain = job.plain()
    if not job.probe:
        return plain
    return {
        **plain,
        "solver": plain["probe"],
        "problem": plain.get("problem", {}),
        "set": plain.get("set", {}),
    }
