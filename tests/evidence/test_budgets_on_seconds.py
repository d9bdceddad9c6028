"""No limit of passes or calls ends the faster method first where runs are drawn or judged on seconds."""

import pytest
from frames import paper
from places import ROOT
from test_claims_of_papers import all_sentences

from referee import study
from referee.evidence.judging.race import SECONDS
from referee.study.models.experiment import Budget

COUNTS = sorted(set(Budget.model_fields) - {*SECONDS, "stop"})


def timed(model):
    """Experiments that are drawn or judged on seconds."""
    panels = [panel for figure in model.figures.values() for panel in figure.every_panel]
    found = {panel.experiment for panel in panels if panel.x in SECONDS}
    return found | {panel for s in all_sentences(model) for panel in s.panels if s.over in SECONDS}


def limits_in_counts(model):
    """(experiment, method or "", limit) wherever a run of those may end by counts."""
    found = []
    for name in sorted(timed(model)):
        experiment = model.experiments[name]
        budgets = {"": experiment.budget} | experiment.method_budgets
        limits = {method: budget.limits for method, budget in budgets.items() if budget}
        found += [(name, m, key) for m, stated in limits.items() for key in COUNTS if key in stated]
    return found


@pytest.mark.parametrize("name", study.papers(ROOT))
def test_runs_on_seconds_end_by_seconds(name):
    assert limits_in_counts(study.load(name, "full", ROOT).model) == []


def test_a_limit_in_counts_is_found():
    panels = [{"experiment": "e", "x": "cpu_seconds"}, {"experiment": "g", "x": "FO"}]
    spec = {
        "claims": [],
        "figures": {"f": {"panels": panels}},
        "experiments": {
            "e": {"budget": {"iterations": 60}, "method_budgets": {"m": {"cpu_seconds": 1, "FO": 9}}},
            "g": {"budget": {"iterations": 60}},
        },
    }
    assert limits_in_counts(paper(spec)) == [("e", "", "iterations"), ("e", "m", "FO")]
    spec["experiments"]["e"] = {"budget": {"cpu_seconds": 20}}
    assert limits_in_counts(paper(spec)) == []
