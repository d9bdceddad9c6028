"""Which column of a table is the user, the item, the rating, the time: by its name, or as it is asked for."""

import re
from typing import NamedTuple

from referee.data.errors import FormatError

#: Names of columns, as `key` writes them.
ALIASES = {
    "user": {"user", "userid", "user_id", "username", "uid", "reviewerid", "reviewer_id"}
    | {"customer", "customerid", "customer_id", "cust_id"},
    "item": {"item", "itemid", "item_id", "movie", "movieid", "movie_id", "book_id", "isbn", "asin"}
    | {"product", "productid", "product_id", "business_id", "artist", "song"},
    "rating": {"rating", "score", "stars", "value", "overall", "book_rating"},
    "time": {"time", "timestamp", "date", "datetime", "unixreviewtime"},
}
#: Columns of what somebody exports of his own: Goodreads, IMDb, Letterboxd.
OWN = {"my_rating", "your_rating", "letterboxd_uri"}


class Column(NamedTuple):
    """A column: its name, empty without a header; its place; and both in words."""

    name: str
    place: int
    words: str

    def __str__(self):
        """In words."""
        return self.words


def key(name: str) -> str:
    """A column's name as it is compared: user_id also for User-ID, 'user id' and RecBole's user_id:token."""
    return re.sub(r"[\s-]+", "_", re.sub(r":(token|float)(_seq)?$", "", name.strip().lower()))


def place_of(path, field: str, names, wanted=None, line=None):
    """The place of the column of a field, or None.

    It is the one that is `wanted`, a name; or the `Column` of a table that was read before, else by its name,
    as without a wish. FormatError if several names may be meant.
    """
    sought = wanted.name if isinstance(wanted, Column) else wanted
    if sought in names and sought:
        return names.index(sought)
    alike = [k for k, name in enumerate(names) if sought and key(name) == key(sought)]
    if len(alike) == 1 or isinstance(wanted, str):
        return alike[0] if len(alike) == 1 else None
    places = [k for k, name in enumerate(names) if key(name) in ALIASES[field]]
    if len(places) > 1:
        both = ", ".join(names[k] for k in places)
        reason = f"several columns may be the {field}: {both}; name three with --columns"
        raise FormatError(path, line, reason)
    return places[0] if places else None


def places_of(path, fields, names, wanted) -> list[int]:
    """The places of all fields; FormatError if one is missing."""
    places = [place_of(path, field, names, wanted.get(field), 1) for field in fields]
    if None in places:
        field = fields[places.index(None)]
        raise FormatError(path, 1, unnamed(field, names, wanted.get(field)))
    return places


def unnamed(field: str, names, wanted=None) -> str:
    """Why a table without a column for a field is refused."""
    if isinstance(wanted, str):
        return f"has no column '{wanted}'; it has {', '.join(names)} (1 to {len(names)})"
    reason = f"no column is called {field} (the columns are {', '.join(names)})"
    if own := [name for name in names if key(name) in OWN]:
        return f"{reason}; '{own[0]}' is from one person's own list, but ratings by several users are needed"
    return f"{reason}; name three with --columns"
