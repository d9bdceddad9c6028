"""Generators of ncgs: families of tasks, one class against the rest."""

import numpy as np
import pytest
from generated import check_seeds, make, table
from peaks import peak_of

from referee.data.errors import DataError

FAMILIES = {"families": 2, "tasks": 3, "samples": 40, "dimension": 6}


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


def test_class_task_layout():
    data = table()
    before = data["X"].copy()
    out = make("class_tasks", source=data, versions=5)
    assert np.array_equal(data["X"], before), "the source is left alone"
    assert out["task_ptr"].size == 16 and out["features"].shape == (10 * 100, 5)
    assert np.diff(out["task_ptr"]).tolist() == [60] * 5 + [40] * 5 + [100] * 5
    assert out["task_class"].tolist() == [1] * 5 + [2] * 5 + [3] * 5
    assert out["features"].flags.c_contiguous and (out["features"][:, -1] == 1).all()
    for a, b in zip(out["task_ptr"][:-1], out["task_ptr"][1:], strict=True):
        assert out["labels"][a:b].mean() == 0.5
    noise = (out["features"][:60] - out["features"][60:120])[:, :4].std()  # of two versions
    assert noise == pytest.approx(0.05 * np.sqrt(2), rel=0.15)


def rows_of(features, data):
    """Index of the source row behind each noise-free task row."""
    low, high = data["minimum"], data["maximum"]
    X = np.where(high > low, 2 * (data["X"] - low) / np.where(high > low, high - low, 1) - 1, 0)
    near = np.abs(features[:, None, : X.shape[1]] - X[None]).max(axis=2)
    assert near.min(axis=1).max() < 1e-5
    return near.argmin(axis=1)


def test_positives_are_the_class_and_negatives_distinct_others():
    data = table()
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


def test_fresh_negatives_and_cap():
    data = table()
    out = make("class_tasks", source=data, versions=2, noise=0.0, negatives="fresh", cap_positives=10)
    assert np.diff(out["task_ptr"]).tolist() == [20] * 6
    rows = rows_of(out["features"], data)
    assert np.array_equal(rows[:10], rows[20:30]) and not np.array_equal(rows[10:20], rows[30:40])


def test_choice_of_classes():
    data = table((30, 20, 30))
    assert make("class_tasks", source=data, classes=2, cap_positives=9)["task_class"].max() == 2
    out = make("class_tasks", source=data, classes=[3, 1], noise=0.0, versions=1)
    assert out["task_class"].tolist() == [3, 1]
    assert (data["y"][rows_of(out["features"], data)] != 2).all()


@pytest.mark.parametrize(
    ("name", "change", "match"),
    [
        ("task_families", {"flip": 1.5}, "flip must be"),
        ("task_families", {"families": 0}, "families must be"),
        ("task_families", {"samples": 0}, "samples must be"),
        ("class_tasks", {"negatives": "x"}, "unknown negatives 'x'. Known are: fresh, shared"),
        *(("class_tasks", {"classes": bad}, "does not choose two") for bad in (9, [1, 7], 1)),
        ("class_tasks", {"source": table((80, 20))}, "class 1: 80 positives, only 20"),
    ],
)
def test_what_cannot_be_made_is_told(name, change, match):
    with pytest.raises((DataError, ValueError), match=match):
        make(name, **dict(CASES)[name] | change)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("task_families", {"families": 4, "tasks": 5, "samples": 4000, "dimension": 50}),
        ("class_tasks", {"source": table((30_000, 20_000, 40_000), d=20)}),
    ],
)
def test_peak_memory_is_near_the_result(name, params):
    out, peak = peak_of(lambda: make(name, **params))
    assert peak <= 1.3 * sum(a.nbytes for a in out.values())


CASES = [("task_families", FAMILIES), ("class_tasks", {"source": table()})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
