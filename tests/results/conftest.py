import shutil

import pytest
from checkouts import INSTANCE, call, change, checkout, solve, tiny

from projfree.common import provenance


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """A checkout with one trace made."""
    folder = checkout(tmp_path_factory.mktemp("made"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        change(tiny)
        call("instance", "ncgs", "fig1-left")
        assert "wrote" in solve()
    return folder


@pytest.fixture
def other(made, tmp_path, monkeypatch):
    """Another checkout with an instance of its own."""
    folder = checkout(tmp_path / "other")
    monkeypatch.chdir(folder)
    real = provenance.environment
    real.cache_clear()
    change(tiny)
    INSTANCE.parent.mkdir(parents=True)
    shutil.copy(made / INSTANCE, INSTANCE)
    yield folder
    real.cache_clear()
