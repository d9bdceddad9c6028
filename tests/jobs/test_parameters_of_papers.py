"""What the papers' config gives as parameters, against the annotations of what takes them."""

import pytest
from places import ROOT

from projfree import penalties, problems, sets, solvers
from projfree.common import parameters
from referee import study
from referee.common import rooms
from referee.data import generators

#: Part of a job or an instance → what makes it of its name, and which of its arguments are no parameters.
PARTS = {
    "set": (sets.load, 0, ()),
    "penalty": (lambda name: penalties.load(name).for_problem, 1, ()),
    "problem": (problems.load, 1, ("constants",)),
}


def check_method(job):
    if job.probe:
        measure = rooms.load(job.paper, "probes", job.probe.name).measure
        parameters.check(measure, job.probe.params, 4)
    else:
        solvers.make(job.solver.name, job.solver.params)


def check_parts(whole):
    """Those that a job or a recipe has."""
    for part, (load, first, by_name) in PARTS.items():
        if given := getattr(whole, part, None):
            params = given.plain()
            parameters.check(load(params.pop("name")), params, first, by_name)
    if given := getattr(whole, "generator", None):
        params = given.plain()
        generate = generators.find(params.pop("name"), whole.paper)
        parameters.check(generate, params, 1, ("source",))


@pytest.mark.parametrize("paper", study.papers(ROOT))
def test_all_parameters_of_a_paper_are_known_and_of_their_range(paper, still):
    spec = study.load(paper, root=ROOT).spec
    for run in ["full", *spec["runs"], *(f"full@{name}" for name in study.alternatives(spec))]:
        loaded = study.load(paper, run, root=ROOT)
        for names in loaded.solves():
            job = loaded.job(*names)
            check_method(job)
            check_parts(job)
        for name in filter(loaded.needs_instance, loaded.experiments):
            check_parts(loaded.recipe(loaded.instance_of(name)))
