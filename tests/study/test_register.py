"""The register: every alternative runs or says why not."""

import pytest
from places import ROOT
from pydantic import ValidationError

from projfree.engine import oracles
from projfree.ground import registry
from projfree.trace.timers import TIMED
from referee import study
from referee.study.models.deviation import Alternative, Deviation
from referee.study.names import check_names
from referee.study.register import touched, under
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
        for name, choice in study.alternatives(spec).items():
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
    with pytest.raises(StudyError, match="unknown alternative 'U18-boxes'.*Known are: .*U18-box-of-its-own"):
        study.alternatives({**ncgs.spec, "alternatives": {"without": {"U18-boxes": "none"}}})
    wrong = {"alternatives": type(ncgs.model.alternatives)(without={"U18-boxes": "none"})}
    with pytest.raises(StudyError, match="unknown alternative 'U18-boxes'"):
        check_names(ncgs.model.model_copy(update=wrong), ROOT / "papers/ncgs")


def test_under_an_alternative_tuning_tries_its_grids_alone(ncgs):
    tuned = {name: m for name, m in ncgs.spec["methods"].items() if m.get("search")}
    under_one = under(ncgs.spec, "U3-option-I")["methods"]
    assert tuned and ncgs.method("fig2-left", "ncgs-2-tuned").search.extensions > 0
    assert {under_one[name]["search"]["extensions"] for name in tuned} == {0}
    assert all(under_one[name]["search"].get("grid") == m["search"].get("grid") for name, m in tuned.items())
