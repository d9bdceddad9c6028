"""Every column that a figure names is called by words, not by its key."""

import pytest
from places import PAPERS

from referee import study
from referee.evidence.words import AXIS_LABELS, COLUMNS, axis_label


def named(paper):
    """Columns that panels of figures of a paper name."""
    for panel in (panel for figure in study.load(paper).figures.values() for panel in figure.every_panel):
        yield from (panel.x, panel.y, *(panel.also or ()))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_column_has_a_name(paper):
    names = {name.removeprefix("1/") for name in named(paper) if isinstance(name, str) and name}
    assert names
    assert sorted(name for name in names if name not in AXIS_LABELS and name not in COLUMNS) == []


def test_names_are_words():
    """ENGLISH.md, rule 9: no “seconds of full of costs”."""
    assert not [name for name in COLUMNS.values() if "_" in name or "seconds of" in name]
    assert not set(COLUMNS) & set(AXIS_LABELS)
    assert axis_label("seconds_po_full") == "time of one projection by a full decomposition"
    assert axis_label("1/gap") == "1 / gap" and axis_label("not_known") == "not known"
