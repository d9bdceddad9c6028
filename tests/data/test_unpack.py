"""Hostile and damaged archives: nothing is written but the one member that was asked for."""

import bz2
import gzip
import io
import os
import tarfile
import zipfile

import numpy as np
import pytest

from referee.data import arrays, faces, lines
from referee.data.errors import FormatError, IntegrityError
from referee.data.unpack import check_container, unpack


def tar(path, *entries, mode="w"):
    with tarfile.open(path, mode) as pack:
        for name, kind, body in entries:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, len(body)
            info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            pack.addfile(info, io.BytesIO(body))
    return path


def zipfile_of(path, *entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, body, mode in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            pack.writestr(info, body)
    return path


def refused(tmp_path, archive, how, member="a", match=None, **limits):
    before = sorted(p for p in tmp_path.rglob("*"))
    with pytest.raises(IntegrityError, match=match):
        unpack(archive, tmp_path / "out", how, member, **limits)
    assert sorted(p for p in tmp_path.rglob("*")) == before


def test_honest_archives(tmp_path):
    out = tmp_path / "out"
    for mode in ("w", "w:gz", "w:bz2"):
        unpack(tar(tmp_path / "t", ("d/a", tarfile.REGTYPE, b"hello"), mode=mode), out, "tar", "d/a")
        assert out.read_bytes() == b"hello"
    unpack(zipfile_of(tmp_path / "z", ("d/a", b"hi", 0o100644)), out, "zip", "d/a")
    assert out.read_bytes() == b"hi"
    for how, packed in (("gzip", gzip.compress(b"x" * 99)), ("bz2", bz2.compress(b"x" * 99))):
        (tmp_path / "p").write_bytes(packed)
        unpack(tmp_path / "p", out, how)
        assert out.read_bytes() == b"x" * 99
    assert sorted(os.listdir(tmp_path)) == ["out", "p", "t", "z"]


@pytest.mark.parametrize(
    "name", ["/abs", "../up", "d/../../up", "C:\\x", "..\\up", "\\\\host\\x", "d\\..\\..\\up"]
)
def test_paths_outside(tmp_path, name):
    entries = ("a", tarfile.REGTYPE, b"1"), (name, tarfile.REGTYPE, b"2")
    refused(tmp_path, tar(tmp_path / "t", *entries), "tar", match="outside")
    refused(tmp_path, zipfile_of(tmp_path / "z", ("a", b"1", 0), (name, b"2", 0)), "zip", match="outside")


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE],
)
def test_links_and_devices(tmp_path, kind):
    refused(tmp_path, tar(tmp_path / "t", ("a", kind, b"")), "tar", match="not a plain file")


def test_zip_link_and_folder(tmp_path):
    for name, body, mode in (("a", b"/etc/passwd", 0o120777), ("a/", b"", 0o040755)):
        pack = zipfile_of(tmp_path / "z", (name, body, mode))
        refused(tmp_path, pack, "zip", name, match="not a plain file")


def test_size_and_ratio_are_bounded(tmp_path):
    (tmp_path / "g").write_bytes(gzip.compress(bytes(1000)))
    refused(tmp_path, tmp_path / "g", "gzip", match="more than 999", max_bytes=999)
    (tmp_path / "b").write_bytes(bz2.compress(bytes(80 * 2**20)))
    refused(tmp_path, tmp_path / "b", "bz2", match="refused")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["a", "b", "./a"])
def test_two_members_of_one_name(tmp_path, name):
    entries = [("a", b"1"), ("b", b"2"), (name, b"3")]
    packs = {
        "tar": tar(tmp_path / "t", *[(n, tarfile.REGTYPE, body) for n, body in entries]),
        "zip": zipfile_of(tmp_path / "z", *[(n, body, 0) for n, body in entries]),
    }
    for how, pack in packs.items():
        refused(tmp_path, pack, how, match="two members are named")
        with pytest.raises(FormatError, match="two members are named"):
            list(lines.member_blocks(pack, ("*",)))
        with pytest.raises(FormatError, match="two members are named"):
            faces.faces(pack, shape=(1, 1))
    with pytest.raises(FormatError, match="two members are named"):
        arrays.archived(packs["zip"], ("a",))
    folders = [("d", tarfile.DIRTYPE, b""), ("a", tarfile.REGTYPE, b"1"), ("d", tarfile.DIRTYPE, b"")]
    unpack(tar(tmp_path / "t", *folders), tmp_path / "out", "tar", "a")


def test_a_tar_that_may_ask_for_gigabytes_before_a_byte_is_read_is_not_opened(tmp_path):
    """The header of LZMA names a dictionary of up to 4 GB, and no dataset comes so."""
    refused(tmp_path, tar(tmp_path / "t", ("a", tarfile.REGTYPE, b"1"), mode="w:xz"), "tar", match="as tar")


def test_missing_member_lists_what_is_there(tmp_path):
    refused(tmp_path, zipfile_of(tmp_path / "z", ("b", b"1", 0)), "zip", match="it holds: b")


@pytest.mark.parametrize("how", ["gzip", "bz2", "zip", "tar"])
def test_damaged_archives(tmp_path, how):
    rng = np.random.Generator(np.random.PCG64DXSM(5))
    path = tmp_path / "x"
    honest = {
        "gzip": gzip.compress(rng.bytes(5000)),
        "bz2": bz2.compress(rng.bytes(5000)),
        "zip": zipfile_of(tmp_path / "z", ("a", rng.bytes(5000), 0)).read_bytes(),
        "tar": tar(tmp_path / "t", ("a", tarfile.REGTYPE, rng.bytes(5000)), mode="w:gz").read_bytes(),
    }[how]
    for body in (b"", b"junk", honest[: len(honest) // 2], honest[:2000] + b"????" + honest[2004:]):
        path.write_bytes(body)
        refused(tmp_path, path, how)


def test_check_container(tmp_path):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"hello" * 99))
    check_container(path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(IntegrityError, match="damaged or cut"):
        check_container(path)
    honest = zipfile_of(tmp_path / "z", ("a", b"hello", 0)).read_bytes()
    for body in (honest[:-9], honest.replace(b"hello", b"hellx"), b"PK"):
        path.write_bytes(body if body != honest else body[:40])
        with pytest.raises(IntegrityError):
            check_container(path)
    path.write_bytes(b"plain text passes")
    check_container(path)
