"""`projfree complete` against what people use: ``python benchmarks/bench_complete.py [RATINGS [seed]]``.

RATINGS as `projfree complete` reads them, such as ratings.dat of MovieLens 1M; without any, MovieLens 100K
if the mirror (PROJFREE_MIRROR) has it. A seeded fifth is held out; all see the same four fifths. Ours
chooses λ by itself, from the training part alone, and is timed with that choice; so is `--fast`. The peers
are tuned there too: of the values in `GRIDS` each takes that of least error on a fifth of the training
part, and is then fitted to all of it; the seconds are of this last fit, with those of the tuning named
after it. The plain trace norm after offsets is a row too. CPU seconds, root mean square errors. The peers
cmfrec, surprise (scikit-surprise), implicit and cornac come with the extra `peers`, myfm by pip: its 0.5.0
is for Python 3.12 and above, and 0.4.0 needs setuptools below 81, which the lock is beyond. implicit ranks
and does not predict ratings: it is given the ratings less the offsets. softImpute, an R package, is written
out.

``--large [n]`` instead measures the memory of `projfree complete` on a CSV of n made-up ratings, 10^7 if none
is given, of 70,100 users and 10,900 items: many minutes.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, svds
from threadpoolctl import threadpool_limits

from projfree.completion.centring import offsets
from projfree.completion.choice import fit_path
from projfree.completion.fitting import Fast, Part, Setting, error
from ratings.tables import read_ratings
from referee.data import catalog, fetch, generators, store
from referee.data.errors import Unavailable


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


def ours(train, test, setting=Setting, **options):
    """RMSE of the chosen λ, and what was certified."""
    path = fit_path(train, setting(**options))
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


def soft_impute(train, test, weight, rank=30, steps=40):
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
    return by_factors(U, V, row, column, test, train.scale)


def with_cmfrec(train, test, k, lambda_):
    import cmfrec

    X = sparse.coo_matrix((train.values, (train.rows, train.cols)), shape=train.shape)
    model = cmfrec.CMF(k=k, lambda_=lambda_, nthreads=1, verbose=False, random_state=1)
    model.fit(X)
    return rmse(model.predict(test.rows, test.cols), test, train.scale)


def with_surprise(train, test, n_epochs, reg_all):
    import pandas as pd
    import surprise

    table = pd.DataFrame({"user": train.rows, "item": train.cols, "rating": train.values})
    data = surprise.Dataset.load_from_df(table, surprise.Reader(rating_scale=train.scale))
    model = surprise.SVD(n_factors=100, n_epochs=n_epochs, lr_all=0.005, reg_all=reg_all, random_state=0)
    model.fit(data.build_full_trainset())
    predicted = [model.predict(u, i).est for u, i in zip(test.rows, test.cols, strict=True)]
    return rmse(np.array(predicted), test, train.scale)


def with_implicit(train, test, factors, regularization):
    import implicit

    X, row, column = centred(train)
    model = implicit.als.AlternatingLeastSquares(
        factors=factors, regularization=regularization, alpha=1.0, num_threads=1, random_state=0
    )
    model.fit(X, show_progress=False)
    return by_factors(model.user_factors, model.item_factors, row, column, test, train.scale)


def with_myfm(train, test, rank, n_iter):
    import myfm

    def one_hot(part):
        return sparse.hstack(
            [
                sparse.csr_matrix((np.ones(part.n), (np.arange(part.n), places)), shape=(part.n, side))
                for places, side in zip((part.rows, part.cols), part.shape, strict=True)
            ],
            format="csr",
        )

    model = myfm.MyFMRegressor(rank=rank, random_seed=0)
    model.fit(one_hot(train), train.values, n_iter=n_iter, grouping=np.repeat([0, 1], train.shape))
    return rmse(model.predict(one_hot(test)), test, train.scale)


def with_cornac(train, test, k, max_iter, lambda_reg):
    import cornac

    triplets = list(zip(train.rows, train.cols, train.values.astype(float), strict=True))
    data = cornac.data.Dataset.from_uir(triplets, seed=0)
    model = cornac.models.MF(
        k=k,
        max_iter=max_iter,
        learning_rate=0.01,
        lambda_reg=lambda_reg,
        use_bias=True,
        num_threads=1,
        seed=0,
    )
    model.fit(data)
    users, items = data.uid_map, data.iid_map
    known = [(users.get(u, -1), items.get(i, -1)) for u, i in zip(test.rows, test.cols, strict=True)]
    predicted = [model.rate(u, i) if min(u, i) >= 0 else data.global_mean for u, i in known]
    return rmse(np.array(predicted), test, train.scale)


PEERS = {
    "soft-impute (written out)": soft_impute,
    "cmfrec": with_cmfrec,
    "surprise": with_surprise,
    "implicit": with_implicit,
    "myfm": with_myfm,
    "cornac": with_cornac,
}
GRIDS = {
    "soft-impute (written out)": {"weight": [10.0, 20.0, 40.0]},
    "cmfrec": {"k": [10, 20, 40], "lambda_": [9.0, 14.0, 20.0, 30.0]},
    "surprise": {"n_epochs": [30, 60, 90], "reg_all": [0.05, 0.1, 0.15]},
    "myfm": {"rank": [8, 16], "n_iter": [100, 200]},
    "cornac": {"k": [10, 40, 100], "max_iter": [25, 50, 100], "lambda_reg": [0.05, 0.1]},
    "implicit": {"factors": [10, 20], "regularization": [1.0, 3.0, 9.0]},
}


def tuned(train, function, grid, seed):
    """The parameters of least error on a fifth of the training part, and the CPU seconds of looking."""
    began, (part, held) = process_time(), split(train, seed + 1)
    tries = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    return min(tries, key=lambda given: function(part, held, **given)), process_time() - began


def missing(name):
    """Whether a peer is not there; a line says so."""
    absent = name.isidentifier() and importlib.util.find_spec(name) is None
    if absent:
        print(f"{name} is not installed: its row is left out")
    return absent


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


def compared(path, seed):
    """Print error and seconds of ours and of all peers."""
    ratings = read_ratings(path)
    train, test = split(ratings, seed)
    compiled(ratings)
    aim = (0.908, 10) if len(ratings.values) < 500_000 else (0.855, 90)
    print(f"{path}, seed {seed}{'':<8}RMSE      CPU")
    line("projfree complete", lambda: ours(train, test), aim)
    line("  --fast", lambda: ours(train, test, Fast))
    plain = {"centre": "user-item", "power": 0.0, "implicit": 0.0}
    line("  plain trace norm", lambda: ours(train, test, **plain))
    for name, function in PEERS.items():
        if not missing(name):
            best, seconds = tuned(train, function, GRIDS[name], seed)
            told = f"{', '.join(f'{k} = {v:g}' for k, v in best.items())}; tuned in {seconds:.1f} s"
            line(name, lambda f=function, best=best, told=told: (f(train, test, **best), told))


def large(folder, ratings, aim=8.0):
    """Peak memory and CPU seconds of the command, a process of its own, on so many made-up ratings."""
    path, sizes = Path(folder) / "ratings.csv", {"users": 70_100, "items": 10_900, "ratings": ratings}
    X = generators.generate("ratings_standin", np.random.default_rng(0), **sizes)["X"].tocoo()
    order = np.random.default_rng(1).permutation(X.nnz)
    with open(path, "w") as file:
        columns = X.row[order], X.col[order], X.data[order]
        file.writelines(f"{i},{j},{x:g}\n" for i, j, x in zip(*columns, strict=True))
    subprocess.run(
        [Path(sys.executable).with_name("projfree"), "complete", path, "--memory", f"{aim:g}GB"], check=True
    )
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = spent.ru_maxrss * 1024 / 1e9
    print(
        f"{X.nnz:,} ratings: peak {peak:.2f} GB, {spent.ru_utime + spent.ru_stime:.0f} CPU s; "
        f"aim {aim:g} GB: {'kept' if peak <= aim else 'NOT KEPT'}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="?", type=Path, help="MovieLens 100K from the mirror if not given")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--large", nargs="?", type=int, const=10_000_000, metavar="N", help="made-up ratings")
    asked = parser.parse_args()
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        if asked.large:
            large(folder, asked.large)
        elif path := asked.ratings or movielens(folder):
            compared(path, asked.seed)


if __name__ == "__main__":
    main()
