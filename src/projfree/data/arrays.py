"""Arrays stored whole: MATLAB (version 5 to 7) and NumPy files of features and targets."""

import zipfile
import zlib
from pathlib import Path

import numpy as np
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

from projfree.data.errors import FormatError

DAMAGE = (MatReadError, NotImplementedError, OSError, ValueError, TypeError, zlib.error, zipfile.BadZipFile)


def matlab(path: Path | str, *, X: str = "X", y: str = "Y", labels=None):
    """Features and integer labels from the named variables of a MATLAB file.

    `labels` = (lowest, highest) allowed label. Raises FormatError.
    """
    try:
        content = loadmat(str(path), variable_names=[X, y])
    except DAMAGE as error:
        raise FormatError(path, None, f"is not a MATLAB file that can be read ({error})") from None
    return checked(path, content, X, y, labels, integers=True)


def npz(path: Path | str, *, X: str = "X", y: str = "y"):
    """Features and real targets from the named arrays of a NumPy archive. Raises FormatError."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            content = {name: archive[name] for name in (X, y) if name in archive}
    except DAMAGE as error:
        raise FormatError(path, None, f"is not a NumPy archive that can be read ({error})") from None
    return checked(path, content, X, y, None, integers=False)


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
    bad = ~np.isfinite(features.astype(np.float64)).all(axis=1) | ~np.isfinite(targets.astype(np.float64))
    if integers:
        low, high = labels or (-(2**53), 2**53)
        bad |= (targets != np.rint(targets)) | (targets < low) | (targets > high)
    if bad.any():
        row = int(np.argmax(bad))
        raise FormatError(path, None, f"row {row + 1}: not finite, or label {targets[row]} is not allowed")
    return features.astype(np.float32), targets.astype(np.int64 if integers else np.float64)
