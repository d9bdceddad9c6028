"""The import contracts; what a paper's room may import, and that no source imports one."""

import re
import subprocess
import tomllib
from importlib.util import resolve_name

import pytest
from places import BIN, PAPERS, ROOT

from referee.common import closure

OPEN_TO_ROOMS = (
    *("projfree", "referee.data", "referee.jobs.probes", "referee.evidence", "referee.common"),
    "referee.judge",
)


def imported(path):
    """Dotted names of all that a source imports, ours and others'."""
    package = closure.module_of(path).rpartition(".")[0]
    for origin, names in closure.import_statements(path):
        yield from (f"{resolve_name(origin, package)}.{name}" for name in names) if origin else names


def inside(name, *packages):
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def ours(paths):
    """(source, name) of what sources import of our code."""
    names = ((str(path.relative_to(ROOT)), name) for path in paths for name in imported(path))
    return [pair for pair in names if inside(pair[1], "projfree", "referee", "ratings")]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_room_imports_what_is_open_to_rooms_and_itself(paper):
    room = ROOT / "papers" / paper
    found = ours(path for path in room.rglob("*.py") if "tests" not in path.relative_to(room).parts)
    allowed = (*OPEN_TO_ROOMS, f"referee.papers.{paper}")
    assert found and [pair for pair in found if not inside(pair[1], *allowed)] == []


def test_no_source_imports_a_room():
    found = ours((ROOT / "src").rglob("*.py"))
    assert len(found) > 1000 and [pair for pair in found if inside(pair[1], "referee.papers")] == []


def test_the_package_keeps_the_contract():
    command = [BIN / "lint-imports", "--no-cache", "--no-logo"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contract_names_every_package():
    contracts = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"])
    packages = [path.parent.name for path in (ROOT / "src/projfree").glob("*/__init__.py")]
    assert [name for name in packages if not re.search(rf"\b{name}\b", contracts)] == []
