"""Unit costs of oracles, for model seconds: next to a paper's files, one JSON file a run."""

import json
from pathlib import Path

from projfree.ground.sealed import atomic_write

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
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StudyError(f"{path}: not JSON ({error})") from None
    return validate(UnitCosts, given, path).costs


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
