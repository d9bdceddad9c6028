"""The smoothness constants against what the functions do."""

import instances
import numpy as np
import pytest

CASES = {
    "completion-sl0": instances.completion(sigma=0.7),
    "completion-sl0-mean": instances.completion(weight="mean"),
    "completion-cor": instances.completion(loss="cor", sigma=0.8),
    "completion-cil": instances.completion(loss="cil"),
    "completion-sq": instances.completion(loss="sq"),
    "completion-hub": instances.completion(loss="hub"),
    "tasks-sig2": instances.tasks(),
    "tasks-log": instances.tasks(loss="log"),
    "tasks-float32": instances.tasks(dtype=np.float32),
}
over_cases = pytest.mark.parametrize("problem", CASES.values(), ids=CASES)


@over_cases
def test_the_smoothness_inequalities_on_1000_pairs(problem):
    L, lower = problem.constants["L_full"], problem.constants["l_lower"]
    rng, tightest = np.random.default_rng(3), 0.0
    for _ in range(1000):
        b = rng.uniform(0.05, 2) * rng.standard_normal(problem.shape)
        a = b + 10 ** rng.uniform(-2, 0.5) * rng.standard_normal(problem.shape)
        half = 0.5 * np.sum((a - b) ** 2)
        excess = problem.value(a) - problem.value(b) - np.vdot(problem.gradient(b), a - b)
        assert -lower * half - 1e-9 <= excess <= L * half + 1e-9
        tightest = max(tightest, abs(excess) / (L * half))
    assert tightest > 0.01, "the pairs hardly test the constant"


@over_cases
def test_l_vr_bounds_the_mean_square_of_differences(problem):
    """(1/n) Σ ‖∇f_i(a) − ∇f_i(b)‖² ≤ L_vr²‖a − b‖²: all that variance reduction needs."""
    squares = np.array([np.sum(problem.combine(np.ones(1), np.array([i])) ** 2) for i in range(problem.n)])
    everything = np.arange(problem.n)
    for a, b in 0.5 * np.random.default_rng(4).standard_normal((30, 2, *problem.shape)):
        change = problem.component_slopes(a, everything) - problem.component_slopes(b, everything)
        distance = np.sum((a - b) ** 2)
        assert np.mean(change**2 * squares) <= problem.constants["L_vr"] ** 2 * distance * (1 + 1e-9)
        assert np.all(change**2 * squares <= problem.constants["L_max"] ** 2 * distance * (1 + 1e-9))


def test_constants_of_the_paper():
    """Closed forms for completion; φ'' in [−0.12020, 0.15406] for SIG2."""
    problem = instances.completion(sigma=0.5)
    n, c = problem.n, problem.constants
    assert c["L_full"] == pytest.approx(4.0) and c["L_max"] == pytest.approx(4.0 * n)
    assert c["L_vr"] == pytest.approx(4.0 * np.sqrt(n))
    assert c["l_lower"] == pytest.approx(0.446260 * 4.0, rel=1e-5)
    mean = instances.completion(sigma=0.5, weight="mean").constants
    assert {k: v * n for k, v in mean.items()} == pytest.approx(c)
    problem = instances.tasks()
    blocks = [problem.features[a:b] for a, b in zip(problem.ptr[:-1], problem.ptr[1:], strict=True)]
    rows, c = np.sum(problem.features**2, axis=1), problem.constants
    largest = max(np.linalg.norm(block, 2) ** 2 for block in blocks) / problem.n
    weighted = max(np.linalg.norm((b.T * np.sum(b**2, axis=1)) @ b, 2) for b in blocks) / problem.n
    exact = {"L_full": (largest, 1.03), "L_vr": (np.sqrt(weighted), 1.02), "L_max": (rows.max(), 1.0002)}
    for name, (value, most) in exact.items():
        assert 1 <= c[name] / (0.15406 * value) * (1 + 1e-4) <= most, name
    assert c["l_lower"] / c["L_full"] == pytest.approx(0.780, abs=1e-3)
