"""The inverse search as tables: choices × facts, what became of each fact, what each choice gains."""

from pathlib import Path
from statistics import mean

import pandas as pd

from projfree.ground.sealed import atomic_write

from .inverse import Choice, Inverse

MATRIX = ["fact", "choice", "verdict", "misfit", "default_verdict", "default_misfit", "why"]
WORDS = ["kind", "where", "quote"]
FACTS = ["fact", *WORDS, "default", "misfit", "found", "met_by", "asked", "nearest", "least"]
CHOICES = ["choice", "best", "met", "asked", "gain", "misfit", "default_misfit", "gained", "lost"]


def write_inverse(search: Inverse, output) -> None:
    """Write the matrix to `output`, and beside it ``…-facts.csv`` and ``…-choices.csv``.

    Parameters
    ----------
    search : Inverse
    output : path
        ``inverse.csv``.
    """
    best = search.best()
    choices = list({str(choice): choice for choice in [*search.singles(), best]}.values())
    tables = {
        "": (MATRIX, [row for choice in choices for row in _matrix(search, choice)]),
        "-facts": (FACTS, [_fact(search, choices, name) for name in search.facts]),
        "-choices": (CHOICES, sorted((_choice(search, c, c == best) for c in choices), key=_gain)),
    }
    for ending, (columns, rows) in tables.items():
        path = Path(output).with_stem(Path(output).stem + ending)
        atomic_write(path, pd.DataFrame(rows, columns=columns).to_csv(index=False, float_format="%.4g"))


def _matrix(search, choice):
    for name in search.facts:
        found, base = search.fit(choice, name), search.default(choice, name)
        yield [name, str(choice), found.verdict, found.misfit, base.verdict, base.misfit, found.why]


def _fact(search, choices, name):
    """One fact: what the default makes of it, how many choices meet it, which comes nearest."""
    fact, fits = search.facts[name], {str(c): search.fit(c, name) for c in choices}
    asked = {choice: fit for choice, fit in fits.items() if fit.known}
    met = [choice for choice, fit in asked.items() if fit.met]
    sizes = {choice: fit.misfit for choice, fit in asked.items() if fit.misfit is not None}
    nearest = met[0] if met else min(sizes, key=sizes.get, default="")
    default, counts = fits["default"], (len(met), len(asked))
    own = [default.verdict, default.misfit, _found(*counts, default.met)]
    return [name, *(getattr(fact, key) for key in WORDS), *own, *counts, nearest, sizes.get(nearest)]


def _found(met, asked, by_default):
    """What became of a fact, in words."""
    if not asked:
        return "not testable"
    if not met:
        return "reproduced by nothing"
    if met == asked:
        return "reproduced by everything"
    return "reproduced by the default" if by_default else "reproduced by another choice only"


def _choice(search, choice: Choice, best: bool):
    """One choice beside the default, on the facts that both can be asked."""
    fits = {name: (search.fit(choice, name), search.default(choice, name)) for name in search.facts}
    asked = [(found, base) for found, base in fits.values() if found.known]
    both = [(f.misfit, b.misfit) for f, b in asked if f.misfit is not None and b.misfit is not None]
    own, default = (mean(side) if both else None for side in (zip(*both, strict=True) if both else ((), ())))
    gained = [name for name, (found, base) in fits.items() if found.met and not base.met]
    lost = [name for name, (found, base) in fits.items() if base.met and not found.met]
    met, gain = sum(found.met for found, _ in asked), search.score(choice).gain
    return [str(choice), best, met, len(asked), gain, own, default, " ".join(gained), " ".join(lost)]


def _gain(row):
    """The best first, then the larger gain."""
    return not row[1], -row[4]
