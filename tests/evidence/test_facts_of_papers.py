"""The facts of the papers in config: each in the judge's words, every alternative runs or says why not."""

import pytest
from places import ROOT

from referee import study
from referee.evidence.inverse import check_facts, check_readings

PAPERS = study.papers(ROOT)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_fact_says_what_the_judge_knows(paper):
    model = study.load(paper, "full", ROOT).model
    assert 20 <= len(model.facts) <= 45
    check_readings(model)
    for name in model.facts:
        check_facts(model, name)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_run_of_the_inverse_search_resolves_and_answers_facts(paper):
    spec = study.load(paper, "full", ROOT).spec
    for name in study.alternative_runs(spec):
        other = study.load(paper, f"full@{name}", ROOT).spec
        assert any(values.get("methods") for values in other["experiments"].values()), name
        assert other["facts"].keys() <= spec["facts"].keys()
