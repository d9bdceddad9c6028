"""The register: every alternative runs or says why not."""

import shutil

import pandas as pd
import pytest
from places import ROOT
from pydantic import ValidationError

from projfree.common import registry
from projfree.engine import oracles
from projfree.trace.timers import TIMED
from referee import study
from referee.study.models.paper import Alternative, Deviation
from referee.study.names import check_names
from referee.study.register import known, touched, under
from referee.study.validation import StudyError

FAMILIES = registry.names("projfree.families")
TOLD = {"id": "U1", "open": "what", "chosen": "this"}


def test_an_alternative_that_neither_runs_nor_says_why_is_refused():
    with pytest.raises(ValidationError, match="says in `judged` why not"):
        Alternative.model_validate({"name": "other"})


@pytest.mark.parametrize("given", [{}, {"alternatives": [{"name": "b", "judged": "c"}], "only": "none"}])
def test_an_entry_has_alternatives_or_says_why_there_are_none(given):
    with pytest.raises(ValidationError, match="say in `only` why there are none"):
        Deviation.model_validate(TOLD | given)


@pytest.fixture(scope="module")
def ncgs():
    """The study of the full run."""
    return study.load("ncgs", "full", ROOT)


def test_a_run_under_an_unknown_alternative_is_told_the_nearest(ncgs):
    with pytest.raises(StudyError, match="Did you mean 'U19-orthogonal'"):
        under(ncgs.spec, "U19-orthogonl")


def test_an_alternative_that_changes_no_experiment_is_no_run(ncgs):
    spec = {**ncgs.spec, "alternatives": {"experiments": []}}
    with pytest.raises(StudyError, match="ncgs: no experiment is run under U8-line-search"):
        under(spec, "U8-line-search")


def test_whatever_has_a_timer_can_be_priced():
    made = [oracles.of(registry.load("projfree.families", name).FAMILY) for name in FAMILIES]
    assert {name for kind in made for name in (*kind.timed, *kind.phases)} == set(TIMED)


def _switches():
    """Each alternative that can be run: paper, its full run, its name, what it is, the entry that has it."""
    for paper in study.papers(ROOT):
        spec = study.load(paper, "full", ROOT).spec
        entries = {entry["id"]: entry for entry in spec["deviations"]}
        for name, choice in known(spec).items():
            yield pytest.param(spec, name, choice, entries[choice["deviation"]], id=f"{paper}-{name}")


@pytest.mark.parametrize("spec, name, choice, entry", list(_switches()))
def test_an_alternative_runs_on_every_panel_of_which_its_claims_speak(spec, name, choice, entry):
    """Within the figures that its entry says it touches; where it does not, the register says why."""
    assert choice["experiments"]
    drawn, told = touched(spec, {**entry, "touches": []}), touched(spec, {**entry, "figures": []})
    assert drawn & told <= {*choice["experiments"], *choice.get("without", {})}
    assert not set(choice["experiments"]) & choice.get("without", {}).keys()
    given = choice["override"].get("experiments", {})
    assert given.keys() <= spec["experiments"].keys()
    run = under(spec, name)["experiments"]
    assert all(run[experiment]["methods"] for experiment in choice["experiments"])


def test_cheap_panels_have_three_seeds_and_their_whole_budget_and_others_a_share(ncgs):
    spec = {**ncgs.spec, "alternatives": {"cheap": 100, "shares": {"fig1-right": 0.1}}}
    run = under(spec, "U1-max-lo-1")["experiments"]
    whole = ncgs.spec["experiments"]
    assert (run["c6b-sig2"]["seeds"], run["c6b-sig2"]["budget"]) == (3, whole["c6b-sig2"]["budget"])
    assert (run["fig2-left"]["seeds"], run["fig2-left"]["budget"]) == (1, {"cpu_seconds": 4})
    assert (run["fig2-left"]["repetitions"], whole["fig2-left"]["repetitions"]) == (1, 3)
    assert run["fig1-right"]["budget"] == {"cpu_seconds": 30, "stop": {"sq_gradient_mapping": 1e-4}}


def test_a_run_may_be_without_an_alternative_that_names_sizes_of_another(ncgs):
    quick = study.alternatives(study.load("ncgs", "quick", ROOT).spec)
    assert study.alternatives(ncgs.spec).keys() - quick.keys() == {"U18-box-of-its-own"}
    with pytest.raises(StudyError, match="unknown alternative 'U18-boxes'.*papers/ncgs/register.yaml"):
        study.alternatives({**ncgs.spec, "alternatives": {"without": {"U18-boxes": "none"}}})
    wrong = {"alternatives": type(ncgs.model.alternatives)(without={"U18-boxes": "none"})}
    with pytest.raises(StudyError, match="unknown alternative 'U18-boxes'"):
        check_names(ncgs.model.model_copy(update=wrong), ROOT / "papers/ncgs")


