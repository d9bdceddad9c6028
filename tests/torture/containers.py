"""What is fuzzed beside texts: arrays and images in every container, and the containers themselves."""

import bz2
import gzip
import io
import tarfile
import zipfile
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

import h5py
import naive
import numpy as np
import packs
from scipy.io import savemat
from subjects import RNG, Subject, all_rows, same_arrays, same_entries

from referee.data import faces, formats, unpack


def binaries() -> list[Subject]:
    """Arrays and images in every container that a reader knows, and the containers themselves."""
    X, y = RNG.normal(size=(12, 3)), np.arange(12) % 5 + 1
    numpy, old, packed, new = io.BytesIO(), io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.savez(numpy, X=X, y=y)
    savemat(old, {"X": X, "Y": y[:, None], "y": y[:, None]})
    savemat(packed, {"X": X, "Y": y[:, None], "y": y[:, None]}, do_compression=True)
    with h5py.File(new, "w") as file:
        file["X"], file["y"] = X, y
    fisher, regression = partial(formats.fisher, features=3), partial(formats.regression, features=3)
    found = [
        Subject("matlab", old.getvalue(), formats.matlab, all_rows(X, y)),
        Subject("matlab, compressed", packed.getvalue(), formats.matlab, all_rows(X, y)),
        Subject("regression, npz", numpy.getvalue(), regression, same_arrays(X, y)),
        Subject("fisher, npz", numpy.getvalue(), fisher, same_arrays(X, y)),
        Subject("fisher, matlab", old.getvalue(), fisher, all_rows(X, y)),
        Subject("fisher, HDF5", new.getvalue(), fisher, all_rows(X, y)),
    ]
    return found + _images() + _containers() + _members()


def _images():
    pixels = RNG.integers(0, 256, (4, 48)).astype(float)
    labels = np.array([1000, 1001, 2000, 2001])
    pack = io.BytesIO()
    faces.write_faces(pack, pixels, labels, shape=(8, 6))
    with zipfile.ZipFile(pack) as images:
        files = {name: images.read(name) for name in images.namelist()}
    read = partial(faces.faces, shape=(8, 6))
    return [
        Subject("faces, zip", pack.getvalue(), read, _named(files, _zip_names)),
        Subject("faces, tar", packs.tar(files), read, _named(files, _tar_names)),
    ]


def _named(files, names):
    """One image for each name of the archive that is one."""

    def judge(content, result):
        count = sum(
            bool(faces.NAME.fullmatch(Path(n).name)) and n[-12:-4] in faces.LIGHTS for n in names(content)
        )
        return "" if len(result[0]) == count else f"{count} images in the archive, {len(result[0])} read"

    return judge


def _zip_names(content):
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        return pack.namelist()


def _tar_names(content):
    """Names of a tar archive by its headers alone, up to the two blocks of zeros at its end."""
    at, names = 0, []
    while content[at : at + 512].strip(b"\0"):
        header = tarfile.TarInfo.frombuf(content[at : at + 512], "utf-8", "surrogateescape")
        names += [header.name] if header.isfile() else []
        at += 512 + -(-header.size // 512) * 512
    if len(content) < at + 512:
        raise ValueError("cut")
    return names


def _containers():
    """Unpacking: the bytes that were packed, or an error."""
    content = b"".join(b"%d\n" % v for v in RNG.integers(0, 10**6, 300))
    packed = {"gzip": gzip.compress(content, mtime=0), "bz2": bz2.compress(content)}
    packed["zip"] = packs.zipped({"a": content})

    def read(path, how):
        unpack.check_container(path)
        unpack.unpack(path, path.with_name("out"), how, "a")
        return path.with_name("out").read_bytes()

    def judge(_, result):
        whole = result == content or (len(result) % len(content) == 0 and not result.replace(content, b""))
        return "" if whole else "other bytes than were packed"

    return [Subject(f"unpack, {how}", body, partial(read, how=how), judge) for how, body in packed.items()]


def _members():
    """Lines inside archives: those of all members."""
    lines = [b"31\t900\t5\n31\t905\t2\n", b"32\t44\t5\n32\t900\t1\n", b"199\t44\t3\n1823\t0\t4\n"]
    files = {f"train_{k}.txt": text for k, text in enumerate(lines)}
    read = partial(formats.ratings, layout="yahoo-r2", users=(0, 3000), items=(0, 3000))
    wanted = partial(naive.ratings, layout="yahoo-r2")

    def zipped(content):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            named = [n for n in archive.namelist() if fnmatch(Path(n).name, "train[-_]*.txt")]
            return wanted(b"\n".join(archive.read(name) for name in named))

    def tarred(content):
        names = [n for n in _tar_names(content) if fnmatch(Path(n).name, "train[-_]*.txt")]
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            return wanted(b"\n".join(archive.extractfile(name).read() for name in names))

    return [
        Subject("ratings in a zip", packs.zipped(files, zipfile.ZIP_STORED), read, same_entries(zipped)),
        Subject("ratings in a tar", packs.tar(files), read, same_entries(tarred)),
    ]
