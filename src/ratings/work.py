"""The work of `projfree complete`: from the file of ratings to all of its output."""

import os
import sys
from dataclasses import replace

import click
from tqdm import tqdm

from projfree import __version__
from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import file_sha256
from projfree.completion.budget import NotEnough
from projfree.completion.choice import fit_path, folds_used
from projfree.completion.fitting import Fast
from projfree.completion.setting import RANKINGS, Setting
from projfree.completion.top_n import TooFew, top_n
from projfree.linalg.compiled import on_compiling
from referee.data.errors import DataError

from .output import (
    ADVICE,
    MODEL,
    PAGE,
    PREDICTIONS,
    SO_FAR,
    Asked,
    decimals,
    predictions,
    recommendations,
    require_ours,
    write_model,
    write_page,
)
from .storage import opened
from .tables import Reading, read_pairs
from .texts import NUMBER

FORMULA = "=", "+", "-", "@", "\t", "\r"
INTERRUPTED = 130  # as shells tell ^C


def completed(ratings, columns, predict, recommend, output, options):
    """Read, fit, write and report, see `command.complete`."""
    place = {name: options.pop(name) for name in ("memory", "workers", "scheduler")}
    duplicates, top, by = (options.pop(name) for name in ("duplicates", "top", "ranking"))
    asked = {name: options.pop(name) for name in ("encoding", "drop_missing", "missing", "zeros", "counts")}
    times, encoding = options.pop("times"), asked["encoding"]
    asked["tell"] = click.echo
    setting = _setting(options, place["memory"])
    name = _shown(ratings.name)
    about = {"source": name, "sha256": file_sha256(ratings), "projfree": __version__}
    pairs = users = predicted = advice = ranking = None
    strange = 0
    try:
        output = output or ratings.with_name(f"{ratings.name}-completed")
        require_ours(output, name, about["sha256"])
        if predict or recommend:  # laid out as the ratings are
            layout = Reading(columns, encoding=encoding, times=times).pieces(ratings)[1]
        if predict:
            pairs = read_pairs(predict, layout, encoding=encoding, times=times)
        if recommend:
            timed = times and duplicates == "last"
            users = Asked.read(recommend, layout, duplicates=duplicates, times=timed, **asked)
        with opened((ratings, columns, duplicates), {**asked, "times": times}, output, **place) as table:
            if setting.folds > table.n:
                few = f"{table.n} ratings are too few for {setting.folds} folds"
                raise click.BadParameter(f"{few}; lower --folds")
            click.echo("{:,} ratings by {:,} users of {:,} items".format(table.n, *table.shape))
            if users:
                users.checked(table)
            _tell_of_other_forms(table, users, pairs)
            # what the stretches leave of ratings has another scale than they
            fitted = _fitted(table, replace(setting, clip=False) if times else setting)
            output.mkdir(parents=True, exist_ok=True)
            write_model(output / MODEL, table, fitted, setting, about)
            if users and by == RANKINGS[0]:
                ranking = top_n(table, seed=setting.seed, threads=setting.threads)
            if pairs is not None:
                predicted = predictions(table, fitted, pairs, setting.clip)
                write_table(output / PREDICTIONS, predicted)
            if users:
                advice = recommendations(table, fitted.fit, setting, users, top, ranking)
                write_table(output / ADVICE, advice.round({"rating": decimals(table.scale)}))
                strange = users.unknown_items(table)
            write_page(output / PAGE, table, fitted, setting, name, users, ranking)
    except (DataError, NotEnough, TooFew) as error:
        raise click.ClickException(str(error)) from None
    click.echo(summary(fitted, output, predicted, decimals(table.scale), advice, ranking))
    if strange:
        click.echo(f"{strange:,} items of new users have no rating of others, and are left out.")
    if fitted.interrupted:
        sys.exit(INTERRUPTED)


def _tell_of_other_forms(table, users, pairs):
    """Tell where an id is known as 3.0 and asked for as 3, or the other way round."""
    asked = [(table.users, users.users)] if users else []
    if pairs is not None:
        asked += [(table.users, pairs["user"]), (table.items, pairs["item"])]
    for ids, names in asked:
        known = set(ids)
        others = ((name, name[:-2] if name.endswith(".0") else f"{name}.0") for name in names)
        if pair := next((pair for pair in others if pair[0] not in known and pair[1] in known), None):
            click.echo("Ids are compared as texts: requested are {!r}, the ratings have {!r}.".format(*pair))


