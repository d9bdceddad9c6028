"""docs/adding-a-solver.md, followed literally in a copy of the project."""

import re
import sys

import h5py
import pytest
from followed import blocks, copied, run, write

DOCUMENT = "adding-a-solver.md"
TRACES = "results/quick/traces"


def list_the_method(path, line):
    """Put the first name of the document's line into the list of the experiment in its comment."""
    name, experiment = re.search(r"methods: \[(\w+),.* # (\S+)", line).groups()
    text, changes = re.subn(
        rf"(\n  {experiment}:\n(?:    .*\n)*?    methods: \[)", rf"\g<1>{name}, ", path.read_text(), count=1
    )
    assert changes == 1
    path.write_text(text)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project to which the document has been applied."""
    folder = copied(tmp_path_factory.mktemp("project"))
    write(folder, blocks(DOCUMENT, "python"))
    for name, line in blocks(DOCUMENT, "yaml").items():
        list_the_method(folder / name, line)
    return folder
