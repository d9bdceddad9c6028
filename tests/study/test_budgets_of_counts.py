"""Budgets of alternatives: what the base run had counted at a share of its seconds."""

import gzip

import pytest

from projfree.trace.counts import COUNTS
from referee.study.unit_costs import counts_of
from referee.study.validation import StudyError

#: A start with one full gradient; then a step takes 1 s, 10 linear minimisations and one cheap projection.
STEPS = [{"cpu_seconds": k, "iteration": k, "FO": 1, "LO": 10 * k, "PO": k} for k in range(9)]
COSTS = {"lmo": {"LO": 0.09}, "project": {"PO": 0.01}, "gradient": {"FO": 0.5}, "rest": {"iteration": 0.09}}
SECONDS = {"cpu_seconds": 8}


def keep(root, rows, store="evidence"):
    """The table of a panel, as it is kept."""
    path = root / "reports/reference/p" / store / "e.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = ["method", "seed", "repetition", "cpu_seconds", "wall_seconds", "iteration", *COUNTS]
    lines = [",".join(str(row.get(c, 0)) for c in columns) for row in rows]
    path.write_bytes(gzip.compress("\n".join([",".join(columns), *lines]).encode()))


def counts(root, budget=SECONDS, share=0.5, costs=COSTS):
    return counts_of("p", "full", {"e": {"a": costs}} if costs else {}, root)("e", "a", budget, share)


@pytest.fixture
def root(tmp_path):
    """The first run of `a`, and after it runs that are not read: another seed, a repetition, a method."""
    others = [{"seed": 1}, {"repetition": 1}, {"method": "b"}]
    rows = [{"method": "a", **other, **step, "LO": 7} for other in others for step in STEPS]
    keep(tmp_path, [{"method": "a", **step} for step in STEPS] + rows)
    return tmp_path


def test_seconds_become_the_counts_that_cost_something_at_their_share(root):
    """Projections are 1 % of the seconds; the gradient at the start is 1 of 9, but no step makes one."""
    assert counts(root) == {"LO": 40}
    assert counts(root, share=1) == {"LO": 80}
    assert counts(root, costs={"rest": {"iteration": 1.0}}) == {"iterations": 4}
    assert counts(root, costs={"lmo": {"LO": 0.05, "PO": 0.5}}) == {"LO": 40, "PO": 4}


def test_products_alone_do_not_leave_a_run_without_end(tmp_path):
    """A choice may make a step that needs none, such as one by a Gram matrix."""
    keep(tmp_path, [{"method": "a", **step, "matvec": 50 * step["iteration"]} for step in STEPS])
    assert counts(tmp_path, costs={"lmo": {"matvec": 0.02}}) == {"matvec": 200, "iterations": 40}


def test_levels_stay_and_other_limits_are_cut_to_the_share(root):
    budget = {**SECONDS, "stop": {"gap": 0.1}, "iterations": 5}
    assert counts(root, budget) == {"LO": 40, "stop": {"gap": 0.1}, "iterations": 2}
    assert counts(root, {"LO": 8}, costs=None) == {"LO": 4}  # nothing to be priced


def test_a_run_that_ended_before_goes_on_at_its_rate(root):
    assert counts(root, {"cpu_seconds": 32}) == {"LO": 160}


def test_what_is_kept_of_the_publication_to_come_is_read_first(root):
    keep(root, [{"method": "a", **step, "LO": 3 * step["LO"]} for step in STEPS], "evidence/next")
    assert counts(root) == {"LO": 120}


def test_without_runs_or_costs_the_command_that_makes_them_is_told(root):
    with pytest.raises(StudyError, match="e.csv.gz: no run of c .*projfree publish p --run full --keep"):
        counts_of("p", "full", {"e": {"c": COSTS}}, root)("e", "c", SECONDS, 0.5)
    with pytest.raises(StudyError, match="p: no unit costs of e a, .*projfree calibrate p --run full"):
        counts(root, costs=None)
    (root / "reports/reference/p/evidence/e.csv.gz").unlink()
    with pytest.raises(StudyError, match="evidence/e.csv.gz: no run of a"):
        counts(root)
