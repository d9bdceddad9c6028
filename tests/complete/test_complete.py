"""`projfree complete` on tiny files: the optimum, the choice of λ, predictions, what is written and said."""

import h5py
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from projfree.cli import main
from projfree.complete import page
from projfree.complete.tables import read_ratings
from projfree.completion import fitting
from projfree.completion.fitting import Fit, Part, Path, Setting, fit_path, predict


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Ratings of rank 2 with noise, 40 × 30, half of them observed."""
    rng = np.random.default_rng(3)
    truth = 3 + 1.5 * rng.standard_normal((40, 2)) @ rng.standard_normal((2, 30))
    path = tmp_path_factory.mktemp("ratings") / "mine.csv"
    rows, cols = np.nonzero(rng.random((40, 30)) < 0.5)
    values = truth[rows, cols] + 0.3 * rng.standard_normal(len(rows))
    frame = pd.DataFrame({"user": [f"u{i}" for i in rows], "item": [f"i{j}" for j in cols], "rating": values})
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def ratings(file):
    return read_ratings(file)


QUICK = Setting(folds=3, count=6, least=0.05)


def test_each_solution_is_certified_and_optimal(ratings):
    part = Part(ratings, slice(None), Setting(tol=1e-5))
    top = part.largest_weight()
    assert part.solve(1.001 * top).rank == 0
    fit = part.solve(0.2 * top)
    assert fit.polar_ratio <= 1 + 2e-5 and 0 <= fit.relative_gap < 1e-3
    rows, cols = ratings.rows, ratings.cols
    X, seen = np.zeros(ratings.shape), np.zeros(ratings.shape, dtype=bool)
    X[rows, cols], seen[rows, cols] = ratings.values, True
    X[seen] -= (fit.row_offset[:-1, None] + fit.column_offset[None, :-1])[seen]
    W = np.zeros(X.shape)
    for _ in range(3000):  # proximal gradient steps on the dense matrix
        u, s, vt = np.linalg.svd(W - np.where(seen, W - X, 0), full_matrices=False)
        W = (u * np.maximum(s - 0.2 * top, 0)) @ vt
    reference = 0.5 * np.sum((W - X)[seen] ** 2) + 0.2 * top * np.linalg.norm(W, "nuc")
    assert fit.objective == pytest.approx(reference, rel=1e-4)


def test_the_path_chooses_what_predicts_best(ratings):
    told = []
    path = fit_path(ratings, QUICK, told.append)
    mean = path.errors.mean(axis=1)
    assert path.best == np.argmin(mean) and mean[path.best] < 0.8 * path.baseline
    assert path.fits[-1].weight == path.weights[path.best] and len(path.fits) == path.best + 1
    assert len(told) == path.errors.size + len(path.fits)
    assert path.weights == sorted(path.weights, reverse=True)


def test_the_path_stops_after_the_best(ratings, monkeypatch):
    monkeypatch.setattr(fitting, "error", lambda fit, *_: abs(np.log(fit.weight / 10)) if fit.U.size else 9.0)
    path = fit_path(ratings, Setting(folds=2, weights=(1.0, 10.0, 8.0, 6.0, 4.0, 2.0)))
    assert path.weights == [10.0, 8.0, 6.0, 4.0] and path.best == 0


def test_unknown_users_and_items_get_what_is_known_of_the_other():
    fit = Fit(
        1.0,
        np.ones((2, 1)),
        np.ones((2, 1)),
        0,
        0,
        0,
        np.array([1.0, 2.0, 0.5]),
        np.array([10.0, 20.0, 15.0]),
    )
    rows, cols = np.array([0, 0, -1, -1]), np.array([0, -1, 1, -1])
    assert predict(fit, rows, cols).tolist() == [12.0, 16.0, 20.5, 15.5]
    assert predict(fit, rows, cols, (13, 16)).tolist() == [13.0, 16.0, 16.0, 15.5]


def test_command(file, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("user\titem\nu1\ti2\nnobody\ti2\nu1\tnothing\nnobody\tnothing\n")
    options = [
        "--folds",
        "3",
        "--count",
        "6",
        "--least",
        "0.05",
        "--predict",
        str(pairs),
        "--output",
        str(tmp_path / "out"),
    ]
    result = CliRunner().invoke(main, ["complete", str(file), *options])
    assert result.exit_code == 0, result.output
    assert "certificate" in result.output and "predictions.csv" in result.output
    predicted = pd.read_csv(tmp_path / "out" / "predictions.csv")
    assert predicted["known"].tolist() == ["both", "item", "user", "neither"]
    with h5py.File(tmp_path / "out" / "model.h5") as model:
        users, items = model["users"].asstr()[:].tolist(), model["items"].asstr()[:].tolist()
        u, i = users.index("u1"), items.index("i2")
        value = model["row_offset"][u] + model["column_offset"][i] + model["U"][u] @ model["V"][i]
        assert predicted["rating"][0] == pytest.approx(np.clip(value, *model.attrs["scale"]), abs=1e-4)
        assert model.attrs["source"] == "mine.csv" and model.attrs["polar_ratio"] <= 1.01
        assert len(model["path/rank"]) <= len(model["path/weight"])
    text = (tmp_path / "out" / "index.html").read_text()
    assert "<svg" in text and "http" not in text.replace("http://www.w3.org", "") and "viewport" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--weights", "3,x"], "not a list of numbers"),
        (["--weights", "3,0"], "finite number above 0"),
        (["--folds", "1"], "--folds"),
        (["--folds", "100000"], "too few for 100000 folds"),
        (["--centre", "median"], "user-item"),
        (["--columns", "user,item,stars"], "has no column 'stars'; it has user, item, rating"),
    ],
)
def test_mistakes_are_one_clear_message(file, arguments, message):
    result = CliRunner().invoke(main, ["complete", str(file), *arguments])
    assert result.exit_code and message in result.output and "Traceback" not in result.output


def test_faults_name_file_and_line(tmp_path):
    (tmp_path / "r.csv").write_text("a,b,1\na,c,2\nb,b,x\n")
    result = CliRunner().invoke(main, ["complete", str(tmp_path / "r.csv")])
    assert result.exit_code and "r.csv:3: rating (column 3) 'x' is not a number" in result.output


def test_help_teaches():
    text = CliRunner().invoke(main, ["complete", "--help"]).output
    assert "projfree complete u.data" in text and "model.h5" in text


def test_the_figure_shows_every_weight_that_was_tried():
    fit = Fit(4.0, np.ones((2, 1)), np.ones((2, 1)), 5.0, 1.0, 0.0, np.zeros(3), np.zeros(3))
    path = Path([8.0, 4.0, 2.0], np.array([[1.0, 1.2], [0.8, 0.9], [1.0, 1.1]]), 1.1, [fit, fit])
    svg = page.path_figure(path)
    assert svg.startswith("<svg") and "rank of the factors" in svg
