"""Raw file, or its stand-in → `data/prepared/<name>.h5`, which generators and problems read."""

import hashlib
import inspect
import json
import tempfile
from pathlib import Path

import h5py
import numpy as np
from scipy import sparse
from scipy.io import savemat

from projfree.common.hashes import file_sha256
from referee.data import catalog, fetch, formats, generators, prepared, store
from referee.data.catalog import Dataset
from referee.data.errors import DataError, Unavailable
from referee.data.faces import write_faces
from referee.data.fingerprint import check, fingerprint


def make(dataset: Dataset, folder: Path):
    """Generate the declared stand-in in a format of its reader, read it like the real one; returns
    (X, y, sha256).

    The file goes to `folder` for the moment of reading and is then removed. Ratings come as they are drawn,
    and their digest is that of the arrays: a quarter of a billion lines of text would say nothing more.
    """
    declared = dataset.stand_in
    rng = np.random.Generator(np.random.PCG64DXSM(declared.seed))
    arrays = generators.generate(declared.generator, rng, paper=dataset.paper, **declared.params)
    if dataset.reader == "ratings":
        X, y = arrays["X"], arrays["y"]
        digest = hashlib.sha256()
        for array in (X.indptr, X.indices, X.data, *([] if y is None else [y])):
            digest.update(array)
        return X, y, digest.hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".stand-in-") as place:
        path = Path(place) / dataset.name
        writer = WRITERS.get(dataset.reader, write_libsvm)
        known = inspect.signature(writer).parameters
        shared = {key: value for key, value in dataset.reader_params.items() if key in known}
        writer(path, arrays["X"], arrays.get("y"), **shared)
        X, y = formats.read(dataset.reader, path, **dataset.reader_params)
        return X, y, file_sha256(path)


def write_libsvm(path: Path, X, y: np.ndarray, decimals: int = 4) -> None:
    """Write features (n, d), dense or CSR, rounded to `decimals`, and integer labels (n,) as LIBSVM text with
    indices from 1.
    """
    from sklearn.datasets import dump_svmlight_file  # two seconds, which every job would pay

    rounded = X.astype(np.float64)
    values = rounded.data if sparse.issparse(rounded) else rounded
    np.round(values, decimals, out=values)
    dump_svmlight_file(rounded, y, str(path), zero_based=False)


def write_npz(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """Write features and targets as a NumPy archive."""
    with open(path, "wb") as file:
        np.savez(file, X=X, y=y)


def write_matlab(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """Write features and labels as a MATLAB file, without the date in its header."""
    with open(path, "wb") as file:
        savemat(file, {"X": X.astype(np.float64), "Y": y[:, None]})
        file.seek(0)
        file.write(b"MATLAB 5.0 MAT-file, a stand-in".ljust(116))


def write_hdf5(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """Write features and labels as an HDF5 file, without times in it."""
    with h5py.File(path, "w") as file:
        file.create_dataset("X", data=X, track_times=False)
        file.create_dataset("y", data=y, track_times=False)


def write_edges(path: Path, X, y=None) -> None:
    """Write the signs of a sparse matrix (n, n) as an edge list."""
    graph = X.tocoo()
    rows = np.column_stack([graph.row, graph.col, graph.data]).astype(np.int64)
    header = f"Nodes: {X.shape[0]} Edges: {len(rows)}"
    signed = 3 if (graph.data < 0).any() else 2
    np.savetxt(path, rows[:, :signed], fmt="%d", delimiter="\t", header=header)


WRITERS = {"regression": write_npz, "matlab": write_matlab, "edges": write_edges}
WRITERS |= {"faces": write_faces, "fisher": write_hdf5}


def prepare(
    name: str | catalog.Dataset, output, *, root=None, mirror=None, allow_stand_in=True, offline=None
) -> dict:
    """Fetch, read, check and write one dataset; returns the attributes written.

    The file holds `X` float32 (n, d), or `indptr, indices, data` with attribute `shape` (CSR); `y` int64
    (n,) as in the official file; `minimum`, `maximum` float32 (d,) per feature. Ratings (users × items) have
    no `y`, `minimum`, `maximum`; a stored 0 is a rating; where the dataset itself holds some of them out,
    `held_out` bool (nnz,) marks them. Attributes: dataset, version, source, sha256 of the
    raw file, parameters and fingerprint (JSON), stand_in (bool) and note. If no source delivers and the
    catalog declares a stand-in, that is written, with stand_in true and the reason in `note`. Raises
    DataError otherwise.
    """
    dataset = catalog.dataset(name, root) if isinstance(name, str) else name
    if dataset.reader is None:
        raise DataError(f"dataset {dataset.name} cannot be prepared yet: {dataset.reader_issue}")
    settings = store.settings(root, mirror, offline)
    try:
        X, y, attrs = _official(dataset, settings)
    except Unavailable as error:
        if not (allow_stand_in and dataset.stand_in):
            raise
        X, y, attrs = _stand_in(dataset, Path(output).parent, error.brief)
    attrs |= {name: getattr(dataset, name) for name in ("title", "version", "licence")}
    attrs["dataset"] = dataset.name
    attrs["parameters"] = json.dumps({"reader": dataset.reader, **dataset.reader_params})
    prepared.write(Path(output), X, y, attrs)
    return attrs


def _official(dataset, settings):
    """Features, labels and attributes of the dataset itself; Unavailable if no source has it."""
    if not dataset.files:
        raise Unavailable(f"{dataset.name} has no files, it is only generated")
    paths = fetch.fetch(dataset, settings)
    file, *others = dataset.files
    # of a dataset in parts the reader reads their folder
    path = paths[file.name].parent if others else paths[file.name]
    X, y = formats.read(dataset.reader, path, **dataset.reader_params)
    content = fingerprint(X, y)
    check(dataset.fingerprint.plain(), content, dataset.name)
    sources = [fetch.source_of(dataset, file, paths[file.name], settings.root) for file in dataset.files]
    source, digest = sources[0]
    if others:
        digest = hashlib.sha256("".join(digest for _, digest in sources).encode()).hexdigest()
    attrs = {"source": source, "sha256": digest, "stand_in": False, "note": ""}
    return X, y, attrs | {"fingerprint": json.dumps(content)}


def _stand_in(dataset, folder: Path, reason: str):
    """The same of the declared stand-in."""
    X, y, digest = make(dataset, folder)
    expected = {key: getattr(dataset.fingerprint, key) for key in ("shape", "classes", "class_sizes")}
    content = fingerprint(X, y)
    check(expected, content, dataset.name)
    source = f"stand-in: {json.dumps(dataset.stand_in.plain(), sort_keys=True)}"
    note = f"STAND-IN for {dataset.title}, generated: {reason}"
    attrs = {"source": source, "sha256": digest, "stand_in": True, "note": note}
    return X, y, attrs | {"fingerprint": json.dumps(content)}
