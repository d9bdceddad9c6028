"""Arrays stored whole: MATLAB (version 5 to 7.3), NumPy and HDF5 files of features and targets."""

import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from projfree.common.hdf5 import open_h5
from referee.data.errors import FormatError
from referee.data.unpack import single

COMPRESSED, MATRIX, DOUBLE = 15, 14, 9
NUMERIC = {1, 2, 3, 4, 5, 6, 7, DOUBLE, 12, 13}
CLASSES = range(6, 16)  # of arrays of numbers
COMPLEX = 0x800  # a second part of numbers: where it is not there, scipy crashes
HEADER, FRONT = 128, 1 << 10


def _check_matlab(path, names) -> None:
    """ValueError if a variable of that name is no whole array of numbers of known type."""
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        head = file.read(HEADER)
        if not head.startswith(b"MATLAB 5.0") or head[126:] not in (b"IM", b"MI"):
            raise ValueError("not a file of version 5 to 7")
        order, at = "<" if head[126:] == b"IM" else ">", HEADER
        while at < size:
            file.seek(at)
            kind, length = struct.unpack(order + "II", file.read(8).ljust(8, b"\0"))
            at += 8 + length
            if kind not in (COMPRESSED, MATRIX) or at > size:
                raise ValueError(f"a variable of type {kind} that ends at byte {at} of {size}")
            front = file.read(min(length, FRONT))
            if kind == COMPRESSED:
                front = zlib.decompressobj().decompress(front, FRONT)[8:]
            _check_matrix(front, order, names)


def _check_matrix(front: bytes, order: str, names) -> None:
    """The tags of flags, dimensions, name and numbers, all of which stand at the front of a variable."""
    at, parts = 0, []
    for _ in range(4):
        kind, length = struct.unpack_from(order + "II", front, at)
        small = kind >> 16
        parts.append((kind & 0xFFFF if small else kind, front[at + 4 : at + 8] if small else front[at + 8 :]))
        if len(parts) == 3:
            name = parts[2][1][: small or length].decode("latin-1")
            if name not in names:
                return
        at += 8 if small else 8 + -(-length // 8) * 8
    flags = struct.unpack_from(order + "I", parts[0][1])[0]
    if flags & 0xFF not in CLASSES or parts[3][0] not in NUMERIC or flags & COMPLEX:
        raise ValueError(f"{name} (class {flags & 0xFF}, type {parts[3][0]}) is not a table of numbers")


LARGEST = float(np.finfo(np.float32).max)


def matlab(path: Path | str, *, X: str = "X", y: str = "Y", labels=None):
    """Features and integer labels from the named variables of a MATLAB file.

    `labels` = (lowest, highest) allowed label. Raises FormatError.
    """
    try:
        _check_matlab(path, (X, y))
        content = loadmat(str(path), variable_names=[X, y])
    except Exception as error:  # scipy raises whatever it stumbles over in a damaged file
        raise FormatError(path, None, f"is not a MATLAB file that can be read ({_said(error)})") from None
    return checked(path, content, X, y, labels, integers=True)


def npz(path: Path | str, *, X: str = "X", y: str = "y"):
    """Features and real targets from the named arrays of a NumPy archive. Raises FormatError."""
    return checked(path, archived(path, (X, y)), X, y, None, integers=False)


def archived(path: Path | str, names) -> dict[str, np.ndarray]:
    """The named arrays of a NumPy archive, as far as it has them; FormatError."""
    content = {}
    try:
        with zipfile.ZipFile(path) as pack:
            there = {info.filename for info in single(pack.infolist())}
            for name in {f"{name}.npy" for name in names} & there:
                with pack.open(name) as file:
                    content[name.removesuffix(".npy")] = np.lib.format.read_array(file, allow_pickle=False)
                    if file.read(1):  # reading to the end is also what compares the checksum
                        raise ValueError(f"{name} holds more than its header says")
    except Exception as error:  # as many kinds as a damaged header has parts
        raise FormatError(path, None, f"is not a NumPy archive that can be read ({_said(error)})") from None
    return content


def _said(error: Exception) -> str:
    return f"{type(error).__name__} {error}"[:200]


def checked(path, content, X, y, labels, integers):
    """Features float32 and targets (int64 if `integers`) of the named arrays; FormatError naming the row."""
    absent = [name for name in (X, y) if name not in content]
    if absent:
        raise FormatError(
            path, None, f"has no variable {absent[0]}; it has {', '.join(content) or 'none of them'}"
        )
    features, targets = np.asarray(content[X]), np.asarray(content[y]).ravel()
    if features.ndim != 2 or features.dtype.kind not in "fiu" or targets.dtype.kind not in "fiu":
        raise FormatError(path, None, f"{X} {features.dtype} {features.shape} is not a table of numbers")
    if targets.size != len(features):
        raise FormatError(path, None, f"{len(features)} rows in {X}, {targets.size} targets in {y}")
    bad = ~(np.abs(features.astype(np.float64)) <= LARGEST).all(axis=1)
    bad |= ~np.isfinite(targets.astype(np.float64))
    if integers:
        low, high = labels or (-(2**53), 2**53)
        bad |= (targets != np.rint(targets)) | (targets < low) | (targets > high)
    if bad.any():
        row = int(np.argmax(bad))
        raise FormatError(path, None, f"row {row + 1}: not finite, or label {targets[row]} is not allowed")
    return features.astype(np.float32), targets.astype(np.int64 if integers else np.float64)


HDF5, MATLAB_HDF5 = b"\x89HDF\r\n\x1a\n", b"MATLAB 7.3"


def fisher(path: Path | str, *, features: int | None = None, X: str = "X", y: str = "y"):
    """Dense features (N, n) float32 and labels (N,) int64.

    HDF5 and NumPy archives hold the arrays `X` (N, n) and `y`; MATLAB files (version 5 to 7.3, the last with
    X and y transposed as MATLAB stores them) the same variables. Raises FormatError naming file and row.
    """
    path = Path(path)
    with open(path, "rb") as file:
        head = file.read(16)
    if head.startswith((HDF5, MATLAB_HDF5)):
        arrays = _hdf5(path, X, y, transposed=head.startswith(MATLAB_HDF5))
    elif zipfile.is_zipfile(path):
        arrays = checked(path, archived(path, (X, y)), X, y, None, integers=True)
    else:
        arrays = matlab(path, X=X, y=y)
    if features is not None and arrays[0].shape[1] != features:
        raise FormatError(path, None, f"rows have {arrays[0].shape[1]} features, expected {features}")
    return arrays


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
