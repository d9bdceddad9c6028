"""The claims of the paper on curves made by hand: what the first way of judging got wrong."""

import numpy as np
import pytest
from frames import run, write

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.judging.entry import PartJudge, entry_of
from referee.evidence.judging.views import expand
from referee.evidence.panel import Evidence

METRIC = {"fig1-right": "sq_gradient_mapping", "ext-stochastic-mc": "sq_gradient_mapping"}


@pytest.fixture(scope="module")
def paper():
    return study.load("ncgs", "full").model


def part_of(paper, name, panel):
    """A part, with those of its tests that speak of the panel, on it alone."""
    claim, letter = name.split(".")
    part = parts_of(next(c for c in paper.claims if c.id == claim))[letter]
    tests = [t.on(expand(t.panels, paper.experiments)) for t in part.tests]
    return part.model_copy(update={"tests": [t.on([panel]) for t in tests if panel in t.panels]})


def judged(paper, folder, name, curves, panel, view=None):
    """The verdict of a part on curves of one seed to the end of the budget, three times the same."""
    metric, end = METRIC.get(panel, "objective"), paper.experiments[panel].budget.cpu_seconds
    runs = [
        run(method, {metric: values}, seconds=np.linspace(0, end, len(values)), IFO=np.arange(len(values)))
        for method, values in curves.items()
    ]
    write(folder, panel, *(r.assign(repetition=k) for r in runs for k in range(3)))
    part = part_of(paper, name, panel)
    judge = PartJudge(Evidence(paper, folder), part)
    return judge.under(part.race.cells[view]) if view else judge.verdict(judge.sentences)


def falling(rate, floor=0.0, steps=200):
    return floor + np.exp(-rate * np.arange(steps))


def test_the_current_value_of_stochastic_ncgs_is_judged(paper, tmp_path):
    """It dips once below all others and then stays above: its running best would win."""
    lucky = np.r_[1.0, 1e-9, falling(0.001, steps=198)]
    others = {"sfw": falling(0.05), "svfw-s": falling(0.04)}
    assert judged(paper, tmp_path, "C1.c", {"sncgs": lucky} | others, "ext-stochastic-mc") == "fails"
    steady = {"sncgs": falling(0.5)} | others
    assert judged(paper, tmp_path / "steady", "C1.c", steady, "ext-stochastic-mc") == "holds"


RATES = {"ncgs-vr": 0.9, "ncgs-2": 0.4, "svfw": 0.2, "fw": 0.12}


@pytest.mark.parametrize(
    ("name", "panel", "order"),
    [
        ("C7.a", "fig2-left", ["ncgs-vr", "ncgs-2", "fw", "svfw"]),
        ("C10.a", "fig3-left", ["ncgs-vr", "ncgs-2", "svfw", "fw"]),
        ("C11.a", "fig3-middle", ["ncgs-vr", "ncgs-2", "svfw", "fw"]),
    ],
)
def test_orders_are_those_of_the_way_not_of_merged_ends(paper, tmp_path, name, panel, order):
    """At the end the floors, 10⁻⁵ of the start, say the opposite."""
    curves = {
        m: falling(rate, floor=1e-5 * (4 - k))
        for k, (m, rate) in enumerate(zip(order, RATES.values(), strict=True))
    }
    assert judged(paper, tmp_path, name, curves, panel) == "holds"
    swapped = dict(zip(curves, reversed(curves.values()), strict=True))
    assert judged(paper, tmp_path / "swapped", name, swapped, panel) == "fails"


def test_almost_identical_is_judged_before_the_curves_merge(paper, tmp_path):
    merged = {"ncgs-vr": falling(0.9, floor=1e-5), "ncgs-2": falling(0.1, floor=1e-5)}
    assert judged(paper, tmp_path, "C12.a", merged, "fig3-right") == "fails"
    near = {"ncgs-vr": falling(0.1, floor=1e-5), "ncgs-2": falling(0.102, floor=3e-5)}
    assert judged(paper, tmp_path / "near", "C12.a", near, "fig3-right") == "holds"


