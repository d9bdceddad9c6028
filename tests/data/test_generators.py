"""Generated instances: laws, layout, determinism, memory."""

import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from referee.data import generators
from referee.data.errors import DataError

TESTS = Path(__file__).parents[1]


def rng(seed=0):
    return np.random.Generator(np.random.PCG64DXSM(seed))


def make(name, seed=0, **params):
    return generators.generate(name, rng(seed), **params)


FAMILIES = {"families": 2, "tasks": 3, "samples": 40, "dimension": 6}
COMPLETION = {"shape": (20, 30), "rank": 3, "radius": 3.0}


def source(sizes=(30, 20, 50), d=4, seed=1):
    y = rng(seed).permutation(np.repeat(np.arange(1, len(sizes) + 1), sizes))
    X = rng(seed).uniform(-5, 20, (len(y), d)).astype(np.float32)
    X[:, 1] = 7.0
    return {"X": X, "y": y, "minimum": X.min(axis=0), "maximum": X.max(axis=0)}


CASES = [("completion", COMPLETION), ("task_families", FAMILIES), ("class_tasks", {"source": source()})]
CASES += [("class_clusters", {"classes": 3, "per_class": 4, "dimension": 5})]
CASES += [("ball_form", {"size": 9, "outliers": 2})]
CASES += [("low_rank_outliers", {"shape": 20, "rank": 3, "noise": 1.0})]
CASES += [("large_completion", {"shape": 30, "rank": 3, "observed": 100})]
CASES += [("ratings", {"source": {"X": sparse.csr_matrix(np.arange(600).reshape(20, 30) % 5)}})]
CASES += [("labelled_rows", {"source": source(), "held_out": 0.3})]
CASES += [("text_rows", TEXT := {"rows": 60, "features": 300, "classes": 4, "length": 20.0, "skew": 1.0})]
CASES += [("outlier_regression", {}), ("simplex_least_squares", {"rows": 20, "features": 5})]
CASES += [("cardiac", {"rows": 30, "groups": 10, "size": 2}), ("song_years", {"rows": 50})]
CASES += [("gas_sensors", {"rows": 20}), ("turned_objects", {"views": 3, "side": 8})]
REDRAW = {"generator": "cardiac", "params": {"rows": 30, "groups": 10, "size": 2}}
FAKE = {"attrs": {"stand_in": True}}
CASES += [("regression", {"source": FAKE, "redraw": REDRAW})]
CASES += [("two_views", {"rows": [12, 15], "columns": 10, "rank": 2})]
GRAPH = {"X": sparse.csr_matrix(np.eye(20, k=1) - np.eye(20, k=-2))}
CASES += [("links", {"source": GRAPH, "non_links": 1.0})]


def same(a, b):
    """Equal as arrays, sparse ones entry by entry."""
    return np.array_equal(*(part.toarray() if hasattr(part, "toarray") else part for part in (a, b)))


def test_every_generator_has_a_case_or_is_named_by_another_test():
    others = "".join(path.read_text() for path in TESTS.rglob("test_*.py") if path != Path(__file__))
    known = {name for name, _ in CASES} | set(re.findall(r"\w+", others))
    assert [name for name in generators.names() if name not in known] == []


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    first, again, other = make(name, 5, **params), make(name, 5, **params), make(name, 6, **params)
    assert first.keys() == again.keys() and all(same(first[k], again[k]) for k in first)
    assert any(not same(first[k], other[k]) for k in first)


def test_unknown_names_list_the_known():
    with pytest.raises(ValueError, match=r"'completon'. Did you mean 'completion'\? Known are: "):
        generators.find("completon")
    with pytest.raises(ValueError, match="parameter 'sampels'. Did you mean 'samples'.*Known are: bias"):
        make("task_families", **FAMILIES | {"sampels": 3})


def test_simplex_least_squares_are_solved_at_three_times_a_point_of_the_simplex():
    out = make("simplex_least_squares", rows=4000, features=4)
    w = np.linalg.lstsq(out["A"], out["c"], rcond=None)[0]
    assert w.sum() == pytest.approx(3, abs=0.2) and w.min() > -0.1
    assert (out["c"] - out["A"] @ w).std() == pytest.approx(0.5, rel=0.05)


# --- completion (C1) ---


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
    out = make(
        "completion", **COMPLETION, mode="C", corruption="replace", corrupt=1.0, noise=0.001, observe=1.0
    )
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


# --- families of tasks (C3) ---


