"""`projfree complete` on tiny files: the optimum, the choice of λ, predictions, what is written and said."""

import os
import shutil
from dataclasses import replace

import cvxpy as cp
import h5py
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from projfree.completion import blocks, choice, times
from projfree.completion.choice import fit_path
from projfree.completion.fitting import Fast, Fit, Part, Setting, predict
from projfree.completion.ratings import Ratings
from projfree.completion.sweeps import Sweeps
from projfree.completion.top_n import top_n
from projfree.solvers import block_gcg
from ratings import storage, work
from ratings.tables import read_ratings
from referee.cli import main


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


def complete(path, *options, code=0):
    """What the command says."""
    done = CliRunner().invoke(main, ["complete", str(path), *map(str, options)])
    assert done.exit_code == code, done.output
    return done.output


def test_the_plain_model_is_the_trace_norm_of_what_the_offsets_leave(ratings):
    part = Part(ratings.sweeps(), Setting(centre="user-item", power=0, implicit=0))
    top = part.largest_weight()
    assert part.solve(1.001 * top, 1e-5).rank == 0
    fit = part.solve(0.2 * top, 1e-5)
    assert 0 <= fit.relative_gap <= 1e-5
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


def dense_sides(ratings, power, implicit):
    """A and B by their definition."""
    users, items = ratings.shape
    seen = np.zeros(ratings.shape)
    seen[ratings.rows, ratings.cols] = 1
    by_user, by_item = seen.sum(axis=1), seen.sum(axis=0)
    a, c = ((0.9 * n / n.mean() + 0.1) ** -power for n in (by_user, by_item))
    return seen, np.diag(a), np.hstack([np.diag(c), implicit * seen.T / np.sqrt(by_item)[:, None]])


@pytest.mark.parametrize("power, implicit", [(0.0, 0.0), (0.5, 0.0), (0.25, 0.5)])
def test_the_optimum_over_matrix_and_offsets_is_that_of_cvxpy(ratings, power, implicit):
    setting = Setting(power=power, implicit=implicit, ridge=2.0, tol=1e-4)
    fit = Part(ratings.sweeps(), setting).solve(3.0, 1e-4)
    assert -1e-6 <= fit.relative_gap <= 1e-4
    seen, A, B = dense_sides(ratings, power, implicit)
    B = B if implicit else B[:, : ratings.shape[1]]
    X = np.zeros(ratings.shape)
    X[ratings.rows, ratings.cols] = ratings.values - ratings.values.mean(dtype=float)
    M, b, c = cp.Variable((A.shape[1], B.shape[1])), cp.Variable((len(A), 1)), cp.Variable((1, len(B)))
    errors = cp.multiply(seen, A @ M @ B.T + b @ np.ones((1, len(B))) + np.ones((len(A), 1)) @ c - X)
    F = cp.sum_squares(errors) / 2 + 3.0 * cp.normNuc(M) + cp.sum_squares(b) + cp.sum_squares(c)
    exact = cp.Problem(cp.Minimize(F)).solve(solver="SCS", eps=1e-7, max_iters=20000)
    assert exact * (1 - 1e-5) <= fit.objective <= exact * (1 + 1.1e-4)
    assert fit.objective * (1 - fit.relative_gap) <= exact * (1 + 1e-5)
    offsets = fit.row_offset[:-1, None] + fit.column_offset[None, :-1]
    # far from flat in the values on Ω: they agree although factors differ
    ours = (fit.U @ fit.V.T + offsets - ratings.values.mean(dtype=float))[ratings.rows, ratings.cols]
    theirs = (A @ M.value @ B.T + b.value + c.value)[ratings.rows, ratings.cols]
    np.testing.assert_allclose(ours, theirs, atol=0.03)


