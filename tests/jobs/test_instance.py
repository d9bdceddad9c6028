"""What a job has beside its solver: a set or a penalty; its instance, stored once, and not replaced."""

import h5py
import instances
import numpy as np
import pytest

from projfree.families import composite, regularised, saddle
from projfree.penalties import rank, trace_norm
from projfree.sets import simplex
from referee.data import generators
from referee.jobs.build import build_instance
from referee.jobs.instance import load_problem, make_constraint
from referee.jobs.job import run_job

SIMPLEX = {"name": "simplex"}


def problem_of(family):
    return next(iter(instances.small_problems(families=(family,)).values()))


@pytest.mark.parametrize(
    ("family", "given", "words"),
    [
        (saddle.FAMILY, {"penalty": {"name": "oscar"}}, r"\(saddle\) needs a `set`. Known are: .*simplex"),
        (regularised.FAMILY, {"set": SIMPLEX}, r"\(regularised\) needs a `penalty`. .*trace_norm"),
    ],
)
def test_a_job_without_the_familys_word_is_told_which(family, given, words):
    job = instances.job(problem={"name": "p"}, **given)
    with pytest.raises(ValueError, match=f"^made: experiment e: problem 'p' {words}"):
        make_constraint(job, problem_of(family))


def test_the_family_says_which_of_two_is_meant():
    job = instances.job(set=SIMPLEX, penalty={"name": "rank", "bound": 1})
    assert isinstance(make_constraint(job, problem_of(saddle.FAMILY)), simplex.Set)
    assert isinstance(make_constraint(job, problem_of(composite.FAMILY)), rank.Penalty)


def test_a_probe_without_an_instance_has_what_its_job_names():
    assert make_constraint(instances.job(set=SIMPLEX), None) == simplex.Set(1.0)
    given = {"name": "trace_norm", "weight": 2.0}
    assert make_constraint(instances.job(penalty=given), None) == trace_norm.Penalty(2.0)


PROBLEM = {"name": "robust_regression"}
SEEDS = [0, 1, 2]
JOB = instances.job(generator={"name": "made"}, problem=PROBLEM, seeds=SEEDS)
FEATURES = np.random.default_rng(0).standard_normal((500, 20))


def test_what_seeds_share_is_stored_once(tmp_path, monkeypatch):
    def generate(name, rng, source=None, paper=None):
        """Seeds 0 and 2 have the same targets."""
        drawn.append(None)
        return {"features": FEATURES.copy(), "targets": FEATURES[:, len(drawn) % 2].copy()}

    drawn = []
    monkeypatch.setattr(generators, "generate", generate)
    path = tmp_path / "instance.h5"
    build_instance(instances.recipe(JOB), path)
    assert path.stat().st_size < 1.5 * FEATURES.nbytes
    with h5py.File(path) as handle:
        shared = [handle[f"seed-{seed}/features"] for seed in SEEDS]
        assert shared[0] == shared[1] == shared[2]
        assert handle["seed-0/targets"] == handle["seed-2/targets"] != handle["seed-1/targets"]
    problems = [load_problem(path, seed, PROBLEM) for seed in SEEDS]
    for seed, problem in enumerate(problems):
        np.testing.assert_array_equal(problem.features, FEATURES)
        np.testing.assert_array_equal(problem.targets, FEATURES[:, (seed + 1) % 2])
    assert problems[0].constants == problems[2].constants != problems[1].constants


RUN = instances.completion_job(
    [14, 12],
    0.5,
    solver={"name": "frank_wolfe", "params": {}},
    budget={"iterations": 3},
    metrics=["objective"],
)


def test_an_instance_that_is_replaced_while_a_job_runs_is_told(tmp_path):
    path, trace = tmp_path / "e.h5", tmp_path / "m.h5"
    build_instance(instances.recipe(RUN), path)
    other = RUN.model_copy(update={"generator": RUN.generator.model_copy(update={"noise": 2.0})})

    def replace(iteration):
        if iteration == 2:
            build_instance(instances.recipe(other), path)

    with pytest.raises(ValueError, match=r"e\.h5: changed while the job ran; run it again"):
        run_job(RUN, path, trace, on_step=replace)
    assert not trace.exists()
    run_job(RUN, path, trace)
    assert trace.exists()
