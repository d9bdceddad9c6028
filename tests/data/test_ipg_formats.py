"""Readers of edge lists, gas batches, MATLAB files and regression tables, on files made by hand."""

import gzip
import zipfile

import numpy as np
import pytest
from scipy.io import savemat

from referee.data import formats
from referee.data.errors import FormatError


def put(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


SIGNED = "# Directed graph: soc-sign-epinions\n# Nodes: 4 Edges: 5\n# FromNodeId\tToNodeId\tSign\n"


def test_signed_edges(tmp_path):
    text = SIGNED + "0\t1\t-1\n3\t0\t1\n1\t1\t1\n0\t3\t1\n1\t0\t-1\n"
    for name, content in (("a", text.encode()), ("a.gz", gzip.compress(text.encode()))):
        X, y = formats.read("edges", put(tmp_path, name, content), signed=True)
        assert y is None and X.dtype == np.int8
        np.testing.assert_array_equal(X.toarray(), [[0, -1, 0, 1], [-1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]])


def test_unsigned_edges_with_dos_line_ends_and_gaps_in_the_ids(tmp_path):
    text = "# Nodes: 3 Edges: 3\r\n# FromNodeId\tToNodeId\r\n2\t9\r\n0\t9\r\n9\t0\r\n"
    X, _ = formats.read("edges", put(tmp_path, "e", text), relabel=True)
    np.testing.assert_array_equal(X.toarray(), [[0, 0, 1], [0, 0, 1], [1, 0, 0]])
    with pytest.raises(FormatError, match=r"e:3: id 9 is outside 0\.\.2"):
        formats.read("edges", put(tmp_path, "e", text))


def test_without_a_header_the_largest_id_counts(tmp_path):
    assert formats.read("edges", put(tmp_path, "e", "0 4\n"))[0].shape == (5, 5)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("0\t1\t-1\n0\t1\t1\n", r"e:5: edge 0 1 is also in line 4 with the opposite sign"),
        ("0\t1\t1\n2\t3\t1\n0\t1\t1\n", r"e:6: edge 0 1 is also in line 4$"),
        ("0\t1\t1\n", "1 edges, its header says 5"),
        ("0\t1\t0\n", r"e:4: \[0, 1, 0\]"),
        ("0\t1\n", "e:4: '0\t1' is not from, to and sign"),
        ("0\t1\t1\n0\tx\t1\n", "e:5: '0\tx\t1' is not"),
        ("0\t1\t1\n0\t-2\t1\n", "e:5"),
        ("0\t4\t1\n", r"id 4 is outside 0\.\.3"),
        ("0\t1.5\t1\n", "e:4"),
        ("", "holds no edges"),
    ],
)
def test_bad_edges_name_the_line(tmp_path, lines, message):
    with pytest.raises(FormatError, match=message):
        formats.read("edges", put(tmp_path, "e", SIGNED + lines), signed=True)


def gas_line(label, offset=0.0):
    return f"{label} " + " ".join(f"{j + 1}:{offset + j:.6f}" for j in range(128)) + "\n"


def test_gas_batches_of_folder_zip_and_file(tmp_path):
    first, second = gas_line(1) + gas_line(6, 0.5), gas_line(3, -1.0)
    put(tmp_path, "batch1.dat", first)
    put(tmp_path, "batch2.dat.gz", gzip.compress(second.encode()))
    put(tmp_path, "README.txt", "nothing to read")
    X, y = formats.read("batches", tmp_path)
    assert X.shape == (3, 128) and X.dtype == np.float32 and y.tolist() == [1, 6, 3]
    np.testing.assert_allclose(X[:, 127], [127, 127.5, 126])
    with zipfile.ZipFile(tmp_path / "Dataset.zip", "w") as pack:
        pack.writestr("Dataset/batch1.dat", first)
        pack.writestr("Dataset/batch2.dat", second)
    np.testing.assert_array_equal(formats.read("batches", tmp_path / "Dataset.zip")[0], X)
    assert formats.read("batches", tmp_path / "batch1.dat")[1].tolist() == [1, 6]


def test_gas_batches_with_concentrations(tmp_path):
    path = put(tmp_path, "batch1.dat", gas_line("1;10.000000") + gas_line("2;50.5"))
    assert formats.read("batches", path)[1].tolist() == [1, 2]
    X, y = formats.read("batches", path, target="concentration")
    assert y.dtype == np.float64 and y.tolist() == [10, 50.5] and X.shape == (2, 128)
    plain = put(tmp_path, "batch2.dat", gas_line(1))
    with pytest.raises(FormatError, match="batch2.dat:1: '1' has no concentration"):
        formats.read("batches", plain, target="concentration")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (gas_line(7), r"batch1.dat:2: '7' is not a class 1\.\.6: the row is not labelled"),
        (gas_line("").strip() + "\n", "not labelled"),
        (gas_line(1).replace(" 5:", " 6:"), "'6:4.000000' where 5:value is needed"),
        (gas_line(1).rsplit(" ", 1)[0] + "\n", "127 values, expected 128"),
        (gas_line(1).strip() + " 129:1\n", "129 values, expected 128"),
        (gas_line(1).replace("7:6.000000", "7:nan"), "'7:nan' is not finite"),
    ],
)
def test_bad_gas_lines_name_file_and_line(tmp_path, line, message):
    with pytest.raises(FormatError, match=message):
        formats.read("batches", put(tmp_path, "batch1.dat", gas_line(1) + line))


