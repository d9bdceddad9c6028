"""The claims of mpcgs on curves made by hand: what each sentence says, fails and cannot tell."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from frames import run

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.judging.entry import PartJudge
from referee.evidence.judging.repeatability import UNKNOWN
from referee.evidence.panel import Evidence, Panel
from referee.study.models.claim import View
from referee.study.models.experiment import Budget

PANELS = ("fig1-a", "fig1-b", "fig1-c")
SIZES = (2000, 4000, 8000, 15935)
K = np.arange(31.0)
#: A jump of Frank-Wolfe to a vertex, and its fall as 1/k; the start is the smallest value of the run.
JUMP = np.append(0.8, 20000 / (2 + K[1:]))


@cache
def paper():
    return study.load("mpcgs").model


def part(name):
    claim, _, letter = name.partition(".")
    return parts_of(next(c for c in paper().claims if c.id == claim))[letter]


def judged(name, **panels):
    """The part on these panels (name → runs), in runs that a machine repeats exactly."""
    made = Evidence(paper(), "nowhere")
    for panel, runs in panels.items():
        frame = pd.concat([r.assign(repetition=k) for r in runs for k in range(3)], ignore_index=True)
        frame = frame.assign(experiment=panel, IFO=frame["cpu_seconds"])
        budget = Budget(cpu_seconds=30)
        entry = paper().experiments[panel].model_copy(update={"budget": budget, "method_budgets": {}})
        made._panels[panel, False] = Panel(panel, frame, entry, made)
    return PartJudge(made, part(name))


def verdict(name, view=None, **panels):
    found = judged(name, **panels)
    return found.under(view) if view else found.verdict(found.sentences)


def gaps(**curves):
    """Each panel of figure 1 with these curves of G."""
    return {panel: [run(method, {"saddle_fw_gap": y}) for method, y in curves.items()] for panel in PANELS}


def ours(end):
    y = np.geomspace(0.8, end, 31)
    return {"mpcgs": y, "mpscgs": y}


@pytest.mark.parametrize("name", ["C1", "C3.a", "C5.a"])
def test_a_start_that_a_method_leaves_upwards_does_not_clip_it(name):
    assert verdict(name, **gaps(**ours(0.5), spfw=JUMP, svre=JUMP)) == "holds"
    assert verdict(name, **gaps(**ours(0.8), spfw=JUMP, svre=JUMP)) == "not_testable"  # nobody moves
    higher = {"spfw": np.geomspace(9, 5, 31), "svre": np.geomspace(9, 5, 31)}
    assert verdict(name, **gaps(**ours(0.8), **higher)) == "fails"  # idle, and lower as it began there
    assert verdict(name, **gaps(**ours(0.5), spfw=ours(0.4)["mpcgs"], svre=ours(0.4)["mpcgs"])) == "fails"


def test_the_gap_of_spfw_is_measured_and_not_its_start():
    found = judged("C3.a", **gaps(**ours(0.5), spfw=JUMP))
    cells = [panel.cells[0] for j in found.judgements(found.sentences) for panel in j.panels]
    assert [cell.measured["spfw"].middle for cell in cells] == [625.0] * 3


@pytest.mark.parametrize(("end", "expected"), [(0.3, "holds"), (0.6, "fails")])
def test_half_of_the_start_is_judged_at_the_end(end, expected):
    assert verdict("C10.a", **gaps(**ours(end))) == expected
    rebound = {m: np.append(y[:-1], 0.7) for m, y in ours(0.3).items()}
    assert verdict("C10.a", **gaps(**rebound)) == "fails"
    assert verdict("C10.a", View(args={"best": True}), **gaps(**rebound)) == "holds"


def test_the_strong_baseline_is_the_best_of_its_forms():
    curves = {"spfw": JUMP, "spfw-strong": JUMP, "svre": JUMP} | {
        f"svre-{form}": JUMP for form in ("gram", "partial", "strong")
    }
    strong = part("C1").race.cells["stated_strong"]
    assert verdict("C1", strong, **gaps(**ours(0.5), **curves)) == "holds"
    better = curves | {"svre-partial": 0.1 * ours(0.5)["mpcgs"]}
    assert verdict("C1", strong, **gaps(**ours(0.5), **better)) == "holds_in_part"


def test_sector_has_time_to_separate_and_the_grid_of_m_goes_below_a_sixteenth():
    experiments, methods = paper().experiments, paper().methods
    assert experiments["fig1-b"].budget.cpu_seconds > experiments["fig1-a"].budget.cpu_seconds
    for name in ("mpcgs-tuned", "mpscgs-tuned"):
        (axis,) = methods[name].search.grid
        assert min(axis["constant_factor"]) < 1 / 16 and 1 in axis["constant_factor"]


def sizes(gains):
    """G of MPCGS over that of MPSCGS at the end, size by size."""
    return {
        f"size-{n}": [
            run("mpcgs", {"saddle_fw_gap": np.geomspace(0.8, 0.4, 31)}),
            run("mpscgs", {"saddle_fw_gap": np.geomspace(0.8, 0.4 / gain, 31)}),
        ]
        for n, gain in zip(SIZES, gains, strict=True)
    }


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        ([0.9, 1.0, 1.2, 1.5], "holds"),
        ([1.0, 1.0, 1.2, 1.5], "holds"),
        ([1.0, 1.2, 1.1, 1.5], "fails"),
        ([1.5, 1.2, 1.1, 1.0], "fails"),
        ([1.0, 1.0, 1.0, 1.0], "not_testable"),
    ],
)
def test_the_gain_has_to_grow_with_the_size_and_a_plateau_is_no_growth(gains, expected):
    over = View(args={"over": "IFO"})
    assert verdict("C4.b", over, **sizes(gains)) == expected


def test_seconds_decide_nothing_where_they_were_not_repeated():
    runs = {panel: [frame for frame in frames] for panel, frames in gaps(**ours(0.5), spfw=JUMP).items()}
    made = judged("C3.a", **runs)
    for panel in made.evidence._panels.values():
        panel.repetitions = panel.repeated = {}
    (found,) = made.judgements(made.sentences)
    assert found.verdict == "not_testable" and set(found.counts["reasons"]) == {UNKNOWN}


def passes(over, most, capped=0.0):
    columns = {"most_passes_over": [-4.0, over], "most_passes": [1.0, most], "capped_passes": [0.0, capped]}
    figure = [run(method, columns) for method in ("mpcgs", "mpcgs-theorem", "mpcgs-py")]
    small = [run(method, columns) for method in ("theorem-n", "theorem-1", "exact-n", "exact-1")]
    return {panel: figure for panel in PANELS} | {"t1": small}


def test_passes_can_be_too_many_and_a_single_one_says_nothing():
    assert verdict("C13", **passes(-4.0, 2.0)) == "holds"
    assert verdict("C13", **passes(1.0, 9.0)) == "holds_in_part"  # no pass met the cap
    assert verdict("C13", **passes(1.0, 30.0, capped=1.0)) == "fails"
    assert verdict("C13", **passes(-4.0, 1.0)) == "not_testable"


def projections(ours, svre):
    methods = {"mpcgs": ours, "mpscgs": ours, "spfw": ours, "svre": svre}
    return {p: [run(m, {"x": K}).assign(PO=np.minimum(K, n)) for m, n in methods.items()] for p in PANELS}


def test_a_projection_is_seen_and_a_trace_that_counts_none_proves_nothing():
    assert verdict("C15", **projections(0, 30)) == "holds"
    assert verdict("C15", **projections(1, 30)) == "fails"
    assert verdict("C15", **projections(0, 0)) == "not_testable"


@pytest.mark.parametrize(("distance", "expected"), [(1e-13, "holds"), (1e-9, "holds_in_part")])
def test_svre_has_to_come_as_near_as_its_statement_says(distance, expected):
    fits = {"svre": 0.99, "spfw-universal": 0.6}
    ends = {"svre": distance, "spfw-universal": 5e-4}
    t10 = [run(m, {"distance": [1.0, ends[m]], "linear_fit": [0.0, fits[m]]}) for m in ends]
    assert verdict("T12", t10=t10) == expected  # 10⁻⁹ is a millionth of SPFW's, and not 10⁻¹⁰


@pytest.mark.parametrize(
    ("reached", "expected"),
    [
        ((300.0, 1500.0), "holds"),
        ((1e18, 900.0), "fails"),
        ((1e18, 1e18), "not_testable"),
        ((900.0, 900.0), "not_testable"),
    ],
)
def test_calls_to_a_level_that_is_never_reached_are_no_number(reached, expected):
    c16 = [
        run(method, {"sfo": [300.0, 900.0, 1500.0], "sfo_to_level": [1e18, 1e18, calls]})
        for method, calls in zip(("istorc-10", "scgs-10"), reached, strict=True)
    ]
    found = judged("C16.a", c16=c16)
    (judgement,) = found.judgements(found.sentences)
    assert judgement.verdict == expected
    assert "1e+18" not in str(judgement.panels[0].cells[0].measured)


@pytest.mark.parametrize(("share", "expected"), [(0.8, "holds"), (0.3, "fails")])
def test_the_share_of_projections_is_that_of_the_threshold(share, expected):
    timed = {
        p: [run(m, {"seconds_project": s * K}) for m, s in (("svre", share), ("spfw", 0.0))] for p in PANELS
    }
    assert verdict("C2.a", **timed) == expected
