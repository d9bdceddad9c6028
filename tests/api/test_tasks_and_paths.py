"""Programs in benchmarks: a researcher's tasks end well in few lines, warm paths cost less, peers agree."""

import importlib.util

import numpy as np
import pytest
from places import ROOT


def program(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"benchmarks/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TASKS = program("researcher_tasks")


def test_there_are_twenty_five_tasks_of_at_most_eight_lines():
    assert len(TASKS.TASKS) == 25 and all(1 <= TASKS.lines(task) <= 8 for task in TASKS.TASKS)


@pytest.mark.parametrize("task", TASKS.TASKS, ids=lambda task: task.__name__)
def test_each_task_ends_well(task):
    found = task()
    assert found if isinstance(found, str) else found.success


@pytest.mark.parametrize("name", ["l1 ball, least squares", "simplex, logistic"])
def test_a_warm_path_of_the_default_is_not_dearer_in_steps_or_calls(name):
    paths = program("bench_paths")
    (case,) = (case for case in paths.paths() if case[0] == name)
    warm, cold = paths.steps(*case[1:], np.linspace(0.5, 2.0, 4))
    assert (warm.sum(axis=0) < cold.sum(axis=0)).all()


def test_peers_give_our_projections_and_proxes():
    peers = program("bench_peers_vectors")
    rng = np.random.default_rng(1)
    for what, peer, ours, theirs in [*peers.pairs(200, rng), peers.assignment(5, rng)]:
        np.testing.assert_allclose(ours(), theirs(), atol=1e-3, err_msg=f"{what}, {peer}")
