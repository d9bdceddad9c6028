"""What is done for one method of an experiment: its instance is made, its grid is searched, it is run.

All of it is watched for code that no hash covers.
"""

from pathlib import Path

from projfree.ground.outside import DamagedFile, read_json

from ..study import code


def make_instance(recipe, output: Path, prepared=None) -> None:
    """Make an instance file, from the prepared dataset where it draws from one."""
    from .build import build_instance

    with code.instance_covered(recipe):
        build_instance(recipe, output, prepared)


def run_method(job, instance_path, output: Path, tuning=None) -> str:
    """Run one method, a probe or a solver, and write its trace; a line that says so."""
    with code.covered(job):
        if job.probe:
            from .probe import run_probe

            run_probe(job, instance_path, output)
        else:
            from .job import run_job, with_tuned

            run_job(with_tuned(job, tuning and chosen(tuning)), instance_path, output)
    return f"wrote {output}"


def tune_method(job, instance_path, output: Path) -> str:
    """Search a method's grid and keep what was tried; a line about what was chosen."""
    from .tuning import tune

    with code.covered(job):
        tune(job, instance_path, output)
    record = read_json(output)
    tries = f"chose {record['chosen']} after {len(record['tried'])} tries"
    return f"{job.experiment} {job.method}: {tries}; wrote {output}"


def chosen(tuning) -> dict:
    """The parameters that a table of tried values chose; DamagedFile for what is no such table."""
    try:
        return read_json(tuning)["chosen"]
    except (KeyError, TypeError):
        raise DamagedFile(f"{tuning}: not a table of tried values, it has none `chosen`") from None
