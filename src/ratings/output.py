"""Output of a fit: factors, predictions, recommendations, a page with the path of λ."""

import os
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from pathlib import Path

import h5py
import jinja2
import numpy as np
import pandas as pd
from markupsafe import escape
from matplotlib.figure import Figure

from projfree.common import owned
from projfree.common.atomic_io import atomic_h5, atomic_write
from projfree.completion import recommending, times
from projfree.completion.choice import Path as Fitted
from projfree.completion.fitting import Fit, Setting, predict
from projfree.completion.ratings import Ratings
from projfree.completion.top_n import TopN
from referee.data.errors import FormatError
from referee.report.style import figure_style, svg

from .columns import ALIASES, key
from .packed import lines_of
from .tables import PACKED, Reading, read_some
from .texts import NUMBER, SAMPLE, SEPARATORS, in_blocks

EXAMPLES, FEW = 5, 5  # users and items on the page, and what is shown of each
KNOWN = np.array(["neither", "user", "item", "both"])
MODEL, PAGE, PREDICTIONS, ADVICE = "model.h5", "index.html", "predictions.csv", "recommendations.csv"
PREDICTED, ADVISED = ["user", "item", "rating", "known"], ["user", "rank", "item", "rating", "known"]
SO_FAR = "the best of the λ that were tried so far, roughly fitted and on a part of the ratings only"


@dataclass
class Asked:
    """Users by name, and the ratings of new ones."""

    path: Path
    users: list[str]
    ratings: Ratings | None = None

    @classmethod
    def read(cls, path, columns, **asked):
        """From a text with a user a line, or a table of new users' ratings, laid out as `columns`."""
        path = Path(path)
        if path.suffix not in PACKED:
            parts = (StringIO(text) for _, text in lines_of(path, asked["encoding"]))
            lines = [line.strip() for part in parts for line in part if line.strip()]
            if not lines:
                raise FormatError(path, None, "lists no user")
            if not _is_table(lines[:SAMPLE]):
                header = key(lines[0]) in {*ALIASES["user"], key(columns["user"].name)}
                return cls(path, list(dict.fromkeys(lines[header:])))
        ratings, _ = read_some(path, Reading(columns, **asked))
        return cls(path, ratings.users.tolist(), ratings)

    def checked(self, ratings):
        """Raise FormatError if a new user has ratings already, or ratings on another scale."""
        if self.ratings is None:
            return
        (low, high), (least, greatest) = self.ratings.scale, ratings.scale
        more = (greatest - least) / 10  # by which the ends of one scale may differ in two tables
        if not least - more <= low <= high <= greatest + more:
            reason = "holds ratings from {:g} to {:g}, those that are fitted go from {:g} to {:g}"
            raise FormatError(self.path, None, reason.format(low, high, least, greatest))
        if known := {*self.users} & {*ratings.users.tolist()}:
            reason = f"user {min(known)!r} has ratings already: list known users in a file of their own"
            raise FormatError(self.path, None, f"{reason}, one a line")

    def unknown_items(self, ratings) -> int:
        """Number of new users' items without other ratings."""
        return len({*self.ratings.items} - {*ratings.items.tolist()}) if self.ratings else 0


def _is_table(lines) -> bool:
    """Whether lines are no list of users, whose names may have blanks: a column is of numbers."""
    parted = any(lines[0].count(separator) >= 2 for separator in SEPARATORS if separator != " ")
    blank = [*zip_longest(*(line.split() for line in lines[len(lines) > 1 :]), fillvalue="")]
    rated = len(blank) > 2 and any(all(map(NUMBER.fullmatch, column)) for column in blank)
    return parted or rated or lines[0][0] in "{[" or in_blocks(lines) is not None


def recommendations(
    ratings, fit: Fit, setting: Setting, asked: Asked, top: int, ranking: TopN | None = None
) -> pd.DataFrame:
    """Columns ``user, rank, item, rating`` (predicted), ``known``: by what of the user.

    Items are ranked by `ranking`, without it by their predictions.

    `known` is 'user' for one of the fit, 'new' by the ratings that were given, 'nobody' by offsets alone.
    """
    places, parts = pd.Index(ratings.users).get_indexer(asked.users), []
    items, average = pd.Index(ratings.items), ratings.n / ratings.shape[0]
    for k, (user, place) in enumerate(zip(asked.users, places, strict=True)):
        if place >= 0:
            row, (rated, values), known = (fit.U[place], fit.row_offset[place]), ratings.row(place), "user"
        else:
            cols, values = asked.ratings.row(k) if asked.ratings else (np.zeros(0, int), np.zeros(0))
            rated = items.get_indexer(asked.ratings.items[cols]) if asked.ratings else cols
            values, rated = values[rated >= 0], rated[rated >= 0]
            model = {"ridge": setting.ridge, "power": setting.power, "average": average}
            row, known = recommending.row(fit, rated, values, **model), "new" if rated.size else "nobody"
        predicted = recommending.scores(fit, *row)
        best = recommending.best(ranking.scores(rated, values) if ranking else predicted, rated, top)
        shown = np.clip(predicted[best], *ratings.scale) if setting.clip else predicted[best]
        columns = user, 1 + np.arange(len(best)), ratings.items[best], shown, known
        parts.append(pd.DataFrame(dict(zip(ADVISED, columns, strict=True))))
    return pd.concat(parts, ignore_index=True)


