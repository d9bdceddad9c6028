"""Deleting a paper is deleting its three folders: nothing else misses it."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from places import BIN, PAPERS, ROOT

pytestmark = pytest.mark.slow

PARTS = (
    "docs",
    "src",
    "config",
    "tests",
    "workflow",
    "benchmarks",
    "data/samples",
    "Snakefile",
    "pyproject.toml",
)
#: Named more often than any other; one copy is enough, the other papers are looked for in the text.
PAPER = "ncgs"


def delete(folder, paper):
    """Delete the paper's rooms."""
    for part in ("src/projfree/papers", "tests/papers", "config/papers"):
        room = folder / part / paper
        shutil.rmtree(room) if room.is_dir() else room.with_suffix(".yaml").unlink()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project without the paper."""
    folder = tmp_path_factory.mktemp("project")
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, target)
    delete(folder, PAPER)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["lint-imports", "--no-cache", "--no-logo"],
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--assert=plain", "--collect-only"],
        ["snakemake", "--dry-run", "--cores", "1", "--config", "run=quick"],
    ],
    ids=lambda command: " ".join(command[:2]).replace(sys.executable, "python"),
)
def test_what_is_left_is_whole(project, command):
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def sources(paper):
    """Files that run, outside the paper's folders; documents and results may name papers."""
    for part in ("src", "tests", "workflow", "benchmarks", "Snakefile", "Makefile"):
        for path in (ROOT / part).rglob("*") if (ROOT / part).is_dir() else [ROOT / part]:
            own = path.is_relative_to(ROOT / "src/projfree/papers" / paper) or path.is_relative_to(
                ROOT / "tests/papers" / paper
            )
            if path.suffix in {"", ".py", ".smk"} and path.is_file() and not own:
                yield path


@pytest.mark.parametrize("paper", PAPERS)
def test_nobody_names_its_room(paper):
    room = re.compile(rf"(?<!config/)papers[./]{paper}\b|\btiny_{paper}\b")
    assert [str(path.relative_to(ROOT)) for path in sources(paper) if room.search(path.read_text())] == []
