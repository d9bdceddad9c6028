"""Fixtures of the data tests; their helpers are in local_site.py."""

import pytest
import yaml
from local_site import Site


@pytest.fixture
def site():
    server = Site()
    yield server
    server.close()


@pytest.fixture
def project(tmp_path):
    """A function: rows → project folder with that catalog."""

    def make(**rows):
        (tmp_path / "config").mkdir(exist_ok=True)
        named = {name.replace("_", "-"): value for name, value in rows.items()}
        (tmp_path / "config" / "datasets.yaml").write_text(yaml.safe_dump(named, sort_keys=False))
        return tmp_path

    return make


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    monkeypatch.delenv("PROJFREE_MIRROR", raising=False)
    monkeypatch.delenv("PROJFREE_OFFLINE", raising=False)
