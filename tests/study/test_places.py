"""Which file an error names."""

import pytest

from referee.study.models.paper import Paper
from referee.study.validation import StudyError, file_of, validate


@pytest.fixture
def folder(tmp_path):
    """A paper in several files, whose claims are a folder."""
    (tmp_path / "claims").mkdir()
    (tmp_path / "paper.yaml").write_text("title: t\nmethods: {a: {}}")
    (tmp_path / "more.yaml").write_text("methods: {b: {}}\nexperiments: {e: {}}")
    (tmp_path / "claims/one.yaml").write_text("claims: [{id: C1}]")
    return tmp_path


@pytest.mark.parametrize(
    "keys, name",
    [
        (("experiments", "e", "seeds"), "more.yaml"),
        (("methods", "a"), "paper.yaml"),
        (("methods", "b", "role"), "more.yaml"),
        (("claims", 0, "id"), "claims/one.yaml"),
        (("methods", "c"), "."),
        (("nothing",), "."),
        ((), "."),
    ],
)
def test_the_file_that_gives_a_key_is_named(folder, keys, name):
    assert file_of(folder, *keys) == folder / name


def test_a_file_is_itself(tmp_path):
    assert file_of(tmp_path / "a.yaml", "x") == tmp_path / "a.yaml"


def test_the_place_of_an_error_is_its_file_and_its_keys(folder):
    with pytest.raises(StudyError) as error:
        validate(Paper, {"methods": {"b": {"solver": "gcg", "role": "hero"}}}, folder, ignore=bool)
    assert str(error.value).startswith(f"{folder}/more.yaml: methods.b.role: 'hero' should be")