def test_sides_are_adjoint_and_the_gradient_is_their_product(ratings):
    part = Part(ratings.sweeps(), Setting())
    problem, rng = part.problem, np.random.default_rng(0)
    seen, A, B = dense_sides(ratings, 0.25, 0.5)
    U, V = (rng.standard_normal((side, 3)) for side in problem.shape)
    left, right = problem.sides(U, V)
    np.testing.assert_allclose(left, A @ U, rtol=1e-5)
    np.testing.assert_allclose(right, B @ V, rtol=1e-4, atol=1e-5)
    slopes = problem.slopes(problem.image(U, V))
    S = np.zeros(ratings.shape)
    S[seen > 0] = (slopes.left @ slopes.right.T)[seen > 0] - ratings.values
    G = problem.gradient(slopes)
    np.testing.assert_allclose(G.matmat(V), A.T @ S @ B @ V, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(G.rmatmat(U), B.T @ S.T @ A @ U, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(G.matvec(V[:, 0]), A.T @ S @ B @ V[:, 0], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(G.rmatvec(U[:, 0]), B.T @ S.T @ A @ U[:, 0], rtol=1e-5, atol=1e-5)
    loss, dU, dV = problem.factor_gradients(U, V)
    assert loss == pytest.approx(np.sum(S**2) / 2, rel=1e-5)
    np.testing.assert_allclose(dU, A.T @ S @ B @ V, rtol=1e-3, atol=1e-2)
    np.testing.assert_allclose(dV, B.T @ S.T @ A @ U, rtol=1e-3, atol=1e-2)
    curved, other = problem.factor_curvatures(U, V)
    np.testing.assert_allclose(curved, (A**2).T @ seen @ (B @ V) ** 2, rtol=1e-3)
    np.testing.assert_allclose(other, (B**2).T @ seen.T @ (A @ U) ** 2, rtol=1e-3)


def test_offsets_are_soon_settled_where_users_share_few_items(monkeypatch):
    rng, count = np.random.default_rng(0), 0
    cols = np.sort(np.stack([rng.choice(300, 3, replace=False) for _ in range(500)]), axis=1).ravel()
    values, names = rng.standard_normal(1500).astype(np.float32), (np.arange(side) for side in (500, 300))
    ratings = Ratings(np.repeat(np.arange(500), 3).astype(np.int32), cols.astype(np.int32), values, *names)
    run = Sweeps.run

    def counting(sweeps, task, *arguments):
        nonlocal count
        count += task is blocks.offset_sweep
        return run(sweeps, task, *arguments)

    monkeypatch.setattr(Sweeps, "run", counting)
    problem = Part(ratings.sweeps(), Setting(implicit=0.0, ridge=0.1)).problem
    S = problem.slopes(problem.image(*(np.zeros((side, 0)) for side in ratings.shape)))
    for by, offset in zip((S.by_row, S.by_column), problem.offsets, strict=True):
        np.testing.assert_allclose(by, -0.1 * offset, atol=1e-4)
    assert count < 30


def test_same_seed_same_fit(ratings):
    first, again = (fit_path(ratings, QUICK) for _ in range(2))
    np.testing.assert_array_equal(first.errors, again.errors)
    np.testing.assert_array_equal(first.fit.U, again.fit.U)
    np.testing.assert_array_equal(first.fit.row_offset, again.fit.row_offset)


def test_the_choice_predicts_best_and_is_certified(ratings):
    told = []
    path = fit_path(ratings, QUICK, told.append)
    mean = path.errors.mean(axis=1)
    assert path.best == np.argmin(mean) and mean[path.best] < 0.8 * path.baseline
    assert path.fit.weight == path.weights[path.best] and path.fit.relative_gap <= QUICK.tol
    assert len(told) == path.errors.size + 1 and path.errors.shape == path.ranks.shape == (QUICK.count, 3)
    assert path.weights == sorted(path.weights, reverse=True)


def test_folds_are_used_until_enough_ratings_are_held_out(ratings):
    setting = Setting(folds=3, enough=40)
    assert [choice.folds_used(n, setting) for n in (30, 60, 61, 119, 120)] == [3, 2, 2, 2, 1]
    path = fit_path(ratings, Setting(folds=3, enough=1, weights=(9.0,), rough=0.1))
    assert path.errors.shape == (1, 1)


def test_golden_section_closes_in_on_the_least_error(ratings, monkeypatch):
    monkeypatch.setattr(choice, "error", lambda fit, *_: abs(np.log(fit.weight / 10)) if fit.U.size else 9.0)
    path = fit_path(ratings, Setting(folds=2, count=9, least=0.05, rough=0.1))
    assert path.weights[path.best] == pytest.approx(10, rel=0.2) and len(path.weights) == 9
    path = fit_path(ratings, Setting(folds=2, weights=(1.0, 10.0, 8.0), rough=0.1))
    assert path.weights == [10.0, 8.0, 1.0] and path.best == 0


def test_each_fit_starts_from_the_best_so_far(ratings, monkeypatch):
    """λ = 9, 5, 1, of which 9 is best: 1 and the fit of all ratings start from where 9 ended."""
    begun, ended = {}, {}

    def noting(name, method):
        def fit(part, weight, how):
            begun[name, weight] = part.start[0].copy()
            found = method(part, weight, how)
            ended[name, weight] = part.start[0]
            return found

        return fit

    for name in ("roughly", "solve"):
        monkeypatch.setattr(Part, name, noting(name, getattr(Part, name)))
    monkeypatch.setattr(choice, "error", lambda fit, *_: abs(np.log(fit.weight / 9)))
    fit_path(ratings, Setting(folds=3, enough=1, weights=(9.0, 5.0, 1.0)))
    for fit in (("roughly", 1.0), ("solve", 9.0)):
        np.testing.assert_array_equal(begun[fit], ended["roughly", 9.0])


def test_a_rough_fit_is_near_the_optimum_and_a_fit_ends_with_its_gap(ratings):
    part, tol = Part(ratings.sweeps(), Setting()), 1e-4
    rough, fine = part.roughly(5.0, 1e-2), part.solve(5.0, tol)
    assert fine.relative_gap <= tol < rough.relative_gap
    assert fine.objective < rough.objective < 1.02 * fine.objective


def test_a_fast_fit_takes_a_step_for_each_weight_and_two_more_and_says_how_far_it_came(ratings, monkeypatch):
    steps, step = [], block_gcg.Solver.step

    def counting(solver, *arguments):
        steps.append((solver.atoms, solver.iterations))
        return step(solver, *arguments)

    monkeypatch.setattr(block_gcg.Solver, "step", counting)
    setting = Fast(centre="user-item")
    path = fit_path(ratings, setting)
    assert path.errors.shape == (4, 1) and steps == [(32, 8)] * (4 + 2)
    optimum = Part(ratings.sweeps(), Setting(centre="user-item")).solve(path.fit.weight, 1e-5).objective
    assert optimum <= path.fit.objective * (1 + 1e-6)
    assert path.fit.objective * (1 - path.fit.relative_gap) <= optimum
    full = fit_path(ratings, Setting(centre="user-item"))
    assert path.errors.min() <= 1.05 * full.errors.mean(axis=1).min()


def test_unknown_users_and_items_get_what_is_known_of_the_other():
    ones, offsets = np.ones((2, 1)), (np.array([1.0, 2.0, 0.5]), np.array([10.0, 20.0, 15.0]))
    fit = Fit(1.0, ones, ones, 0, 0, 0, *offsets)
    rows, cols = np.array([0, 0, -1, -1]), np.array([0, -1, 1, -1])
    assert predict(fit, rows, cols).tolist() == [12.0, 16.0, 20.5, 15.5]
    assert predict(fit, rows, cols, (13, 16)).tolist() == [13.0, 16.0, 16.0, 15.5]


def test_command(file, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("user\titem\nu1\ti2\nnobody\ti2\nu1\tnothing\nnobody\tnothing\n")
    told = complete(file, "--folds", 3, "--predict", pairs, "--output", tmp_path / "out")
    assert "Interrupted" not in told and "certificate" in told and "predictions.csv" in told
    assert "3 of 4 pairs have an unknown user or item" in told
    predicted = pd.read_csv(tmp_path / "out" / "predictions.csv")
    assert predicted["known"].tolist() == ["both", "item", "user", "neither"]
    with h5py.File(tmp_path / "out" / "model.h5") as file:
        users, items = file["users"].asstr()[:].tolist(), file["items"].asstr()[:].tolist()
        u, i = users.index("u1"), items.index("i2")
        value = file["row_offset"][u] + file["column_offset"][i] + file["U"][u] @ file["V"][i]
        assert predicted["rating"][0] == pytest.approx(np.clip(value, *file.attrs["scale"]), abs=1e-4)
        assert file.attrs["source"] == "mine.csv" and file.attrs["relative_gap"] <= 1e-3
        assert len(file["path/rank"]) == len(file["path/weight"])
    text = (tmp_path / "out" / "index.html").read_text()
    assert "<svg" in text and "http" not in text.replace("http://www.w3.org", "") and "viewport" in text


def timed():
    """Ratings by 30 users of 40 items in evenings; what is rated in one second is all better or worse."""
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((30, 40)) < 0.7)
    when = 86_400 * rng.integers(0, 3, rows.size) + rng.integers(0, 3, rows.size)
    seconds, mood = np.unique(1000 * rows + when % 7 + 10 * (when // 86_400), return_inverse=True)
    values = 3 + rng.standard_normal(seconds.size)[mood] + 0.2 * rng.standard_normal(rows.size)
    names = (np.array([f"{kind}{k}" for k in range(40)], dtype=object) for kind in "ui")
    places = rows.astype(np.int32), cols.astype(np.int32)
    return times.Timed(*places, values.astype(np.float32), next(names)[:30], next(names), when)


def test_offsets_of_stretches_are_the_ridge_solution():
    ratings = timed()
    values, n = ratings.values - ratings.values.mean(dtype=float), ratings.n
    stretches = ([ratings.rows, ratings.times // width] for width in times.WIDTHS)
    codes = [np.unique(pair, axis=1, return_inverse=True)[1] for pair in stretches]
    codes = [ratings.rows, ratings.cols, *codes]
    D = np.hstack([np.eye(code.max() + 1)[code] for code in codes])
    sizes = [code.max() + 1 for code in codes]
    ridge = np.repeat([times.OWN] * 2 + [times.RIDGE] * len(times.WIDTHS), sizes)
    exact = np.linalg.solve(D.T @ D + np.diag(ridge), D.T @ values)
    expected = D[:, sum(sizes[:2]) :] @ exact[sum(sizes[:2]) :]
    parts = ratings.stretches()
    np.testing.assert_allclose(times.offsets(parts, ratings.rows, ratings.times), expected, atol=1e-5)
    assert times.offsets(parts, [-1, 0], np.array([ratings.times[0], 10**9])).tolist() == [0, 0]
    left = np.concatenate([ratings.sweeps().opened(k).values for k in range(len(ratings.ranges))])
    np.testing.assert_allclose(left, ratings.values - expected, atol=1e-4)
    assert n == left.size


def test_held_out_ratings_tell_nothing_to_the_offsets_of_stretches():
    ratings, division = timed(), blocks.Division(0, 3, 1, False)
    held = blocks.Division(0, 3, 1, True)
    chosen = np.concatenate([held.chosen(k, block.cols.size) for k, block in enumerate(ratings.blocks())])
    other = replace(ratings, values=np.where(chosen, 9, ratings.values).astype(np.float32), known={})
    for found, again in zip(ratings.stretches(division), other.stretches(held), strict=True):
        np.testing.assert_array_equal(found.offsets, again.offsets)
    assert abs(other.stretches()[2].offsets - ratings.stretches()[2].offsets).max() > 0.1


def test_times_are_used_for_ratings_and_for_pairs(tmp_path, monkeypatch):
    ratings = timed()
    names = {"user": ratings.users[ratings.rows], "item": ratings.items[ratings.cols]}
    table = pd.DataFrame({**names, "rating": ratings.values, "time": ratings.times})
    held = table.sample(frac=0.2, random_state=0)
    table.drop(held.index).to_csv(tmp_path / "r.csv", index=False)
    held.drop(columns="rating").to_csv(tmp_path / "pairs.csv", index=False)
    errors, clipped = [], []

    def noting(table, setting, told):
        clipped.append(setting.clip)
        return fit_path(table, setting, told)

    monkeypatch.setattr(work, "fit_path", noting)
    for options in (["--times"], []):
        asked = ["--fast", "--predict", tmp_path / "pairs.csv", "--output", tmp_path / "out"]
        complete(tmp_path / "r.csv", *asked, *options)
        found = pd.read_csv(tmp_path / "out/predictions.csv")
        assert list(found) == ["user", "item", "rating", "known"]
        errors.append(np.sqrt(np.mean((found["rating"].to_numpy() - held["rating"].to_numpy()) ** 2)))
        with h5py.File(tmp_path / "out/model.h5") as model:
            assert ("times" in model) == bool(options)
    assert errors[0] < 0.9 * errors[1] and clipped == [False, True]
    told = complete(tmp_path / "r.csv", "--times", "--workers", "2", code=1)
    assert "--times needs the ratings in memory: without --workers" in told


@pytest.fixture(params=["in memory", "on disk"])
def recommend(request, file, tmp_path, monkeypatch):
    """Who is advised, as a text → what is said, and the table."""
    memory = ["--memory", "8GB"] if request.param == "on disk" else []
    if memory:
        monkeypatch.setattr(storage, "PLAIN", 10**6)

    def recommended(users, *options):
        (tmp_path / "users.txt").write_text(users)
        asked = "--weights", 3, "--folds", 2, "--top", 4, "--output", tmp_path / "out", *memory
        told = complete(file, "--recommend", tmp_path / "users.txt", *asked, *options)
        return told, pd.read_csv(tmp_path / "out/recommendations.csv")

    return recommended


def test_recommendations_by_rating(file, tmp_path, recommend):
    new = "user,item,rating\nnew,i1,4\nnew,i2,1\nnew,other,3\nodd,other,2\n"
    asked = ("user\nu3\n\nstranger\nu7\nu3\n", new)
    said, tables = zip(*(recommend(users, "--ranking", "rating") for users in asked), strict=True)
    assert "1 of 3 users are unknown" in said[0] and "recommendations.csv" in said[0]
    assert "1 of 2 users are unknown" in said[1]
    assert "1 items of new users have no rating of others" in said[1]
    assert tables[0]["user"].tolist() == ["u3"] * 4 + ["stranger"] * 4 + ["u7"] * 4
    assert tables[0]["rank"].tolist() == [1, 2, 3, 4] * 3
    seen = pd.read_csv(file)
    with h5py.File(tmp_path / "out/model.h5") as model:
        items, scale = np.array(model["items"].asstr()[:]), model.attrs["scale"]
        place = model["users"].asstr()[:].tolist().index("u3")
        own = model["row_offset"][place] + model["column_offset"][:] + model["V"][:] @ model["U"][place]
        mean = model.attrs["row_offset_unknown"] + model["column_offset"][:]
    for user, value, known in (("u3", own, "user"), ("stranger", mean, "nobody")):
        found = tables[0][tables[0]["user"] == user]
        unseen = ~np.isin(items, seen["item"][seen["user"] == user])
        order = np.flatnonzero(unseen)[np.argsort(-value[unseen], kind="stable")[:4]]
        assert found["item"].tolist() == items[order].tolist() and set(found["known"]) == {known}
        np.testing.assert_allclose(found["rating"], np.clip(value[order], *scale), atol=1e-4)
    new = tables[1][tables[1]["user"] == "new"]
    assert set(new["known"]) == {"new"} and not {"i1", "i2", "other"} & set(new["item"]) and len(new) == 4
    text = (tmp_path / "out/index.html").read_text()
    assert "<td>new</td>" in text and "most like it" in text and "NDCG" not in text + said[0]


def test_recommendations_are_ranked_by_the_top_n_fit(ratings, tmp_path, recommend):
    fit, items = top_n(ratings), ratings.items
    for users in ("u3\nstranger\n", "user,item,rating\nnew,i1,4\nnew,i2,1\n"):
        told, found = recommend(users)
        assert f"NDCG@10 of held-out ratings: {fit.ndcg:.3f}, recall@10: {fit.recall:.3f}" in told
        assert "{:.3f}, {:.3f}\n".format(*fit.popular) in told
        assert f"rank {fit.rank}, duality gap at most {100 * fit.relative_gap:.2g} %" in told
        for user, part in found.groupby("user"):
            if user == "new":
                rows = np.array([items.tolist().index(name) for name in ("i1", "i2")]), np.array([4, 1])
            elif user == "u3":
                rows = ratings.row(ratings.users.tolist().index(user))
            else:
                rows = np.zeros(0, int), np.zeros(0)
            scores = np.array(fit.scores(*rows))
            scores[rows[0]] = -np.inf
            assert part["item"].tolist() == items[np.argsort(-scores, kind="stable")[:4]].tolist()
            assert part["rank"].tolist() == [1, 2, 3, 4]
    assert "NDCG@10" in (tmp_path / "out/index.html").read_text()


def test_too_few_ratings_to_rank_are_one_clear_message(tmp_path):
    (tmp_path / "r.csv").write_text("a,x,1\nb,y,2\n")
    (tmp_path / "users.txt").write_text("a\n")
    asked = tmp_path / "r.csv", "--recommend", tmp_path / "users.txt", "--folds", 2, "--weights", 1
    assert "2 ratings are too few to choose the ranking 'top-n'" in complete(*asked, code=1)
    complete(*asked, "--ranking", "rating")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\n\n", "lists no user"),
        ("user,item,rating\nu3,i1,4\n", "user 'u3' has ratings already: list known users"),
        ("new,i1,400\n", "holds ratings from 400 to 400, those that are fitted go from"),
        ("new,i1,4\nnew,i1,3\n", "users.txt:2: user 'new' rates item 'i1' again"),
    ],
)
def test_who_is_to_be_advised_is_told_wrongly(file, tmp_path, text, why):
    (tmp_path / "users.txt").write_text(text)
    options = "--output", tmp_path / "out", "--recommend", tmp_path / "users.txt"
    assert why in complete(file, *options, code=1)


@pytest.mark.parametrize("option", ["--predict", "--recommend"])
def test_an_id_that_became_a_float_is_told(tmp_path, option):
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((20, 15)) < 0.6)
    table = pd.DataFrame({"user": rows * 1.0, "item": cols, "rating": rng.integers(1, 6, rows.size)})
    table.to_csv(tmp_path / "r.csv", index=False)
    (tmp_path / "asked.csv").write_text("user,item\n3,4\n" if option == "--predict" else "3\n")
    said = complete(tmp_path / "r.csv", option, tmp_path / "asked.csv", "--weights", 5, "--folds", 2)
    assert "Ids are compared as texts: requested are '3', the ratings have '3.0'." in said
    assert "1 of 1 " in said


def test_what_is_written_of_small_ratings_has_their_digits(file, tmp_path):
    """Ratings times 10⁻⁶ are predicted times 10⁻⁶, not as 0.0."""
    found = []
    for factor in (1, 1e-6):
        table, small = pd.read_csv(file), tmp_path / f"{factor}.csv"
        table.assign(rating=factor * table["rating"]).to_csv(small, index=False)
        told = complete(small, "--folds", 2, "--tol", 1e-6, "--weights", 9 * factor, "--predict", small)
        predicted = pd.read_csv(tmp_path / f"{factor}.csv-completed/predictions.csv")["rating"] / factor
        found.append([*predicted, float(told.split("held-out ratings: ")[1].split()[0]) / factor])
    np.testing.assert_allclose(found[1], found[0], atol=2e-3)


def test_a_file_whose_name_is_no_text_is_completed_too(file, tmp_path):
    path = tmp_path / os.fsdecode(b"r\xff.csv")
    shutil.copy(file, path)
    complete(path, "--folds", 2, "--weights", 9)
    with h5py.File(tmp_path / os.fsdecode(b"r\xff.csv-completed") / "model.h5") as model:
        assert model.attrs["source"] == "r\ufffd.csv"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--weights", "3,x"], "not a list of numbers"),
        (["--weights", "3,0"], "finite number above 0"),
        (["--folds", "1"], "--folds"),
        (["--fast", "--tol", "1e-3"], "leave out --fast or --tol"),
        (["--folds", "100000"], "too few for 100000 folds"),
        (["--missing", "-1,x"], "not a list of numbers such as -1,99"),
    ],
)
def test_mistakes_are_one_clear_message(file, arguments, message):
    result = CliRunner().invoke(main, ["complete", str(file), *arguments])
    assert result.exit_code and message in result.output and "Traceback" not in result.output
