"""Documents followed literally: their code blocks, and a copy of the project to which they are applied."""

import os
import re
import shutil
import subprocess

import compiled_copy
import snakemake_fork
from places import BIN, ROOT

PIPED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
PARTS = ("src", "config", "papers", "workflow", "pyproject.toml", "data/samples")


def blocks(document, kind):
    """File → text of a document's code blocks of one kind that name a file."""
    text = (ROOT / "docs" / document).read_text()
    return dict(re.findall(rf"^```{kind} (\S+)\n(.*?)^```", text, re.M | re.S))


def copied(folder, *more):
    """A copy of the project in a folder."""
    for part in (*PARTS, *more):
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.pyc.*"))  # being written
        else:
            shutil.copy(source, target)
    return folder


def write(folder, files):
    """Write the files of a document, and bring compiled code."""
    for name, body in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(body)
    compiled_copy.bring(folder)


def run(folder, *command):
    """What a command says in the copy; it must succeed."""
    return _told(subprocess.run(command, cwd=folder, env=_environment(folder), **PIPED))


def snakemake(folder, *arguments):
    """What the workflow says in the copy; it must succeed."""
    return _told(snakemake_fork.snakemake(*arguments, cwd=folder, env=_environment(folder)))


def _environment(folder):
    return {**os.environ, "PYTHONPATH": str(folder / "src"), "PATH": f"{BIN}:{os.environ['PATH']}"}


def _told(done):
    assert done.returncode == 0, done.stdout
    return done.stdout
