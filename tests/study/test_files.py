"""The files of a paper: what they give together, and what is said when one is wrong."""

import os
import re

import pytest
import yaml
from places import ROOT

from referee.study import files
from referee.study.models.paper import Paper
from referee.study.validation import StudyError, file_of, validate

CONFIG = [path for part in ("config", "papers") for path in (ROOT / part).rglob("*.yaml")]


@pytest.fixture
def paper(tmp_path):
    """Write the files of a paper; gives its folder."""

    def write(**texts):
        for name, text in {"paper": "paper: p", **texts}.items():
            path = tmp_path / "p" / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "p"

    return write


def test_mappings_are_joined_and_lists_follow_each_other_in_the_order_of_the_names(paper):
    folder = paper(
        claims__b="claims: [{id: 3}]",
        claims__a__deep="claims: [{id: 1}, {id: 2}]",
        experiments="experiments: {z: {seeds: 1}, a: {}}",
        more="experiments: {b: {}}\nclaims: [{id: 4}]",
    )
    found = files.read_paper(folder)
    assert found["paper"] == "p" and [claim["id"] for claim in found["claims"]] == [1, 2, 3, 4]
    assert list(found["experiments"]) == ["z", "a", "b"]


def test_reading_again_gives_the_same_and_sees_a_change(paper):
    folder = paper(a="claims: [1]\nfigures: {f: 1}", b="claims: [2]\nfigures: {g: 1}")
    first = files.read_paper(folder)
    assert files.read_paper(folder) == first
    (folder / "b.yaml").write_text("claims: [3]")
    os.utime(folder / "b.yaml", ns=(1, 1))
    assert files.read_paper(folder) == {"paper": "p", "claims": [1, 3], "figures": {"f": 1}}


@pytest.mark.parametrize(
    "texts, message",
    [
        ({"a": "\nx: {e: 1, f: 2}", "b": "x:\n  f: 2\n"}, "{}/a.yaml:2 and {}/b.yaml:2: both give 'x.f'"),
        ({"b": "# c\npaper: q"}, "{}/b.yaml:2 and {}/paper.yaml:1: both give 'paper'"),
        ({"a": "x: [1]", "b": "x: {e: 1}"}, "{}/a.yaml:1 and {}/b.yaml:1: both give 'x'"),
        ({"a": "# nothing\n"}, "{}/a.yaml:1: a mapping of sections is wanted (claims: …), the file is empty"),
        ({"a": "- x"}, "{}/a.yaml:1: a mapping of sections is wanted (claims: …), the file is a list"),
        ({"a": "x:\n  e: 1\n  f: 2\n  e: 3"}, "{}/a.yaml:4: the key 'e' stands twice, first in line 2"),
        ({"a": "x: {<<: {a: 1}, <<: {b: 1}}"}, "{}/a.yaml:1: the key '<<' stands twice, first in line 1"),
        ({"a": "x: 1\ny: [1, 2"}, "{}/a.yaml:3: did not find expected"),
        ({"a": "x: &a 1\ny: *b"}, "{}/a.yaml:2: found undefined alias"),
        ({"a": "x: 1\n? [y]\n: 2"}, "{}/a.yaml:2: found unhashable key"),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(paper, texts, message):
    folder = paper(**texts)
    with pytest.raises(files.FileError) as error:
        files.read_paper(folder)
    assert str(error.value).startswith(message.replace("{}", str(folder)))


def test_a_folder_without_paper_yaml_is_no_paper(tmp_path, paper):
    folder = tmp_path / "papers"
    (folder / "b").mkdir(parents=True)
    (folder / "b/claims.yaml").write_text("claims: []")
    for name in ("c", "a"):
        (folder / name).mkdir()
        (folder / name / "paper.yaml").write_text("paper: x")
    assert files.papers(tmp_path) == ["a", "c"]
    with pytest.raises(files.FileError, match="b: no paper.yaml, which every paper has"):
        files.read_paper(folder / "b")


def test_files_of_editors_are_left_alone_and_bytes_that_are_no_text_are_named(paper):
    folder = paper(**{".backup__a": "paper: q"})
    (folder / ".#a.yaml").symlink_to("nobody@nowhere")
    assert files.read_paper(folder) == {"paper": "p"}
    (folder / "a.yaml").write_bytes(b"x: \xff")
    with pytest.raises(files.FileError, match="a.yaml: .*0xff"):
        files.read_paper(folder)


def test_what_merge_keys_bring_may_be_given_anew(paper):
    text = "x: &x {a: 1, b: 2}\ny: &y {<<: *x, b: 3}\nz: {<<: [*y, {c: 5}], a: 4}\nw: *y"
    found = files.read_paper(paper(a=text))
    assert found == {"paper": "p", **yaml.safe_load(text)}
    assert found["z"] == {"a": 4, "b": 3, "c": 5}


@pytest.fixture
def parts(paper):
    """A paper in several files, some in a folder."""
    more = {"more": "methods: {b: {}}\nexperiments: {e: {}}", "parts__one": "captions: [{figure: f}]"}
    return paper(paper="title: t\nmethods: {a: {}}", **more)


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
def test_the_file_that_gives_a_key_is_named(parts, keys, name):
    assert file_of(parts, *keys) == parts / name


def test_the_place_of_an_error_is_its_file_and_its_keys(parts):
    with pytest.raises(StudyError) as error:
        validate(Paper, {"methods": {"b": {"solver": "gcg", "role": "hero"}}}, parts, ignore=bool)
    assert str(error.value).startswith(f"{parts}/more.yaml: methods.b.role: 'hero' should be")


@pytest.mark.parametrize("name", sorted(str(path.relative_to(ROOT)) for path in CONFIG))
def test_a_file_of_config_is_no_wall_and_names_its_schema(name):
    path = ROOT / name
    lines = path.read_text().splitlines()
    schema = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", lines[0])
    assert schema and (path.parent / schema[1]).is_file()
    assert [number for number, line in enumerate(lines, 1) if len(line) > 160] == []
    assert len(lines) <= 500 or path.name == "datasets.yaml"
    assert files.read(path)
