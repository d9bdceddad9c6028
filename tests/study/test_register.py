"""The register: every alternative runs or says why not, and several can be run as one."""

from pathlib import Path

import pytest
from places import ROOT
from pydantic import ValidationError

from projfree import study
from projfree.study.models.deviation import Alternative, Deviation
from projfree.study.names import check_names
from projfree.study.register import alternative_runs, under
from projfree.study.validation import StudyError

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


def test_alternatives_that_are_run_together_keep_what_they_share(ncgs):
    spec = under(ncgs.spec, "U10-Gram-eigenproblem+U21-noise-0.1")
    assert spec["methods"]["svrg"]["params"]["projection"] == "gram"
    assert list(spec["experiments"]) == ["fig3-right"]
    assert spec["experiments"]["fig3-right"]["generator"]["noise"] == 0.1
    assert set(spec["facts"]) >= {"fig3-right-svrg", "fig3-right-identical"}
    assert not any(name.startswith("fig1") for name in spec["facts"])
    with pytest.raises(StudyError, match="no experiment is run under all of"):
        under(ncgs.spec, "U10-Gram-eigenproblem+U19-orthogonal")
    with pytest.raises(StudyError, match="Did you mean 'U19-orthogonal'"):
        under(ncgs.spec, "U10-Gram-eigenproblem+U19-orthogonl")


def test_the_search_reads_all_alternatives_unless_it_names_some(ncgs):
    some = {**ncgs.spec, "inverse": {"alternatives": ["U8-line-search"], "combinations": [["a", "b"]]}}
    assert alternative_runs(some) == ["U8-line-search", "a+b"]
    assert len(alternative_runs(ncgs.spec)) > 30


def test_a_combination_of_an_unknown_alternative_is_told_with_its_file(ncgs):
    given = {"combinations": [["U8-line-search", "U8-line-serch"]]}
    model = ncgs.model.model_copy(update={"inverse": type(ncgs.model.inverse).model_validate(given)})
    with pytest.raises(
        StudyError, match=r"facts\.yaml: inverse: .*'U8-line-serch'. Did you mean 'U8-line-search'"
    ):
        check_names(model, ROOT / "config/papers/ncgs")


def line_of(*keys):
    """The line that stands at the place of a key of ncgs."""
    path, number = study.place_of("ncgs", *keys, root=ROOT).rsplit(":", 1)
    return Path(path).read_text(encoding="utf-8").splitlines()[int(number) - 1]


def test_a_place_is_told_with_file_and_line_and_that_of_a_template_with_its_section():
    assert line_of("facts", "fig1-left-end") == "  fig1-left-end:"
    assert line_of("facts", "fig2-left-vr") == "facts:"
