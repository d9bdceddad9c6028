"""`projfree complete`: from a file of ratings to a fitted model, predictions and a page."""

import re
from pathlib import Path

import click

from projfree.completion.setting import RANKINGS, Setting
from referee.cli.shared import FORCE

from . import DUPLICATES, ENCODINGS, ZEROS


def _listed(_context, _parameter, value):
    return [part.strip() for part in value.split(",")] if value else None


def _numbers(value, example) -> tuple:
    try:
        return tuple(float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a list of numbers such as {example}") from None


def _weights(_context, _parameter, value):
    weights = _numbers(value, "20,10,5") if value else ()
    if not all(0 < weight < float("inf") for weight in weights):
        raise click.BadParameter("every λ must be a finite number above 0")
    return weights


def _missing(_context, _parameter, value):
    return value and () if value in (None, "none") else _numbers(value, "-1,99, and not none")


def _bytes(_context, _parameter, value):
    """2GB, 500MB, as a number of bytes."""
    match = value and re.fullmatch(r"([0-9.]+) ?([kMGT])i?B?", value)
    if value and not match:
        raise click.BadParameter(f"'{value}' is not a size such as 2GB or 500MB")
    return int(float(match[1]) * 1000 ** (" kMGT".index(match[2]))) if value else None


class _File(click.Path):
    """A file that can be read several times and ends: neither a fifo nor a device."""

    def convert(self, value, param, ctx):
        """The path."""
        path = super().convert(value, param, ctx)
        if not path.is_file():
            self.fail(f"{str(path)!r} is not a regular file; write what it gives into one", param, ctx)
        return path


FILE = _File(exists=True, dir_okay=False, path_type=Path)


@click.command(name="complete")
@click.argument("ratings", type=FILE)
@click.option(
    "--columns",
    callback=_listed,
    metavar="USER,ITEM,RATING",
    help="Names or numbers (from 1) of the columns, also of PAIRS and USERS. Default: by the header; without "
    "one, the first three.",
)
@click.option(
    "--predict", type=FILE, metavar="PAIRS", help="Table of users and items whose ratings to predict."
)
@click.option(
    "--recommend",
    type=FILE,
    metavar="USERS",
    help="Recommend unseen items to the users in a text, one a line; or to new users, "
    "by a table of user, item, rating.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Number of items to recommend to each user.",
)
@click.option(
    "--ranking",
    type=click.Choice(RANKINGS),
    default=RANKINGS[0],
    show_default=True,
    help="Rank recommended items by a fit of who rates what and how, or by predicted rating.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results. Default: RATINGS-completed.",
)
@click.option(
    "--implicit",
    type=click.FloatRange(0),
    default=Setting.implicit,
    show_default=True,
    help="Weight of who rated what, whatever the rating; 0 for none.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=Setting.folds,
    show_default=True,
    help="Number of parts of the cross-validation.",
)
@click.option(
    "--weights", callback=_weights, metavar="λ,λ,…", help="The λ to try. Default: a golden section."
)
@click.option(
    "--tol",
    type=click.FloatRange(0, min_open=True),
    help=f"Relative gap to the minimum at which the fit ends. Default: {Setting.tol:g}.",
)
@click.option(
    "--fast",
    is_flag=True,
    help="Try four λ with a step each and end after two steps, whatever the gap: near in error, far quicker.",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    default="error",
    show_default=True,
    help="If a user rates an item again: an error, the last (of the file, or by --times), or the mean.",
)
@click.option(
    "--missing",
    callback=_missing,
    metavar="VALUES",
    help="Ratings that mean not rated, such as -1,99; none if all are ratings. Default: ask by an error.",
)
@click.option(
    "--zeros",
    type=click.Choice(ZEROS),
    default="ask",
    show_default=True,
    help="What a 0 among ratings is: an error, unless more are below 0; a rating; or not rated.",
)
@click.option("--counts", is_flag=True, help="Fit counts, such as of plays, as if they were ratings.")
@click.option(
    "--times",
    is_flag=True,
    help="Use the times of ratings, a fourth column, and of PAIRS, a third: what is rated together is alike.",
)
@click.option("--drop-missing", is_flag=True, help="Leave out lines without a rating instead of failing.")
@click.option(
    "--encoding", type=click.Choice(ENCODINGS), default="utf-8", show_default=True, help="Of text tables."
)
@click.option(
    "--clip/--no-clip", default=True, show_default=True, help="Cut predictions to the scale of the ratings."
)
@click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="They do not change the result."
)
@click.option(
    "--memory",
    callback=_bytes,
    metavar="SIZE",
    help="Bound on memory, such as 2GB; ratings that need more than half stay on disk. Default: no bound.",
)
@click.option("--workers", type=click.IntRange(1), help="Number of Dask processes to start for the fit.")
@click.option("--scheduler", metavar="ADDRESS", help="Address of a running Dask scheduler to fit with.")
@FORCE
def complete(ratings, columns, predict, recommend, output, **options):
    """Fit the ratings in a file, choose λ, predict.

    RATINGS is a table of user, item, rating: text with any usual separator (comma, tab, ; or ::, packed by
    gzip, bzip2 or zip or not, with or without a header), JSON lines, Netflix's blocks, HDF5 (.h5: datasets
    user, item, rating) or Parquet. Ids may be any text.

    \b
      projfree complete u.data                                   MovieLens 100K as it comes
      projfree complete my.csv --columns customer,product,stars
      projfree complete my.csv --predict wanted.csv --output fitted
      projfree complete my.csv --recommend users.txt --top 10

    The model is an offset for each user and item, fitted with a small ridge, plus a matrix of low rank with λ
    times its trace norm as penalty, weighted by how often users rate and items are rated, and with the set of
    rated items as side information. λ is the one that predicts held-out ratings best, found by golden
    section. The solution comes with a certificate of how near it is to the optimum.

    \b
    Results, in the output folder:
      model.h5          factors U, V, offsets, ids, and the path
      index.html        the chosen λ, and every λ that was tried, as a figure and as a table; examples
      predictions.csv   with --predict: user, item, rating, and whether user and item were known
      recommendations.csv   with --recommend: user, rank, item, rating, and the source of the prediction;
                        the command then prints NDCG@10 and recall@10 on held-out ratings too
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from .work import completed  # with all that fits and reads: seconds that no help waits for

    completed(ratings, columns, predict, recommend, output, options)
