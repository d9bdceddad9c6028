"""Recommendations against what people use: ``python benchmarks/bench_ranking.py [RATINGS …] [--seeds 0 1]``.

RATINGS as `projfree complete` reads them; without any, MovieLens 100K and 1M where the mirror
(PROJFREE_MIRROR) has them. The protocol: of each user's ratings a seeded fifth is left out, rounded to whole
ratings. All methods see the rest alone, and rank for each user the items that he has not rated there.
Relevant is what was left out and rated at least `--relevant`, 4 by default; two more columns take all that
was left out. NDCG@10 (gain 1, discount 1/log₂(1 + rank), over that of the best order) and recall@10 (share of
the relevant that is among the ten) are means over the users who have anything relevant.

No method looks at what is left out. Ours chooses by itself. EASE, ALS and BPR choose from `GRIDS` (EASE and
ALS the matrix of ones or of ratings, too) by NDCG@10 on a fifth of the rest that is left out alike, and are
then fitted to all of the rest. CPU seconds are with the choice. implicit and cornac come with the extra
`peers`; EASE (Steck 2019) is written out.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
from bench_complete import part_of
from scipy import sparse
from threadpoolctl import threadpool_limits

from projfree.completion.choice import fit_path
from projfree.completion.setting import Setting
from projfree.completion.top_n import top_n
from ratings.tables import read_ratings
from referee.data import catalog, fetch, store
from referee.data.errors import Unavailable

K, AIM = 10, 0.27  # items; NDCG that ours should have
DISCOUNT = 1 / np.log2(np.arange(2, K + 2))
GRIDS = {
    "EASE": {"weight": [300.0, 3000.0, 30_000.0], "rated": [False, True]},
    "ALS (implicit)": {"factors": [16, 64], "alpha": [0.5, 2.0], "rated": [False, True]},
    "BPR (cornac)": {"k": [16, 64], "lambda_reg": [0.001, 0.01]},
}


def split(ratings, seed):
    """Four fifths of each user's ratings, and the rest."""
    counts = np.bincount(ratings.rows, minlength=len(ratings.users))
    order = np.lexsort((np.random.default_rng(seed).random(ratings.n), ratings.rows))
    place = np.empty(ratings.n, int)
    place[order] = np.arange(ratings.n) - np.repeat(np.cumsum(counts) - counts, counts)
    out = place < np.round(0.2 * counts)[ratings.rows]
    return part_of(ratings, ~out), part_of(ratings, out)


def matrix(ratings, rated):
    """As CSR, ratings or ones."""
    values = ratings.values.astype(float) if rated else np.ones(ratings.n)
    return sparse.csr_array((values, (ratings.rows, ratings.cols)), shape=ratings.shape)


def quality(scores, train, test, least):
    """NDCG@10 and recall@10 of scores (users, items), relevant being test ratings ≥ least."""
    scores, good = np.array(scores, float), np.zeros(train.shape, bool)
    scores[train.rows, train.cols] = -np.inf
    chosen = test.values >= least
    good[test.rows[chosen], test.cols[chosen]] = True
    best = np.argpartition(-scores, K, axis=1)[:, :K]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    hit = np.take_along_axis(good, np.take_along_axis(best, order, axis=1), axis=1)
    count, some = good.sum(axis=1), good.any(axis=1)
    most = np.cumsum(DISCOUNT)[np.minimum(count[some], K) - 1]
    return np.mean(hit[some] @ DISCOUNT / most), np.mean(hit[some].sum(axis=1) / count[some])


def popular(train):
    return np.tile(np.bincount(train.cols, minlength=train.shape[1]), (train.shape[0], 1))


def by_rating(train):
    fit = fit_path(train, Setting()).fit
    return fit.U @ fit.V.T + fit.column_offset[:-1]  # offsets of users change no ranking


def ease(train, weight, rated):
    X = matrix(train, rated)
    P = np.linalg.inv((X.T @ X).toarray() + weight * np.eye(X.shape[1]))
    B = -P / np.diag(P)
    np.fill_diagonal(B, 0.0)
    return X @ B


