"""What a text says, read line by line without haste: the judge of the readers. Nonsense is a ValueError."""

import re

import numpy as np

from referee.data.rating_lines import LAYOUTS


def lines(text: bytes):
    """Lines that are not blank."""
    return [line.rstrip(b"\r") for line in text.split(b"\n") if line.strip()]


def number(field: bytes) -> float:
    """A decimal number and nothing else."""
    if not re.fullmatch(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", field.strip()):
        raise ValueError(field)
    return float(field)


def table(text, separator=b",", first=False):
    """Rows of features and targets."""
    fields = [line.split(separator) if separator.strip() else line.split() for line in lines(text)]
    rows = np.array([[number(field) for field in row] for row in fields], dtype=np.float64)
    X, y = (rows[:, 1:], rows[:, 0]) if first else (rows[:, :-1], rows[:, -1])
    return X.astype(np.float32), y


def libsvm(text, features):
    """Rows of `label index:value`."""
    fields = [line.split() for line in lines(text)]
    X, y = np.zeros((len(fields), features), np.float32), [number(row[0].split(b";")[0]) for row in fields]
    for place, row in enumerate(fields):
        for pair in row[1:]:
            index, value = pair.split(b":")
            X[place, int(number(index)) - 1] = number(value)
    return X, np.array(y)


def sensorless(text):
    """Either form."""
    return libsvm(text, 48) if b":" in text.split(b"\n", 1)[0] else table(text, b" ")


def edges(text, signed, relabel):
    """Edges as a set of (from, to, sign)."""
    rows = [[int(number(f)) for f in line.split()] for line in lines(text) if not line.startswith(b"#")]
    if {len(row) for row in rows} != {3 if signed else 2}:
        raise ValueError("another number of fields")
    if relabel:
        known = sorted({node for row in rows for node in row[:2]})
        rows = [[known.index(row[0]), known.index(row[1]), *row[2:]] for row in rows]
    return sorted((row[0], row[1], row[2] if signed else 1) for row in rows)


def ratings(text, layout, compress=False):
    """(user, item, rating) of the ratings that are kept, ids from 0."""
    form, head, found, dropped = LAYOUTS[layout], None, [], []
    for line in lines(text):
        if form.header and form.header in line:
            head = int(line.split(form.header)[0])
            continue
        cells = line.split(form.separator)
        if len(cells) != len(form.fields):
            raise ValueError("another number of fields")
        values = dict(zip(form.fields, cells, strict=True)) | ({form.group: head} if form.header else {})
        user, item = int(values["user"]) - form.users[0], int(values["item"]) - form.items[0]
        row = user, item, float(values["rating"])
        (dropped if row[2] == form.dropped else found).append(row)
    if compress:
        places = [{id_: k for k, id_ in enumerate(sorted({r[c] for r in found + dropped}))} for c in (0, 1)]
        found = [(places[0][u], places[1][i], r) for u, i, r in found]
    return sorted(found)
