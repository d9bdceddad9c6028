"""Damage that was once read without a word, or ended in a foreign error or a crash (see tests/torture)."""

import bz2
import tracemalloc
import zipfile

import h5py
import numpy as np
import pytest
from packs import tar, zipped
from scipy.io import savemat

from referee.data import faces, formats, unpack
from referee.data.errors import FormatError, IntegrityError

RATINGS = b"31\t900\t5\n31\t905\t2\n", b"32\t44\t5\n32\t900\t1\n"
X, Y = np.arange(12.0).reshape(4, 3), np.arange(4) + 1


def put(folder, content):
    (folder / "f").write_bytes(content)
    return folder / "f"


def refused(path, why):
    """What its reader says, and the check of a container."""
    with pytest.raises(FormatError, match=why):
        formats.read("ratings", path, layout="yahoo-r2", compress=True)
    with pytest.raises(IntegrityError, match=why):
        unpack.check_container(path)


@pytest.mark.parametrize(
    "damage", [lambda b: b[:1024] + b"?" + b[1025:], lambda b: b[:1024], lambda b: b[:1300]]
)
def test_a_damaged_header_does_not_end_a_tar(tmp_path, damage):
    path = put(tmp_path, damage(tar({"train_0.txt": RATINGS[0], "train_1.txt": RATINGS[1]})))
    with pytest.raises(FormatError, match="damaged or cut at byte 1024"):
        formats.read("ratings", path, layout="yahoo-r2", compress=True)
    image = b"P5\n3 2\n255\n" + bytes(6)
    names = ["yaleB01_P00A+000E+00.pgm", "yaleB01_P00A+000E+20.pgm"]
    path = put(tmp_path, damage(tar(dict.fromkeys(names, image))))
    with pytest.raises(FormatError, match="damaged or cut at byte 1024"):
        faces.faces(path, shape=(2, 3))


def test_a_damaged_second_stream_does_not_end_a_bzip2_file(tmp_path):
    first, second = (bz2.compress(text) for text in RATINGS)
    whole = formats.read("ratings", put(tmp_path, first + second), layout="yahoo-r2", compress=True)[0]
    assert whole.nnz == 4
    refused(put(tmp_path, first + b"?" + second[1:]), "damaged or cut")


