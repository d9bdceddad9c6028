"""Names of columns, and JSON lines and Netflix's blocks, which are no tables."""

import json
import re
from itertools import chain
from typing import NamedTuple

import numpy as np

from projfree.completion.labels import text_of
from referee.data.errors import FormatError

from .advice import json_lines

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
    name = re.sub(r":(token|float)(_seq)?$", "", name.strip().lower())
    return re.sub(r"[\s-]+", "_", name)


def place_of(path, field: str, names, wanted=None, line=None):
    """The place of the column of a field, or None.

    It is the one that is `wanted`, a name; or the `Column` of a table that was read before, else told by its
    name, as without a wish.
    """
    sought = wanted.name if isinstance(wanted, Column) else wanted
    if sought in names and sought:
        return names.index(sought)
    alike = [k for k, name in enumerate(names) if sought and key(name) == key(sought)]
    if len(alike) == 1 or isinstance(wanted, str):
        return alike[0] if len(alike) == 1 else None
    return column_of(path, field, names, line)


def places_of(path, fields, names, wanted) -> list[int]:
    """The places of all fields; FormatError if one is missing."""
    places = [place_of(path, field, names, wanted.get(field), 1) for field in fields]
    if None in places:
        field = fields[places.index(None)]
        raise FormatError(path, 1, unnamed(field, names, wanted.get(field)))
    return places


def column_of(path, field: str, names, line=None, strict=True):
    """The place of the column of a field, or None; FormatError if there are two and `strict`."""
    places = [k for k, name in enumerate(names) if key(name) in ALIASES[field]]
    if strict and len(places) > 1:
        both = ", ".join(names[k] for k in places)
        reason = f"several columns may be the {field}: {both}; name three with --columns"
        raise FormatError(path, line, reason)
    return places[0] if places else None


def unnamed(field: str, names, wanted=None) -> str:
    """Why a table without a column for a field is refused."""
    if isinstance(wanted, str):
        return f"has no column '{wanted}'; it has {', '.join(names)} (1 to {len(names)})"
    told = f"no column is called {field} (the columns are {', '.join(names)})"
    own = [name for name in names if key(name) in OWN]
    if own:
        return f"{told}; '{own[0]}' is from one person's own list, but ratings by several users are needed"
    return f"{told}; name three with --columns"


def json_pieces(path, fields, wanted, encoding, blocks):
    """The result of `texts.text_pieces` for text with a JSON object on each line."""
    first, text = next(blocks)
    names = list(next(_records(path, encoding, first, text))[1])
    chosen = [names[place] for place in places_of(path, fields, names, wanted)]

    def tables():
        for line, part in chain([(first, text)], blocks):
            found = [(at, *map(record.get, chosen)) for at, record in _records(path, encoding, line, part)]
            if found:
                lines, *cells = zip(*found, strict=True)
                made = (np.array([*map(text_of, column)], dtype=object) for column in cells)
                yield dict(zip(fields, made, strict=True), line=np.array(lines))

    return tables(), {
        field: Column(n, k, f"'{n}'") for k, (field, n) in enumerate(zip(fields, chosen, strict=True))
    }


def _records(path, encoding, first, text):
    """(line, object) of each line that is not empty."""
    for line, cell in enumerate(text.split("\n"), first):
        if not cell.strip():
            continue
        try:
            record = json.loads(cell)
        except (ValueError, RecursionError) as error:
            told = f"is not JSON on one line ({str(error)[:80]})"
            if re.match(r"\s*\{\s*[ub]?'", cell):
                told = f"is a dictionary as Python writes it; {json_lines(path, encoding, literals=True)}"
            raise FormatError(path, line, told) from None
        if not isinstance(record, dict):
            raise FormatError(path, line, "is JSON, but no object with user, item and rating")
        nested = [name for name, value in record.items() if isinstance(value, dict | list | bool)]
        yield line, {**record, **dict.fromkeys(nested, "{…}")}


def in_blocks(sample) -> str | None:
    """The first line below a film, if lines are as in Netflix data: '1:', then user, rating, date."""
    films = [bool(re.fullmatch(r"[0-9]+:", line.strip())) for line in sample]
    return sample[films.index(False)] if films[0] and False in films else None


def unblocked(blocks):
    """Blocks of lines whose last field is the film above them; its own line becomes an empty one."""
    film = ""
    for first, text in blocks:
        rest, *parts = re.split(r"(?m)^([0-9]+):[ \t]*$", text.replace("\r\n", "\n"))
        found = [_ended(rest, film)]
        for film, lines in zip(parts[::2], parts[1::2], strict=True):  # noqa: B020 - kept for the next block
            found.append(_ended(lines, film))
        yield first, "".join(found)


def _ended(text, film):
    return re.sub(r"(?<=[^\n])\n", f",{film}\n", text)
