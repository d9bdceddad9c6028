"""What documents print is what their commands print, in a copy of the project: … is what differs."""

import re
import shutil

import followed
import pytest
from places import BIN, ROOT
from project import Project

from referee import study

TEXT = (ROOT / "docs/tutorial.md").read_text()


def steps(text):
    """Each command of a document and the lines that it prints there."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for command, printed in re.findall(r"^\$ (.*)\n((?:[^$\n].*\n|\n)*)", block, re.M):
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
    for command, lines in steps(TEXT):
        if command.startswith("source "):  # the tests' environment is active
            continue
        if command.startswith("make "):  # its environment is there
            command = f"make --old-file env VENV={BIN.parent} {command.removeprefix('make ')}"
        said = re.sub(r"\x1b\[[0-9;]*m", "", project.call("bash", "-c", command).stdout)
        assert re.search("^" + pattern(lines), said, re.M), f"{command} prints\n{said}"
        compared += bool(lines)
    assert compared >= 5


def without_numbers(line):
    """A line whose counts, seconds and measurements are left out, and the space that they take."""
    return re.sub(r"\d[\d.,e−+-]*", "N", " ".join(line.split()))


@pytest.mark.slow
@pytest.mark.long
def test_the_commands_that_check_say_what_their_document_shows(tmp_path):
    """One after another, but for numbers."""
    folder = followed.copied(tmp_path / "project", "CITATION.cff", "LICENSE", "requirements.lock")
    followed.write(folder, {})
    shutil.copytree(ROOT / "reports/reference/ncgs", folder / "reports/reference/ncgs")
    for command, shown in steps((ROOT / "docs/checking.md").read_text()):
        said = followed.run(folder, "bash", "-c", command)
        lines = iter(map(without_numbers, said.splitlines()))
        missing = [line for line in shown if line != "…" and without_numbers(line) not in lines]
        assert missing == [], f"$ {command}\n{said}"
