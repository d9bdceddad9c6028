"""Which file an error names."""

import pytest

from referee.study.models.paper import Paper
from referee.study.validation import StudyError, file_of, validate


@pytest.fixture
def folder(tmp_path):
    """A paper in several files, some in a folder."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "paper.yaml").write_text("title: t\nmethods: {a: {}}")
    (tmp_path / "more.yaml").write_text("methods: {b: {}}\nexperiments: {e: {}}")
    (tmp_path / "parts/one.yaml").write_text("captions: [{figure: f}]")
    return tmp_path


@pytest.mark.parametrize(
    "keys, name",
    [
        (("experiments", "e", "seeds"), "more.yaml"),
        (("methods", "a"), "paper.yaml"),
        (("methods", "b", "role"), "more.yaml"),
        (("captions", 0, "figure"), "parts/one.yaml"),
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
