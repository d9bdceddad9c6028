"""Do a job, unless the store has what it would give; then keep what it gave."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..ground.outside import DamagedFile, read_json
from ..study import code
from . import store
from .origin import Unusable, origin


def run_method(job, instance_path, output: Path, tuning=None) -> str:
    """Run one method, a probe or a solver, and write its trace, or take the trace from the store."""
    from ..jobs.attributes import job_attrs

    if job.probe:
        from ..jobs.probe import run_probe as work
    else:
        from ..jobs.job import run_job as work
        from ..jobs.job import with_tuned

        job = with_tuned(job, tuning and chosen(tuning))
    attrs = partial(job_attrs, job, instance_path)
    with code.covered(job):
        return _reused("trace", attrs, Path(output), partial(work, job, instance_path, output))


def tune_method(job, instance_path, output: Path) -> str:
    """Search a method's grid, or take the table of tried values from the store."""
    from ..jobs.tuning import made_from, tune

    attrs, work = partial(made_from, job, instance_path), partial(tune, job, instance_path, output)
    with code.covered(job):
        done = _reused("tuning", attrs, Path(output), work)
    record = read_json(output)
    tries = f"chose {record['chosen']} after {len(record['tried'])} tries"
    return f"{job.experiment} {job.method}: {tries}; {done}"


def chosen(tuning) -> dict:
    """The parameters that a table of tried values chose; DamagedFile for what is no such table."""
    try:
        return read_json(tuning)["chosen"]
    except (KeyError, TypeError):
        raise DamagedFile(f"{tuning}: not a table of tried values, it has none `chosen`") from None


def _reused(kind: str, attrs: Callable[[], dict], output: Path, work: Callable[[], object]) -> str:
    """Make the output or take it from the store; a line that says which.

    `attrs` gives the attributes that the output will have; it is asked only where there is a store.
    """
    shared = store.configured()
    if shared is None:
        work()
        return f"wrote {output}"
    made_from = origin(kind, attrs())
    found = shared.fetch(made_from, output)
    if found:
        return f"{output}: {found}"
    work()
    try:
        shared.put(output, made_from)
    except (OSError, Unusable) as error:
        store.warn(f"{output} is not kept: {error}")
    return f"wrote {output}"
