"""The judge's own error rate on a share of the made curves (all: benchmarks/judge_error_rates.py)."""

import runpy

import numpy as np
import pytest
from places import ROOT

from referee.evidence.relations import RELATIONS

MADE = runpy.run_path(str(ROOT / "benchmarks/judge_error_rates.py"))
asked, cases, table = (MADE[name] for name in ("asked", "cases", "table"))
FALSE, UNTESTABLE = 0.02, 0.3


@pytest.fixture(scope="module")
def rates():
    chosen = np.random.default_rng(7).choice(len(cases()), 10, replace=False)
    return table([cases()[k] for k in chosen])


def test_few_verdicts_are_false_or_open_where_a_reader_would_decide(rates):
    weights = rates["clear"] / rates["clear"].sum()
    assert rates["clear"].sum() > 80
    assert weights @ (rates["false_holds"] + rates["false_fails"]) <= FALSE
    assert weights @ rates["untestable"] <= UNTESTABLE
    assert rates["false_holds"].max() <= FALSE and rates["false_fails"].max() <= FALSE


def test_every_relation_is_asked_with_both_truths():
    assert {ask.name.split()[0] for ask in asked()} == set(RELATIONS)
    both = {}
    for ask in asked():
        both.setdefault(ask.name, set()).update(bool(ask.margins(m)[0] > 0) for m in cases())
    assert all(found == {True, False} for found in both.values()), both
