"""Every column and probe that a claim or a figure names is called by words, not by its key."""

import pytest
from places import PAPERS

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.columns import COLUMNS
from referee.evidence.judging.views import sentences_of
from referee.evidence.words import AXIS_LABELS, axis_label

#: Parameters of statistics that name a column.
NAMING = ("by", "against", "oracle", "timer", "other")


def named(paper):
    """Columns that sentences of claims and panels of figures of a paper name."""
    model = study.load(paper, "full").model
    for part in (part for claim in model.claims for part in parts_of(claim).values()):
        for sentence in sentences_of(part, model):
            bound = getattr(sentence.relation, "bound", None)
            yield from (sentence.over, sentence.read.get("metric"), bound, *sentence.read.get("where", ()))
            given = [sentence.options.get(key) for key in NAMING]
            yield from (name for name in given if isinstance(name, str) and name not in model.methods)
    for panel in (panel for figure in model.figures.values() for panel in figure.panels or ()):
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
