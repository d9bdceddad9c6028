"""Readers of the official formats: exact values, and complaints that name file and line."""

import bz2
import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

from projfree.common.root import checkout
from referee.data import catalog, formats, lines, prepare
from referee.data.errors import FormatError, IntegrityError
from referee.data.fingerprint import check, check_file, fingerprint

COVER = b"2596,51,3,258,0,510,221,232,148,6279,1" + b",0" * 43 + b",5\n"
COVER2 = b"2804,139,9,268,-65,3180,234,238,135,6121" + b",0" * 43 + b",1,2\n"
UCI = b" ".join(b"%.4e" % (-1.5 * i) for i in range(48)) + b" 11\n"
MIRROR = os.environ.get("PROJFREE_MIRROR")  # before a fixture clears it


@pytest.fixture
def write(tmp_path):
    def make(body, name="f"):
        (tmp_path / name).write_bytes(body)
        return tmp_path / name

    return make


def blamed(path, line, reader, **params):
    with pytest.raises(FormatError) as error:
        formats.read(reader, path, **params)
    assert str(path) in str(error.value)
    assert error.value.line == line, error.value
    return str(error.value)


def of_windows(text):
    """Its line ends, and none at the end."""
    return text[:-1].replace(b"\n", b"\r\n")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, of_windows])
def test_covertype_rows(write, pack):
    X, y = formats.covertype(write(pack(COVER + COVER2)))
    assert X.shape == (2, 54) and X.dtype == np.float32 and y.dtype == np.int64
    assert X[0, :11].tolist() == [2596, 51, 3, 258, 0, 510, 221, 232, 148, 6279, 1]
    assert X[1, 4] == -65 and X[1, 53] == 1 and y.tolist() == [5, 2]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (COVER.replace(b",5\n", b",8\n"), "label in 1..7"),
        (COVER.replace(b",5\n", b",0\n"), "label in 1..7"),
        (COVER.replace(b"2596", b"nan"), "'nan' is not a finite number"),
        (COVER.replace(b"2596", b"inf"), "not a finite"),
        (COVER.replace(b"2596", b"25.5"), "whole numbers"),
        (COVER.replace(b"2596", b"25x6"), "'25x6'"),
        (COVER.replace(b"2596", b""), "''"),
        (COVER.replace(b"2596", b"1e99"), "too large"),
        (COVER.replace(b"2596", b"99999999999999999999"), "whole numbers"),
        (COVER.replace(b"2596,", b""), "54 fields"),
        (COVER.replace(b"2596", b"2596,1"), "56 fields"),
        (b"<html>\n", "1 fields"),
        (b"\x00\xff\n", "fields"),
    ],
)
def test_covertype_malformed_lines(write, bad, why):
    path = write(COVER * 3 + b"\n" + COVER + bad + COVER2)
    assert why in blamed(path, 6, "covertype")


def test_two_lines_that_share_a_field_wrongly_are_found(write):
    longer, shorter = COVER.replace(b"2596", b"2596,1"), COVER.replace(b"2596,", b"")
    assert "56 fields" in blamed(write(COVER + longer + shorter), 2, "covertype")


def test_line_numbers_hold_across_blocks(write, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 1000)
    path = write(COVER * 50 + COVER.replace(b"258", b"?"))
    blocks = list(lines.line_blocks(path))
    assert len(blocks) > 5 and b"".join(b for _, b in blocks) == path.read_bytes()
    assert [n for n, _ in blocks] == list(np.cumsum([1] + [b.count(b"\n") for _, b in blocks[:-1]]))
    blamed(path, 51, "covertype")


@pytest.mark.parametrize("reader", ["covertype", "sensorless"])
def test_empty_files(write, reader):
    assert "no rows" in blamed(write(b""), None, reader)


def test_cut_gzip_names_the_file(write):
    text = b"".join(COVER.replace(b"2596", b"%d" % i) for i in range(5000))
    path = write(gzip.compress(text)[:-2000])
    with pytest.raises(FormatError, match="damaged or cut"):
        formats.covertype(path)


def test_sensorless_in_both_forms(write):
    X, y = formats.sensorless(write(UCI * 2))
    assert X.shape == (2, 48) and y.tolist() == [11, 11]
    assert X[0, 2] == np.float32(-3.0)
    X, y = formats.sensorless(write(b"3 1:-3.0146e-07 48:2\n1 2:1\n"))
    assert X.shape == (2, 48) and isinstance(X, np.ndarray) and y.tolist() == [3, 1]
    assert X[0, 0] == np.float32(-3.0146e-07) and X[0, 47] == 2 and np.count_nonzero(X) == 3


