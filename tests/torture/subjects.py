"""What is fuzzed of texts: a small file in each format, its reader, and what must hold once it is read."""

import bz2
import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import naive
import numpy as np

from projfree.common.root import checkout
from referee.data import formats
from referee.data.rating_lines import LAYOUTS

RNG = np.random.Generator(np.random.PCG64DXSM(1))
RATINGS = {
    "movielens-100k": b"943\t1682\t3\t8812\n7\t12\t5\t0\n7\t3\t1\t881\n1\t1\t4\t88\n2\t2\t2\t5\n",
    "movielens-1m": b"6040::3952::3::9783\n7::12::5::0\n7::3::1::97\n1::1::4::97\n7::3952::2::5\n",
    "movielens-10m": b"71567::65133::3.5::8389\n7::12::5::0\n7::3::0.5::9\n1::1::4.5::9\n",
    "netflix": b"8:\n2649,3,2005-09-06\n7,5,2005-05-13\n1770:\n7,1,2005-10-19\n1,4,2004-12-31\n",
    "yahoo-r1": b"2\t1040\t90\n2\t-99\t0\n2\t1321\t255\n4\t1040\t100\n9\t-100\t255\n9\t1040\t1\n",
    "yahoo-r2": b"31\t900\t5\n31\t905\t2\n32\t44\t5\n32\t900\t1\n199\t44\t3\n1823\t0\t4\n",
    "kdd-cup-2011": b"0|2\n507\t90\t11\t01:02:00\n624\t0\t11\t01:03:00\n989|1\n7\t50\t1\t00:00:00\n",
}
SENSORLESS = b"1 1:1 48:2\n11 2:.5\n3 7:1\n"
LARGE = "netflix", "yahoo-r1", "yahoo-r2", "kdd-cup-2011"


@dataclass(frozen=True)
class Subject:
    """`read(path)`, and `judge(content, result)`: '' or what is wrong; `content` is the text of a text format
    (which is then also packed in various ways), else the bytes of the file.
    """

    name: str
    body: bytes
    read: Callable
    judge: Callable
    text: bool = False
    file: str = "f"


def same_rows(expected: Callable):
    """The rows are those of the naive reader."""

    def judge(text, result):
        X, y = expected(text)
        found = result[0].toarray() if hasattr(result[0], "toarray") else result[0]
        if found.shape != X.shape:
            return f"{len(X)} rows in the text, {len(found)} read"
        equal = np.array_equal(found, X) and np.array_equal(np.asarray(result[1], dtype=np.float64), y)
        return "" if equal else "other values than the text has"

    return judge


def same_entries(expected: Callable):
    """The entries of a relation are those of the naive reader."""

    def judge(text, result):
        found = result[0].tocoo()
        triples = sorted(zip(found.row.tolist(), found.col.tolist(), found.data.tolist(), strict=True))
        wanted = expected(text)
        return "" if triples == wanted else f"{len(wanted)} entries in the text, not these {len(triples)}"

    return judge


def same_arrays(X, y):
    """What was stored, or nothing: the container has a checksum."""
    return lambda _, result: "" if _equal(result, X, y) else "other arrays than were stored"


def _equal(result, X, y):
    return np.array_equal(result[0], np.asarray(X, np.float32)) and np.array_equal(result[1], np.ravel(y))


def all_rows(X, y):
    """As many rows as were stored, all finite: the container has no checksum of values."""

    def judge(_, result):
        if len(result[0]) != len(X) or len(result[1]) != len(X):
            return f"{len(X)} rows stored, {len(result[0])} read"
        return "" if np.isfinite(result[0]).all() else "not finite"

    return judge


