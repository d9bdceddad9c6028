"""`projfree complete` against what people use: ``python benchmarks/bench_complete.py [RATINGS [seed]]``.

RATINGS as `projfree complete` reads them, such as ratings.dat of MovieLens 1M; without any, MovieLens 100K if
the mirror (PROJFREE_MIRROR) has it. A seeded fifth is held out; all see the same four fifths. Ours chooses λ
by itself, from the training part alone, and is timed with that choice; the peers have the parameters that
stand here, good ones for MovieLens 100K, and are timed for one fit. The plain trace norm after offsets stands
beside. CPU seconds, root mean square errors. The peers cmfrec, surprise (scikit-surprise) and implicit come
with the extra `peers`; implicit ranks and does not predict ratings: it is given the ratings less the offsets.
softImpute, an R package, is written out.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from dataclasses import replace
from time import process_time

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, svds
from threadpoolctl import threadpool_limits

from projfree.complete.tables import read_ratings
from projfree.completion.centring import offsets
from projfree.completion.choice import fit_path
from projfree.completion.fitting import Part, Setting, error
from projfree.data import catalog, fetch, store
from projfree.data.errors import Unavailable


def movielens(folder):
    """MovieLens 100K from the mirror, or None and a line that says so."""
    try:
        return fetch.fetch(catalog.dataset("movielens-100k"), store.settings(folder, offline=True))["u.data"]
    except Unavailable:
        print("no ratings given, and no mirror has MovieLens 100K: all rows are left out")


def split(ratings, seed):
    """Four fifths, and the rest."""
    order = np.random.default_rng(seed).permutation(len(ratings.values))
    held = len(order) // 5
    return tuple(part_of(ratings, np.sort(chosen)) for chosen in (order[held:], order[:held]))


def part_of(ratings, chosen):
    columns = {name: getattr(ratings, name)[chosen] for name in ("rows", "cols", "values")}
    return replace(ratings, **columns)


def ours(train, test, **options):
    """RMSE of the chosen λ, and what was certified."""
    path = fit_path(train, Setting(**options))
    fit = path.fit
    told = f"λ = {fit.weight:.3g}, rank {fit.rank}, within {fit.relative_gap:.1e} of the optimum"
    return error(fit, test.sweeps(), train.scale), told


def rmse(predicted, test, scale):
    return float(np.sqrt(np.mean((np.clip(predicted, *scale) - test.values) ** 2)))


def centred(train):
    """Ratings less the offsets of items and users, as CSR, with the offsets."""
    row, column = offsets(train.rows, train.cols, train.values, train.shape, "user-item")
    left = train.values - row[train.rows] - column[train.cols]
    return sparse.csr_matrix((left, (train.rows, train.cols)), shape=train.shape), row, column


def by_factors(U, V, row, column, test, scale):
    W = np.einsum("nk,nk->n", U[test.rows], V[test.cols])
    return rmse(W + row[test.rows] + column[test.cols], test, scale)


def soft_impute(train, test, rank=30, weight=20.0, steps=40):
    """Iterated singular value thresholding of the centred ratings."""
    X, row, column = centred(train)
    U, V = (np.zeros((side, 1)) for side in X.shape)
    for _ in range(steps):
        E = X.copy()
        E.data = X.data - np.einsum("nk,nk->n", U[train.rows], V[train.cols])
        step = LinearOperator(
            X.shape,
            matvec=lambda v, U=U, V=V, E=E: U @ (V.T @ v) + E @ v,
            rmatvec=lambda u, U=U, V=V, E=E: V @ (U.T @ u) + E.T @ u,
            dtype=float,
        )
        A, s, Bt = svds(step, k=rank, tol=1e-3, rng=np.random.default_rng(0))
        root = np.sqrt(np.maximum(s - weight, 0.0))
        U, V = A * root, Bt.T * root
    return by_factors(U, V, row, column, test, train.scale), f"rank {np.count_nonzero(root)}"


def with_cmfrec(train, test, cmfrec):
    X = sparse.coo_matrix((train.values, (train.rows, train.cols)), shape=train.shape)
    model = cmfrec.CMF(k=40, lambda_=9.0, nthreads=1, verbose=False, random_state=1)
    model.fit(X)
    return rmse(model.predict(test.rows, test.cols), test, train.scale), "CMF, ALS, k = 40, λ = 9"


def with_surprise(train, test, surprise):
    import pandas as pd

    table = pd.DataFrame({"user": train.rows, "item": train.cols, "rating": train.values})
    data = surprise.Dataset.load_from_df(table, surprise.Reader(rating_scale=train.scale))
    model = surprise.SVD(n_factors=100, n_epochs=60, lr_all=0.005, reg_all=0.1, random_state=0)
    model.fit(data.build_full_trainset())
    predicted = [model.predict(u, i).est for u, i in zip(test.rows, test.cols, strict=True)]
    return rmse(np.array(predicted), test, train.scale), "SVD, 100 factors, 60 epochs, penalty 0.1"


def with_implicit(train, test, implicit):
    X, row, column = centred(train)
    model = implicit.als.AlternatingLeastSquares(
        factors=20, regularization=9.0, alpha=1.0, num_threads=1, random_state=0
    )
    model.fit(X, show_progress=False)
    return by_factors(
        model.user_factors, model.item_factors, row, column, test, train.scale
    ), "ALS, 20 factors"


PEERS = {"cmfrec": with_cmfrec, "surprise": with_surprise, "implicit.als": with_implicit}


def peer(name):
    """A package of the extra `peers`, or None and a line that says so."""
    try:
        return importlib.import_module(name.partition(".")[0]), importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: its row is left out")


def line(what, function, aim=None):
    began = process_time()
    found, told = function()
    seconds = process_time() - began
    text = f"{what:<28}{found:>9.4f}{seconds:>9.1f} s   {told}"
    if aim:
        kept = found <= aim[0] and seconds <= aim[1]
        text += f"; aim {aim[0]} in {aim[1]} s: {'kept' if kept else 'NOT KEPT'}"
    print(text, flush=True)


def compiled(ratings):
    """Compile the kernels: no peer is timed with its compiler."""
    few = part_of(ratings, slice(0, 2000))
    for options in ({}, {"power": 0.0, "implicit": 0.0, "centre": "user-item"}):
        Part(few.sweeps(), Setting(**options)).solve(5.0, 0.1)


def main(path, seed=0):
    ratings = read_ratings(path)
    train, test = split(ratings, seed)
    compiled(ratings)
    aim = (0.908, 10) if len(ratings.values) < 500_000 else (0.855, 90)
    print(f"{path}, seed {seed}{'':<8}RMSE      CPU")
    line("projfree complete", lambda: ours(train, test), aim)
    plain = {"centre": "user-item", "power": 0.0, "implicit": 0.0}
    line("  plain trace norm", lambda: ours(train, test, **plain))
    line("soft-impute (written out)", lambda: soft_impute(train, test))
    for name, function in PEERS.items():
        if found := peer(name):
            line(name, lambda function=function, found=found: function(train, test, found[0]))


if __name__ == "__main__":
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        if path := sys.argv[1] if len(sys.argv) > 1 else movielens(folder):
            main(path, *map(int, sys.argv[2:3]))
