"""Published races in seconds of all papers: runs against themselves, slowed, halved in seeds and length."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from places import PAPERS, ROOT

from referee.judge import FAIR, PUBLISHED, Evidence
from referee.judge.findings import word
from referee.judge.measures import along, down
from referee.judge.races import CLOCK, HEIGHTS, VISIBLE, Line, Race
from referee.judge.runner import judge_paper

RULERS = {"below": along, "faster": down}
COMPARED = (" below ", " before ", " about ", " lower than ")


@pytest.fixture(scope="module")
def races():
    """(paper, panel, a, b, metric) → seed → race, of what claims compare in seconds in both columns."""
    found = {}
    for paper in (p for p in PAPERS if (ROOT / "reports/reference" / p / "evidence").is_dir()):
        evidence = {column: Evidence(paper, column) for column in (PUBLISHED, FAIR)}
        for call in (call for call in judge_paper(paper) if not call.name):
            for f in (f for f in call.findings if f.over == CLOCK and not f.absent):
                pair = next((f.what.split(words) for words in COMPARED if words in f.what), ())
                panel = evidence[call.column][f.panel]
                a, b = (name.partition(",")[0] for name in pair or ("", ""))
                if {a, b} <= set(panel.table["method"]):
                    race = Race.of(panel, a, b, f.metric, f.over, f.seed)
                    found.setdefault((paper, f.panel, a, b, f.metric), {})[f.seed] = race
    assert len(found) > 200
    return found


@pytest.fixture(scope="module")
def repeated(races):
    """Races with the lines of one method that was repeated: once each."""
    found = {}
    for (paper, panel, a, b, metric), seeds in races.items():
        for seed, race in seeds.items():
            sides = {m: lines for m, lines in ((a, race.a), (b, race.b)) if len(lines) > 2}
            found |= {(paper, panel, m, metric, seed): (race, lines) for m, lines in sides.items()}
    return [(replace(race, a=lines, b=lines), lines) for race, lines in found.values()]


def answer_is_known(race, lines):
    """Whether the answer on a slowed copy is known: lines that rise nowhere by what can be seen, since what
    rises is lower while it is slower, and that have two records a height.
    """
    drawn = [race.drawn(line.y) for line in lines]
    rise = max(np.max(y - np.minimum.accumulate(y)) for y in drawn)
    return rise <= VISIBLE * race.height and min(map(len, drawn)) >= 2 * HEIGHTS


def slowed(line, factor, end):
    kept = line.x * factor <= end * 1.02
    return Line(line.x[kept] * factor, line.y[kept], line.end_status)


@pytest.mark.parametrize("ruler", RULERS)
def test_a_run_is_neither_ahead_of_its_own_repetition_nor_behind_it(repeated, ruler):
    """Two repetitions, which say what the machine's noise is, against the third."""
    told = [RULERS[ruler](replace(race, a=lines[:2], b=lines[2:3])) for race, lines in repeated]
    parted = [truth is not None and not why.startswith("crosses") for *_, truth, why in told]
    assert len(told) > 300 and np.mean(parted) <= 0.06


@pytest.mark.parametrize(("factor", "least"), [(2, 0.75), (4, 0.82)])
@pytest.mark.parametrize("ruler", RULERS)
def test_a_run_that_is_slowed_is_found_and_never_taken_for_the_faster(repeated, ruler, factor, least):
    told = []
    for race, lines in (each for each in repeated if answer_is_known(*each)):
        slow = [slowed(line, factor, race.end) for line in lines[1:3]]
        if all(len(line.x) > 1 for line in slow):
            told.append(RULERS[ruler](replace(race, a=lines[:2], b=slow))[2])
    assert len(told) > 150 and np.mean([truth is True for truth in told]) >= least and False not in told


def test_halves_of_the_seeds_agree(races):
    told = []
    for seeds in races.values():
        truths = [along(race)[2] for race in seeds.values()]
        told += [(word(truths[::2]), word(truths[1::2]))] if len(truths) > 1 else []
    both = [{one, other} != {True, False} for one, other in told]
    assert len(told) > 50 and np.mean(both) >= 0.95


def test_half_of_the_axis_says_the_same(races):
    turned = []
    for race in chain.from_iterable(seeds.values() for seeds in races.values()):
        half = [[_until(line, race.end / 2) for line in side] for side in (race.a, race.b)]
        whole, other = along(race)[2], along(replace(race, a=half[0], b=half[1], end=race.end / 2))[2]
        turned += [{whole, other} == {True, False}] if whole is not None else []
    assert len(turned) > 100 and np.mean(turned) <= 0.05


def _until(line, end):
    kept = max(int(np.searchsorted(line.x, end, "right")), 1)
    return Line(line.x[:kept], line.y[:kept], line.end_status)
