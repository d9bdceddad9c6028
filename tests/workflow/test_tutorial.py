"""What the tutorial prints is what its commands print, in a copy of the project: … is what differs."""

import re
import shutil

import pytest
from places import BIN, ROOT
from project import Project

from referee import study

TEXT = (ROOT / "docs/tutorial.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```", TEXT, re.M | re.S)


def steps():
    """Each command of the tutorial and the lines that it prints there."""
    for block in BLOCKS:
        for step in block.split("$ ")[1:]:
            command, _, printed = step.partition("\n")
            yield command, printed.splitlines()


def pattern(lines):
    """What is to be found: … alone are any lines, … in a line any words of it."""
    wanted = [
        r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + r" *\n"
        for line in lines
    ]
    return "".join(wanted)


def test_the_sizes_are_those_of_the_runs():
    told = {run: study.load("ncgs", run).spec["experiments"]["fig1-left"] for run in ("taste", "full")}
    sizes = ["×".join(map(str, spec["generator"]["shape"])) for spec in told.values()]
    assert f"matrices of {sizes[0]} instead of {sizes[1]}" in TEXT


@pytest.mark.slow
def test_the_tutorial_prints_what_its_commands_print(tmp_path):
    project = Project.copy(tmp_path)
    shutil.copy(ROOT / "Makefile", tmp_path)
    compared = 0
    for command, lines in steps():
        if command.startswith("source "):  # the tests' environment is active
            continue
        if command.startswith("make "):  # its environment is there
            command = f"make --old-file env VENV={BIN.parent} {command.removeprefix('make ')}"
        said = re.sub(r"\x1b\[[0-9;]*m", "", project.call("bash", "-c", command).stdout)
        assert re.search("^" + pattern(lines), said, re.M), f"{command} prints\n{said}"
        compared += bool(lines)
    assert compared >= 5