def test_gas_batches_must_be_there(tmp_path):
    with pytest.raises(FormatError, match="holds no file named"):
        formats.read("batches", tmp_path)
    with pytest.raises(ValueError, match="known: class, concentration"):
        formats.read("batches", tmp_path, target="gas")


def test_matlab_files(tmp_path):
    X = np.arange(12.0).reshape(4, 3) / 12
    path = tmp_path / "a.mat"
    savemat(path, {"X": X, "Y": np.array([[1], [2], [2], [20]]), "other": 3})
    found, y = formats.read("matlab", path, labels=[1, 20])
    np.testing.assert_allclose(found, X, rtol=1e-7)
    assert y.dtype == np.int64 and y.tolist() == [1, 2, 2, 20]
    with pytest.raises(FormatError, match="row 4: .*label 20"):
        formats.read("matlab", path, labels=[1, 19])
    with pytest.raises(FormatError, match="no variable fea"):
        formats.read("matlab", path, X="fea")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"X": np.ones((2, 2)), "Y": [1, 2, 3]}, "2 rows in X, 3 targets in Y"),
        ({"X": np.array([[1, np.nan], [1, 1]]), "Y": [1, 2]}, "row 1: not finite"),
        ({"X": np.ones((2, 2)), "Y": [1, 2.5]}, "row 2"),
        ({"X": np.ones((2, 2, 2)), "Y": [1, 2]}, "not a table of numbers"),
        ({"X": "text", "Y": [1, 2]}, "not a table of numbers"),
    ],
)
def test_bad_matlab_files(tmp_path, content, message):
    savemat(tmp_path / "a.mat", content)
    with pytest.raises(FormatError, match=message):
        formats.read("matlab", tmp_path / "a.mat")


@pytest.mark.parametrize("damage", [b"", b"MATLAB 5.0 MAT-file", b"not at all a matrix" * 50])
def test_files_that_are_not_matlab(tmp_path, damage):
    with pytest.raises(FormatError):
        formats.read("matlab", put(tmp_path, "a.mat", damage))


def test_a_truncated_matlab_file(tmp_path):
    content = {"X": np.random.default_rng(0).random((50, 50)), "Y": np.ones(50)}
    savemat(tmp_path / "a.mat", content, do_compression=True)
    whole = (tmp_path / "a.mat").read_bytes()
    with pytest.raises(FormatError):
        formats.read("matlab", put(tmp_path, "a.mat", whole[: len(whole) // 2]))


def test_regression_tables(tmp_path):
    years = put(tmp_path, "y.txt", "2001,49.9,-21.5\n1999,48.7,18.25\n")
    X, y = formats.read("regression", years, features=2, target="first")
    assert y.dtype == np.float64 and y.tolist() == [2001, 1999] and X.dtype == np.float32
    np.testing.assert_allclose(X, [[49.9, -21.5], [48.7, 18.25]], rtol=1e-6)
    area = put(tmp_path, "c.csv", "1,2,3.75\n4,5,-6e-1\n")
    assert formats.read("regression", area, features=2)[1].tolist() == [3.75, -0.6]
    np.savez(tmp_path / "c.npz", X=np.ones((2, 2)), y=np.array([0.5, 1.5]))
    assert formats.read("regression", tmp_path / "c.npz", features=2)[1].tolist() == [0.5, 1.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n", "t:1: 2 fields, expected 2 features and a label"),
        ("1,2,3\n1,nan,3\n", "t:2: 'nan' is not a finite number"),
        ("1,2,3\n1,,3\n", "t:2"),
        ("", "holds no rows"),
    ],
)
def test_bad_regression_tables(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        formats.read("regression", put(tmp_path, "t", text), features=2)


@pytest.mark.parametrize(("y", "message"), [({"y": [1, np.inf]}, "row 2"), ({}, "no variable y")])
def test_bad_archives(tmp_path, y, message):
    np.savez(tmp_path / "a.npz", X=np.ones((2, 2)), **y)
    with pytest.raises(FormatError, match=message):
        formats.read("regression", tmp_path / "a.npz", features=2)
