"""Where a project's root is, and where results go: told, the nearest from here upwards, or the checkout."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from projfree.common.root import checkout
from referee.cli import main
from referee.common import project as here
from referee.common.project import project_root
from referee.common.work import work_root


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """A project's folder with one below it, in which we are, and nothing told."""
    for name in ("PROJFREE_ROOT", "PROJFREE_WORK"):
        monkeypatch.delenv(name, raising=False)
    made = tmp_path / "made"
    (made / "below/deeper").mkdir(parents=True)
    (made / "config").mkdir()
    (made / "config/config.yaml").touch()
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize("root", [project_root, work_root])
def test_it_is_the_project_from_here_upwards_or_the_one_that_is_told(project, monkeypatch, root):
    assert root() == Path()
    monkeypatch.chdir(project / "below/deeper")
    assert root() == project
    monkeypatch.chdir(checkout())
    monkeypatch.setenv("PROJFREE_ROOT", str(project))
    assert root() == project
    monkeypatch.setenv("PROJFREE_ROOT", str(project / "below"))
    with pytest.raises(FileNotFoundError, match=r"below is no project of projfree: it has no config/conf"):
        root()


def test_elsewhere_it_is_the_checkout_and_without_one_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert project_root() == checkout()
    monkeypatch.setattr(here, "checkout", lambda: None)
    with pytest.raises(FileNotFoundError, match="PROJFREE_ROOT"):
        project_root()


def test_results_go_where_that_is_told(monkeypatch):
    monkeypatch.setenv("PROJFREE_WORK", "results here")
    assert work_root() == Path("results here")


@pytest.mark.parametrize(
    "command",
    ["solve ncgs fig1-left ncgs-2", "evidence ncgs fig1-left", "instance ncgs fig1-left", "judge ncgs"]
    + ["draw ncgs", "page ncgs", "index", "under ncgs", "data prepare covertype-sample"]
    + ["data fetch covertype-sample", "publish ncgs", "publish ncgs --panels", "publish ncgs --again"]
    + ["calibrate ncgs", "reproduce ncgs/fig1-left", "claims ncgs", "status"],
)
def test_outside_of_a_project_no_command_writes_to_the_checkout(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written, run = [], subprocess.run

    def replaced(_, path):
        written.extend([path] if ".cache" not in Path(path).parts else [])

    monkeypatch.setattr("projfree.common.atomic_io.os.replace", replaced)

    def ran(call, *others, **how):
        return written.append(call) if "snakemake" in str(call) else run(call, *others, **how)

    monkeypatch.setattr("subprocess.run", ran)
    done = CliRunner().invoke(main, command.split())
    assert written == []
    assert done.exit_code != 0
    assert "is in no project of projfree" in done.output, done.output
