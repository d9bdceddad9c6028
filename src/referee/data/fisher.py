"""Fisher vectors with class labels in any of the forms in which people keep them, told by their content."""

import zipfile
from pathlib import Path

import numpy as np

from projfree.ground.hdf5 import open_h5
from referee.data.arrays import archived, checked, matlab
from referee.data.errors import FormatError
from referee.data.libsvm import libsvm

HDF5, MATLAB_HDF5 = b"\x89HDF\r\n\x1a\n", b"MATLAB 7.3"


def fisher(path: Path | str, *, features: int | None = None, X: str = "X", y: str = "y"):
    """Dense features (N, n) float32 and labels (N,) int64.

    HDF5 and NumPy archives hold the arrays `X` (N, n) and `y`; MATLAB files (version 5 to 7.3, the last with
    X and y transposed as MATLAB stores them) the same variables; `.fvecs` files for each row its dimension
    (int32) and n float32, with the labels (N int32) in a file of that name that ends `.labels`; else LIBSVM
    text, which needs `features`. Raises FormatError naming file and row (of text: line).
    """
    path = Path(path)
    with open(path, "rb") as file:
        head = file.read(16)
    if head.startswith((HDF5, MATLAB_HDF5)):
        found = _hdf5(path, X, y, transposed=head.startswith(MATLAB_HDF5))
    elif head.startswith(b"MATLAB"):
        found = matlab(path, X=X, y=y)
    elif zipfile.is_zipfile(path):
        found = checked(path, archived(path, (X, y)), X, y, None, integers=True)
    elif _is_fvecs(path, head):
        found = _fvecs(path, head)
    else:
        found = _libsvm(path, features)
    if features is not None and found[0].shape[1] != features:
        raise FormatError(path, None, f"rows have {found[0].shape[1]} features, expected {features}")
    return found


def _hdf5(path, X, y, transposed):
    try:
        with open_h5(path) as file:
            content = {name: file[name][()] for name in (X, y) if name in file}
    except Exception as error:  # h5py raises whatever the HDF5 library stumbles over
        reason = f"{type(error).__name__} {error}"[:200]
        raise FormatError(path, None, f"is not an HDF5 file that can be read ({reason})") from None
    if transposed:
        content = {name: value.T for name, value in content.items()}
    return checked(path, content, X, y, None, integers=True)


def _libsvm(path, features):
    if features is None:
        raise FormatError(path, None, "is LIBSVM text if anything: the catalog must give `features`")
    return libsvm(path, features=features, dense=True)


def _is_fvecs(path, head) -> bool:
    """Whether the first word is a plausible dimension; text would give millions."""
    return path.suffix == ".fvecs" or (len(head) >= 4 and 0 < int.from_bytes(head[:4], "little") < 1 << 24)


def _fvecs(path, head):
    dimension = int.from_bytes(head[:4], "little", signed=True)
    size = path.stat().st_size
    if dimension <= 0 or size % (4 * (dimension + 1)):
        raise FormatError(path, None, f"{size} bytes are no whole number of rows of dimension {dimension}")
    rows = np.memmap(path, dtype="<f4", mode="r").reshape(-1, dimension + 1)
    bad = np.flatnonzero(rows[:, 0].view("<i4") != dimension)
    if bad.size:
        raise FormatError(path, None, f"row {bad[0] + 1} is not of dimension {dimension}, as row 1 is")
    beside = path.with_suffix(".labels")
    if not beside.is_file():
        raise FormatError(path, None, f"has no labels: {beside.name} (int32, one a row) must stand beside it")
    labels = np.fromfile(beside, dtype="<i4")
    if 4 * labels.size != beside.stat().st_size or labels.size != len(rows):
        raise FormatError(beside, None, f"holds {labels.size} labels, {path.name} {len(rows)} rows")
    return checked(path, {"X": rows[:, 1:], "y": labels}, "X", "y", None, integers=True)