def write_table(path, table) -> None:
    """CSV of a table with ids; a notice if a spreadsheet takes some of them for formulas."""
    atomic_write(path, table.to_csv(index=False))
    ids = {*table["user"], *table["item"]}
    if odd := sorted(text for text in ids if text.startswith(FORMULA) and not NUMBER.fullmatch(text)):
        what = f"{len(odd):,} ids such as {odd[0]!r} begin as formulas do"
        click.echo(f"{path.name}: {what}; in a spreadsheet import users and items as text.")


def _setting(options, memory) -> Setting:
    """The setting that the options ask for."""
    fast, tol = options.pop("fast"), options.pop("tol")
    if fast and tol:
        raise click.UsageError("--fast ends after two steps, whatever the gap: leave out --fast or --tol")
    return (Fast if fast else Setting)(**options, **({"tol": tol} if tol else {}), memory=memory)


def _fitted(table, setting):
    """The fits, with a bar of them on a terminal, and a notice where they wait for compilers."""
    fits = (len(setting.weights) or setting.count) * folds_used(table.n, setting) + 1

    def compiling():
        tqdm.write("compiling, once (up to a minute) …", file=sys.stderr)

    with tqdm(total=fits, unit="fit", disable=None, desc="first fit") as bar, on_compiling(compiling):
        try:
            return fit_path(table, setting, lambda words: (bar.set_description(words), bar.update()))
        except KeyboardInterrupt:
            click.echo("Interrupted before a first λ was tried: nothing is written.", err=True)
            sys.exit(INTERRUPTED)


def summary(fitted, output, predicted, digits, advice=None, ranking=None) -> str:
    """A summary of the result, and the paths of its files."""
    fit, errors, files = fitted.fit, fitted.errors[fitted.best], [MODEL, PAGE]
    folds = f"± {errors.std():.{digits}f} ({len(errors)} folds)" if len(errors) > 1 else "(one fold)"
    lines = [f"Interrupted: this is {SO_FAR}."] if fitted.interrupted else []
    lines += [
        f"λ = {fit.weight:.4g}, rank {fit.rank}",
        f"RMSE of held-out ratings: {errors.mean():.{digits}f} {folds}; "
        f"of the offsets alone: {fitted.baseline:.{digits}f}",
    ]
    if ranking:
        quality = (
            "NDCG@10 of held-out ratings: {:.3f}, recall@10: {:.3f}; of the most popular: {:.3f}, {:.3f}"
        )
        lines.append(quality.format(ranking.ndcg, ranking.recall, *ranking.popular))
        fit_of_it = ranking.power, ranking.rank, 100 * ranking.relative_gap
        lines.append("ranking: power {:g}, rank {}, duality gap at most {:.2g} %".format(*fit_of_it))
    lines.append(
        f"certificate: κ°(−∇ℓ) = {fit.polar_ratio:.5f} λ; "
        f"F is at most {100 * fit.relative_gap:.2g} % above its minimum"
    )
    if fitted.best == len(fitted.weights) - 1:
        lines.append("The least λ tried is the best; a smaller one may be better still (--weights).")
    if predicted is not None:
        files.append(PREDICTIONS)
        if unknown := int((predicted["known"] != "both").sum()):
            what = f"{unknown:,} of {len(predicted):,} pairs have an unknown user or item"
            lines.append(f"{what}: their predictions are offsets alone.")
    if advice is not None:
        files.append(ADVICE)
        if nobody := advice["user"][advice["known"] == "nobody"].nunique():
            items = "the most popular items" if ranking else "the items that are best on average"
            lines.append(f"{nobody:,} of {advice['user'].nunique():,} users are unknown: they get {items}.")
    return "\n".join([*lines, f"{_shown(output)}: {', '.join(files)}"])


def _shown(path) -> str:
    """A name as it can be written anywhere: that of a file need not be UTF-8."""
    return os.fsencode(path).decode(errors="replace")
