"""The smoothness constants against what the functions do."""

import instances
import numpy as np
import pytest

CASES = {
    "completion-sl0": lambda: instances.completion(sigma=0.7),
    "completion-sl0-mean": lambda: instances.completion(weight="mean"),
    "completion-cor": lambda: instances.completion(loss="cor", sigma=0.8),
    "completion-cil": lambda: instances.completion(loss="cil"),
    "completion-sq": lambda: instances.completion(loss="sq"),
    "completion-hub": lambda: instances.completion(loss="hub"),
    "tasks-sig2": lambda: instances.tasks(),
    "tasks-log": lambda: instances.tasks(loss="log"),
    "tasks-float32": lambda: instances.tasks(dtype=np.float32),
}


@pytest.fixture(params=list(CASES))
def problem(request):
    made = CASES[request.param]()
    made.name = request.param
    return made


def points(problem, count, size, seed=0):
    rng = np.random.default_rng(seed)
    return [size * rng.standard_normal(problem.shape) for _ in range(count)]


def test_the_smoothness_inequalities_on_1000_pairs(problem):
    L, lower = problem.constants["L_full"], problem.constants["l_lower"]
    rng = np.random.default_rng(3)
    tightest = 0.0
    for _ in range(1000):
        b = rng.uniform(0.05, 2) * rng.standard_normal(problem.shape)
        a = b + 10 ** rng.uniform(-2, 0.5) * rng.standard_normal(problem.shape)
        half = 0.5 * np.sum((a - b) ** 2)
        excess = problem.value(a) - problem.value(b) - np.vdot(problem.gradient(b), a - b)
        assert -lower * half - 1e-9 <= excess <= L * half + 1e-9
        tightest = max(tightest, abs(excess) / (L * half))
    assert tightest > 0.01, "the pairs hardly test the constant"


def test_l_vr_bounds_the_mean_square_of_differences(problem):
    """(1/n) Σ ‖∇f_i(a) − ∇f_i(b)‖² ≤ L_vr²‖a − b‖²: all that variance reduction needs."""
    squares = np.array([np.sum(problem.combine(np.ones(1), np.array([i])) ** 2) for i in range(problem.n)])
    everything = np.arange(problem.n)
    for a, b in zip(points(problem, 30, 0.5, seed=4), points(problem, 30, 0.5, seed=5), strict=True):
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
    largest = max(np.linalg.eigvalsh(block.T @ block)[-1] for block in blocks)
    exact = 0.15406 * largest / problem.n
    assert exact <= problem.constants["L_full"] * (1 + 1e-4) <= 1.03 * exact
    assert problem.constants["l_lower"] / problem.constants["L_full"] == pytest.approx(0.780, abs=1e-3)
    rows = np.sum(problem.features**2, axis=1)
    assert problem.constants["L_max"] == pytest.approx(0.15406 * rows.max(), rel=1e-4)
    weighted = max(
        np.linalg.eigvalsh((block * rows[a : a + len(block), None]).T @ block)[-1]
        for a, block in zip(problem.ptr, blocks, strict=False)
    )
    assert 1 <= problem.constants["L_vr"] / (0.15406 * np.sqrt(weighted / problem.n)) * (1 + 1e-4) <= 1.02
