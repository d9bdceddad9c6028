"""at_most, slope_at_most, identities, monotone, turns: hold, fail, open, and what their controls refuse."""

import numpy as np
import pytest
from frames import run, sentences
from made_curves import cell, evidence, judged

from referee.evidence.judging.entry import PartJudge, entry_of
from referee.evidence.judging.judge import judge
from referee.evidence.statistics.trends import correlation
from referee.study.models.claim import Part

BOUND = {"at_most": {"bound": "limit"}, "quantile": "m"}


def records(**columns):
    return [run("p", columns)]


@pytest.mark.parametrize(("m", "truth"), [([1, 2, 3.0], True), ([1, 2, 5.0], False)])
def test_every_record_obeys_the_bound(m, truth):
    found = judged(records(m=m, limit=[2, 3, 4.0]), BOUND)
    assert found.panels[0].cells[0].verdict is truth and not found.vacuous
    assert found.tightness["worst"] == pytest.approx(max(a / b for a, b in zip(m, [2, 3, 4], strict=True)))


@pytest.mark.parametrize(("limit", "loosely"), [(1e3, True), (200.0, False)])
def test_a_bound_that_is_never_used_holds_loosely(limit, loosely):
    """A copy just beyond the bound is refused; one that is a hundred times worse would keep it."""
    found = judged(records(m=[1, 2, 3.0], limit=[limit] * 3), BOUND)
    (cell,) = found.panels[0].cells.values()
    assert (found.verdict, cell.control, cell.loosely) == ("holds", False, loosely) and not found.vacuous
    assert found.tightness == pytest.approx({"worst": 3 / limit, "best": 1 / limit})


def entry(runs, **test):
    made = evidence(e=runs)
    return entry_of(made, Part(tests=[{"all": ["e"], **test}]))


def test_that_it_holds_loosely_is_said():
    runs = records(m=[1, 2, 3.0], limit=[1e3] * 3)
    found = entry(runs, **BOUND)
    assert found["verdict"] == "holds" and found["loosely"] and not found["vacuous"]
    assert "The bound holds loosely: with another order it would too." in found["remarks"]
    assert not entry(records(m=[1, 2, 3.0], limit=[4.0] * 3), **BOUND)["loosely"]
    assert not entry(records(m=[1, 2, 3.0], limit=[2.0] * 3), **BOUND)["loosely"]


@pytest.mark.parametrize(
    ("share", "at_least", "truth", "hardly"),
    [
        (0.7, False, True, False),
        (0.9, False, None, True),
        (1.1, False, False, False),
        (1.4, True, True, False),
        (1.1, True, None, True),
        (0.9, True, False, False),
    ],
)
def test_clearly_within_a_bound_is_by_a_quarter(share, at_least, truth, hardly):
    test = {"at_most": {"bound": 4, "clearly": True, "at_least": at_least}, "quantile": "m"}
    found = judged(records(m=[4 * share]), test)
    (cell,) = found.panels[0].cells.values()
    assert (cell.verdict or None, cell.hardly) == (truth or None, hardly)
    assert found.verdict == {(True, False): "holds", (None, True): "holds_in_part"}.get(
        (truth, hardly), "fails"
    )


def test_a_structural_control_decides_instead():
    runs = records(m=[1, 2, 3.0], limit=[1e3] * 3, wrong=[1, 2, 2e3])
    assert judged_with(runs, {"swap": {"m": "wrong"}}).verdict == "holds"
    found = judged_with(runs, {"swap": {"m": "m"}})
    assert found.verdict == "not_testable" and found.vacuous and found.control["verdict"] == "holds"


def test_another_test_would_decide_what_its_control_passes():
    found = entry(records(m=[1, 2, 3.0], limit=[4.0] * 3), **BOUND, control={"swap": {"m": "m"}})
    told = "another test: this one cannot see the difference"
    assert found["verdict"] == "not_testable" and found["remedies"]["would_decide"] == [told]


def judged_with(runs, control):
    """A bound with a structural control, through the entry of a part."""
    made = evidence(e=runs)
    part = PartJudge(made, Part(tests=[{"all": ["e"], **BOUND, "control": control}]))
    return part.judgements(part.sentences)[0]


@pytest.mark.parametrize(("m", "truth"), [([6, 5.0], True), ([6, 1.0], False)])
def test_a_lower_bound(m, truth):
    found = judged(records(m=m), {"at_most": {"bound": 4, "at_least": True}, "quantile": "m"})
    assert found.panels[0].cells[0].verdict is truth
    assert found.tightness["worst"] == 4 / min(m)


@pytest.mark.parametrize(("m", "truth"), [([0.5, 0.0], True), ([0.5, -1e-3], False), ([1e-13, 0.0], None)])
def test_a_zero_limit_has_the_reverse_inequality_as_control(m, truth):
    test = {"at_most": {"bound": 0, "at_least": True, "within": 1e-12}, "quantile": "m"}
    assert cell(records(m=m), test).verdict is truth


def test_a_zero_limit_needs_a_tolerance():
    with pytest.raises(ValueError, match="the limit 0 needs `within`"):
        judged(records(m=[1.0]), {"at_most": {"bound": 0}, "quantile": "m"})


@pytest.mark.parametrize(
    ("m", "truth"), [([1e-15, 0], True), ([1e-15, -1e-9], False), ([np.nan, 2e-14], True)]
)
def test_an_identity_with_a_planted_error_of_ten_tolerances(m, truth):
    found = cell(records(m=m), {"equal": {"to": 0, "within": 1e-13}, "quantile": "m"})
    assert found.verdict is truth and found.control is False