def als(train, factors, alpha, rated):
    import implicit

    model = implicit.als.AlternatingLeastSquares(
        factors=factors, regularization=0.1, alpha=alpha, num_threads=1, random_state=0
    )
    model.fit(sparse.csr_matrix(matrix(train, rated)), show_progress=False)
    return model.user_factors @ model.item_factors.T


def bpr(train, k, lambda_reg):
    import cornac

    triplets = zip(train.rows.tolist(), train.cols.tolist(), train.values.tolist(), strict=True)
    seen = cornac.data.Dataset.from_uir(triplets, seed=0)
    model = cornac.models.BPR(
        k=k, max_iter=100, learning_rate=0.05, lambda_reg=lambda_reg, num_threads=1, seed=0, verbose=False
    )
    model.fit(seen)
    users, items = list(seen.uid_map), list(seen.iid_map)  # in the order of the factors
    scores = np.full(train.shape, -np.inf)
    scores[np.ix_(users, items)] = model.u_factors @ model.i_factors.T + model.i_biases
    return scores


def ours(train):
    """Scores, and the fit."""
    fit = top_n(train)
    none = np.zeros(train.shape[1])
    rows = (train.row(k) for k in range(train.shape[0]))
    return np.array([fit.scores(*row) if len(row[0]) else none for row in rows]), fit


def tuned(function, grid, train, seed, least):
    """Scores with the parameters of greatest NDCG@10 on a fifth of the training part; and these."""
    part, held = split(train, seed + 1000)
    tries = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    best = max(tries, key=lambda given: quality(function(part, **given), part, held, least)[0])
    return function(train, **best), ", ".join(f"{name} = {value:g}" for name, value in best.items())


def compared(path, seed, least):
    """A line for each method."""
    ratings = read_ratings(path)
    train, test = split(ratings, seed)
    methods = {
        "popularity": lambda: (popular(train), ""),
        "predicted ratings": lambda: (by_rating(train), ""),
        "EASE": lambda: tuned(ease, GRIDS["EASE"], train, seed, least),
        "ALS (implicit)": lambda: tuned(als, GRIDS["ALS (implicit)"], train, seed, least),
        "BPR (cornac)": lambda: tuned(bpr, GRIDS["BPR (cornac)"], train, seed, least),
        "top-n (ours)": lambda: ours(train),
    }
    top_n(split(ratings, seed + 1)[0])  # compiles
    print(f"{path.name}, seed {seed}: NDCG@10 and recall@10, relevant ≥ {least:g}; all left out; CPU")
    for name, method in methods.items():
        peer = name.partition("(")[2].rstrip(")")
        if peer not in ("", "ours") and importlib.util.find_spec(peer) is None:
            print(f"{peer} is not installed: its row is left out")
            continue
        began = process_time()
        scores, told = method()
        seconds = process_time() - began
        found = *quality(scores, train, test, least), *quality(scores, train, test, -np.inf)
        if name.startswith("top-n"):
            fit = told
            told = f"power {fit.power:g}, rank {fit.rank}, gap {fit.relative_gap:.0e}; "
            told += f"aim {AIM}: {'kept' if found[0] >= AIM else 'NOT KEPT'}"
        columns = "{:7.4f}{:7.4f} ;{:7.4f}{:7.4f}".format(*found)
        print(f"{name:<18}{columns}{seconds:8.1f} s  {told}", flush=True)


def mirrored(folder):
    """Both MovieLens sets as far as the mirror has them."""
    for name in ("movielens-100k", "movielens-1m"):
        try:
            files = fetch.fetch(catalog.dataset(name), store.settings(folder, offline=True))
        except Unavailable:
            print(f"no mirror has {name}: its rows are left out")
            continue
        yield next(path for path in files.values() if path.name.startswith(("u.data", "ratings")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "ratings", nargs="*", type=Path, help="both MovieLens sets of the mirror if not given"
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--relevant", type=float, default=4.0, help="least rating that is relevant")
    asked = parser.parse_args()
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        for path in asked.ratings or mirrored(Path(folder)):
            for seed in asked.seeds:
                compared(path, seed, asked.relevant)


if __name__ == "__main__":
    main()
