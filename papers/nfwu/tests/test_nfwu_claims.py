"""The claims of the paper on curves made by hand: what the first way of judging got wrong."""

import numpy as np
import pytest
from frames import run, write

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.judging.entry import PartJudge
from referee.evidence.panel import Evidence
from referee.study.models.claim import View

STEPS = 100


@pytest.fixture(scope="module")
def paper():
    return study.load("nfwu", "full").model


def judge_of(paper, folder, name, panels):
    """A part on panels of curves (panel → method → values), one seed, to the end of the budget."""
    for panel, curves in panels.items():
        x = np.linspace(0, paper.experiments[panel].budget.iterations, STEPS)
        write(folder, panel, *(run(m, {"fw_gap": y}).assign(iteration=x) for m, y in curves.items()))
    claim, letter = name.split(".")
    part = parts_of(next(c for c in paper.claims if c.id == claim))[letter]
    tests = [test.on(list(panels)) for test in part.tests]
    alone = part.model_copy(update={"tests": tests, "readings": None, "race": None})
    return PartJudge(Evidence(paper, folder), alone)


def falling(rate, noise=0.0):
    y = np.exp(-rate * np.arange(STEPS))
    return y * np.where(np.arange(STEPS) % 4 == 3, 1 + noise, 1)


def test_what_lies_visibly_above_is_not_better_by_its_running_best(paper, tmp_path):
    """SPIDERG dips below SVRG now and then, and is drawn above it."""
    spider = 1.5 * falling(0.03)
    spider[::5] = 0.6 * falling(0.03)[::5]
    curves = {"svrg": falling(0.03), "spider": spider}
    judge = judge_of(paper, tmp_path, "C5.b", {"fig1-p10": curves})
    assert judge.verdict(judge.sentences) == "fails"
    assert judge.under(View(args={"best": True})) == "holds", "as the first judge had it"


@pytest.mark.parametrize(
    ("without", "verdicts"),
    [
        ([], ("holds", "holds")),
        (["fig1-p10"], ("holds_in_part", "holds")),
        (["fig1-p20"], ("holds_in_part",) * 2),
    ],
)
def test_panels_without_headroom_are_told_and_do_not_hide(paper, tmp_path, without, verdicts):
    """At p = 10 all walk the path of exact gradients: "always" is false there, and the others hold."""
    panels = {}
    for name in ("fig1-p10", "fig1-p20", "fig1-p50"):
        ahead = 0.03 if name in without else 0.1
        panels[name] = {m: falling(ahead) for m in ("casvrg", "caspider")}
        panels[name] |= {m: falling(0.03) for m in ("svrg", "spider")}
    headroom = {name: curves for name, curves in panels.items() if name != "fig1-p10"}
    for part, chosen, verdict in zip(("C1.b", "C1.d"), (panels, headroom), verdicts, strict=True):
        judge = judge_of(paper, tmp_path / part, part, chosen)
        assert judge.verdict(judge.sentences) == verdict, part


@pytest.mark.parametrize(
    ("gap", "start", "verdict"), [(0.3, 1.7, "holds"), (1.1, 1.7, "fails"), (0.3, 0.4, "not_testable")]
)
def test_theorem_3_1_can_fail_and_is_vacuous_where_standing_still_meets_it(
    paper, tmp_path, gap, start, verdict
):
    part = next(claim for claim in paper.claims if claim.id == "T2")
    part = part.model_copy(update={"tests": [test for test in part.tests if test.label == "mean gap"]})
    columns = {"mean_gap": [gap], "gap_limit": [1.0], "start_gap_ratio": [2.5 * start]}
    methods = part.tests[0].words["at_most"]["methods"]
    write(tmp_path, "t2", *(run(method, columns, seed=seed) for method in methods for seed in (0, 1)))
    judge = PartJudge(Evidence(paper, tmp_path), part)
    assert judge.verdict(judge.sentences) == verdict