def test_an_alternative_keeps_what_its_base_run_tuned(ncgs):
    """No table of tried values is its own, nor instances of the seed that tuning uses."""
    other = study.load("ncgs", "quick@U1-max-lo-1", ROOT)
    quick = study.load("ncgs", "quick", ROOT)
    assert (other.tuned_in, quick.tuned_in) == ("quick", "quick")
    assert quick.tunes("fig2-left", "ncgs-vr-tuned") and not other.tunes("fig2-left", "ncgs-vr-tuned")
    assert study.TUNING_SEED in quick.recipe("fig2-left").seeds
    assert study.TUNING_SEED not in other.recipe("fig2-left").seeds
    change = {"methods": {"ncgs-2-tuned": {"search": {"grid": [{"max_lo": [3]}]}}}}
    entry = {"id": "U1", "alternatives": [{"name": "grid", "override": change, "experiments": ["fig2-left"]}]}
    with pytest.raises(StudyError, match="ncgs: U1-grid changes the search of ncgs-2-tuned; .* values"):
        under({**ncgs.spec, "deviations": [entry]}, "U1-grid")


def in_counts(experiment, method, budget, share):
    """Counts as a base run might have made them."""
    return {"IFO": 100 * share, "stop": budget.get("stop", {})}


def test_where_seconds_are_counts_only_what_an_alternative_changes_is_run(ncgs):
    spec = {**ncgs.spec, "alternatives": {"methods": ["ncgs-2", "ncgs-vr", "fw", "svfw"], "share": 0.25}}
    run = under(spec, "U1-max-lo-1", in_counts)
    panel = run["experiments"]["fig1-right"]
    assert panel["from_base"] == ["svfw"] and set(panel["methods"]) == {"ncgs-vr", "svfw", "ncgs-2"}
    assert (run["clock"], panel["seeds"], panel["repetitions"], panel["budget"]) == ("model", 1, 1, None)
    level = {"stop": {"sq_gradient_mapping": 1e-4}}
    assert panel["method_budgets"] == dict.fromkeys(panel["methods"], {"IFO": 25, **level})
    seconds = under(spec, "U1-max-lo-1")["experiments"]["fig1-right"]
    assert seconds["from_base"] == [] and seconds["budget"] == {"cpu_seconds": 75, **level}


def test_panels_in_which_nothing_changes_are_not_run(ncgs):
    """`experiments` names a panel without a method that the choice touches."""
    change = {"methods": {"fw": {"params": {"step_rule": "short"}}}}
    choice = {"name": "short", "override": change, "experiments": ["fig1-left", "fig1-right"]}
    spec = {**ncgs.spec, "deviations": [{"id": "U1", "alternatives": [choice]}]}
    assert "fw" not in ncgs.spec["experiments"]["fig1-right"]["methods"]
    assert list(under(spec, "U1-short", in_counts)["experiments"]) == ["fig1-left"]


def test_alternatives_of_the_published_run_have_its_counts():
    """What the first run of each method had made, in the evidence in git, at half of its seconds."""
    full, other = (study.load("mpcgs", run, ROOT) for run in ("full", "full@U7-adaptive"))
    solves = [pair for pair in other.solves() if pair[0] == "fig1-a"]
    assert other.model.clock == "model" and solves == [("fig1-a", "spfw")]
    assert full.budget("fig1-a", "spfw").cpu_seconds and not other.budget("fig1-a", "spfw").cpu_seconds
    table = pd.read_csv(ROOT / "reports/reference/mpcgs/evidence/fig1-a.csv.gz")
    for method in other.experiment("fig1-a").methods:
        run = table[(table["method"] == method) & (table["seed"] == 0) & (table["repetition"].fillna(0) == 0)]
        half = run[run["cpu_seconds"] >= 0.5 * full.budget("fig1-a", method).cpu_seconds].iloc[0]
        limits = other.budget("fig1-a", method).limits
        assert limits == {name: half[{"iterations": "iteration"}.get(name, name)] for name in limits} != {}


def test_methods_of_the_base_run_are_named_by_the_study_alone(tmp_path):
    shutil.copytree(ROOT / "papers/ncgs", tmp_path / "papers/ncgs")
    runs = tmp_path / "papers/ncgs/runs.yaml"
    wrong = "\n  odd: {experiments: {fig1-left: {from_base: [fw]}}}\n"
    runs.write_text(runs.read_text() + wrong)
    with pytest.raises(StudyError, match="experiment fig1-left: from_base is set under alternatives only"):
        study.load("ncgs", "odd", tmp_path)
