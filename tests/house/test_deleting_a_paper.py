"""Deleting a paper is deleting its folder: nothing else misses it."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from places import BIN, PAPERS, ROOT

pytestmark = pytest.mark.slow

PARTS = (
    *("docs", "src", "config", "papers", "conftest.py", "tests", "workflow", "benchmarks"),
    *("data/samples", ".github", "pyproject.toml", "requirements.lock"),
)
#: Named more often than any other; one copy is enough, the other papers are looked for in the text.
PAPER = "ncgs"


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
    shutil.rmtree(folder / "papers" / PAPER)
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
    """Files that run, outside the paper's folder; documents and results may name papers."""
    for part in ("src", "papers", "tests", "workflow", "benchmarks", "Makefile"):
        for path in (ROOT / part).rglob("*") if (ROOT / part).is_dir() else [ROOT / part]:
            own = path.is_relative_to(ROOT / "papers" / paper)
            if path.suffix in {"", ".py", ".smk"} and path.is_file() and not own:
                yield path


@pytest.mark.parametrize("paper", PAPERS)
def test_nobody_names_its_room(paper):
    # Its YAML may be named: tests run the workflow on it.
    room = re.compile(rf"papers\.{paper}\b|papers/{paper}/(probes|tests)\b|\btiny_{paper}\b")
    assert [str(path.relative_to(ROOT)) for path in sources(paper) if room.search(path.read_text())] == []