def test_family_layout():
    out = make("task_families", **FAMILIES)
    assert out["features"].shape == (240, 7) and out["features"].flags.c_contiguous
    assert out["features"].dtype == np.float32 and out["labels"].dtype == np.int8
    assert (out["features"][:, -1] == 1).all() and set(np.unique(out["labels"])) <= {0, 1}
    assert out["task_ptr"].tolist() == [0, 40, 80, 120, 160, 200, 240] and out["task_ptr"].dtype == np.int64
    assert out["test_features"].shape == (48, 7) and out["test_ptr"].tolist() == [0, 8, 16, 24, 32, 40, 48]
    assert make("task_families", **FAMILIES, bias=False)["features"].shape == (240, 6)
    assert make("task_families", **FAMILIES, test_fraction=0)["test_features"].shape == (0, 7)


def test_family_covariance():
    """Sample covariance of a task near U (D + D_k) Uᵀ: eigenvalues of U⁻¹ S U⁻ᵀ lie in [1, 2.1]."""
    params = {"families": 1, "tasks": 2, "samples": 40_000, "dimension": 4, "orthogonal": True}
    out = make("task_families", **params)
    for k in range(2):
        x = out["features"][out["task_ptr"][k] : out["task_ptr"][k + 1], :4].astype(float)
        values = np.linalg.eigvalsh(x.T @ x / len(x))
        assert values.min() >= 0.97 and values.max() <= 2.15 and values.max() - values.min() > 0.05
        assert np.abs(x.mean(axis=0)).max() < 5 * np.sqrt(2.1 / len(x))
    gaussian = make("task_families", **params | {"orthogonal": False, "dimension": 30, "samples": 4000})
    assert gaussian["features"][:, :30].std() == pytest.approx(np.sqrt(1.55 * 30), rel=0.15)


def test_family_labels_follow_the_signs_of_their_family():
    """P(y = 1 | x) = 1 / (1 + exp(θᵀx + b)), θ and b of the family: decreasing in t."""
    out = make("task_families", families=3, tasks=2, samples=4000, dimension=3, orthogonal=True)
    assert set(np.unique(out["theta"])) == {-1, 1} and set(np.unique(np.abs(out["offset"]))) == {1}
    for task in range(6):
        rows = slice(*out["task_ptr"][task : task + 2])
        t = out["features"][rows, :3] @ out["theta"][task // 2] + out["offset"][task // 2]
        p = 1 / (1 + np.exp(t))
        z = (out["labels"][rows] - p).sum() / np.sqrt((p * (1 - p)).sum())
        assert abs(z) < 4.5
        assert np.corrcoef(out["labels"][rows], t)[0, 1] < -0.4


def test_flip_inverts_that_share_of_training_labels_only():
    clean, noisy = (make("task_families", **FAMILIES, flip=f) for f in (0.0, 0.1))
    assert (clean["labels"] != noisy["labels"]).sum() == 24
    assert np.array_equal(clean["features"], noisy["features"])
    assert np.array_equal(clean["test_labels"], noisy["test_labels"])


def test_family_errors():
    for change in ({"flip": 1.5}, {"families": 0}, {"samples": 0}):
        with pytest.raises(ValueError, match=f"{next(iter(change))} must be"):
            make("task_families", **FAMILIES | change)


# --- one class against the rest (C4) ---


def test_class_task_layout():
    data = source()
    out = make("class_tasks", source=data, versions=5)
    assert out["task_ptr"].size == 16 and out["features"].shape == (10 * 100, 5)
    assert np.diff(out["task_ptr"]).tolist() == [60] * 5 + [40] * 5 + [100] * 5
    assert out["task_class"].tolist() == [1] * 5 + [2] * 5 + [3] * 5
    assert out["features"].flags.c_contiguous and (out["features"][:, -1] == 1).all()
    for a, b in zip(out["task_ptr"][:-1], out["task_ptr"][1:], strict=True):
        assert out["labels"][a:b].mean() == 0.5


def rows_of(features, data):
    """Index of the source row behind each noise-free task row."""
    low, high = data["minimum"], data["maximum"]
    X = np.where(high > low, 2 * (data["X"] - low) / np.where(high > low, high - low, 1) - 1, 0)
    near = np.abs(features[:, None, : X.shape[1]] - X[None]).max(axis=2)
    assert near.min(axis=1).max() < 1e-5
    return near.argmin(axis=1)


def test_positives_are_the_class_and_negatives_distinct_others():
    data = source()
    out = make("class_tasks", source=data, versions=2, noise=0.0)
    assert np.abs(out["features"]).max() <= 1 + 1e-6 and (out["features"][:, 1] == 0).all()
    rows = rows_of(out["features"], data)
    for t, label in enumerate(out["task_class"]):
        mine = rows[out["task_ptr"][t] : out["task_ptr"][t + 1]]
        answers = out["labels"][out["task_ptr"][t] : out["task_ptr"][t + 1]]
        assert sorted(mine[answers == 1]) == np.flatnonzero(data["y"] == label).tolist()
        negatives = mine[answers == 0]
        assert len(set(negatives)) == len(negatives) and (data["y"][negatives] != label).all()
    assert np.array_equal(rows[:60], rows[60:120])


def test_versions_differ_by_noise_of_that_size_only():
    data = source((400, 300, 500), d=8)
    out = make("class_tasks", source=data, versions=3)
    clean = make("class_tasks", source=data, versions=3, noise=0.0)
    a, b = out["features"][:800], out["features"][800:1600]
    assert (a - b)[:, :8].std() == pytest.approx(0.05 * np.sqrt(2), rel=0.03)
    assert clean["features"].shape == out["features"].shape


def test_fresh_negatives_and_cap():
    data = source()
    out = make("class_tasks", source=data, versions=2, noise=0.0, negatives="fresh", cap_positives=10)
    assert np.diff(out["task_ptr"]).tolist() == [20] * 6
    rows = rows_of(out["features"], data)
    assert np.array_equal(rows[:10], rows[20:30]) and not np.array_equal(rows[10:20], rows[30:40])


def test_choice_of_classes():
    assert (
        make("class_tasks", source=source((30, 20, 30)), classes=2, cap_positives=9)["task_class"].max() == 2
    )
    out = make("class_tasks", source=source((30, 20, 30)), classes=[3, 1], noise=0.0, versions=1)
    assert out["task_class"].tolist() == [3, 1]
    assert (source((30, 20, 30))["y"][rows_of(out["features"], source((30, 20, 30)))] != 2).all()


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"negatives": "x"}, "unknown negatives 'x'. Known are: fresh, shared"),
        ({"classes": 9}, "classes"),
        ({"classes": [1, 7]}, "classes"),
        ({"classes": 1}, "classes"),
        ({"source": source((80, 20))}, "class 1: 80 positives, only 20"),
    ],
)
def test_class_task_errors(change, match):
    with pytest.raises((DataError, ValueError), match=match):
        make("class_tasks", **{"source": source()} | change)


