"""Instance files: arrays that all seeds share are stored once."""

import h5py
import instances
import numpy as np

from referee.data import generators
from referee.jobs.build import build_instance
from referee.jobs.instance import load_problem

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
