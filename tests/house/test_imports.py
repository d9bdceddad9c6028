"""The import contract of pyproject.toml, and that it can fail."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
from places import BIN, ROOT


def lint(folder):
    """lint-imports on the package in `folder`."""
    command = [BIN / "lint-imports", "--no-cache", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def copy_of_the_package(folder):
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_the_package_keeps_the_contract(tmp_path):
    result = lint(copy_of_the_package(tmp_path))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("importer", "imported", "contract"),
    [
        ("linalg", "sets", "the library: imports go one way"),
        ("families", "penalties", "the library: imports go one way"),
        ("solvers", "engine", "the library: imports go one way"),
        ("problems", "solvers", "the library: imports go one way"),
        ("penalties", "data", "the library stands without the harness"),
        ("engine", "jobs", "the library stands without the harness"),
        ("jobs", "results", "the harness: imports go one way"),
        ("data", "solvers", "data knows nothing of solvers"),
        ("evidence", "problems", "evidence and report read files only"),
        ("report", "engine", "evidence and report read files only"),
        ("jobs", "study", "the commands alone import study"),
        ("engine", "papers", "nobody imports a paper's room"),
        ("papers", "jobs", "a paper's room stands on"),
    ],
)
def test_a_bad_import_is_seen(tmp_path, importer, imported, contract):
    copy_of_the_package(tmp_path)
    (tmp_path / f"src/projfree/{importer}/offender.py").write_text(
        f"from projfree import {imported}  # noqa\n"
    )
    result = lint(tmp_path)
    assert result.returncode != 0
    assert re.search(rf"{contract}.* BROKEN", result.stdout, re.S)
    assert f"projfree.{importer}.offender -> projfree.{imported}" in result.stdout


def test_the_contract_names_every_package():
    contracts = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"])
    packages = [path.parent.name for path in (ROOT / "src/projfree").glob("*/__init__.py")]
    assert [name for name in packages if not re.search(rf"\b{name}\b", contracts)] == []
