"""Preparation: contents and attributes of the written file, stand-ins, and what wins over them."""

import json
import runpy

import h5py
import numpy as np
import pytest
from local_site import digest, row
from places import ROOT
from scipy import sparse

from projfree.common.root import checkout
from referee.data import catalog, generators, prepare, prepared
from referee.data.errors import CatalogError, DataError, IntegrityError, Unavailable

TEXT = b"3 1:0.5 3:2\n1 2:-1\n3 1:1.5\n"
CLUSTERS = {"classes": 4, "per_class": 5, "dimension": 3}
STAND_IN = {"generator": "class_clusters", "params": CLUSTERS, "seed": 7}


def thing(dense=True, stand_in=None, **print_):
    known = {"shape": [3, 3], "nnz": 4, "labels": {1: 1, 3: 2}, "column_sums": None} | print_
    params = {"features": 3, "dense": dense}
    return row([{"name": "a"}], reader="libsvm", reader_params=params, fingerprint=known, stand_in=stand_in)


def put(root, body=TEXT):
    path = root / "data" / "raw" / "thing" / "a"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def made(root, **others):
    output = root / "data" / "prepared" / "thing.h5"
    attrs = prepare.prepare("thing", output, root=root, offline=True, **others)
    return attrs, prepared.load(output)


def test_dense_file(project):
    root = project(thing=thing())
    put(root)
    attrs, source = made(root)
    assert source["X"].tolist() == [[0.5, 0, 2], [0, -1, 0], [1.5, 0, 0]] and source["X"].dtype == np.float32
    assert source["y"].tolist() == [3, 1, 3] and source["y"].dtype == np.int64
    assert source["minimum"].tolist() == [0, -1, 0] and source["maximum"].tolist() == [1.5, 0, 2]
    assert attrs["sha256"] == digest(TEXT) and attrs["source"] == "placed by hand"
    assert attrs["stand_in"] is False and source["attrs"]["stand_in"] is False
    assert json.loads(source["attrs"]["fingerprint"])["nnz"] == 4
    assert json.loads(source["attrs"]["parameters"]) == {"reader": "libsvm", "features": 3, "dense": True}
    before = (root / "data/prepared/thing.h5").read_bytes()
    made(root)
    assert (root / "data/prepared/thing.h5").read_bytes() == before


def test_sparse_file(project):
    root = project(thing=thing(dense=False))
    put(root)
    _, source = made(root)
    assert sparse.issparse(source["X"]) and source["X"].toarray()[1].tolist() == [0, -1, 0]
    assert source["minimum"].tolist() == [0, -1, 0] and source["maximum"].tolist() == [1.5, 0, 2]
    with h5py.File(root / "data" / "prepared" / "thing.h5") as file:
        assert {"indptr", "indices", "data"} <= set(file)


def test_ratings_have_no_labels_and_keep_their_zeros(project):
    known = {"shape": [1000990, 624961], "nnz": 3, "labels": {0: 1, 50: 1, 100: 1}, "column_sums": None}
    known |= {"used": [2, 2]}
    kdd = row([{"name": "a"}], reader="ratings", reader_params={"layout": "kdd-cup-2011"})
    root = project(thing=kdd | {"fingerprint": known})
    put(root, b"7|2\n5\t100\t1\t09:00:00\n3\t0\t1\t09:00:00\n9|1\n5\t50\t1\t09:00:00\n")
    attrs, source = made(root)
    X = source["X"]
    assert set(source) == {"X", "attrs"} and X.shape == (1000990, 624961)
    assert X.dtype == np.uint8 and X.indices.dtype == np.int32
    assert X.indices.tolist() == [3, 5, 5] and X.data.tolist() == [0, 100, 50]
    assert X.indptr[[7, 8, 9, 10]].tolist() == [0, 2, 2, 3]
    found = json.loads(attrs["fingerprint"])
    assert found["nnz"] == 3 and found["used"] == [2, 2] and found["labels"] == {"0": 1, "50": 1, "100": 1}
    with pytest.raises(IntegrityError, match="nnz is 3, expected 2"):
        made(project(thing=kdd | {"fingerprint": known | {"nnz": 2}}))


@pytest.mark.parametrize("known", [{}, {"bytes": len(TEXT), "sha256": digest(TEXT)}], ids=range(2))
def test_wrong_content_is_refused_even_with_a_stand_in_or_the_right_hash(project, known):
    files = [{"name": "a", "addresses": [], "bytes": None, "sha256": None} | known]
    root = project(thing=thing(stand_in=STAND_IN, nnz=5) | {"files": files})
    put(root)
    with pytest.raises(IntegrityError, match="nnz is 4, expected 5"):
        made(root)
    assert not (root / "data" / "prepared" / "thing.h5").exists()