def require_ours(output, name: str, sha256: str) -> None:
    """Raise `NotOurs` for a file in place of a result that is none, or is of another table; others stay."""
    if os.path.lexists(output) and not output.is_dir():
        raise owned.NotOurs(output.parent, output.name, "which is no folder")
    owned.require(output / MODEL, {"sha256": sha256})
    page = f"<title>{escape(name)} completed</title>"
    for file, text in ((PAGE, page), (PREDICTIONS, ",".join(PREDICTED)), (ADVICE, ",".join(ADVISED))):
        owned.require(output / file, owned.mark(text.encode()))


def write_model(path, ratings: Ratings, fitted: Fitted, setting: Setting, about: dict) -> None:
    """The model of the best λ: prediction = row_offset[u] + column_offset[i] + U[u] · V[i].

    Datasets ``U, V, row_offset, column_offset, users, items``; attributes of the fit, of the offsets
    of unknown users and items, and `about`; the group ``path`` has ``weight, rmse, rmse_folds`` of all λ
    tried, and the mean ``rank`` of their fits. With times the groups ``times/<seconds>`` have the ``offset``
    of a ``user``, its place, in the stretch of so many seconds that begins at ``start``.
    """
    fit, rmse = fitted.fit, fitted.errors.mean(axis=1)
    of_fit = {
        name: getattr(fit, name) for name in ("weight", "rank", "objective", "polar_ratio", "relative_gap")
    }
    chosen = {name: getattr(setting, name) for name in ("centre", "ridge", "power", "implicit")}
    with atomic_h5(path, {"sha256": about["sha256"]}) as file:
        file["U"], file["V"] = fit.U, fit.V
        file["row_offset"], file["column_offset"] = fit.row_offset[:-1], fit.column_offset[:-1]
        for name, ids in (("users", ratings.users), ("items", ratings.items)):
            file.create_dataset(name, data=ids.astype(object), dtype=h5py.string_dtype())
        file.attrs.update(
            **of_fit,
            interrupted=fitted.interrupted,
            **chosen,
            row_offset_unknown=fit.row_offset[-1],
            column_offset_unknown=fit.column_offset[-1],
            scale=ratings.scale,
            rmse=rmse[fitted.best],
            rmse_of_offsets=fitted.baseline,
            **about,
        )
        group = file.create_group("path")
        group["weight"], group["rmse_folds"] = fitted.weights, fitted.errors
        group["rmse"], group["rank"] = rmse, fitted.ranks.mean(axis=1)
        for part in ratings.stretches() if isinstance(ratings, times.Timed) else ():
            group = file.create_group(f"times/{part.width}")
            group["user"], place = np.divmod(part.keys, len(part.starts))
            group["start"], group["offset"] = part.starts[place] * part.width, part.offsets


def predictions(ratings: Ratings, fitted: Fitted, pairs: pd.DataFrame, clip: bool) -> pd.DataFrame:
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


def write_page(
    path, ratings: Ratings, fitted: Fitted, setting: Setting, name: str, asked=None, ranking=None
) -> None:
    """HTML in one file: no scripts, nothing loaded. Examples are of the users `asked` for, or the first."""
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    fit, columns = (
        fitted.fit,
        (fitted.errors.mean(axis=1), fitted.errors.std(axis=1), fitted.ranks.mean(axis=1)),
    )
    users = asked or Asked(Path(), ratings.users[:EXAMPLES].tolist())
    shown = Asked(users.path, users.users[:EXAMPLES], users.ratings)
    best = recommendations(ratings, fit, setting, shown, FEW, ranking).groupby("user", sort=False)
    alike = []
    for item in range(min(EXAMPLES, ratings.shape[1]) if fit.rank else 0):
        values = recommending.alike(fit, item)
        chosen = recommending.best(values, [item], FEW)
        alike.append((ratings.items[item], [*zip(ratings.items[chosen], values[chosen], strict=True)]))
    text = template.render(
        name=name,
        ratings=ratings,
        decimals=decimals(ratings.scale),
        setting=setting,
        fitted=fitted,
        rows=[*zip(fitted.weights, *columns, strict=True)],
        so_far=SO_FAR,
        figure=path_figure(fitted),
        timed=isinstance(ratings, times.Timed),
        recommended=[(user, [*zip(part["item"], part["rating"], strict=True)]) for user, part in best],
        ranking=ranking,
        alike=alike,
    )
    atomic_write(path, text)


def path_figure(fitted: Fitted) -> str:
    """Error and rank against λ, as SVG."""
    weights, best = np.array(fitted.weights), fitted.weights[fitted.best]
    with figure_style():
        figure = Figure(figsize=(8, 3.2), layout="constrained")
        axes = figure.subplots(1, 2)
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
        return svg(figure)
