"""Output of a fit: factors as HDF5, predictions as a table, a page with the path of λ."""

from io import StringIO
from pathlib import Path as FilePath

import h5py
import jinja2
import numpy as np
import pandas as pd

from projfree.completion import times
from projfree.completion.choice import Path
from projfree.completion.fitting import Setting, predict
from projfree.completion.ratings import Ratings
from projfree.ground.outside import DamagedFile
from projfree.ground.sealed import atomic_h5, atomic_write, read_h5

from ...report.style import MPLSTYLE
from .recommended import examples

KNOWN = np.array(["neither", "user", "item", "both"])
MODEL = "model.h5"
SO_FAR = "the best of the λ that were tried so far, roughly fitted and on a part of the ratings only"


def is_model(path) -> bool:
    """Whether a file is a model of an earlier fit."""
    try:
        with read_h5(path) as file:
            return {"relative_gap", "polar_ratio", "projfree"} <= set(file.attrs)
    except (OSError, DamagedFile):
        return False


def write_model(path, ratings: Ratings, fitted: Path, setting: Setting, about: dict) -> None:
    """The model of the best λ: prediction = row_offset[u] + column_offset[i] + U[u] · V[i].

    Datasets ``U, V, row_offset, column_offset, users, items``; attributes of the fit, of the offsets
    of unknown users and items, and `about`; the group ``path`` has ``weight, rmse, rmse_folds`` of all λ
    tried, and the mean ``rank`` of their fits. With times the groups ``times/<seconds>`` have the ``offset``
    of a ``user``, its place, in the stretch of so many seconds that begins at ``start``.
    """
    fit, text = fitted.fit, h5py.string_dtype()
    with atomic_h5(path) as file:
        file["U"], file["V"] = fit.U, fit.V
        file["row_offset"], file["column_offset"] = fit.row_offset[:-1], fit.column_offset[:-1]
        for name, ids in (("users", ratings.users), ("items", ratings.items)):
            file.create_dataset(name, data=ids.astype(object), dtype=text)
        file.attrs.update(
            weight=fit.weight,
            rank=fit.rank,
            objective=fit.objective,
            polar_ratio=fit.polar_ratio,
            relative_gap=fit.relative_gap,
            interrupted=fitted.interrupted,
            centre=setting.centre,
            ridge=setting.ridge,
            power=setting.power,
            implicit=setting.implicit,
            row_offset_unknown=fit.row_offset[-1],
            column_offset_unknown=fit.column_offset[-1],
            scale=ratings.scale,
            rmse=fitted.errors.mean(axis=1)[fitted.best],
            rmse_of_offsets=fitted.baseline,
            **about,
        )
        group = file.create_group("path")
        group["weight"], group["rmse_folds"] = fitted.weights, fitted.errors
        group["rmse"] = fitted.errors.mean(axis=1)
        group["rank"] = fitted.ranks.mean(axis=1)
        for part in ratings.stretches() if isinstance(ratings, times.Timed) else ():
            group = file.create_group(f"times/{part.width}")
            group["user"], place = np.divmod(part.keys, len(part.starts))
            group["start"], group["offset"] = part.starts[place] * part.width, part.offsets


def predictions(ratings: Ratings, fitted: Path, pairs: pd.DataFrame, clip: bool) -> pd.DataFrame:
    """Columns ``user, item, rating`` (predicted), ``known``: whether user and item have ratings of their own.

    If they have none, the prediction is the offset: the item's or the user's mean, or the mean of all.
    """
    rows = pd.Index(ratings.users).get_indexer(pairs["user"])
    cols = pd.Index(ratings.items).get_indexer(pairs["item"])
    values = predict(fitted.fit, rows, cols)
    if "time" in pairs:
        values += times.offsets(ratings.stretches(), rows, pairs["time"].to_numpy())
    values = np.clip(values, *ratings.scale) if clip else values
    return pairs.drop(columns="time", errors="ignore").assign(
        rating=np.round(values, decimals(ratings.scale)), known=KNOWN[(rows >= 0) + 2 * (cols >= 0)]
    )


def decimals(scale) -> int:
    """Number of digits for ratings and errors: four, or more if the whole scale is below 1."""
    return max(4, 4 - int(np.floor(np.log10(scale[1] - scale[0]))))


def write_page(path, ratings: Ratings, fitted: Path, setting: Setting, name: str, asked=None) -> None:
    """HTML in one file: no scripts, nothing loaded. Examples are of the users `asked` for, or the first."""
    folder = jinja2.FileSystemLoader(FilePath(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    fit, mean = fitted.fit, fitted.errors.mean(axis=1)
    best, alike = examples(ratings, fit, setting, asked)
    shown = template.render(
        name=name,
        ratings=ratings,
        decimals=decimals(ratings.scale),
        setting=setting,
        fit=fit,
        baseline=fitted.baseline,
        rmse=mean[fitted.best],
        sd=fitted.errors[fitted.best].std(),
        interrupted=fitted.interrupted and SO_FAR,
        at_end=fitted.best == len(fitted.weights) - 1,
        figure=path_figure(fitted),
        rows=list(
            zip(fitted.weights, mean, fitted.errors.std(axis=1), fitted.ranks.mean(axis=1), strict=True)
        ),
        best=fitted.best,
        timed=isinstance(ratings, times.Timed),
        recommended=best,
        alike=alike,
        folds=fitted.errors.shape[1],
    )
    atomic_write(path, shown)


def path_figure(fitted: Path) -> str:
    """Error and rank against λ, as SVG."""
    import matplotlib.pyplot as plt  # takes a second to load

    weights, best = np.array(fitted.weights), fitted.weights[fitted.best]
    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none"}]):
        figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
        mean, sd = fitted.errors.mean(axis=1), fitted.errors.std(axis=1)
        axes[0].errorbar(weights, mean, sd, marker="o", capsize=3, color="#0072B2")
        axes[0].axhline(fitted.baseline, color="black", linestyle="dashed", label="offsets alone")
        axes[0].legend()
        axes[1].plot(weights, fitted.ranks.mean(axis=1), marker="o", color="#009E73")
        labels = "cross-validated RMSE, ± 1 sd of the folds", "rank of the factors, mean of the folds"
        for axis, label in zip(axes, labels, strict=True):
            axis.set(xscale="log", xlabel="penalty weight λ", title=label)
            axis.invert_xaxis()
            axis.axvline(best, color="#7A7A7A", linestyle="dotted")
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        plt.close(figure)
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
