"""The jobs of one method of an experiment: make its instance, search its grid, run it.

All of it is watched for code that no hash covers, and no clock runs before the kernels are compiled.
"""

from pathlib import Path

from projfree.common import owned
from projfree.common.outside import DamagedFile

from ..common.bounded import read_json
from ..study import code
from . import compiled


def make_instance(recipe, output: Path, prepared=None) -> None:
    """Make an instance file, from the prepared dataset if it draws from one."""
    from .build import build_instance

    with code.instance_covered(recipe):
        build_instance(recipe, output, prepared)


def run_method(job, instance_path, output: Path, tuning=None) -> str:
    """Run one method, a probe or a solver, and write its trace to a free place; a line that says so."""
    compiled.ensure()
    with code.covered(job):
        if job.probe:
            from .probe import run_probe as run
        else:
            from .job import run_job as run
            from .job import with_tuned

            job = with_tuned(job, tuning and chosen(tuning))
        compiled.without_compiling(lambda: run(job, instance_path, output))
    return f"wrote {output}"


def tune_method(job, instance_path, output: Path) -> str:
    """Search a method's grid and keep the tried values; returns a line about the choice."""
    from . import tuning

    owned.require(output, tuning.mark(job))
    compiled.ensure()
    with code.covered(job):
        compiled.without_compiling(lambda: tuning.tune(job, instance_path, output))
    record = read_json(output)
    tries = f"chose {record['chosen']} after {len(record['tried'])} tries"
    return f"{job.experiment} {job.method}: {tries}; wrote {output}"


def chosen(tuning) -> dict:
    """The parameters that a table of tried values chose; DamagedFile for another file."""
    try:
        return read_json(tuning)["chosen"]
    except (KeyError, TypeError):
        raise DamagedFile(f"{tuning}: not a table of tried values, it has none `chosen`") from None
