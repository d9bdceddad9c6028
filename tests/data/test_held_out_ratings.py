"""Ratings that a dataset holds out itself: marked by file or by a list, wrong lists named."""

import gzip
import json

import numpy as np
import pytest
from local_site import row
from packs import tar
from test_ratings import HALF, KDD, NETFLIX, inside, write

from referee.data import formats, generators, prepare, prepared
from referee.data.errors import DataError, FormatError

PROBE = b"17770:\n1\n8:\n2649429\n"


def read(path, layout, **params):
    X, marks = formats.read("ratings", path, layout=layout, **params)
    assert marks.dtype == bool and len(marks) == X.nnz
    coo = X.tocoo()
    held = zip(coo.row[marks].tolist(), coo.col[marks].tolist(), coo.data[marks].tolist(), strict=True)
    return X, list(held)


def fails(path, layout, line, why, **params):
    with pytest.raises(FormatError) as error:
        formats.read("ratings", path, layout=layout, **params)
    assert error.value.line == line and why in str(error.value), error.value


def test_a_list_of_pairs(tmp_path):
    files = {"training_set.tar": tar(inside("training_set", {"mv_1.txt": NETFLIX})), "probe.txt": PROBE}
    path = write(tmp_path, tar(inside("download", files), "w:gz"))
    X, held = read(path, "netflix", held_out="probe.txt")
    assert X.nnz == 4 and held == [(0, 17769, 4), (2649428, 7, 3)]
    fails(path, "netflix", None, "no file named other.txt", held_out="other.txt")


@pytest.mark.parametrize(
    ("probe", "line", "why"),
    [
        (PROBE + b"7\n7\n", 6, "user 7, item 8: is held out again"),
        (PROBE + b"17770:\n1\n", 6, "user 1, item 17770: is held out again"),
        (PROBE + b"1\n", 5, "user 1, item 8: is held out, but has no rating"),
        (PROBE + b"2649429,3\n", 5, "2 fields, expected user"),
        (PROBE + b"x\n", 5, "user 'x'"),
        (b"7\n" + PROBE, 1, "no item has been named"),
        (gzip.compress(b"8:\n" + b"".join(b"%d\n" % u for u in range(9999)))[:-99], 1, "damaged or cut"),
    ],
)
@pytest.mark.parametrize("size", [8, 1 << 22])
def test_wrong_lists(tmp_path, monkeypatch, probe, line, why, size):
    if probe[:2] == b"\x1f\x8b" and size == 8:
        pytest.skip("the lines before the cut say it first")
    monkeypatch.setattr("referee.data.lines.BLOCK", size)
    write(tmp_path, NETFLIX, "mv_0000008.txt")
    write(tmp_path, probe, "probe.txt")
    fails(tmp_path, "netflix", line, why, held_out="probe.txt")


def test_a_file_of_held_out_ratings(tmp_path):
    cut = HALF.index(b"1::1::")
    write(tmp_path, HALF[:cut], "ra.train")
    write(tmp_path, HALF[cut:], "ra.test")
    write(tmp_path, b"::::", "ratings.dat")
    X, held = read(tmp_path, "movielens-10m", files=["ra.train", "ra.test"], held_out="ra.test")
    assert X.nnz == 6 and held == [(0, 0, 4.5), (1, 1, 2), (6, 65132, 1)]
    write(tmp_path, HALF, "ra.train")
    fails(tmp_path, "movielens-10m", 4, "again", files=["ra.train", "ra.test"], held_out="ra.test")


def test_the_validation_part_of_the_kdd_cup(tmp_path):
    write(tmp_path, KDD, "trainIdx1.txt")
    write(tmp_path, b"0|1\n8\t0\t11\t01:02:00\n", "validationIdx1.txt")
    X, held = read(tmp_path, "kdd-cup-2011", held_out="validationIdx1.txt")
    assert X.nnz == 5 and held == [(0, 8, 0)]


def test_marks_go_through_the_prepared_file_to_the_generator(project):
    print_ = {"shape": [2649429, 17770], "nnz": 4, "held_out": 2, "labels": None, "column_sums": None}
    params = {"layout": "netflix", "held_out": "probe.txt"}
    root = project(thing=row([{"name": "a"}], reader="ratings", reader_params=params, fingerprint=print_))
    raw = root / "data" / "raw" / "thing"
    raw.mkdir(parents=True)
    write(raw, tar({"mv_1.txt": NETFLIX, "probe.txt": PROBE}), "a")
    output = root / "data" / "prepared" / "thing.h5"
    attrs = prepare.prepare("thing", output, root=root, offline=True)
    assert json.loads(attrs["fingerprint"])["held_out"] == 2
    source = prepared.load(output)
    rng = np.random.default_rng(0)
    out = generators.generate("ratings", rng, source=source, held_out="official", centre="none")
    assert out["test_rows"].tolist() == [0, 2649428] and out["test_values"].tolist() == [4, 3]
    assert out["rows"].tolist() == [6, 6] and out["cols"].tolist() == [7, 17769]
    del source["held_out"]
    with pytest.raises(DataError, match="holds nothing out itself"):
        generators.generate("ratings", rng, source=source, held_out="official")
