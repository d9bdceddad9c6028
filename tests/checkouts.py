"""Small checkouts of the project, whose quick run of fig1-left is tiny."""

import copy
import shutil
from contextlib import contextmanager
from pathlib import Path

import h5py
import yaml
from click.testing import CliRunner
from places import PAPERS, ROOT

from projfree.common import atomic_io
from referee import cli
from referee.study import files

RUNS = "papers/ncgs/runs.yaml"
TRACE = Path("results/quick/traces/ncgs/fig1-left/fw.h5")
INSTANCE = Path("results/quick/instances/ncgs/fig1-left.h5")


def call(*words, code=0):
    done = CliRunner().invoke(cli.main, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done.output


def solve(method="fw", experiment="fig1-left", run="quick"):
    """The run by hand; what it says."""
    return call("solve", "ncgs", experiment, method, "--run", run)


def checkout(folder, papers=("ncgs",)):
    """A project folder of its own with some of the papers; the quick run of fig1-left is to be tiny."""
    others = [paper for paper in PAPERS if paper not in papers]
    shutil.copytree(ROOT / "config", folder / "config")
    shutil.copytree(ROOT / "papers", folder / "papers", ignore=lambda *_: others)
    shutil.copytree(ROOT / "workflow/schemas", folder / "workflow/schemas")
    return folder


@contextmanager
def opened(path):
    """A sealed HDF5 file to be changed in place, sealed again."""
    with h5py.File(path, "r+") as handle:
        yield handle
    Path(path).write_bytes(atomic_io.sealed(Path(path).read_bytes()))


def change(edit, path=RUNS, panel="fig1-left"):
    """Edit the quick run, and of it one panel, in place."""
    runs = copy.deepcopy(files.read(path))
    edit(runs["runs"]["quick"]["experiments"][panel], runs["runs"]["quick"])
    Path(path).write_text(yaml.dump(runs, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper)))


def tiny(panel, quick):
    panel |= {"generator": {"shape": [12, 12], "rank": 2, "observe": 0.5}, "seeds": 2}
    panel["budget"] = {"cpu_seconds": None, "iterations": 8}
    quick["methods"]["ncgs-2-tuned"] = {"search": {"grid": [{"max_lo": [1, 3]}]}}
