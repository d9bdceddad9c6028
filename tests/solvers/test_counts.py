"""Counts of a step in closed form, batches of equal seeds, and epochs that do not fit."""

import instances
import pytest

from projfree.solvers.estimators import svrg
from projfree.trace.counts import COUNTS

T = 25
PROBLEM = instances.completion()
N, B, M = PROBLEM.n, svrg.paper_batch(PROBLEM.n), svrg.paper_epoch(PROBLEM.n)
ANCHORS = -(-T // M)
REDDI = "estimator_frank_wolfe"
EXACT = {"FO": T, "IFO": N * T, "LO": T}
VR = {"FO": ANCHORS, "IFO": ANCHORS * N + 2 * B * T}
REFRESHED = {"FO": 4, "IFO": 4 * N + 2 * 3 * (T - 4), "LO": T}  # every seventh of 25, batches of 3 between
CURVED = {**REFRESHED, "SSO": 4 * N + 3 * (T - 4)}
CASES = [
    *(("frank_wolfe", {"step_rule": r}, EXACT) for r in ("gap", "line_search", "open_loop")),
    ("ncgs", {"option": "I", "max_lo": 3}, {"FO": T, "IFO": N * T, "LO": 3 * T}),
    ("ncgs", {"option": "II", "max_lo": 3}, {"FO": T, "IFO": N * T, "LO": 6 * T}),
    ("ncgs", {"option": "II-exact"}, {"FO": T, "IFO": N * T, "PO": 2 * T}),
    ("sncgs", {"max_lo": 2}, {"IFO": T * (T + 1) // 2, "LO": 4 * T}),
    ("ncgs_vr", {"max_lo": 4}, {**VR, "LO": 4 * T}),
    (REDDI, {"estimator": "svrg"}, {**VR, "LO": T}),
    ("svrg", {}, {**VR, "PO": T}),
    ("ncgs_vr", {"max_lo": 4, "batch": 1, "epoch": 0}, {"FO": 1, "IFO": N + 2 * T, "LO": 4 * T}),
    (REDDI, {"estimator": "svrg", "batch": 1, "epoch": 0}, {"FO": 1, "IFO": N + 2 * T, "LO": T}),
    ("svrg", {"batch": 1, "epoch": 0}, {"FO": 1, "IFO": N + 2 * T, "PO": T}),
    (REDDI, {"estimator": "sg", "horizon": 17}, {"IFO": 17 * T, "LO": T}),
    (REDDI, {"estimator": "sampled_svrg", "horizon": 64}, {"IFO": -(-T // 4) * 64 + 2 * 16 * T, "LO": T}),
    ("nfwu", {"estimator": "full"}, EXACT),
    ("nfwu", {"estimator": "sg", "batch": 3}, {"IFO": T * 3, "LO": T}),
    *(("nfwu", {"estimator": e, "batch": 3, "epoch": 7}, REFRESHED) for e in ("svrg", "spider")),
    *(("nfwu", {"estimator": e, "batch": 3, "epoch": 7}, CURVED) for e in ("casvrg", "caspider")),
]


def counts(problem, name, steps, **params):
    oracles, _ = instances.last(instances.walk(problem, name, steps, **params))
    return {key: value for key, value in oracles.counts.items() if key != "matvec"}


@pytest.mark.parametrize("name, params, expected", CASES)
def test_counts_of_25_steps(name, params, expected):
    assert counts(PROBLEM, name, T, **params) == {k: expected.get(k, 0) for k in COUNTS if k != "matvec"}


def test_counts_of_saga():
    """n' for the table, then b for the direction and one for each distinct entry that is refreshed."""
    made = counts(PROBLEM, REDDI, T, estimator="saga", horizon=125)
    assert made["LO"] == T and made["FO"] == 0
    assert 125 + T * (5 + 1) < made["IFO"] <= 125 + T * (5 + 5)


def test_with_one_seed_all_svrg_methods_draw_the_same_batches(monkeypatch):
    difference, drawn = PROBLEM.component_gradient_difference, []

    def noted(x, slopes, batch):
        drawn[-1].append(batch.tolist())
        return difference(x, slopes, batch)

    monkeypatch.setattr(PROBLEM, "component_gradient_difference", noted)
    for name in ("ncgs_vr", REDDI, "svrg"):
        drawn.append([])
        instances.last(instances.walk(PROBLEM, name, 12, seed=6))
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(drawn[0]) == 12 and all(len(batch) == B for batch in drawn[0])


@pytest.mark.parametrize("name", ["ncgs_vr", REDDI, "svrg"])
@pytest.mark.parametrize("n, batch, epoch", [(5, 3, 2), (1, 1, 1)])
def test_few_components(name, n, batch, epoch):
    """n = 5: b = 3, m = 2, and 7 steps end inside the fourth epoch; n = 1: b = m = 1."""
    problem = instances.tasks(sizes=(n,), d=4)
    made = counts(problem, name, 7)
    anchors = -(-7 // epoch)
    assert (made["FO"], made["IFO"]) == (anchors, anchors * n + 2 * batch * 7)


@pytest.mark.parametrize("name", ["ncgs", "ncgs_vr"])
def test_the_theorem_rule_asks_more_the_longer_the_horizon(name):
    few, many = (counts(PROBLEM, name, 3, rule="theorem", horizon=horizon)["LO"] for horizon in (2, 20))
    assert few < many
