"""Raw file → `data/prepared/<name>.h5`, the one form that generators and problems read."""

import hashlib
import json
from pathlib import Path

from referee.data import catalog, fetch, formats, prepared, standin, store
from referee.data.errors import DataError, Unavailable
from referee.data.fingerprint import check, fingerprint


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
    attrs |= {
        "dataset": dataset.name,
        "title": dataset.title,
        "version": dataset.version,
        "licence": dataset.licence,
    }
    attrs["parameters"] = json.dumps({"reader": dataset.reader, **dataset.reader_params})
    prepared.write(Path(output), X, y, attrs)
    return attrs


def _official(dataset, settings):
    if not dataset.files:
        raise Unavailable(f"{dataset.name} has no files, it is only generated")
    paths = fetch.fetch(dataset, settings)
    file = dataset.files[0]
    several = len(dataset.files) > 1  # a dataset in parts: its reader reads their folder
    path = paths[file.name].parent if several else paths[file.name]
    X, y = formats.read(dataset.reader, path, **dataset.reader_params)
    found = fingerprint(X, y)
    check(dataset.fingerprint.plain(), found, dataset.name)
    source, digest = fetch.source_of(dataset, file, paths[file.name], settings.root)
    if several:
        digests = [fetch.source_of(dataset, f, paths[f.name], settings.root)[1] for f in dataset.files]
        digest = hashlib.sha256("".join(digests).encode()).hexdigest()
    return (
        X,
        y,
        {"source": source, "sha256": digest, "fingerprint": json.dumps(found), "stand_in": False, "note": ""},
    )


def _stand_in(dataset, folder: Path, reason: str):
    X, y, digest = standin.make(dataset, folder)
    found = fingerprint(X, y)
    check(
        {key: getattr(dataset.fingerprint, key) for key in ("shape", "classes", "class_sizes")},
        found,
        dataset.name,
    )
    attrs = {
        "source": f"stand-in: {json.dumps(dataset.stand_in.plain(), sort_keys=True)}",
        "sha256": digest,
        "stand_in": True,
    }
    note = f"STAND-IN for {dataset.title}, generated: {reason}"
    return X, y, attrs | {"fingerprint": json.dumps(found), "note": note}
