"""Documents followed literally: their code blocks, and a copy of the project to which they are applied."""

import os
import re
import shutil
import subprocess

import compiled_copy
from places import BIN, ROOT

PARTS = ("src", "config", "workflow", "Snakefile", "pyproject.toml", "data/samples")


def blocks(document, kind):
    """File → text of a document's code blocks of one kind that name a file."""
    text = (ROOT / "docs" / document).read_text()
    return dict(re.findall(rf"^```{kind} (\S+)\n(.*?)^```", text, re.M | re.S))


def copied(folder, *more):
    """A copy of the project in a folder."""
    for part in (*PARTS, *more):
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, target)
    return folder


def write(folder, files):
    """Write the files of a document, and bring compiled code."""
    for name, body in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(body)
    compiled_copy.bring(folder)


def run(folder, *command):
    """What a command says in the copy; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PATH": f"{BIN}:{os.environ['PATH']}"}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr
