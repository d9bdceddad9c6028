"""Instances are those that captions and sections of the papers state, or the register says why not."""

import inspect
import re

import pytest

from projfree.common import registry
from referee import study
from referee.common import rooms
from referee.common.project import project_root
from referee.study import files
from referee.study.names import PACKAGES

LOADED = {paper: study.load(paper, "full") for paper in study.papers()}
MADE_BY = {"generator": "generate", "problem": "Problem", "set": "Set", "penalty": "Penalty"}
NOTHING = "not stated"


def caption_id(value):
    return value if isinstance(value, str) else f"{'-'.join(value.of)}: {value.place}"


CASES = [(paper, caption) for paper, loaded in LOADED.items() for caption in loaded.model.captions]


def resolved(paper, experiment, place):
    """What an experiment has at a place, defaults of its modules included."""
    part, _, name = place.partition(".")
    if part == "dataset":
        value = experiment["dataset"]
        catalog = files.read(project_root() / files.CATALOG)
        return value.partition("-")[0] if name == "name" else catalog[value]["fingerprint"][name]
    given = experiment[part]
    if part in MADE_BY and name not in given:
        module = rooms.load(paper, "generators", given["name"]) if part == "generator" else None
        made = getattr(module or registry.load(PACKAGES[part], given["name"]), MADE_BY[part])
        return inspect.signature(made).parameters[name].default
    return given.get(name, NOTHING)


@pytest.mark.parametrize(("paper", "caption"), CASES, ids=caption_id)
def test_instances_are_as_stated_but_for_what_names_a_stated_place_and_the_register(paper, caption):
    experiments = LOADED[paper].spec["experiments"]
    register = {deviation["id"] for deviation in LOADED[paper].spec["deviations"]}
    assert set(caption.unlike) <= set(caption.states)
    for reason in caption.unlike.values():
        assert set(re.findall(r"\bU\d+\b", reason)) <= register
    for pattern in caption.experiments:
        found = [name for name in experiments if re.fullmatch(pattern, name)]
        assert found, f"no experiment {pattern}"
        for name in found:
            for place, stated in caption.states.items():
                ours = resolved(paper, experiments[name], place)
                ours = list(ours) if isinstance(ours, tuple) else ours
                unlike = place in caption.unlike
                assert (ours == stated) != unlike, f"{name}: {place} is {ours}, stated {stated}"


@pytest.mark.parametrize("paper", LOADED)
def test_every_figure_of_a_paper_has_what_is_stated_of_it(paper):
    spec, said = LOADED[paper].spec, {stem for caption in LOADED[paper].model.captions for stem in caption.of}
    drawn = {stem for stem, figure in spec["figures"].items() if not figure.get("extra")}
    assert said <= {*spec["figures"], *spec["tables"]}
    assert drawn <= said
