"""Generated instances: laws, layout, determinism, memory."""

import re
from pathlib import Path

import numpy as np
import pytest
from generated import PAPERS, check_seeds, make
from scipy import sparse

from projfree.common import registry
from referee.data import generators
from referee.data.errors import DataError

TESTS = Path(__file__).parents[1]
COMPLETION = {"shape": (20, 30), "rank": 3, "radius": 3.0}
CASES = [("completion", COMPLETION), ("class_clusters", {"classes": 3, "per_class": 4, "dimension": 5})]
CASES += [("ratings", {"source": {"X": sparse.csr_matrix(np.arange(600).reshape(20, 30) % 5)}})]
CASES += [("simplex_least_squares", {"rows": 20, "features": 5})]


def test_every_generator_has_a_case_or_is_named_by_another_test():
    tests = [*TESTS.rglob("test_*.py"), *TESTS.parent.glob("papers/*/tests/*.py")]
    others = "".join(path.read_text() for path in tests if path != Path(__file__))
    known = {name for name, _ in CASES} | set(re.findall(r"\w+", others))
    assert [name for name in [*registry.names("referee.data.generators"), *PAPERS] if name not in known] == []


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)


def test_unknown_names_list_the_known():
    with pytest.raises(ValueError, match=r"'completon'. Did you mean 'completion'\? Known are: "):
        generators.find("completon")
    with pytest.raises(ValueError, match="parameter 'shap'. Did you mean 'shape'.*Known are: corrupt"):
        make("completion", **COMPLETION | {"shap": 3})


def test_simplex_least_squares_are_solved_at_three_times_a_point_of_the_simplex():
    out = make("simplex_least_squares", rows=4000, features=4)
    w = np.linalg.lstsq(out["A"], out["c"], rcond=None)[0]
    assert w.sum() == pytest.approx(3, abs=0.2) and w.min() > -0.1
    assert (out["c"] - out["A"] @ w).std() == pytest.approx(0.5, rel=0.05)


def test_completion_counts_and_layout():
    out = make("completion", shape=200, rank=5, radius=5.0)
    n, m = out["rows"].size, 200
    assert abs(n - 0.1 * m * m) <= 5 * np.sqrt(0.09 * m * m)
    order = out["rows"].astype(np.int64) * m + out["cols"]
    assert (np.diff(order) > 0).all() and out["rows"].dtype == out["cols"].dtype == np.int32
    noise = out["values"] - out["truth"][out["rows"], out["cols"]]
    hit = noise != 0
    assert abs(hit.sum() - 0.05 * n) <= 5 * np.sqrt(0.05 * 0.95 * n)
    assert np.abs(noise).max() <= 3 and abs(noise[hit].mean()) <= 5 * np.sqrt(3 / hit.sum())
    assert abs(noise[hit].var() - 3) <= 0.6 and out["values"].dtype == np.float64


@pytest.mark.parametrize(("mode", "norm"), [("A", 3.0), ("B", 2.5)])
def test_completion_nuclear_norm(mode, norm):
    truth = make("completion", shape=(40, 60), rank=3, radius=2.5, mode=mode)["truth"]
    s = np.linalg.svd(truth, compute_uv=False)
    assert s.sum() == pytest.approx(norm) and (s[3:] < 1e-12).all() and s[2] > 1e-3
    assert mode != "A" or s[:3] == pytest.approx(np.ones(3))


def test_completion_mode_c_is_unscaled():
    truth = make("completion", shape=200, rank=5, radius=5.0, mode="C")["truth"]
    assert truth.std() == pytest.approx(np.sqrt(5), rel=0.1)
    assert np.linalg.svd(truth, compute_uv=False).sum() == pytest.approx(990, rel=0.1)


def test_completion_replace():
    replaced = {"mode": "C", "corruption": "replace", "corrupt": 1.0, "noise": 0.001, "observe": 1.0}
    out = make("completion", **COMPLETION, **replaced)
    assert np.abs(out["values"]).max() <= 0.001 and out["rows"].size == 600


def test_completion_add_is_replace_plus_truth():
    added, replaced = (
        make("completion", **COMPLETION, mode="C", corrupt=0.5, corruption=c) for c in ("add", "replace")
    )
    truth = added["truth"][added["rows"], added["cols"]]
    hit = replaced["values"] != truth
    assert 5 < hit.sum() < truth.size
    assert np.allclose(added["values"] - replaced["values"], np.where(hit, truth, 0.0), atol=1e-12)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"mode": "D"}, "unknown mode 'D'. Known are: A, B, C"),
        ({"corruption": "x"}, "unknown corruption 'x'. Known are: add"),
        ({"rank": 0}, "rank"),
        ({"rank": 21}, "rank"),
        ({"observe": 0.0}, "no entry"),
    ],
)
def test_completion_errors(change, match):
    with pytest.raises((DataError, ValueError), match=match):
        make("completion", **COMPLETION | change)


def test_clusters():
    out = make("class_clusters", classes=7, per_class=200, dimension=60, first_label=0)
    X, y = out["X"], out["y"]
    assert X.shape == (1400, 60) and np.bincount(y).tolist() == [200] * 7
    centres = np.array([X[y == c].mean(axis=0) for c in range(7)])
    inside = np.concatenate([X[y == c] - centres[c] for c in range(7)])
    spectrum = np.linalg.svd(inside, compute_uv=False) / np.sqrt(len(X))
    assert spectrum[0] == pytest.approx(0.6, rel=0.1) and spectrum[39] > 1.5 * spectrum[40]
    assert spectrum[45] == pytest.approx(0.02, rel=0.15)
    nearest = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == y).mean() > 0.9


def test_thresholded_clusters_are_a_sparse_histogram():
    X = make("class_clusters", classes=5, per_class=400, dimension=8, threshold=0.4)["X"]
    assert X.min() == 0 and np.allclose((X == 0).mean(axis=0), 0.4, atol=0.002)
