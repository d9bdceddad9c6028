"""Readers of the official file formats: streaming, and every complaint names file and line.

A reader takes a path (plain, gzip or bzip2, told by the first bytes, not by the name) and returns `(X, y)`:
X float32, dense (n, d) or CSR (n, d); y int64 (n,) as written in the file, or None where nothing is
labelled; of ratings y is bool and marks those held out, or None. NaN and infinities are refused.
"""

from pathlib import Path

from referee.data.arrays import fisher, matlab
from referee.data.batches import batches
from referee.data.edges import edges
from referee.data.faces import faces
from referee.data.lines import line_blocks
from referee.data.ratings import ratings
from referee.data.tables import libsvm, regression, table


def covertype(path: Path | str):
    """Forest covertype, `covtype.data[.gz]`: 54 whole numbers and the class 1..7, comma separated."""
    return table(path, features=54, separator=",", integers=True, labels=(1, 7))


def sensorless(path: Path | str):
    """Sensorless drive diagnosis in either form: UCI text (48 numbers, class) or LIBSVM `Sensorless`."""
    head = next(line_blocks(path, 1 << 14), (1, b""))[1].split(b"\n", 1)[0]
    if b":" in head:
        return libsvm(path, features=48, dense=True)
    return table(path, features=48, separator=" ", labels=(1, 11))


READERS = {"covertype": covertype, "sensorless": sensorless, "libsvm": libsvm, "ratings": ratings} | {
    "batches": batches,
    "edges": edges,
    "faces": faces,
    "fisher": fisher,
    "matlab": matlab,
    "regression": regression,
}


def read(reader: str, path: Path | str, **params):
    """Read a file with the reader of that name; returns (X, y), y None where nothing is labelled."""
    return READERS[reader](path, **params)
