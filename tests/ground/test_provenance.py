"""The commit, the libraries and the machine of a result."""

from projfree.ground import provenance
from referee.ground import revision


def test_the_commit_is_unknown_outside_git(tmp_path):
    assert revision.git_commit(tmp_path) == "unknown"


def test_the_environment_names_versions_and_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    provenance.environment.cache_clear()
    found = provenance.environment()
    provenance.environment.cache_clear()
    assert found["threads"]["OMP_NUM_THREADS"] == "1"
    assert set(provenance.LIBRARIES) == set(found["versions"]) and "absent" not in found["versions"].values()
