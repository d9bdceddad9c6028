"""Where kinds of claims are found, and what they answer to unknown names."""

import importlib
import sys

import pytest

from projfree.evidence.kinds import kinds_of, lookup, modules
from projfree.evidence.kinds.base import defaults
from projfree.ground import provenance, rooms

KIND = """
from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import beats, quotient


@kind
def {name}(panel, seed, *, threshold=1.0):
    return Finding(True, {{}})
"""


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Adds a module to the room of a paper that is there for this test alone."""
    papers = importlib.import_module("projfree.papers")
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path / "papers")])
    monkeypatch.setattr(rooms, "PACKAGE", tmp_path)
    folder = tmp_path / "papers/zzz/kinds"
    folder.mkdir(parents=True)
    for place in (folder.parent, folder):
        (place / "__init__.py").write_text("")
    yield lambda module, **values: (folder / f"{module}.py").write_text(KIND.format(**values))
    kinds_of.cache_clear()
    for name in [name for name in sys.modules if name.startswith("projfree.papers.zzz")]:
        del sys.modules[name]


def test_a_kind_of_a_room_is_known_to_its_paper_alone(room):
    room("made", name="outshines")
    assert lookup("outshines", "zzz")(None, 0).truth
    assert set(kinds_of("zzz")) - set(kinds_of("aaa")) == {"outshines"}, "what it imports is not its own"
    with pytest.raises(ValueError, match="unknown kind 'outshines'.*Known are: about_equal"):
        lookup("outshines", "aaa")


def test_a_room_cannot_give_a_shared_kind_another_meaning(room):
    room("made", name="beats")
    with pytest.raises(ValueError, match=r"zzz\.kinds\.made: .*kinds\.compare has a kind 'beats' too"):
        kinds_of("zzz")


def test_judging_depends_on_the_modules_of_all_its_kinds(room):
    room("made", name="outshines")
    assert {"projfree.evidence.kinds.compare", "projfree.papers.zzz.kinds.made"} <= set(modules("zzz"))
    files = {path.name for path in provenance.import_closure("projfree.evidence.claims", *modules("aaa"))}
    assert {"claims.py", "compare.py", "times.py"} <= files and "figures.py" not in files


def test_unknown_kinds_and_parameters_list_the_known():
    with pytest.raises(
        ValueError, match=r"unknown kind 'beets'. Did you mean 'beats'\? Known are: about_equal, .*beats, "
    ):
        lookup("beets", "toy")
    beats = lookup("beats", "toy")
    with pytest.raises(ValueError, match=r"kind beats: unknown parameter 'c'.*Known are: a, .*b, .*metric"):
        defaults(beats, {"a": "x", "b": "y", "metric": "m", "c": 1})
    with pytest.raises(ValueError, match=r"kind beats: missing parameter b, metric"):
        defaults(beats, {"a": "x"})
