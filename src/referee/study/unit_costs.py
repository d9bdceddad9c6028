"""Unit costs of oracles, for model seconds: next to a paper's files, one JSON file a run."""

import json
from pathlib import Path

from projfree.ground.outside import DamagedFile
from projfree.ground.sealed import atomic_write

from ..ground.bounded import read_json
from ..ground.project import project_root
from . import files
from .models.paper import UnitCosts
from .validation import StudyError, validate


def place(paper: str, run: str, root=None) -> Path:
    """Where the unit costs of a run are kept; those under an alternative are the run's own."""
    return (
        Path(root or project_root()) / files.PAPERS / paper / "unit_costs" / f"{run.partition('@')[0]}.json"
    )


def read(path: Path) -> dict:
    """Experiment → method → oracle → count → seconds a call; {} if nothing was calibrated.

    Raises
    ------
    StudyError
        For a file that is not one of unit costs.
    """
    if not path.exists():
        return {}
    return validate(UnitCosts, _given(path), path).costs


def _given(path):
    try:
        return read_json(path)
    except DamagedFile as error:
        raise StudyError(str(error)) from None


def write(path: Path, costs: UnitCosts) -> None:
    """Keep unit costs, one method a line."""
    about = costs.model_dump(exclude={"costs"})
    lines = ",\n".join(
        f"  {json.dumps(experiment)}: {{\n{_methods(methods)}\n  }}"
        for experiment, methods in costs.costs.items()
    )
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    atomic_write(path, f'{{\n{head},\n "costs": {{\n{lines}\n }}\n}}\n')


def _methods(methods):
    return ",\n".join(
        f"   {json.dumps(method)}: {json.dumps(oracles)}" for method, oracles in methods.items()
    )
