"""Who owns a file: its kind, its mark, its work; what is asked with --force."""

import gzip
import os
import random

import h5py
import numpy as np
import pytest

from projfree.common import owned
from projfree.common.atomic_io import atomic_copy, atomic_h5, atomic_write
from projfree.common.owned import ANY, NONE, NotOurs, forced, mark, require

WORK = {"paper": "ncgs", "method": "fw"}
#: Texts as we write them, and others that begin as the same one does.
OURS = {
    "table": ("experiment,method,seed\na,b,0\n", "experiment,method,seed\nc,d,1\n"),
    "claims": ('[\n {\n  "id": "NCGS-C2",\n', '[{"id": "NCGS-C1", "more": 1}]'),
    "record": ('{\n "experiment": "fig1-left",\n', '{"experiment": "fig1-left", "method": "b"}'),
    "page": ("<!doctype html>\n<title>Claims – projfree</title>", "<html><title>Two runs – projfree</title>"),
    "completed": ("<!doctype html>\n<title>u.data completed</title>", "<title>u.data completed</title>"),
    "README": ("<!-- Made by projfree from …-->\na", "<!-- Made by projfree anew -->"),
}
OTHERS = "", "mine", "experiment,rating\n", '[{"id": 7}]', "<html><title>My thesis</title>", "{}", "[]"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x"


def refused(action, path):
    """The error of an action that leaves what stands there."""
    before = os.lstat(path).st_ino, path.read_bytes() if path.is_file() else None
    with pytest.raises(NotOurs) as error:
        action()
    assert (os.lstat(path).st_ino, path.read_bytes() if path.is_file() else None) == before
    assert [p.name for p in path.parent.glob(".*")] == []
    return str(error.value)


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())], ids=["text", "gz"])
@pytest.mark.parametrize(("first", "second"), OURS.values(), ids=OURS)
def test_a_text_of_ours_is_replaced_and_no_other(file, first, second, pack):
    for text in (first, second, first):
        atomic_write(file, pack(text))
    for other in (*OTHERS, *(text for pair in OURS.values() for text in pair if first not in pair)):
        if mark(first.encode()) != mark(other.encode()):
            file.write_bytes(pack(other))
            assert "did not make" in refused(lambda: atomic_write(file, pack(first)), file)
    file.write_bytes(b"\x1f\x8bno gzip")
    refused(lambda: atomic_write(file, pack(first)), file)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n", b"%PDF-1.4\n", b"PK\x03\x04", b"  \n"])
def test_what_does_not_say_what_it_is_replaces_nothing(file, content):
    file.write_bytes(content)
    refused(lambda: atomic_write(file, content), file)
    assert mark(content) == NONE


def write(path, **attrs):
    with atomic_h5(path, attrs or owned.SEALED) as handle:
        handle.attrs.update(attrs)
        handle["a"] = np.arange(3)


def of_others(path, **attrs):
    """An HDF5 file without a seal."""
    path.unlink(missing_ok=True)
    with h5py.File(path, "w") as handle:
        handle.attrs.update(attrs, mine=1)


def test_an_hdf5_file_is_of_its_work_alone_and_without_one_our_seal_is_enough(file):
    write(file, **WORK)
    write(file, **WORK)
    for other in ({"paper": "gcg", "method": "fw"}, WORK | {"method": "other"}, WORK | {"run": "full"}):
        refused(lambda other=other: write(file, **other), file)
    of_others(file, spec='{"paper": "ncgs", "method": "fw"}')  # of an earlier version, by its job
    write(file, **WORK)
    for content in (b"mine", file.read_bytes()[:700]):
        file.write_bytes(content)
        refused(lambda: write(file, **WORK), file)
    file.unlink()
    write(file)
    write(file)
    of_others(file)
    refused(lambda: write(file), file)


KINDS = {
    "folder": lambda path: path.mkdir(),
    "link": lambda path: path.symlink_to(path.with_name("mine")),
    "broken link": lambda path: path.symlink_to("nowhere"),
    "fifo": os.mkfifo,
    "read-only": lambda path: (path.write_text("mine"), path.chmod(0o444)),
}
WRITERS = {
    "text": lambda path: atomic_write(path, "mine", ANY),
    "HDF5": lambda path: write(path, **WORK),
    "copy": lambda path: atomic_copy(__file__, path),
}


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_writable_regular_file_is_never_replaced(file, kind, writer):
    file.with_name("mine").write_text("mine")
    KINDS[kind](file)
    assert kind.split()[-1] in refused(lambda: writer(file), file)
    with forced():
        if kind in ("folder", "fifo"):
            refused(lambda: writer(file), file)
        else:
            writer(file)
            assert file.is_file() and not file.is_symlink()
    assert file.with_name("mine").read_text() == "mine"


def test_what_comes_while_a_file_is_written_is_not_lost(file):
    with pytest.raises(NotOurs), atomic_h5(file) as handle:
        handle["a"] = 1
        file.write_text("mine")
    assert file.read_text() == "mine" and os.listdir(file.parent) == ["x"]


def test_parts_of_others_stay(file):
    """Of names that look like a part only such as we give are swept."""
    rng, names = random.Random(0), {".x.mine.part", ".x.h5.part", ".y.0123456789abcdef.part"}
    words = ("".join(rng.choices("0123456789abcdefg.", k=rng.randint(1, 15))) for _ in range(50))
    names |= {f".x.{word}.part" for word in words}
    for name in names:
        file.with_name(name).write_text("mine")
    atomic_write(file, "experiment,method\n")
    assert names <= set(os.listdir(file.parent))


def test_force_ends_with_its_command(file):
    file.write_text("mine")
    with forced():
        require(file, NONE)
    with pytest.raises(NotOurs):
        require(file, NONE)
