"""Where statistics are found, and what they answer to unknown names."""

import importlib
import sys

import pytest

from referee.evidence.statistics import lookup, modules, statistics_of
from referee.evidence.statistics.base import FOUND
from referee.ground import closure

STATISTIC = """
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.values import end, when


@statistic
def {name}(race):
    return Reading(["nothing"], {{}})
"""


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Adds a module to the room of a paper that is there for this test alone."""
    papers = importlib.import_module("referee.papers")
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path / "papers")])
    monkeypatch.setitem(closure.ROOTS, "referee.papers", tmp_path / "papers")
    folder = tmp_path / "papers/zzz/statistics"
    folder.mkdir(parents=True)
    for place in (folder.parent, folder):
        (place / "__init__.py").write_text("")
    yield lambda module, **values: (folder / f"{module}.py").write_text(STATISTIC.format(**values))
    statistics_of.cache_clear()
    for name in [name for name in sys.modules if name.startswith("referee.papers.zzz")]:
        del sys.modules[name]
        FOUND.pop(name, None)


def test_a_statistic_of_a_room_is_known_to_its_paper_alone(room):
    room("made", name="shine")
    assert lookup("shine", "zzz")(None).entries == ["nothing"]
    assert set(statistics_of("zzz")) - set(statistics_of("aaa")) == {"shine"}, (
        "what it imports is not its own"
    )
    with pytest.raises(ValueError, match="unknown statistic 'shine'.*Known are: area, at"):
        lookup("shine", "aaa")


def test_a_room_cannot_give_a_shared_statistic_another_meaning(room):
    room("made", name="end")
    with pytest.raises(ValueError, match=r"zzz\.statistics\.made: .*\.values has a statistic 'end' too"):
        statistics_of("zzz")


def test_judging_depends_on_the_modules_of_all_its_statistics(room):
    room("made", name="shine")
    assert {"referee.evidence.statistics.values", "referee.papers.zzz.statistics.made"} <= set(modules("zzz"))
    files = {path.name for path in closure.import_closure("referee.evidence.claims", *modules("aaa"))}
    assert {"claims.py", "comparisons.py", "times.py"} <= files and "figures.py" not in files