def test_an_encrypted_member_is_told(tmp_path):
    content = bytearray(zipped({"train_0.txt": RATINGS[0] * 100}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    refused(put(tmp_path, content), "encrypted")


LONG = b"9" * 5000


@pytest.mark.parametrize(
    ("reader", "text", "params", "why"),
    [
        ("edges", b"1 2\n3 4 5\n6\n", {}, "f:2: '3 4 5' is not from and to"),  # none is of the next line
        ("edges", b"# Nodes: 1000000000000 Edges: 1\n0 1\n", {}, "header says 1000000000000 nodes"),
        ("edges", b"0 1\n0 999999999999\n", {}, "f:2: id 999999999999"),
        ("edges", b"# Nodes: %s Edges: 3\n0 %s\n" % (LONG, LONG), {}, r"f:\d: "),
        ("libsvm", b"1 1:1\n1 %s:1\n" % LONG, {"features": 4}, "f:2: "),
        ("batches", b"%s 1:1\n" % LONG, {}, "f:1: "),
        ("batches", b"1 " + b" ".join(b"%d:1_0" % j for j in range(1, 129)), {}, "'1:1_0' is not finite"),
        ("regression", b"1,2\n%s,3\n" % LONG, {"features": 1}, "f:2: "),
    ],
    ids=range(8),
)
def test_numbers_out_of_all_measure_are_told_in_few_words(tmp_path, reader, text, params, why):
    with pytest.raises(FormatError, match=why) as error:
        formats.read(reader, put(tmp_path, text), **params)
    assert len(str(error.value)) < 500


def test_a_matlab_file_that_crashes_scipy(tmp_path):
    savemat(tmp_path / "a.mat", {"X": X, "Y": Y})
    content = bytearray((tmp_path / "a.mat").read_bytes())
    assert content[176] == 9  # the type of the numbers of X
    content[176] = 11
    with pytest.raises(FormatError, match=r"X \(class 6, type 11\) is not a table"):
        formats.read("matlab", put(tmp_path, content))
    with pytest.raises(FormatError, match="not a MATLAB file"):
        formats.read("matlab", put(tmp_path, bytes(content[:300])))


@pytest.mark.parametrize("reader", ["regression", "fisher"])
def test_an_archive_of_arrays_is_read_to_its_checksum(tmp_path, reader):
    np.savez(tmp_path / "a.npz", X=X, y=Y)
    content = (tmp_path / "a.npz").read_bytes()
    fewer = put(tmp_path, content.replace(b"(4, 3)", b"(3, 3)").replace(b"(4,)", b"(3,)"))
    with pytest.raises(FormatError, match="not a NumPy archive"):
        formats.read(reader, fewer, features=3)
    with pytest.raises(FormatError, match="3 features, expected 2"):
        formats.read(reader, tmp_path / "a.npz", features=2)
    many = put(tmp_path, content.replace(b"(4, 3), }       ", b"(4000000000000, 3), }"[:16].ljust(16)))
    with pytest.raises(FormatError, match="NumPy archive"):
        formats.read(reader, many, features=3)


def test_what_overflows_float32_is_not_finite(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.where(X == 5, 1e300, X), y=Y)
    with pytest.raises(FormatError, match="row 2: not finite"):
        formats.read("regression", tmp_path / "a.npz", features=3)


def test_an_hdf5_file_of_more_arrays_than_it_can_hold(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("X", (10**12, 3), dtype="f4", chunks=(1000, 3))
        file["y"] = Y
    with pytest.raises(FormatError, match="claims more than the 67108864 bytes"):
        formats.read("fisher", tmp_path / "a.h5")


def test_an_error_does_not_repeat_the_file(tmp_path):
    content = bytearray(zipped({"train_0.txt": RATINGS[0] * 100}))
    content[26:28] = (2000).to_bytes(2, "little")  # the length of the member's name
    with pytest.raises(FormatError, match="cannot be read") as error:
        formats.read("ratings", put(tmp_path, content), layout="yahoo-r2", compress=True)
    assert len(str(error.value)) < 400


def test_an_image_of_which_the_archive_claims_gigabytes(tmp_path):
    faces.write_faces(tmp_path / "a.zip", np.ones((1, 6)), np.array([1000]), shape=(2, 3))
    content = bytearray((tmp_path / "a.zip").read_bytes())
    entry = content.index(b"PK\x01\x02")
    for place in (18, 22, entry + 20, entry + 24):  # packed and unpacked size, in both headers
        content[place : place + 4] = (2**31 - 1).to_bytes(4, "little")
    tracemalloc.start()
    with pytest.raises(FormatError):
        faces.faces(put(tmp_path, content), shape=(2, 3))
    assert tracemalloc.get_traced_memory()[1] < 1 << 26
    tracemalloc.stop()


def test_a_member_without_a_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "f", "w") as archive:
        archive.writestr("train_0.txt", RATINGS[0])
        archive.writestr("x", b"")
        archive.getinfo("x").filename = ""  # in the directory at the end
    assert formats.read("ratings", tmp_path / "f", layout="yahoo-r2", compress=True)[0].nnz == 2


def test_an_hdf5_array_with_fewer_rows_than_are_stored(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["X"], file["y"] = X, Y
    content = (tmp_path / "a.h5").read_bytes()
    four, three = (np.array([n, n], "<u8").tobytes() for n in (4, 3))
    shape = np.array([4, 3], "<u8").tobytes() * 2
    assert content.count(shape) == 1 and content.count(four) == 1
    fewer = content.replace(shape, np.array([3, 3], "<u8").tobytes() * 2).replace(four, three)
    with pytest.raises(FormatError, match="claims 72 bytes and stores 96"):
        formats.read("fisher", put(tmp_path, fewer))


def test_a_matlab_file_that_claims_complex_numbers_is_refused_before_scipy_crashes(tmp_path):
    savemat(tmp_path / "a.mat", {"X": np.ones((4, 3)), "y": np.ones((4, 1))})
    content = bytearray((tmp_path / "a.mat").read_bytes())
    content[145] |= 8
    (tmp_path / "a.mat").write_bytes(content)
    with pytest.raises(FormatError, match="is not a table of numbers"):
        formats.fisher(tmp_path / "a.mat", features=3)