def texts() -> list[Subject]:
    """Text formats: real lines where the mirror has them, lines of the same form otherwise."""
    cover = _rows(b",", [[*RNG.integers(0, 999, 54), k % 7 + 1] for k in range(9)], b"%d")
    uci = _rows(b" ", [[*RNG.normal(size=48), k + 1] for k in range(9)], b"%.12g")
    values = b" ".join(b"%d:%.3f" % (j + 1, j) for j in range(128))
    gas = b"".join(b"%d %s\n" % (k % 6 + 1, values) for k in range(4))
    svm = b"".join(b"%d 1:%.3f 3:-2 %d:1e-3\n" % (k, k / 7, k + 5) for k in range(12))
    years = _rows(b",", [[1990 + k, *RNG.normal(size=5)] for k in range(9)], b"%.9g")
    signed = b"# Nodes: 6 Edges: 6\n# From To Sign\n0\t1\t-1\n3\t0\t1\n1\t1\t1\n0\t3\t1\n4\t5\t-1\n2\t0\t1\n"
    plain = b"2\t9\n0\t9\n9\t0\n7\t2\n"
    real = _real()
    table = same_rows(naive.table)
    sparse = same_rows(partial(naive.libsvm, features=20))
    target_first = same_rows(partial(naive.table, first=True))
    batches = same_rows(partial(naive.libsvm, features=128))
    found = [
        _text("covertype", real.get("covertype", cover), formats.covertype, table),
        _text("sensorless", uci, formats.sensorless, same_rows(naive.sensorless)),
        _text("sensorless, LIBSVM", SENSORLESS, formats.sensorless, same_rows(naive.sensorless)),
        _text("libsvm", svm, partial(formats.libsvm, features=20), sparse),
        _text("libsvm, dense", svm, partial(formats.libsvm, features=20, dense=True), sparse),
        _text("regression", years, partial(formats.regression, features=5, target="first"), target_first),
        _text("gas batches", real.get("gas", gas), formats.batches, batches),
    ]
    if "news20" in real:
        read, naively = (partial(reader, features=62061) for reader in (formats.libsvm, naive.libsvm))
        found.append(_text("libsvm, news20", real["news20"], read, same_rows(naively)))
    for name, body, options in (
        ("edges, signed", signed, {"signed": True, "relabel": False}),
        ("edges", plain, {"signed": False, "relabel": False}),
        ("edges, relabelled", plain, {"signed": False, "relabel": True}),
        ("edges, Epinions", real.get("edges", plain), {"signed": False, "relabel": True}),
        ("edges, signed Epinions", real.get("signed", signed), {"signed": True, "relabel": True}),
    ):
        judge = same_entries(partial(naive.edges, **options))
        found.append(_text(name, body, partial(formats.edges, **options), judge))
    return found + [_rating(layout, body) for layout, body in RATINGS.items()]


def _rows(separator, rows, form):
    return b"".join(separator.join(form % value for value in row) + b"\n" for row in rows)


def _text(name, body, read, judge):
    return Subject(name, body, read, judge, text=True)


def _rating(layout, body):
    """Ratings; ranges of a few thousand ids, since the whole ones take megabytes a case."""
    form, compress = LAYOUTS[layout], layout.startswith("yahoo")
    read = partial(formats.ratings, layout=layout, compress=compress)
    if layout in LARGE:
        read = partial(read, users=(form.users[0], 3000), items=(form.items[0], 3000))
    judge = same_entries(partial(naive.ratings, layout=layout, compress=compress))
    return _text(f"ratings, {layout}", body, read, judge)


def _real() -> dict[str, bytes]:
    """First lines of the mirror's files, and of the shipped sample."""
    mirror = Path(os.environ.get("PROJFREE_MIRROR", ""))
    sample = checkout() / "data" / "samples" / "covertype-sample.csv.gz"
    places = {
        "covertype": (sample, 20),
        "news20": (mirror / "news20" / "news20.bz2", 6),
        "gas": (mirror / "gas-drift-ten-batches" / "batch1.dat.gz", 6),
        "edges": (mirror / "epinions" / "soc-Epinions1.txt.gz", 30),
        "signed": (mirror / "epinions-signed" / "soc-sign-epinions.txt.gz", 30),
    }
    found = {name: _first(path, count) for name, (path, count) in places.items() if path.is_file()}
    for name in {"edges", "signed"} & set(found):  # their header counts the whole file
        found[name] = b"".join(line for line in found[name].splitlines(True) if line[:1] != b"#")
    return found


def _first(path, count):
    with (bz2 if path.suffix == ".bz2" else gzip).open(path) as file:
        return b"".join(file.readline() for _ in range(count))
