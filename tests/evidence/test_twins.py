"""False twins of every sentence that holds on the published evidence: the judge has to refuse them.

The first twin asks for twice what was measured at its best, the second has its sides exchanged. A sentence
has no first twin where the race ended before its best was known, and no second where both sides may be true.
"""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from places import ROOT

from referee.evidence.aggregates import named
from referee.evidence.judging.judge import judge
from referee.evidence.judging.views import sentences_of
from referee.evidence.panel import Evidence
from referee.evidence.published import paper_of
from referee.evidence.relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost

REPORTS = ROOT / "reports/reference"


#: Numbers of which 0 means "at most": twice their inverse is not known.
RATIOS = ("ratio", "measured / bound")


def twice(relation, cells):
    """The relation with its threshold at twice the measured upper end; None where that is not known."""
    ask = ASKED.get(type(relation))
    return ask and ask(relation, lambda name, end: _measured(cells, name, end))


def _measured(cells, name, end):
    """The ends of a measured number that are known, if they are of more than half of the cells."""
    found = [getattr(cell.measured[name], end) for cell in cells if name in cell.measured]
    known = [value for value in found if math.isfinite(value) and (value or name not in RATIOS)]
    return known if 2 * len(known) > len(cells) else []


def asked(relation, **changes):
    """The relation with another number, where a word without one ("clearly") leaves."""
    word = {"clearly": False} if getattr(relation, "clearly", False) else {}
    return replace(relation, **word | changes)


def _less(relation, measured):
    """By twice the largest ratio of `than` to `a`."""
    lows = [low for low in measured("ratio", "low") if low > 0]
    return asked(relation, factor=2 / min(lows)) if lows else None


def _order(relation, measured):
    """By twice the largest ratio of the pair that is nearest."""
    found = [measured(f"{a} / {b}", "low") for a, b in pairwise(relation.operands)]
    largest = [1 / min(lows) for lows in found if lows and min(lows) > 0]
    return asked(relation, factor=2 * min(largest)) if largest else None


def _equal(relation, measured):
    """Two methods: one is less by twice the largest ratio; a number: another one, beyond the errors."""
    if not relation.to_number:
        return _less(Less(relation.a, relation.to), measured)
    errors = measured("largest error", "high")
    far = 2 * (max(errors, default=0.0) + (relation.within or 1.0))
    return replace(relation, to=relation.to + far) if errors else None


def _at_most(relation, measured):
    """Half, or twice, of the record that is nearest to the bound; a limit of 0 moves beyond it."""
    if relation.absolute:
        distances = measured("least distance to the limit", "low")
        side = 1 if relation.at_least else -1
        if not distances:
            return None
        worst = relation.bound + side * max(distances)
        return replace(relation, bound=worst + side * 2 * (max(relation.within, abs(worst)) or 1.0))
    shares = measured("measured / bound", "low")
    share = 2 * max(shares, default=0.0) if relation.at_least else min(shares, default=0.0) / 2
    return asked(relation, factor=relation.factor * share) if share > 0 else None


def _slope(relation, measured):
    """An order of half of the least slope, of twice a negative one."""
    slopes = measured("slope", "low")
    least = min(slopes, default=math.nan)
    order = least / 2 if least > 0 else 2 * least or -1.0
    return replace(relation, order=order - relation.within) if slopes else None


#: How a relation is asked for twice; shapes have no threshold.
ASKED = {Less: _less, Order: _order, Equal: _equal, AtMost: _at_most, SlopeAtMost: _slope}


def exchanged(relation, strictly):
    """The relation with its sides exchanged; None where both may hold. `strictly` judges a stricter one."""
    if isinstance(relation, Less):
        strict = relation if relation.factor >= 1 else asked(relation, factor=1 / relation.factor)
        swapped = replace(relation, a=relation.than, than=relation.a)
    elif isinstance(relation, Order):
        strict, swapped = relation, replace(relation, methods=relation.methods[::-1])
    elif isinstance(relation, AtMost) and not relation.absolute:
        closer = 1.01 if relation.at_least else 1 / 1.01
        strict = asked(relation, factor=relation.factor * closer, slack=0.0)
        swapped = replace(relation, at_least=not relation.at_least)
    elif isinstance(relation, Monotone):
        strict, swapped = relation, replace(relation, rising=not relation.rising)
    else:
        return None
    return swapped if strictly(strict) else None


def twins(evidence, sentence):
    """Kind → twin of a sentence, on the panels where it holds."""
    held = [panel for panel in judge(evidence, sentence).panels if panel.holds(sentence.quota)]
    relation = sentence.relation
    sentence = replace(sentence, panels=tuple(panel.name for panel in held), control=None)
    bounded = [panel for panel in held if twice(relation, panel.cells.values())]
    cells = [cell for panel in bounded for cell in panel.cells.values()]
    found = {}
    if cells:
        names = tuple(panel.name for panel in bounded)
        found["twice"] = replace(sentence, relation=twice(relation, cells), panels=names)
    if swapped := exchanged(relation, lambda r: all(truths(evidence, replace(sentence, relation=r)))):
        found["exchanged"] = replace(sentence, relation=swapped)
    return found


def truths(evidence, sentence):
    """True, False or None of each panel."""
    return [panel.holds(sentence.quota) for panel in judge(evidence, sentence).panels]


def judged_twins(paper):
    """(words, kind, truths of its panels) of each twin of a paper's sentences that hold."""
    study = paper_of(REPORTS / paper)
    evidence, found = Evidence(study, REPORTS / paper / "evidence"), []
    for name, (_, part) in named(study.claims).items():
        if part is None or part.follows or part.not_judged:
            continue
        sentences = sentences_of(part, study)
        if not all(judge(evidence, sentence).verdict == "holds" for sentence in sentences):
            continue
        for sentence in sentences:
            for kind, twin in twins(evidence, sentence).items():
                words = f"{study.prefix}-{name} {sentence.label} {kind}: {twin.relation}"
                found.append((words, kind, truths(evidence, twin)))
    return found


LONG = [pytest.param(paper, marks=pytest.mark.long) for paper in ("ipg", "gcg", "nfwu")]


@pytest.mark.parametrize("paper", ["mpcgs", "ncgs", *LONG])
def test_false_twins_of_what_holds_are_refused(paper):
    """On every panel, at least 95 % of them; on none does one hold."""
    found = judged_twins(paper)
    kinds = Counter(kind for _, kind, _ in found)
    assert min(kinds["twice"], kinds["exchanged"]) >= 10
    assert [words for words, _, panels in found if True in panels] == []
    left = [words for words, _, panels in found if set(panels) != {False}]
    assert len(left) <= 0.05 * len(found), left
