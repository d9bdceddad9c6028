"""Ratings in every official layout, from invented lines: exact matrices, complaints that name the line."""

import bz2
import gzip
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packs import tar, zipped

from referee.data import catalog, formats, lines
from referee.data.errors import DataError, FormatError
from referee.data.fingerprint import check_file
from referee.data.rating_lines import LAYOUTS

MIRROR = os.environ.get("PROJFREE_MIRROR")  # before a fixture clears it
U_DATA = b"943\t1682\t3\t8812\n7\t12\t5\t0\n7\t3\t1\t881\n1\t1\t4\t88\n7\t1682\t2\t5\n2\t2\t2\t5\n"
DAT = b"6040::3952::3::9783\n7::12::5::0\n7::3::1::97\n1::1::4::97\n7::3952::2::5\n2::2::2::5\n"
HALF = b"71567::65133::3.5::8389\n7::12::5::0\n7::3::0.5::9\n1::1::4.5::9\n7::65133::1.0::5\n2::2::2::5\n"
NETFLIX = b"8:\n2649429,3,2005-09-06\n7,5,2005-05-13\n17770:\n7,1,2005-10-19\n1,4,2004-12-31\n"
R1 = b"2\t1000040\t90\n2\t-99\t0\n2\t1000321\t255\n4\t1000040\t100\n9\t-100\t255\n9\t1000040\t1\n"
R2 = b"31\t900\t5\n31\t905\t2\n32\t44\t5\n32\t900\t1\n199\t44\t3\n1823178\t0\t4\n"
KDD = b"0|3\n507000\t90\t11\t01:02:00\n624960\t0\t11\t01:03:00\n7\t100\t9\t09:00:00\n"
KDD += b"1000989|1\n7\t50\t1\t00:00:00\n"
OFFICIAL = {
    "movielens-100k": U_DATA,
    "movielens-1m": DAT,
    "movielens-10m": HALF,
    "netflix": NETFLIX,
    "yahoo-r1": R1,
    "yahoo-r2": R2,
    "kdd-cup-2011": KDD,
}


def write(tmp_path, body, name="f"):
    (tmp_path / name).write_bytes(body)
    return tmp_path / name


def read(path, layout, **params):
    X, y = formats.read("ratings", path, layout=layout, **params)
    assert y is None and X.indices.dtype == np.int32 and X.has_canonical_format
    return X


def entries(X):
    coo = X.tocoo()
    return list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True))


def blamed(path, line, layout, **params):
    with pytest.raises(FormatError) as error:
        read(path, layout, **params)
    assert error.value.line == line and str(path) in str(error.value), error.value
    return str(error.value)


@pytest.mark.parametrize("layout, shape", [("movielens-100k", (943, 1682)), ("movielens-1m", (6040, 3952))])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_movielens(tmp_path, layout, shape, pack):
    X = read(write(tmp_path, pack(OFFICIAL[layout])), layout)
    m, n = shape
    assert X.shape == shape and X.dtype == np.uint8
    assert entries(X) == [(0, 0, 4), (1, 1, 2), (6, 2, 1), (6, 11, 5), (6, n - 1, 2), (m - 1, n - 1, 3)]


def test_half_stars_are_exact(tmp_path):
    X = read(write(tmp_path, HALF), "movielens-10m")
    assert X.shape == (71567, 65133) and X.dtype == np.float32
    assert X.data.tolist() == [4.5, 2, 0.5, 5, 1, 3.5]


def test_windows_ends_blank_lines_and_no_last_newline(tmp_path):
    text = U_DATA.replace(b"\n7\t3", b"\n\n7\t3")
    plain = entries(read(write(tmp_path, U_DATA), "movielens-100k"))
    assert entries(read(write(tmp_path, text[:-1].replace(b"\n", b"\r\n")), "movielens-100k")) == plain


def test_a_rating_of_zero_is_stored(tmp_path):
    X = read(write(tmp_path, KDD), "kdd-cup-2011")
    assert X.shape == (1000990, 624961) and X.dtype == np.uint8
    assert entries(X) == [(0, 7, 100), (0, 507000, 90), (0, 624960, 0), (1000989, 7, 50)]


def test_yahoo_r1_drops_255_and_numbers_ids_through(tmp_path):
    X = read(write(tmp_path, R1), "yahoo-r1", compress=True)
    assert X.shape == (3, 4)  # users 2, 4, 9; artists -100, -99, 1000040, 1000321
    assert entries(X) == [(0, 1, 0), (0, 2, 90), (1, 2, 100), (2, 2, 1)]
    plain = entries(read(write(tmp_path, R1), "yahoo-r1"))
    assert plain == [(2, 1, 0), (2, 1000140, 90), (4, 1000140, 100), (9, 1000140, 1)]


