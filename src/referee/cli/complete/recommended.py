"""Recommendations for given users, new users among them, and examples for the page."""

from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.completion import recommending
from projfree.completion.fitting import Fit, Setting
from projfree.completion.ratings import Ratings

from ...data.errors import FormatError
from .forms import ALIASES, key
from .tables import PACKED, read_some
from .texts import lines_of

SEPARATORS = "::", "\t", ";", ",", "|"
EXAMPLES, FEW = 5, 5  # users and items on the page, and what is shown of each


@dataclass
class Asked:
    """Users by name, and the ratings of new ones."""

    path: Path
    users: list[str]
    ratings: Ratings | None = None

    @classmethod
    def read(cls, path, **asked):
        """From a text with a user a line, or a table of user, item, rating of new users."""
        path = Path(path)
        if path.suffix not in PACKED:
            lines = (line.strip() for _, text in lines_of(path, asked["encoding"]) for line in StringIO(text))
            first = next((line for line in lines if line), None)
            if first is None:
                raise FormatError(path, None, "lists no user")
            if not any(first.count(separator) >= 2 for separator in SEPARATORS) and first[0] not in "{[":
                users = [] if key(first) in ALIASES["user"] else [first]
                return cls(path, list(dict.fromkeys([*users, *filter(None, lines)])))
        ratings, _ = read_some(path, **asked)
        return cls(path, ratings.users.tolist(), ratings)

    def checked(self, ratings):
        """Raise FormatError if a new user has ratings already, or ratings on another scale."""
        known = set(self.users) & set(ratings.users.tolist()) if self.ratings else ()
        least, greatest = ratings.scale
        if self.ratings and not least <= self.ratings.scale[0] <= self.ratings.scale[1] <= greatest:
            told = "holds ratings from {:g} to {:g}, those that are fitted go from {:g} to {:g}"
            raise FormatError(self.path, None, told.format(*self.ratings.scale, least, greatest))
        if known:
            both = f"user {min(known)!r} has ratings already"
            raise FormatError(self.path, None, f"{both}: list known users in a file of their own, one a line")


def recommendations(ratings, fit: Fit, setting: Setting, asked: Asked, top: int) -> pd.DataFrame:
    """Columns ``user, rank, item, rating`` (predicted), ``known``: by what of the user.

    `known` is 'user' for one of the fit, 'new' by the ratings that were given, 'nobody' by offsets alone.
    """
    places, parts = pd.Index(ratings.users).get_indexer(asked.users), []
    items, average = pd.Index(ratings.items), ratings.n / ratings.shape[0]
    for k, (user, place) in enumerate(zip(asked.users, places, strict=True)):
        if place >= 0:
            row, seen, known = (fit.U[place], fit.row_offset[place]), ratings.row(place)[0], "user"
        else:
            cols, values = asked.ratings.row(k) if asked.ratings else (np.zeros(0, int), np.zeros(0))
            seen = items.get_indexer(asked.ratings.items[cols]) if asked.ratings else cols
            values, seen = values[seen >= 0], seen[seen >= 0]
            model = {"ridge": setting.ridge, "power": setting.power, "average": average}
            row, known = recommending.row(fit, seen, values, **model), "new" if seen.size else "nobody"
        predicted = recommending.scores(fit, *row)
        best = recommending.best(predicted, seen, top)
        shown = np.clip(predicted[best], *ratings.scale) if setting.clip else predicted[best]
        found = {"user": user, "rank": 1 + np.arange(len(best)), "item": ratings.items[best]}
        parts.append(pd.DataFrame({**found, "rating": shown, "known": known}))
    return pd.concat(parts, ignore_index=True)


def examples(ratings, fit: Fit, setting: Setting, asked: Asked | None):
    """Recommendations for some users (the requested, or the first), and similar items for the first items.

    Two lists of (name, [(item, value), …]).
    """
    users = asked or Asked(Path(), ratings.users[:EXAMPLES].tolist())
    shown = Asked(users.path, users.users[:EXAMPLES], users.ratings)
    found = recommendations(ratings, fit, setting, shown, FEW).groupby("user", sort=False)
    best = [(user, list(zip(part["item"], part["rating"], strict=True))) for user, part in found]
    alike = []
    for item in range(min(EXAMPLES, ratings.shape[1]) if fit.rank else 0):
        values = recommending.alike(fit, item)
        chosen = recommending.best(values, [item], FEW)
        alike.append((ratings.items[item], list(zip(ratings.items[chosen], values[chosen], strict=True))))
    return best, alike


def unknown_items(ratings, asked: Asked) -> int:
    """Number of new users' items without other ratings."""
    return len(set(asked.ratings.items) - set(ratings.items.tolist())) if asked.ratings else 0
