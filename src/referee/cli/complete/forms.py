"""Names of columns, and JSON lines and Netflix's blocks, which are no tables."""

import json
import re
from itertools import chain

import numpy as np

from projfree.completion.labels import text_of

from ...data.errors import FormatError

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
ARRAY = 'pandas.read_json({}).to_json({}, orient="records", lines=True)'


def key(name: str) -> str:
    """A column's name as it is compared: user_id also for User-ID and 'user id'."""
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def column_of(path, field: str, names, line=None, strict=True):
    """The place of the column of a field, or None; FormatError if there are two and `strict`."""
    places = [k for k, name in enumerate(names) if key(name) in ALIASES[field]]
    if strict and len(places) > 1:
        both = ", ".join(names[k] for k in places)
        reason = f"several columns may be the {field}: {both}; name three with --columns"
        raise FormatError(path, line, reason)
    return places[0] if places else None


def unnamed(field: str, names) -> str:
    """Why a table without a column for a field is refused."""
    told = f"no column is called {field} (the columns are {', '.join(names)})"
    own = [name for name in names if key(name) in OWN]
    if own:
        return f"{told}; '{own[0]}' is from one person's own list, but ratings by several users are needed"
    return f"{told}; name three with --columns"


def json_pieces(path, fields, columns, blocks):
    """The result of `texts.text_pieces` for text with a JSON object on each line."""
    first, text = next(blocks)
    record = next(_records(path, first, text))[1]
    wanted = columns or [_field(path, field, list(record)) for field in fields]
    missing = [name for name in wanted if name not in record]
    if missing:
        raise FormatError(path, 1, f"has no '{missing[0]}'; it has {', '.join(record)}")

    def tables():
        for line, part in chain([(first, text)], blocks):
            found = [(at, *map(record.get, wanted)) for at, record in _records(path, line, part)]
            if found:
                lines, *cells = zip(*found, strict=True)
                made = (np.array([*map(text_of, column)], dtype=object) for column in cells)
                yield dict(zip(fields, made, strict=True), line=np.array(lines))

    return tables(), {field: f"'{name}'" for field, name in zip(fields, wanted, strict=True)}


def _field(path, field, names):
    place = column_of(path, field, names, 1)
    if place is None:
        raise FormatError(path, 1, unnamed(field, names))
    return names[place]


def _records(path, first, text):
    """(line, object) of each line that is not empty."""
    for line, cell in enumerate(text.split("\n"), first):
        if not cell.strip():
            continue
        try:
            record = json.loads(cell)
        except (ValueError, RecursionError) as error:
            raise FormatError(path, line, f"is not JSON on one line ({str(error)[:80]})") from None
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
