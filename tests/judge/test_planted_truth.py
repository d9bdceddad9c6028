"""Over published races of ncgs in seconds: runs against themselves, slowed, halved in seeds and length."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from referee.judge import Evidence
from referee.judge.calls import judge_paper
from referee.judge.findings import word
from referee.judge.measures import along, down
from referee.judge.races import Line, Race

RULERS = {"below": along, "faster": down}


@pytest.fixture(scope="module")
def races():
    """(panel, a, b) → seed → race, of what claims compare along seconds in both columns."""
    evidence, found = Evidence("ncgs"), {}
    for call in judge_paper("ncgs"):
        for f in call.findings:
            a, word_, b = (f.what.split(" ") * 2)[:3]
            if (
                f.over == "cpu_seconds"
                and not f.absent
                and not call.name
                and word_ in ("below", "before", "about")
            ):
                b = b.rstrip(",")
                race = Race.of(evidence[f.panel], a, b, f.metric, f.over, f.seed)
                found.setdefault((f.panel, a, b), {})[f.seed] = race
    assert len(found) > 60
    return found


def sides(races):
    """The lines of a method and seed, with the race that it is of, where it was repeated: once each."""
    found = {}
    for (panel, a, b), seeds in races.items():
        for seed, race in seeds.items():
            found |= {
                (panel, m, seed): (race, lines) for m, lines in ((a, race.a), (b, race.b)) if len(lines) > 2
            }
    return found.values()


def slowed(line, factor, end):
    kept = line.x * factor <= end * 1.02
    return Line(line.x[kept] * factor, line.y[kept], line.end_status)


@pytest.mark.parametrize("ruler", RULERS)
def test_a_run_is_neither_ahead_of_its_own_repetition_nor_behind_it(races, ruler):
    """Two repetitions, which say what the machine's noise is, against the third."""
    told = [RULERS[ruler](replace(race, a=lines[:2], b=lines[2:3])) for race, lines in sides(races)]
    parted = [truth is not None and not why.startswith("crosses") for *_, truth, why in told]
    assert len(told) > 50 and np.mean(parted) <= 0.06


@pytest.mark.parametrize(("factor", "least"), [(2, 0.75), (4, 0.82)])
@pytest.mark.parametrize("ruler", RULERS)
def test_a_run_that_is_slowed_is_found(races, ruler, factor, least):
    told = []
    for race, lines in sides(races):
        slow = [slowed(line, factor, race.end) for line in lines[1:3]]
        if all(len(line.x) > 1 for line in slow):
            told.append(RULERS[ruler](replace(race, a=lines[:2], b=slow))[2])
    assert len(told) > 50 and np.mean([truth is True for truth in told]) >= least


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
