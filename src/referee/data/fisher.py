"""Fisher vectors with class labels: HDF5, NumPy or MATLAB arrays, told by their content."""

import zipfile
from pathlib import Path

from projfree.ground.hdf5 import open_h5
from referee.data.arrays import archived, checked, matlab
from referee.data.errors import FormatError

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
        found = _hdf5(path, X, y, transposed=head.startswith(MATLAB_HDF5))
    elif zipfile.is_zipfile(path):
        found = checked(path, archived(path, (X, y)), X, y, None, integers=True)
    else:
        found = matlab(path, X=X, y=y)
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