def test_sensorless_malformed(write):
    assert "label in 1..11" in blamed(write(UCI + UCI.replace(b" 11\n", b" 12\n")), 2, "sensorless")
    assert "48 fields" in blamed(write(UCI + UCI.replace(b" 11\n", b"\n")), 2, "sensorless")
    assert "indices must increase within 1..48" in blamed(write(b"1 1:1\n1 49:2\n"), 2, "sensorless")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"1 0:1", "index 0"),
        (b"1 5:1", "index 5"),
        (b"1 2:1 2:1", "index 2 after 2"),
        (b"1 3:1 2:1", "index 2 after 3"),
        (b"1 1:nan", "'1:nan'"),
        (b"1 1:1e60", "too large"),
        (b"1 1:", "'1:'"),
        (b"1 :1", "':1'"),
        (b"1 1", "'1' is not index:value"),
        (b"1 1:1_0", "'1:1_0'"),
        (b"1 1:1:1", "'1:1:1'"),
        (b"1 -1:1", "'-1:1'"),
        (b"x 1:1", "label 'x'"),
        (b"1.5 1:1", "label '1.5'"),
        (b"nan 1:1", "label 'nan'"),
        (b"1,2 1:1", "label '1,2'"),
        (b"1 1:1 # note", "'#'"),
    ],
)
def test_libsvm_malformed_lines(write, bad, why):
    path = write(b"1 1:1\n2 2:1\n" + bad + b"\n1 4:1\n")
    assert why in blamed(path, 3, "libsvm", features=4)


@settings(max_examples=60, deadline=None)
@given(
    arrays.arrays(
        np.float32, arrays.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(-999, 999)
    ),
    st.sampled_from([bytes, gzip.compress, bz2.compress]),
)
def test_libsvm_round_trip(tmp_path_factory, X, pack):
    path = tmp_path_factory.getbasetemp() / "round"
    X, y = X / 8, np.arange(len(X))
    prepare.write_libsvm(path, X, y)
    path.write_bytes(pack(path.read_bytes()))
    X2, y2 = formats.libsvm(path, features=X.shape[1], dense=True)
    assert np.array_equal(y, y2) and np.array_equal(X2, np.round(X.astype(float), 4).astype(np.float32))


def test_sparse_and_dense_agree(write):
    path = write(b"1 1:1 4:-2\n2\n3 2:0.5\n")
    X, y = formats.libsvm(path, features=5)
    assert X.indices.dtype == np.int32 and X.nnz == 3
    assert np.array_equal(X.toarray(), formats.libsvm(path, features=5, dense=True)[0])
    dense = fingerprint(X.toarray(), y)
    assert fingerprint(X, y) == dense and dense["nnz"] == 3 and dense["labels"] == {1: 1, 2: 1, 3: 1}


def test_fingerprint_without_labels():
    X = sparse.csr_matrix((np.float32([0.5, 0, 4]), [1, 3, 1], [0, 2, 2, 3]), shape=(3, 5))
    found = fingerprint(X)
    assert found["nnz"] == 3 and found["used"] == [2, 2] and found["labels"] == {0.0: 1, 0.5: 1, 4: 1}
    assert fingerprint(X.toarray()).keys() == {"shape", "nnz", "column_sums"}
    assert fingerprint(X, np.array([1, 1, 2]))["nnz"] == 2


def test_column_digest_sees_one_changed_entry():
    X, y = np.ones((50, 4), dtype=np.float32), np.ones(50, dtype=int)
    before = fingerprint(X, y)
    X[7, 2] = 1.01
    after = fingerprint(X, y)
    assert before["column_sums"] != after["column_sums"] and before["labels"] == after["labels"]


def test_covertype_real_or_sample():
    """The whole file where PROJFREE_MIRROR has it, and the shipped sample."""
    mirror = MIRROR and Path(MIRROR) / "covertype" / "covtype.data.gz"
    rows = catalog.load()
    if mirror and mirror.is_file():
        check_file(rows["covertype"], mirror)
    check_file(rows["covertype-sample"], checkout() / rows["covertype-sample"].files[0].shipped)


@pytest.mark.parametrize(("classes", "fits"), [(51, True), ([51, 53], True), (53, False), ([52, 53], False)])
def test_sources_may_differ_in_the_number_of_classes(classes, fits):
    found = {"shape": [3, 2], "classes": 51, "class_sizes": [51, 53]}
    expected = {"classes": classes, "class_sizes": [51, 53]}
    if fits:
        check(expected, found, "rcv1")
    else:
        with pytest.raises(IntegrityError, match="classes is 51, expected"):
            check(expected, found, "rcv1")
