"""Files from outside: what would lead elsewhere, or claims more than it holds, is refused by name."""

import os
import re
from pathlib import Path

import h5py
import numpy as np
import pytest

from projfree.common import hdf5, outside
from projfree.common.hdf5 import open_h5
from projfree.common.outside import DamagedFile, read_json, regular

SECRET = np.arange(60, dtype=np.uint8)
SOURCES = Path(outside.__file__).resolve().parents[2]


def virtual(file, other):
    layout = h5py.VirtualLayout(shape=(60,), dtype=np.uint8)
    layout[:] = h5py.VirtualSource(other, "secret", shape=(60,))
    file.create_virtual_dataset("g/X", layout)


def one_array_a_thousand_times(file, _):
    file["X"] = np.zeros(1 << 17)
    for k in range(210):
        file[f"{k}"] = file["X"]


LEADING = {
    "external link": lambda file, other: file.update(X=h5py.ExternalLink(other, "/secret")),
    "soft link": lambda file, _: file.update(a=1, X=h5py.SoftLink("/a")),
    "virtual": virtual,
    "raw storage": lambda file, other: made(file, (60,), "u1", external=[(other, 0, 60)]),
    "unlimited claim": lambda file, _: made(file, (10**9, 10**6), chunks=(100, 100), compression="gzip"),
    "pieces larger than the whole": lambda file, _: made(file, (4,), chunks=(1 << 24,), compression=1),
    "claim without content": lambda file, _: made(file, (10**7,)),
    "one array a thousand times": one_array_a_thousand_times,
    "group in itself": lambda file, _: file.create_group("g").update(g=file["g"]),
    "groups without end": lambda file, _: file.create_group("/".join("g" * (hdf5.DEPTH + 1))),
}


def made(file, shape, dtype=float, **options):
    """A data set that may grow where it is in pieces."""
    growing = (None,) * len(shape) if "chunks" in options else None
    file.create_dataset("X", shape, dtype, maxshape=growing, **options)


@pytest.mark.parametrize("way", LEADING)
def test_a_file_that_leads_elsewhere_is_refused_by_name(tmp_path, way):
    other, path = tmp_path / "other", tmp_path / "x.h5"
    other.write_bytes(SECRET.tobytes())
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["secret"] = SECRET
    target = other if way == "raw storage" else tmp_path / "other.h5"
    with h5py.File(path, "w") as file:
        LEADING[way](file, str(target))
    with pytest.raises(DamagedFile) as error, open_h5(path):
        pass
    assert re.fullmatch(rf"{path}: refused, /.* .*", str(error.value))


def test_what_lies_in_the_file_is_read_packed_linked_and_nested(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("a/b/X", data=np.arange(1e5), compression="gzip")
        file["again"] = file["a/b/X"]
        file["names"] = np.array(["ann", "bob"], dtype=object)
        file["empty"], file["none"] = np.zeros((0, 3)), h5py.Empty("f")
        file.attrs.update(text="t" * 1000, numbers=np.arange(100))
    with open_h5(tmp_path / "x.h5") as file:
        assert file["again"][-1] == 99_999 and file["names"].asstr()[1] == "bob"
        assert file["empty"].shape == (0, 3) and file["none"].shape is None


@pytest.mark.parametrize("error", [RuntimeError("x"), MemoryError(), RecursionError("x"), OSError("x")])
def test_what_fails_while_it_is_open_names_the_file(tmp_path, error):
    with h5py.File(tmp_path / "x.h5", "w"):
        pass
    with pytest.raises(DamagedFile, match="x.h5: damaged, or not an HDF5 file"), open_h5(tmp_path / "x.h5"):
        raise error


@pytest.mark.parametrize("path", [os.devnull, "fifo", "."])
def test_what_is_no_regular_file_is_not_opened(tmp_path, path, monkeypatch):
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.setattr(os, "open", None)
    with pytest.raises(DamagedFile, match="not a regular file"), regular(tmp_path / path):
        pass


def test_a_fifo_that_takes_the_place_of_a_file_is_seen_and_never_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "x")
    (tmp_path / "y").touch()
    true = os.stat
    monkeypatch.setattr(outside.os, "stat", lambda path: true(tmp_path / "y"))
    with pytest.raises(DamagedFile, match="not a regular file"), regular(tmp_path / "x"):
        pass


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_told_by_its_name(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(DamagedFile, match=r"x\.json: damaged, or not JSON"):
        read_json(tmp_path / "x.json")


def test_nobody_opens_hdf5_files_but_through_here():
    """A stand-in is written as its format has it; what is marked is in memory and was guarded."""
    wild = re.compile(r"h5py\.File\(")
    found = {p.relative_to(SOURCES).as_posix() for p in SOURCES.rglob("*.py") if wild.search(p.read_text())}
    assert found == {"projfree/common/hdf5.py", "projfree/common/atomic_io.py", "referee/data/prepare.py"}