def test_ids_may_be_narrowed(tmp_path):
    X = read(write(tmp_path, R2), "yahoo-r2", users=[31, 1823178], items=[0, 905])
    assert X.shape == (1823148, 906) and entries(X)[0] == (0, 900, 5)
    path = write(tmp_path, R2)
    assert "user 199 is outside 31..60" in blamed(path, 5, "yahoo-r2", users=[31, 60])


CUT = NETFLIX.index(b"17770:")
MOVIES = {"mv_0000008.txt": NETFLIX[:CUT], "mv_0017770.txt": NETFLIX[CUT:]}
WHOLE = {"combined_data_1.txt": MOVIES["mv_0000008.txt"], "combined_data_2.txt": MOVIES["mv_0017770.txt"]}
BESIDE = {"probe.txt": b"8:\n7\n", "movie_titles.txt": b"8,2003,\xc9t\xe9\n"}


def inside(folder, files):
    return {f"{folder}/{name}": body for name, body in files.items()}


ARCHIVES = {
    "training_set.tar": tar(inside("training_set", MOVIES)),
    "nf_prize_dataset.tar.gz": tar(
        inside("download", BESIDE | {"training_set.tar": tar(inside("training_set", MOVIES))}), "w:gz"
    ),
    "combined.tar.bz2": tar(WHOLE | BESIDE, "w:bz2"),
    "archive.zip": zipped(WHOLE | BESIDE),
    "one file": NETFLIX,
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_netflix_in_every_packing(tmp_path, name):
    X = read(write(tmp_path, ARCHIVES[name]), "netflix")
    assert X.shape == (2649429, 17770) and X.dtype == np.uint8
    assert entries(X) == [(0, 17769, 4), (6, 7, 5), (6, 17769, 1), (2649428, 7, 3)]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f"]


@pytest.mark.parametrize("files", [MOVIES, WHOLE])
def test_netflix_folder(tmp_path, files):
    for name, body in (files | BESIDE).items():
        write(tmp_path, body, name)
    assert read(tmp_path, "netflix").nnz == 4


def test_yahoo_archives(tmp_path):
    files = {"./ydata-ymusic-user-artist-ratings-v1_0.txt.gz": gzip.compress(R1), "./names.txt": b"-100\tx\n"}
    assert read(write(tmp_path, tar(files, "w:gz")), "yahoo-r1").nnz == 4
    files = {"d/train_0.txt": R2[:18], "d/train_1.txt": R2[18:], "d/test_0.txt": R2, "d/readme.txt": b"x"}
    assert read(write(tmp_path, tar(files, "w:gz")), "yahoo-r2").nnz == 6


def test_complaints_name_the_member(tmp_path):
    bad = MOVIES | {"mv_0017770.txt": MOVIES["mv_0017770.txt"].replace(b"\n1,4", b"\n1,6")}
    path = write(tmp_path, tar(inside("t", bad), "w:gz"))
    assert f"{path}:t/mv_0017770.txt:3: rating '6'" in blamed(path, 3, "netflix")
    path = write(tmp_path, zipped({"readme": b""}), "z")
    assert "holds no file named mv_*.txt or combined" in blamed(path, None, "netflix")


def test_a_movie_is_named_anew_in_each_file(tmp_path):
    path = write(tmp_path, tar({"mv_1.txt": NETFLIX, "mv_2.txt": b"3,4,2005-01-01\n"}))
    assert "no item has been named" in blamed(path, 1, "netflix")


@pytest.mark.parametrize("name", ["nf_prize_dataset.tar.gz", "archive.zip", "combined.tar.bz2"])
def test_cut_archives(tmp_path, name):
    with pytest.raises(FormatError):
        read(write(tmp_path, ARCHIVES[name][: len(ARCHIVES[name]) * 2 // 3]), "netflix")


BAD_LINES = [
    (b"7\t3\t1", "3 fields, expected user, item, rating, time"),
    (b"7\t\t1\t5", "item '' is not a whole number"),
    (b"7\t3\t1\t", "time ''"),
    (b"7\t3\t1\tx", "time 'x'"),
    (b"7.0\t3\t1\t5", "user '7.0' is not a whole number"),
    (b"7-3\t3\t1\t5", "user '7-3'"),
    (b"--7\t3\t1\t5", "user '--7'"),
    (b"+7\t3\t1\t5", "user '+7'"),
    (b"0\t3\t1\t5", "user 0 is outside 1..943"),
    (b"-7\t3\t1\t5", "user -7 is outside 1..943"),
    (b"944\t3\t1\t5", "user 944 is outside 1..943"),
    (b"7\t1683\t1\t5", "item 1683 is outside 1..1682"),
    (b"7\t4294967299\t1\t5", "item 4294967299 is outside"),
    (b"7\t99999999999999999999\t1\t5", "item 99999999999999999999 is outside"),
    (b"7\t3\t0\t5", "rating '0' is not on the scale 1 to 5"),
    (b"7\t3\t6\t5", "rating '6'"),
    (b"7\t3\t\t5", "rating ''"),
    (b"7\t3\tnan\t5", "rating 'nan'"),
    (b"7\t3\t-1\t5", "rating '-1'"),
    (b"7\t3\t01\t5", "rating '01'"),
    (b"7\t3\t00001\t5", "rating '00001'"),
    (b"7\t3\t1\t5\rx", "time '5\rx'"),
    (b"\x00\xff", "1 fields"),
]


@pytest.mark.parametrize(("bad", "why"), BAD_LINES)
def test_malformed_lines(tmp_path, bad, why):
    path = write(tmp_path, b"1\t5\t5\t0\n\n3\t5\t5\t0\n" + bad + b"\n2\t5\t5\t0\n")
    assert why in blamed(path, 4, "movielens-100k")


@pytest.mark.parametrize(
    "bad",
    [b"7:4::1::5", b"7:::4:1::5", b"7::::1::5", b":7::4::1::5", b"7::4::1:::5", b"7:4:1:5", b"7:9:4::1::5"],
)
def test_separators_must_be_double_colons(tmp_path, bad):
    blamed(write(tmp_path, DAT + bad + b"\n1::9::1::5\n"), 7, "movielens-1m")


@pytest.mark.parametrize(
    ("text", "why"), [(b"1\t1\t1\t1\t1\n2\t2\t2\n", "5 fields"), (b"1\t1\t1\n2\t2\t2\t2\t2\n", "3 fields")]
)
def test_two_lines_that_share_a_field_wrongly_are_found(tmp_path, text, why):
    assert why in blamed(write(tmp_path, text), 1, "movielens-100k")


@pytest.mark.parametrize("bad", ["3.2", "0", "5.5", ".5", "4.50"])
def test_ratings_between_the_half_stars(tmp_path, bad):
    path = write(tmp_path, HALF.replace(b"0.5", bad.encode()))
    assert f"rating '{bad}' is not on the scale 0.5 to 5" in blamed(path, 3, "movielens-10m")


@pytest.mark.parametrize(
    ("bad", "line", "why"),
    [
        (NETFLIX[3:], 1, "no item has been named"),
        (NETFLIX.replace(b"8:", b"x:", 1), 1, "item 'x' is not a whole number"),
        (NETFLIX.replace(b"17770:", b"17771:"), 4, "item 17771 is outside 1..17770"),
        (NETFLIX.replace(b"8:", b"0:", 1), 1, "item 0 is outside"),
        (NETFLIX.replace(b"8:", b"8:9", 1), 1, "'8:9' is no item"),
        (NETFLIX.replace(b"7,5", b"7:5"), 3, "'7:5,2005-05-13'"),
        (NETFLIX.replace(b"7,5,", b"7,5"), 3, "2 fields, expected user, rating, date"),
        (NETFLIX.replace(b"7,5", b"7,0"), 3, "rating '0'"),
        (NETFLIX.replace(b"7,5", b"2649430,5"), 3, "user 2649430 is outside 1..2649429"),
        (NETFLIX.replace(b"2005-05-13", b"13 May"), 3, "date '13 May'"),
    ],
)
def test_malformed_netflix(tmp_path, bad, line, why):
    assert why in blamed(write(tmp_path, bad), line, "netflix")


@pytest.mark.parametrize(
    ("bad", "line", "why"),
    [
        (KDD.replace(b"0|3", b"0|4"), 1, "4 ratings announced, 3 follow"),
        (KDD.replace(b"0|3", b"0|2"), 1, "2 ratings announced, 3 follow"),
        (KDD.replace(b"89|1", b"89|2"), 5, "2 ratings announced, 1 follow"),
        (KDD + b"3|1\n", 7, "1 ratings announced, 0 follow"),
        (KDD.replace(b"0|3\n", b""), 1, "no user has been named"),
        (KDD.replace(b"0|3", b"0|"), 1, "'0|' is no user"),
        (KDD.replace(b"0|3", b"1000990|3"), 1, "user 1000990 is outside 0..1000989"),
        (KDD.replace(b"624960", b"624961"), 3, "item 624961 is outside 0..624960"),
        (KDD.replace(b"\t100\t", b"\t101\t"), 4, "rating '101' is not on the scale 0 to 100"),
    ],
)
def test_malformed_kdd(tmp_path, monkeypatch, bad, line, why):
    path = write(tmp_path, bad)
    assert why in blamed(path, line, "kdd-cup-2011")
    monkeypatch.setattr(lines, "BLOCK", 30)
    assert why in blamed(path, line, "kdd-cup-2011")


@pytest.mark.parametrize(
    ("layout", "text", "line"),
    [
        ("movielens-100k", U_DATA + b"7\t3\t1\t2\n7\t3\t2\t3\n", 7),
        ("movielens-1m", DAT + b"6040::3952::3::0\n", 7),
        ("movielens-100k", b"7\t3\t1\t2\n7\t3\t1\t2\n", 2),
        ("movielens-100k", b"1\t3\t1\t2\n2\t3\t1\t2\n4\t9\t1\t2\n4\t9\t2\t2\n", 4),
        ("netflix", NETFLIX + b"8:\n1,4,2004-01-01\n2649429,1,2005-09-06\n", 9),
        ("kdd-cup-2011", KDD.replace(b"624960", b"7"), 4),
        ("yahoo-r1", R1 + b"2\t1000321\t7\n2\t1000321\t255\n2\t1000321\t8\n", 9),
    ],
)
@pytest.mark.parametrize("size", [20, 1 << 22])
def test_a_second_rating_of_an_item_is_named(tmp_path, monkeypatch, layout, text, line, size):
    monkeypatch.setattr(lines, "BLOCK", size)
    path = write(tmp_path, text)
    assert "again" in blamed(path, line, layout)
    assert "again" in blamed(path, line, layout, compress=True)


@pytest.mark.parametrize("text", [b"", b"\n\n", b"1\t1000040\t255\n"])
def test_no_ratings(tmp_path, text):
    assert "holds no ratings" in blamed(write(tmp_path, text), None, "yahoo-r1")


def test_unknown_layout_lists_the_known(tmp_path):
    with pytest.raises(DataError, match=r"Did you mean 'netflix'\? Known are: .*movielens-100k, "):
        read(write(tmp_path, b""), "netflx")


@pytest.mark.parametrize("layout", OFFICIAL)
def test_blocks_do_not_matter(tmp_path, monkeypatch, layout):
    path = write(tmp_path, OFFICIAL[layout])
    whole = entries(read(path, layout))
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 13, 21, 34, 55):
        monkeypatch.setattr(lines, "BLOCK", size)
        assert entries(read(path, layout)) == whole
    assert set(OFFICIAL) == set(LAYOUTS)


RATED = st.dictionaries(st.tuples(st.integers(1, 30), st.integers(1, 30)), st.integers(1, 5), min_size=1)


@settings(max_examples=60, deadline=None)
@given(RATED, st.sampled_from(["movielens-100k", "movielens-1m"]), st.randoms())
def test_any_ratings_in_any_order_come_back(tmp_path_factory, rated, layout, random):
    order = list(rated.items())
    random.shuffle(order)
    mark = LAYOUTS[layout].separator.decode()
    path = tmp_path_factory.getbasetemp() / "rated"
    path.write_text("".join(mark.join(map(str, (u, i, r, 0))) + "\n" for (u, i), r in order))
    found = entries(read(path, layout))
    assert found == sorted((u - 1, i - 1, r) for (u, i), r in rated.items())


def test_memory_is_the_result_and_a_block(tmp_path, monkeypatch):
    text = b"".join(b"%d\t%d\t3\t881250949\n" % (u, i) for u in range(1, 600) for i in range(1, 400))
    path = write(tmp_path, text)
    monkeypatch.setattr(lines, "BLOCK", 1 << 14)
    read(write(tmp_path, U_DATA, "warm"), "movielens-100k")
    tracemalloc.start()
    X = read(path, "movielens-100k")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.data.nbytes + X.indices.nbytes + 700_000


@pytest.mark.parametrize("name", ["movielens-100k", "movielens-1m"])
def test_real_files_where_the_mirror_has_them(name):
    row = catalog.dataset(name)
    path = Path(MIRROR or ".") / row.files[0].mirror.address
    if not path.is_file():
        pytest.skip("not in the mirror")
    check_file(row, path)
