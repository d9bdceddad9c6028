"""Where results go: a project, or a folder that is told, and never the checkout just because it is there."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from projfree.ground.root import checkout
from referee.cli import main
from referee.ground.work import work_root


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch, tmp_path):
    for name in ("PROJFREE_ROOT", "PROJFREE_WORK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_the_project_from_here_upwards(nothing_told, monkeypatch):
    (nothing_told / "config").mkdir()
    (nothing_told / "config/config.yaml").touch()
    assert work_root() == Path()
    monkeypatch.chdir(nothing_told / "config")
    assert work_root() == nothing_told


def test_it_is_the_project_or_the_folder_that_is_told(nothing_told, monkeypatch):
    monkeypatch.setenv("PROJFREE_ROOT", str(checkout()))
    assert work_root() == checkout()
    monkeypatch.setenv("PROJFREE_WORK", "results here")
    assert work_root() == Path("results here")


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "ncgs", "fig1-left", "ncgs-2"),
        ("evidence", "ncgs", "fig1-left"),
        ("instance", "ncgs", "fig1-left"),
        ("judge", "ncgs"),
        ("draw", "ncgs"),
        ("page", "ncgs"),
        ("index",),
        ("under", "ncgs"),
        ("data", "prepare", "covertype-sample"),
        ("data", "fetch", "covertype-sample"),
        ("publish", "ncgs"),
        ("publish", "ncgs", "--panels"),
        ("publish", "ncgs", "--again"),
        ("calibrate", "ncgs"),
        ("reproduce", "ncgs/fig1-left"),
        ("claims", "ncgs"),
        ("status",),
    ],
)
def test_outside_of_a_project_no_command_writes_to_the_checkout(command, monkeypatch):
    written, run = [], subprocess.run

    def replaced(_, path):
        written.extend([path] if ".cache" not in Path(path).parts else [])

    monkeypatch.setattr("projfree.ground.sealed.os.replace", replaced)

    def ran(call, *others, **how):
        return written.append(call) if "snakemake" in str(call) else run(call, *others, **how)

    monkeypatch.setattr("subprocess.run", ran)
    done = CliRunner().invoke(main, command)
    assert written == []
    assert done.exit_code != 0
    assert "is in no project of projfree" in done.output, done.output