def test_source_is_left_alone():
    data = source()
    before = data["X"].copy()
    make("class_tasks", source=data)
    assert np.array_equal(data["X"], before)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("task_families", {"families": 4, "tasks": 5, "samples": 4000, "dimension": 50}),
        ("class_tasks", {"source": source((30_000, 20_000, 40_000), d=20)}),
    ],
)
def test_peak_memory_is_near_the_result(name, params):
    tracemalloc.start()
    out = make(name, **params)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1.3 * sum(a.nbytes for a in out.values())


# --- stand-in clusters ---


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


# --- text_rows and labelled_rows ---


def test_text_rows_are_unit_sparse_and_skewed():
    out = make("text_rows", **TEXT)
    X, y = out["X"], out["y"]
    assert X.shape == (60, 300) and X.dtype == np.float64 and y.min() == 1 and y.max() == 4
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1.0, rtol=1e-12)
    sizes = np.bincount(y)[1:]
    assert sizes[0] > sizes[1] > sizes[3] > 0 and sizes.sum() == 60
    assert 5 < X.nnz / 60 < 40 and X.data.min() > 0


def test_text_rows_of_one_class_share_words():
    out = make("text_rows", rows=400, features=3000, classes=4, length=60.0)
    inside = (out["X"] @ out["X"].T).toarray()
    alike = out["y"][:, None] == out["y"]
    np.fill_diagonal(inside, 0)
    assert inside[alike].mean() > 1.5 * inside[~alike].mean()


def test_labelled_rows_split_scale_and_number():
    data = source(sizes=(30, 20, 50))
    out = make("labelled_rows", source=data, held_out=0.2)
    assert out["classes"] == 3 and set(out["labels"]) == {0, 1, 2}
    assert np.bincount(out["test_labels"]).tolist() == [6, 4, 10] and out["shape"].tolist() == [80, 4]
    rows = np.add.reduceat(out["data"] ** 2, out["indptr"][:-1])
    np.testing.assert_allclose(rows, 1.0, rtol=1e-12)
    raw = make("labelled_rows", source=data, scaling="raw", rows=40)
    assert raw["shape"].tolist() == [40, 4] and "test_labels" not in raw
    whole = make("labelled_rows", source=data, scaling="raw")
    np.testing.assert_allclose(whole["data"].reshape(100, 4), data["X"])
    assert np.array_equal(whole["labels"] + 1, data["y"])


def test_labelled_rows_errors():
    for params, words in (
        ({"scaling": "max"}, "unknown scaling 'max'. Known are: raw, tf-idf, unit"),
        ({"held_out": 1.0}, "held_out must be a finite number ≥ 0 and < 1"),
        ({"rows": 101}, "101 rows of 100"),
        ({"scaling": "tf-idf"}, "for counts"),
    ):
        with pytest.raises((DataError, ValueError), match=words):
            make("labelled_rows", source=source(), **params)
