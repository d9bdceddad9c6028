"""The transcripts of docs/checking.md: run one after another, they say what stands there."""

import re

import followed
import pytest
from places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long]

DOCUMENT = ROOT / "docs/checking.md"
KEPT = ("CITATION.cff", "LICENSE", "requirements.lock")


def calls():
    """Command → the lines that the document shows of what it says."""
    blocks = re.findall(r"^```console\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
    pieces = re.findall(r"^\$ (.*)\n((?:[^$\n].*\n)*)", "".join(blocks), re.M)
    return [(command, shown.splitlines()) for command, shown in pieces]


def without_numbers(line):
    """A line whose counts, seconds and measurements are left out, and the space that they take."""
    return re.sub(r"\d[\d.,e−+-]*", "N", " ".join(line.split()))


def test_the_commands_say_what_the_document_shows(tmp_path):
    folder = followed.copied(tmp_path / "project", *KEPT)
    followed.write(folder, {})
    for command, shown in calls():
        said = followed.run(folder, "bash", "-c", command)
        lines = iter(map(without_numbers, said.splitlines()))
        missing = [line for line in shown if line != "…" and without_numbers(line) not in lines]
        assert missing == [], f"$ {command}\n{said}"
