"""Where a project's root is: told, the nearest from here upwards, or the checkout of the sources."""

from pathlib import Path

import pytest

from projfree.ground.root import checkout
from referee.ground import project as here
from referee.ground.project import project_root


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project's folder with one below it, and nothing told."""
    monkeypatch.delenv("PROJFREE_ROOT", raising=False)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").touch()
    (tmp_path / "below/deeper").mkdir(parents=True)
    return tmp_path


def test_in_the_root_the_path_is_short(project, monkeypatch):
    monkeypatch.chdir(project)
    assert project_root() == Path()


def test_below_it_is_found_upwards(project, monkeypatch):
    monkeypatch.chdir(project / "below/deeper")
    assert project_root() == project


def test_what_is_told_wins(project, monkeypatch):
    monkeypatch.chdir(checkout())
    monkeypatch.setenv("PROJFREE_ROOT", str(project))
    assert project_root() == project
    monkeypatch.setenv("PROJFREE_ROOT", str(project / "below"))
    with pytest.raises(
        FileNotFoundError, match=r"below is no project of projfree: it has no config/config.yaml"
    ):
        project_root()


def test_elsewhere_it_is_the_checkout_and_without_one_an_error(tmp_path, monkeypatch):
    monkeypatch.delenv("PROJFREE_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert project_root() == checkout()
    monkeypatch.setattr(here, "checkout", lambda: None)
    with pytest.raises(FileNotFoundError, match="PROJFREE_ROOT"):
        project_root()
