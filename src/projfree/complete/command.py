"""`projfree complete`: from a file of ratings to a fitted model, predictions and a page."""

from pathlib import Path

import click
from tqdm import tqdm

from .. import __version__
from ..completion.centring import CENTRES
from ..completion.fitting import PATIENCE, Setting, fit_path
from ..data.errors import DataError
from ..ground.hashes import file_sha256
from ..ground.sealed import atomic_write
from .output import predictions, write_model
from .page import write_page
from .tables import DUPLICATES, read_pairs, read_ratings
from .texts import ENCODINGS


def _listed(_context, _parameter, value):
    return [part.strip() for part in value.split(",")] if value else None


def _weights(context, parameter, value):
    try:
        weights = tuple(float(part) for part in _listed(context, parameter, value) or ())
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a list of numbers such as 20,10,5") from None
    if not all(0 < weight < float("inf") for weight in weights):
        raise click.BadParameter("every λ must be a finite number above 0")
    return weights


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(name="complete")
@click.argument("ratings", type=FILE)
@click.option(
    "--columns",
    callback=_listed,
    metavar="USER,ITEM,RATING",
    help="Names or numbers (from 1) of the columns. Default: by the header, else the first three.",
)
@click.option(
    "--predict", type=FILE, metavar="PAIRS", help="A table of user and item to predict ratings for."
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results. Default: RATINGS-completed.",
)
@click.option(
    "--centre",
    type=click.Choice(CENTRES),
    default="user-item",
    show_default=True,
    help="Offset subtracted first.",
)
@click.option(
    "--folds", type=click.IntRange(2), default=5, show_default=True, help="Parts of the cross-validation."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the division into folds.")
@click.option(
    "--weights", callback=_weights, metavar="λ,λ,…", help="The λ to try. Default: a grid made for the data."
)
@click.option(
    "--count", type=click.IntRange(1), default=15, show_default=True, help="Number of λ in the grid."
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.02,
    show_default=True,
    help="Least λ of the grid, as a share of the λ at which nothing but the offset is left.",
)
@click.option(
    "--tol",
    type=click.FloatRange(0, min_open=True),
    default=1e-3,
    show_default=True,
    help="Certificate: κ°(−∇ℓ) ≤ (1 + tol) λ.",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    default="error",
    show_default=True,
    help="When a user rates an item again: an error, or the last counts, or the mean.",
)
@click.option("--drop-missing", is_flag=True, help="Leave lines without a rating out, in place of an error.")
@click.option(
    "--encoding", type=click.Choice(ENCODINGS), default="utf-8", show_default=True, help="Of text tables."
)
@click.option(
    "--clip/--no-clip", default=True, show_default=True, help="Cut predictions to the scale of the ratings."
)
def complete(ratings, columns, predict, output, duplicates, drop_missing, encoding, **options):
    """Complete the ratings in a file: fit, choose λ, predict.

    RATINGS is a table of user, item, rating: text with any usual separator (comma, tab, ; or ::, packed or
    not, with or without a header), HDF5 (.h5: datasets user, item, rating) or Parquet. Ids may be any text.

    \b
      projfree complete u.data                                   MovieLens 100K as it comes
      projfree complete my.csv --columns customer,product,stars
      projfree complete my.csv --predict wanted.csv --output fitted

    The model is an offset for each user and item plus a matrix of low rank, with λ times its trace norm as
    penalty. λ is tried from large (rank 0) to small, each time starting from the last solution, and the one
    that predicts held-out ratings best is taken; the path ends three λ after the best. Every solution comes
    with a certificate of how near it is to the optimum.

    \b
    Results, in the output folder:
      model.h5          factors U, V, offsets, ids, and the path
      index.html        what was chosen, the path as a figure and as a table
      predictions.csv   with --predict: user, item, rating, and whether user and item were known
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    setting = Setting(**options)
    try:
        asked = {"encoding": encoding, "drop_missing": drop_missing, "tell": click.echo}
        table = read_ratings(ratings, columns, duplicates, **asked)
        pairs = read_pairs(predict, encoding=encoding) if predict else None
    except DataError as error:
        raise click.ClickException(str(error)) from None
    if setting.folds > len(table.values):
        raise click.BadParameter(f"{len(table.values)} ratings are too few for {setting.folds} folds")
    users, items = table.shape
    click.echo(f"{len(table.values):,} ratings by {users:,} users of {items:,} items")
    fits = (len(setting.weights) or setting.count) * (setting.folds + 1)
    with tqdm(total=fits, unit="fit", disable=None) as bar:
        fitted = fit_path(table, setting, lambda words: (bar.set_description(words), bar.update()))
    output = output or ratings.with_name(f"{ratings.name.partition('.')[0]}-completed")
    output.mkdir(parents=True, exist_ok=True)
    about = {"source": ratings.name, "sha256": file_sha256(ratings), "projfree": __version__}
    write_model(output / "model.h5", table, fitted, setting, about)
    write_page(output / "index.html", table, fitted, setting, ratings.name)
    if pairs is not None:
        predicted = predictions(table, fitted, pairs, setting.clip)
        atomic_write(output / "predictions.csv", predicted.to_csv(index=False))
    click.echo(summary(fitted, setting, output, pairs))


def summary(fitted, setting, output, pairs) -> str:
    """What was found and where it is."""
    fit, errors = fitted.fits[-1], fitted.errors[fitted.best]
    lines = [
        f"λ = {fit.weight:.4g}, rank {fit.rank}",
        f"RMSE of held-out ratings: {errors.mean():.4f} ± {errors.std():.4f} ({setting.folds} folds); "
        f"of the offsets alone: {fitted.baseline:.4f}",
        f"certificate: κ°(−∇ℓ) = {fit.polar_ratio:.5f} λ; "
        f"F is at most {100 * fit.relative_gap:.2g} % above its minimum",
    ]
    if fitted.best == len(fitted.weights) - 1 and len(fitted.weights) > PATIENCE:
        lines.append("The least λ tried is the best; a smaller one may be better still (--least, --weights).")
    files = ["model.h5", "index.html"] + ["predictions.csv"] * (pairs is not None)
    return "\n".join([*lines, f"{output}: {', '.join(files)}"])
