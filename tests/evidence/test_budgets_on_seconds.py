"""No limit of passes or calls ends the faster method first where runs are drawn or judged on seconds."""

import pytest
from places import ROOT
from test_claims_of_papers import all_sentences

from referee import study
from referee.evidence.judging.race import SECONDS
from referee.study.grids import panels_of
from referee.study.models.budget import Budget

COUNTS = sorted(set(Budget.model_fields) - {*SECONDS, "stop"})


def timed(spec):
    """Experiments that are drawn or judged on seconds."""
    panels = [panel for name, figure in spec["figures"].items() for panel in panels_of(figure, name)]
    found = {panel["experiment"] for panel in panels if panel.get("x") in SECONDS}
    return found | {panel for s in all_sentences(spec) for panel in s.panels if s.over in SECONDS}


def limits_in_counts(spec):
    """(experiment, method or "", limit) wherever a run of those may end by counts."""
    found = []
    for name in sorted(timed(spec)):
        experiment = spec["experiments"][name]
        budgets = {"": experiment.get("budget")} | (experiment.get("method_budgets") or {})
        found += [
            (name, m, key) for m, budget in budgets.items() for key in COUNTS if (budget or {}).get(key)
        ]
    return found


@pytest.mark.parametrize("name", study.papers(ROOT))
def test_runs_on_seconds_end_by_seconds(name):
    assert limits_in_counts(study.load(name, "full", ROOT).spec) == []


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
    assert limits_in_counts(spec) == [("e", "", "iterations"), ("e", "m", "FO")]
    spec["experiments"]["e"] = {"budget": {"cpu_seconds": 20}}
    assert limits_in_counts(spec) == []
