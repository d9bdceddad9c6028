"""Fisher vectors: every form read exactly, every damage named."""

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from referee.data import formats
from referee.data.errors import FormatError

X = np.array([[0.5, -2.0, 0.0], [1e-3, 4.0, 7.0]], dtype=np.float32)
Y = np.array([3, 8])


def hdf5(path, **arrays):
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array


def matlab73(path):
    """A MATLAB 7.3 file: a header of 512 bytes, then HDF5 with every array transposed."""
    with h5py.File(path, "w", userblock_size=512) as file:
        file["X"], file["y"] = X.T, Y[None, :].T.astype(float).T
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, made for a test")


WRITERS = {
    "a.h5": lambda path: hdf5(path, X=X, y=Y),
    "a.npz": lambda path: np.savez(path, X=X, y=Y),
    "a.mat": lambda path: savemat(path, {"X": X.astype(float), "y": Y[:, None]}),
    "b.mat": matlab73,
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("renamed", [False, True], ids=["own name", "any name"])
def test_every_form_gives_the_same(tmp_path, name, renamed):
    WRITERS[name](tmp_path / name)
    path = tmp_path / name
    if renamed:
        path = path.rename(tmp_path / "fungus10.h5")
    features, labels = formats.read("fisher", path, features=3)
    np.testing.assert_array_equal(features, X)
    np.testing.assert_array_equal(labels, Y)
    assert features.dtype == np.float32 and labels.dtype == np.int64


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda p: hdf5(p, X=np.where(X == 4, np.nan, X), y=Y), "row 2: not finite"),
        (lambda p: hdf5(p, X=X[:, :2], y=Y), "2 features, expected 3"),
        (lambda p: hdf5(p, X=X), "has no variable y"),
        (lambda p: hdf5(p, X=X, y=[1, 2, 3]), "2 rows in X, 3 targets"),
        (lambda p: hdf5(p, X=X, y=[1, 1.5]), "row 2"),
        (lambda p: p.write_bytes(b"\x89HDF\r\n\x1a\n" + b"0" * 99), "not an HDF5 file"),
        (lambda p: p.write_bytes(b"PK\x03\x04" + b"0" * 99), "not a NumPy archive|not a MATLAB file"),
        (lambda p: p.write_bytes(b""), "not a MATLAB file"),
    ],
)
def test_damage_is_named(tmp_path, write, message):
    path = tmp_path / "a.h5"
    write(path)
    with pytest.raises(FormatError, match=message):
        formats.read("fisher", path, features=3)
