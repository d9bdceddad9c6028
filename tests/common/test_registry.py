"""What is found by folder, by content, by commit and machine."""

import pytest

from projfree.common import provenance, registry
from projfree.common.hashes import digest
from referee.common import revision


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "zoo_of_tests"
    (folder / "_hidden_folder").mkdir(parents=True)
    for name in ("__init__", "tame_cat", "ant", "_private", "_hidden_folder/__init__"):
        (folder / f"{name}.py").write_text(f"name = {name!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    return "zoo_of_tests"


def test_files_are_modules_underscores_are_private_and_a_hyphen_is_an_underscore(package):
    assert registry.names(package) == ("ant", "tame_cat")
    assert registry.load(package, "ant").name == "ant"
    assert registry.load(package, "tame-cat") is registry.load(package, "tame_cat")


@pytest.mark.parametrize("name", ["dog", "_private", "", None])
def test_unknown_names_list_the_known(package, name):
    with pytest.raises(ValueError, match="zoo_of_tests: unknown name .* Known are: ant, tame_cat"):
        registry.load(package, name)


def test_what_is_loaded_is_named_without_a_look_at_its_folder(package, monkeypatch):
    assert registry.named(package, "TameCat") == "tame_cat"
    registry.load(package, "tame_cat")
    monkeypatch.setattr(registry, "names", None)
    assert registry.named(package, "TameCat") == "tame_cat"


@pytest.mark.parametrize("name", ["tame_cat", "TAMECAT", "Tamecat", "Dog", ""])
def test_a_class_has_one_spelling(package, name):
    registry.load(package, "tame_cat")
    with pytest.raises(AttributeError, match="zoo_of_tests: unknown name .* Known are: Ant, TameCat"):
        registry.named(package, name)


def test_digests_do_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": [2, 3]}) == digest({"b": [2, 3], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_a_result_names_its_commit_versions_and_threads(tmp_path, monkeypatch):
    assert revision.git_commit(tmp_path) == "unknown", "outside git"
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    found = provenance.environment.__wrapped__()
    assert found["threads"]["OMP_NUM_THREADS"] == "1"
    assert set(provenance.LIBRARIES) == set(found["versions"]) and "absent" not in found["versions"].values()
