"""Stand-ins: generated data in the official file format, read back by the official reader."""

import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from projfree.data import formats, generators
from projfree.data.catalog import Dataset
from projfree.data.store import sha256


def make(dataset: Dataset, folder: Path):
    """Generate the declared stand-in as a LIBSVM file, read it like the real one; returns (X, y, sha256).

    The text file goes to `folder` for the moment of reading and is then removed.
    """
    declared = dataset.stand_in
    rng = np.random.Generator(np.random.PCG64DXSM(declared["seed"]))
    arrays = generators.generate(declared["generator"], rng, **declared["params"])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".stand-in-") as place:
        path = Path(place) / dataset.name
        write_libsvm(path, arrays["X"], arrays["y"])
        X, y = formats.read(dataset.reader, path, **dataset.reader_params)
        return X, y, sha256(path)


def write_libsvm(path: Path, X, y: np.ndarray, decimals: int = 4) -> None:
    """Write features (n, d), dense or CSR, rounded to `decimals`, and integer labels (n,) as LIBSVM text with
    indices from 1.
    """
    rounded = X.astype(np.float64)
    if sparse.issparse(rounded):
        rounded.data = np.round(rounded.data, decimals)
    else:
        rounded = np.round(rounded, decimals)
    dump_svmlight_file(rounded, y, str(path), zero_based=False)
