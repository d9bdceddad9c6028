"""What people read agrees with the code and with itself: defaults, install hints, runs."""

import re

import numpy as np
import pytest
from places import PAPERS, ROOT

import projfree as pf
from referee import study
from referee.cli.evidence import find
from referee.judge.findings import AGREED

TEMPLATES = ROOT / "src/referee/report/templates"
FAQ = (ROOT / "docs/faq.md").read_text()


def test_no_hint_installs_a_name_that_is_not_ours_from_an_index():
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("papers/*/notes.md")]
    texts += [*ROOT.glob("src/**/*.j2"), *ROOT.glob("src/**/*.py"), *ROOT.glob("examples/**/*.py")]
    hint = r"pip install (-\S+ )*[\"']?projfree"
    assert not [path for path in texts if re.search(hint, path.read_text())]


def test_the_default_methods_are_those_of_the_code():
    told = re.search(r"By default `minimize` takes `(\S+)` on a polytope and `(\S+)` on other sets", FAQ)

    def loss(x):
        return 0.5 * float(np.vdot(x, x)), x

    for name, constraint, x0 in zip(
        told.groups(),
        (pf.sets.Simplex(), pf.sets.NuclearBall(1.0)),
        (np.eye(3)[0], np.zeros((3, 2))),
        strict=True,
    ):
        assert pf.minimize(loss, constraint, x0=x0, budget=1).method.replace("_", "-") == name
    assert f"the default is `{told[2]}`" in (ROOT / "docs/frank-wolfe.md").read_text()


def test_each_run_that_an_error_lists_is_explained():
    runs = {name for paper in PAPERS for name in study.runs(paper)}
    assert {name for name in runs if f"`--run {name}`" not in FAQ} == set()


def test_holds_has_one_definition():
    said = f"in at least {100 * AGREED:g} % of the seeds"
    for path in (ROOT / "README.md", TEMPLATES / "readme.md.j2"):
        assert said in " ".join(path.read_text().split()), path


@pytest.mark.parametrize("paper", PAPERS)
def test_a_mistyped_name_is_compared_with_those_of_its_paper(paper):
    with pytest.raises(ValueError, match="unknown claim or figure") as error:
        find(f"{paper}/fig99", "full")
    assert {name.partition("/")[0] for name in re.findall(r"'(\w+/[\w-]+)'", str(error.value))} == {paper}
