"""Arrays stored whole: MATLAB (version 5 to 7) and NumPy files of features and targets."""

import zipfile
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from referee.data import matfile
from referee.data.errors import FormatError
from referee.data.unpack import single

LARGEST = float(np.finfo(np.float32).max)


def matlab(path: Path | str, *, X: str = "X", y: str = "Y", labels=None):
    """Features and integer labels from the named variables of a MATLAB file.

    `labels` = (lowest, highest) allowed label. Raises FormatError.
    """
    try:
        matfile.check(path, (X, y))
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