def test_the_printed_level_is_judged_and_no_other_in_its_place(paper, tmp_path):
    """Neither compared method reaches 10⁻³ although a third one does; then both do, 6 or 5 times apart."""
    missed = {"ncgs-vr": falling(0.2, 0.01), "svfw": falling(0.02, 0.01), "ncgs-vr-tuned": falling(1.0)}
    assert judged(paper, tmp_path, "C3.a", missed, "fig1-right") == "not_testable"
    for slower, verdict in ((7, "holds"), (5, "fails")):
        reached = {"ncgs-vr": falling(0.4), "svfw": falling(0.4 / slower)}
        assert judged(paper, tmp_path / verdict, "C3.a", reached, "fig1-right") == verdict


def test_the_time_axis_of_the_paper_is_that_of_the_full_run(paper):
    assert paper.experiments["fig1-right"].budget.cpu_seconds == 300


def test_a_strong_baseline_is_the_best_of_its_forms(paper, tmp_path):
    """A tuned form that is worse than the default does not help our method; line search is one of FW's."""
    curves = {
        "ncgs-vr": falling(0.1),
        "ncgs-2": falling(0.1),
        "svfw": falling(0.2),
        "svfw-tuned": falling(0.01),
        "fw": falling(0.02),
        "fw-short": falling(0.03),
        "fw-line-search": falling(0.5),
    }
    assert judged(paper, tmp_path, "C12.b", curves, "fig3-right", "stated_strong") == "fails"


def theory(paper, folder, part, panel, *runs):
    write(folder, panel, *runs)
    judge = PartJudge(Evidence(paper, folder), part)
    return judge.verdict(judge.sentences)


def orders(method, eps, cost, **columns):
    return run(method, {"eps_mapping": eps, "eps_gap": eps, "FO": cost, "LO": cost, "IFO": cost}, **columns)


def test_a_slope_whose_range_is_open_is_not_testable(paper, tmp_path):
    """Without one of its points the slope has none: no failure."""
    cost = np.array([10.0, 20.0, 40.0])
    open_ones = [orders(m, [0.1, 0.1, 0.2], cost) for m in ("ncgs-vr", "svfw")]
    assert theory(paper, tmp_path, part_of(paper, "T8.c", "t8"), "t8", *open_ones) == "not_testable"
    steep = [orders(m, [0.1, 0.09, 0.08], cost**3) for m in ("ncgs-vr", "svfw")]
    assert theory(paper, tmp_path / "steep", part_of(paper, "T8.c", "t8"), "t8", *steep) == "fails"


@pytest.mark.parametrize(("share", "verdict"), [(0.5, "holds"), (0.001, "loosely"), (2.0, "fails")])
@pytest.mark.parametrize(("name", "panel", "method"), [("T4.a", "t4", "ncgs-1"), ("T5.a", "t5", "ncgs-2")])
def test_bounds_that_cannot_fail_are_told(paper, tmp_path, name, panel, method, share, verdict):
    bound = 1 / np.array([8.0, 16, 32])
    made = run(method, {"eps": share * bound, "bound": bound, "own_bound": bound})
    part = part_of(paper, name, panel)
    tests = [test for test in part.tests if test.words["quantile"] == "eps"]
    measured = part.model_copy(update={"tests": tests})
    found = theory(paper, tmp_path, measured, panel, made)
    loose = entry_of(Evidence(paper, tmp_path), measured)["loosely"]
    assert ("loosely" if found == "holds" and loose else found) == verdict


@pytest.mark.parametrize(("outside", "verdict"), [(2.0, "holds"), (0.5, "not_testable")])
def test_theorem_3_is_seen_only_if_a_step_outside_it_breaks_the_bound(paper, tmp_path, outside, verdict):
    bound = 1 / np.array([8.0, 16, 32])
    shares = {"ncgs-vr-lvr": 0.5, "ncgs-vr-lmax": 0.5, "ncgs-vr-lfull": outside}
    runs = [run(m, {"eps": s * bound, "bound": bound}) for m, s in shares.items()]
    assert theory(paper, tmp_path, part_of(paper, "T6.b", "t6"), "t6", *runs) == verdict