def test_stand_in_is_stamped_seeded_and_leaves_no_raw_file(project):
    root = project(thing=thing(stand_in=STAND_IN, shape=None))
    attrs, source = made(root, mirror=str(root / "nowhere"))
    assert attrs["stand_in"] is True and source["attrs"]["stand_in"] is True
    assert "STAND-IN" in attrs["note"] and "offline" in attrs["note"] and str(root) not in attrs["note"]
    assert source["X"].shape == (20, 3) and np.bincount(source["y"]).tolist() == [0, 5, 5, 5, 5]
    assert not list((root / "data" / "raw" / "thing").glob("[!.]*"))
    assert not list((root / "data" / "prepared").glob(".stand-in-*"))
    again, source2 = made(root)
    assert np.array_equal(source["X"], source2["X"]) and attrs["sha256"] == again["sha256"]
    rng = np.random.Generator(np.random.PCG64DXSM(7))
    direct = generators.generate("class_clusters", rng, **STAND_IN["params"])
    assert np.abs(direct["X"] - source["X"]).max() <= 0.5e-4 + 1e-6


def test_stand_in_can_be_forbidden_or_absent_and_users_file_wins(project):
    root = project(thing=thing(stand_in=STAND_IN, shape=None))
    with pytest.raises(Unavailable, match="By hand"):
        made(root, allow_stand_in=False)
    put(root)
    attrs, source = made(root)
    assert not attrs["stand_in"] and source["X"].shape == (3, 3)
    (root / "data/raw/thing/a").unlink()
    with pytest.raises(Unavailable):
        made(project(thing=thing()))


def test_dataset_that_is_only_generated(project):
    root = project(thing=thing(stand_in=STAND_IN, shape=[20, 3], labels=None, nnz=None) | {"files": []})
    attrs, source = made(root)
    assert attrs["stand_in"] and "only generated" in attrs["note"] and source["X"].shape == (20, 3)
    root = project(thing=thing(stand_in=STAND_IN, labels=None, nnz=None) | {"files": []})
    with pytest.raises(IntegrityError, match=r"shape is \[20, 3\], expected \[3, 3\]"):
        made(root)


def test_dataset_without_a_reader_or_name(project):
    root = project(thing=row([{"name": "a"}]))
    with pytest.raises(DataError, match="cannot be prepared yet: a test"):
        made(root)
    with pytest.raises(CatalogError, match="unknown dataset 'cover'"):
        prepare.prepare("cover", root / "x.h5", root=root)


@pytest.mark.parametrize(
    "name, columns, least, most",
    [("covertype-sample", 54, 250, 150_000), ("sensorless-sample", 48, 200, 350_000)],
)
def test_shipped_sample(tmp_path, name, columns, least, most):
    attrs = prepare.prepare(name, tmp_path / "s.h5", root=checkout(), offline=True)
    source = prepared.load(tmp_path / "s.h5")
    assert not attrs["stand_in"] and attrs["source"].startswith("shipped")
    assert np.bincount(source["y"])[1:].min() >= least and source["X"].shape[1] == columns
    path = checkout() / catalog.dataset(name).files[0].shipped
    assert path.stat().st_size < most


def test_sample_is_reproducible_stratified_and_in_order(tmp_path):
    rng = np.random.Generator(np.random.PCG64DXSM(3))
    labels = rng.choice(np.arange(1, 8), 3000, p=[0.4, 0.3, 0.1, 0.05, 0.05, 0.05, 0.05])
    lines = [b"%d" % i + b",0" * 53 + b",%d\n" % c for i, c in enumerate(labels)]
    (tmp_path / "raw").write_bytes(b"".join(lines))
    sample = runpy.run_path(str(ROOT / "data/samples/covertype_sample.py"))
    for name in "ab":
        n = sample["make_sample"](tmp_path / "raw", tmp_path / name, rows=700, least=20, seed=1)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    X, y = prepare.formats.covertype(tmp_path / "a")
    assert n == len(y) <= 700 and (np.diff(X[:, 0]) > 0).all()
    assert np.array_equal(y, labels[X[:, 0].astype(int)])
    assert np.bincount(y)[1:].tolist() == sample["sizes"](np.bincount(labels)[1:], 700, 20).tolist()


def test_a_dataset_in_parts_is_read_whole(project):
    line = "1 " + " ".join(f"{j + 1}:{j}" for j in range(128)) + "\n"
    parts = [{"name": f"batch{k}.dat"} for k in (1, 2)]
    root = project(thing=row(parts) | {"reader": "batches", "reader_issue": None})
    folder = root / "data" / "raw" / "thing"
    folder.mkdir(parents=True)
    for k, part in enumerate(parts):
        (folder / part["name"]).write_text(line * (k + 1))
    prepare.prepare("thing", root / "thing.h5", root=root, offline=True)
    assert prepared.load(root / "thing.h5")["X"].shape == (3, 128)