def test_counts_of_violations_have_no_tolerance():
    zero = {"equal": {"to": 0, "within": 0}, "quantile": "m"}
    assert cell(records(m=[0.0, 0.0]), zero).verdict is True
    assert cell(records(m=[0.0, 1.0]), zero).verdict is False


def powers(order, x=(1, 2, 4, 8, 16)):
    x = np.array(x, float)
    return records(h=x, m=x**order)


@pytest.mark.parametrize(
    ("order", "truth", "loosely"),
    [(2, True, False), (2.2, True, False), (2.6, False, False), (1.2, True, True), (0.4, True, True)],
)
def test_orders_are_upper_bounds_and_hold_loosely_where_one_more_would_do(order, truth, loosely):
    test = {"slope_at_most": {"order": 2}, "slope": {"metric": "m", "against": "h"}}
    found = cell(powers(order), test)
    assert (found.verdict, found.control, found.loosely) == (truth, False, loosely)


def test_an_order_with_an_open_range_is_not_a_failure():
    """The interval [0.63, ∞] used to count as a failure."""
    test = {"slope_at_most": {"order": 1}, "slope": {"metric": "m", "against": "1/h"}}
    found = cell(records(h=[1, 0.5, 0.4, 0.0], m=[1, 2, 0, 0.0]), test)
    assert found.verdict is None and found.why == "its range is open"
    spread = cell(records(h=[1, 0.5, 0.25, 0.125], m=[1, 1, 1, 30.0]), test)
    assert spread.verdict is None and spread.measured["slope"].high > 1.25 > spread.measured["slope"].low


def test_an_exact_order_refuses_another():
    test = {"equal": {"to": 2, "within": 0.1}, "slope": {"metric": "m", "against": "h"}}
    assert cell(powers(2), test).verdict is True and cell(powers(1), test).verdict is False


PARTS = [0.2, 0.4, 0.6, 0.8, 1]
FALLS = {"monotone": {"methods": "p"}, "value": {"metric": "m", "at": {"share": PARTS}}}
TURNS = {"turns": {"methods": "p"}, "value": {"metric": "m", "at": {"share": PARTS}}}


@pytest.mark.parametrize(
    ("m", "falls", "turns"),
    [
        ([9, 8, 4, 2, 1, 0.5], True, False),
        ([9, 8, 4, 2, 4, 8], False, True),
        ([9, 4, 2.00, 2.01, 1, 0.5], True, False),
        ([9, 4, 4, 4, 4, 4], False, False),
    ],
)
def test_shapes(m, falls, turns):
    assert cell(records(m=m), FALLS).verdict is falls
    assert cell(records(m=m), TURNS).verdict is turns


def test_a_jitter_beside_the_start_is_no_rebound():
    """0.0048 → 0.033 against a start of 5·10⁴ on a linear axis is not seen."""
    m = [5e4, 1e4, 1.0, 0.0048, 0.02, 0.033]
    figures = {"f": {"panels": [{"experiment": "e", "x": "IFO", "y": "m", "y_scale": "linear"}]}}
    made = evidence(figures=figures, e=records(m=m))
    (sentence,) = sentences({"all": ["e"], "over": "IFO", **TURNS})
    assert judge(made, sentence).verdict == "fails"


def test_shapes_need_a_series():
    with pytest.raises(ValueError, match="several entries"):
        judged(records(m=[2, 1.0]), FALLS | {"value": {"metric": "m", "at": {"share": 1}}})


@pytest.mark.parametrize(
    ("statistic", "value"),
    [
        ({"count": {"oracle": "LO+FO/2"}}, 9 + 2),
        ({"share": {"timer": "lmo"}}, 0.75),
        ({"share": {"timer": "reduce"}}, 0.125 + 0.25),
        ({"value": {"metric": "m", "at": "last"}}, 5.0),
        ({"quantile": {"metric": "m", "q": 0.5}}, 3.0),
        ({"quantile": {"metric": "m", "q": 1, "where": {"h": [1, 2]}}}, 2.0),
        ({"mean": {"metric": "m", "since": 0.5}}, 4.0),
        ({"rank": {"metric": "m", "by": "h"}}, 1.0),
        ({"mean": {"metric": "m", "height": True}}, (2 + 3 + 4) / 3),
    ],
)
def test_statistics(statistic, value):
    columns = {"LO": [0, 3, 5, 7, 9], "FO": [0, 1, 2, 3, 4]}
    timers = {"lmo": [0, 1, 2, 2, 2.0], "lmo_in_reduce": [0, 0, 0, 0, 1.0], "reduce": [0, 0, 0, 0, 0.5]}
    columns |= {f"seconds_{name}": spent for name, spent in timers.items()}
    runs = [run("p", {"m": [1, 2, 3, 4, 5.0], "h": [1, 2, 3, 4, 5.0]}, **columns)]
    made_figures = {"equal": {"a": "p", "to": value, "within": 1e-9}, **statistic}
    assert linear(runs, made_figures).panels[0].cells[0].truth is True


def linear(runs, test):
    made = evidence(figures={"f": {"panels": [{"experiment": "e", "x": "IFO", "y": "m"}]}}, e=runs)
    (sentence,) = sentences({"all": ["e"], "over": "IFO", **test})
    return judge(made, sentence)


def test_rank_correlations_take_what_merged_as_ties():
    size, value = [1, 2, 3, 4, 5], [9.0, 5.0, 1.0, 1.002, 1.001]
    assert correlation(size, value, 0.01) == pytest.approx(-0.894, abs=1e-3)
    assert correlation(size, value, 0.0) == pytest.approx(-0.7)
    assert np.isnan(correlation(size, [1, 1, 1, 1, 1], 0.01))
