"""Tables as people have them: every form gives the same ratings, every fault names its file and line."""

import bz2
import gzip
import json
import re

import h5py
import numpy as np
import pytest
from packs import tar, zipped

from projfree.common import outside
from ratings import packed as packed_lines
from ratings.tables import Reading, read_pairs, read_ratings
from referee.data import lines
from referee.data.errors import FormatError

ROWS = [("ann", "x", 4.0), ("bob", "x", 2.5), ("ann", "y", 1.0), ("cy", "z", 5.0)]
PLAIN = "".join(f"{u},{i},{r:g}\n" for u, i, r in ROWS)


def write(tmp_path, text, name="r.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def triples(found):
    return [
        (found.users[i], found.items[j], float(v))
        for i, j, v in zip(found.rows, found.cols, found.values, strict=True)
    ]


def fails(path, line, why, **options):
    with pytest.raises(FormatError) as error:
        read_ratings(path, **options)
    assert error.value.line == line and why in str(error.value) and path.name in str(error.value), error.value


FORMS = {
    "comma": PLAIN,
    "no last newline": PLAIN[:-1],
    "windows": PLAIN.replace("\n", "\r\n"),
    "mixed ends and blank lines": PLAIN.replace("bob", "\n\nbob").replace("\nann", "\r\nann"),
    "quotes": PLAIN.replace("ann", '"ann"'),
    "blanks": PLAIN.replace(",", ", "),
    "more columns": PLAIN.replace("\n", ",881250949\n"),
    "other header": "who,what,how\n" + PLAIN,
    "other order": "stars,time,item,user\n" + "".join(f"{r:g},0,{i},{u}\n" for u, i, r in ROWS),
    "header of Amazon": "reviewerID,asin,unixReviewTime,overall\n"
    + "".join(f"{u},{i},9,{r:g}\n" for u, i, r in ROWS),
    "header of Goodbooks": "book_id,user_id,rating\n" + "".join(f"{i},{u},{r:g}\n" for u, i, r in ROWS),
    "header of Netflix": "Cust_Id,Rating,Movie_Id\n" + "".join(f"{u},{r:g},{i}\n" for u, i, r in ROWS),
    "zip of MovieLens": zipped({"ml/README.txt": "about", "ml/movies.dat": "a,b", "ml/ratings.dat": PLAIN}),
    "zip of one table": zipped({"__MACOSX/mine.csv": "\0", "mine [1].csv": PLAIN}),
    "JSON lines": "\n".join(
        json.dumps({"reviewText": "x", "overall": r, "asin": i, "reviewerID": u, "helpful": [0, 1]})
        for u, i, r in ROWS
    ),
    "Netflix": "3:\n4:\r\nann,4,2005-09-06\r\nbob,2.5,2005-09-06\n5:\nann,1,2005-09-06\n\n"
    "6:\ncy,5,2005-09-06",
    "BookCrossing": '"User-ID";"ISBN";"Book-Rating"\n'
    + "".join(f'"{u}";"{i}";"{r:g}"\n' for u, i, r in ROWS),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [13, 1 << 22])
def test_text(tmp_path, monkeypatch, form, size):
    monkeypatch.setattr(lines, "BLOCK", size)
    found = read_ratings(write(tmp_path, FORMS[form]))
    films = dict(zip("456", "xyz", strict=True))
    assert sorted((u, films.get(i, i), r) for u, i, r in triples(found)) == sorted(ROWS)
    assert found.rows.dtype == found.cols.dtype == np.int32 and found.values.dtype == np.float32
    assert found.shape == (3, 3) and found.scale == (1.0, 5.0)


def test_columns_that_are_not_there(tmp_path):
    path = write(tmp_path, f"a,b,c\n{PLAIN}")
    fails(path, 1, "has no column 'e'; it has a, b, c", columns=["c", "a", "e"])
    fails(path, None, "columns must name user, item, rating", columns=["c"])


JSON = '{"user": 1, "item": 2, "rating": 3}\n{"user": 2, "item": 2, "rating": 4.5}\n'
#: Text, line and complaint; docs/completing-ratings.md shows others, and its transcript is tested.
MESSY = {
    "few fields": ("ann,x,4\nbob,x\n", 2, "2 fields, the first line has 3: 'bob,x'; write every field"),
    "other separator": ("ann,x,4\n\nbob;x;3\n", 3, "1 fields"),
    "a word": ("ann,x,4\nbob,x,good\n", 2, "rating (column 3) 'good' is not a number"),
    "empty": ("ann,x,4\nbob,x,\n", 2, "rating (column 3) '' is missing; --drop-missing leaves that out"),
    "nan": ("ann,x,4\nbob,x,nan\n", 2, "rating (column 3) 'nan' is missing"),
    "inf": ("ann,x,4\nbob,x,inf\n", 2, "rating (column 3) 'inf' is not a number"),
    "no item": ("ann,x,4\nbob,,3\n", 2, "the item (column 2) is empty"),
    "one user": ("ann,x,4\nann,y,3\n", None, "only one user, 'ann'"),
    "one item": ("ann,x,4\nbob,x,3\n", None, "only one item, 'x'"),
    "one rating": ("ann,x,4\nbob,y,4\n", None, "all ratings are 4"),
    "no separator": ("annx4\n", 1, "expected user, item, rating with a separator"),
    "nothing": ("", None, "holds no rows"),
    "blank lines": ("\n\r\n\n", None, "holds no rows"),
    "names alone": ("user,item,rating\n", None, "holds no rows"),
    "bytes 0": ("u,i,3\nv,i,\0\n", 2, "has a zero byte"),
    "decimal commas": ("u,i,3,5\nu,j,4,0\nv,i,2,5\n", 1, "columns 3 and 4 look like one number, 3,5"),
    "quoted decimal comma": ('u,i,"3,5"\nv,i,4\n', 1, "'3,5' is not a number; write it with a decimal point"),
    "surplus": ("user,item,rating\nu,Apollo 1, 1991,4\n", 2, "4 fields, the first line has 3"),
    "surplus text": ("user,item,rating\nu,a,b,4\n", 2, "quote a field that holds ','"),
    "surplus and empty": ("user,item,rating\nu,a,4,\n", 2, "4 fields, the first line has 3"),
    "stray quote": ('user,item,rating\nu,"a"b,3\n', 2, "a field that holds a quote is quoted"),
    "beyond": ("u,i,3\nv,i,1e39\n", 2, "rating (column 3) '1e39' is beyond the range of float32"),
    "far beyond": ("u,i,3\nv,i,-1e999\n", 2, "rating (column 3) '-1e999' is beyond the range"),
    "far from 0": ("u,i,100000001\nv,j,100000005\n", None, "goes by 8 there; subtract 100000003 from all"),
    "one in single": ("u,i,-1600000000001\nv,j,-1600000000002\n", None, "subtract -1.6e+12 from all"),
    "too small": ("u,i,1e-20\nv,j,5e-20\n", None, "from 1e-20 to 5e-20 cannot be fitted in single"),
    "too large": ("u,i,-1e20\nv,j,1e20\n", None, "divide all by 1e+20"),
    "complex": ("u,i,3\nv,i,1+2j\n", 2, "rating (column 3) '1+2j' is not a number"),
    "underscore": ("u,i,3\nv,i,1_0\n", 2, "'1_0' is not a number"),
    "hexadecimal": ("u,i,3\nv,i,0x10\n", 2, "'0x10' is not a number"),
    "Arabic digits": ("u,i,3\nv,i,٣\n", 2, "'٣' is not a number"),
    "true": ("u,i,3\nv,i,true\n", 2, "'true' is not a number"),
    "matrix of numbers": ("0,3,4,0,5\n1,0,0,2,1\n", 1, "looks like a matrix of users × items (4 columns"),
    "no names": ("a,u,3,i,x\nb,v,4,i,y\n", 1, "5 columns without names; say which by --columns 1,2,3"),
    "other place": ("user,film,when,rating\nu,a,9,4\n", 1, "item (the columns are user, film, when"),
    "times in the third place": (
        "client,sku,when,grade\nu,a,964982703,4\nv,b,964982704,5\n",
        1,
        "user (the columns are client, sku, when, grade); name three with --columns",
    ),
    "an index first": (",client,sku,grade\n0,u,a,4\n1,v,b,5\n", 1, "user (the columns are , client"),
    "a time for a rating": ("user,item,when,grade\nu,a,9,x\n", 1, "is called rating (the columns are user"),
    "zip": (b"PK\x03\x04\0\0\n", None, "is no text but a zip archive or a workbook; unpack it"),
    "xz": (b"\xfd7zXZ\0", None, "is no text but packed by xz; unpack it by unxz"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x58", None, "is no text but packed by zstd; unpack it by unzstd"),
    "zip of several": (zipped({"a.csv": PLAIN, "b.csv": ""}), None, "is a zip archive of 'a.csv', 'b.csv'"),
    "zip of nothing": (zipped({}), None, "is a zip archive of nothing"),
    "workbook": (zipped({"xl/workbook.xml": "", "a.txt": ""}), None, "is a workbook; save the sheet as CSV"),
    "tar": (tar({"r.csv": "u,i,3\n" * 999}), None, "is no text but a tar archive; unpack it"),
    "packed tar": (tar({"r.csv": "u,i,3\n" * 999}, "w:gz"), None, "is no text but a tar archive"),
    "JSON over lines": ('{\n"user": 1}', 1, "is not JSON on one line"),
    "JSON of other names": ('{"a": 1, "item": 2}\n', 1, "user (the columns are a, item); name"),
    "JSON without a user": (JSON + '{"item": 2, "rating": 3}\n', 3, "the user ('user') is empty"),
    "JSON without a rating": (JSON + '{"user": 2, "item": 3}\n', 3, "rating ('rating') '' is missing"),
    "JSON with an object": (JSON + '{"user": 2, "item": 3, "rating": {"a": 1}}\n', 3, "is not a number"),
    "deep JSON": (JSON + '{"user":' + "[" * 10**5 + "\n", 3, "is not JSON on one line"),
    "JSON that ends in other lines": (JSON + "3\n", 3, "is JSON, but no object with user, item and rating"),
    "Netflix without ratings": ("1:\n30878\n", None, "has no rating next to the user in '30878'"),
    "Letterboxd's own list": (
        "Date,Name,Year,Letterboxd URI,Rating\n2020-01-01,a,1999,u,4\n",
        1,
        "Letterboxd URI, Rating); 'Letterboxd URI' is from one",
    ),
    "two ratings": ("user,item,rating,score\nu,i,3,9\n", 1, "may be the rating: rating, score; name three"),
    "two codes": ("u,i,1\nv,i,-1\nv,j,4.5\nw,j,99\n", None, "go from 1 to 4.5: say --missing -1,99"),
    "a code and zeros": ("u,i,0\nv,i,-1\nv,j,4\nw,j,3\n", None, "from 3 to 4: say --missing -1,0 if"),
    "zeros above others": ("u,i,0\nw,i,0\nv,i,-2\nv,j,5\n", None, "the others go from -2 to 5: say --zeros"),
    "7z": (b"7z\xbc\xaf\x27\x1c\0\4", None, "is no text but a 7z archive"),
    "HDF5": (b"\x89HDF\r\n\x1a\n\0", None, "is no text but HDF5; its name must end in .h5"),
    "Parquet": (b"PAR1\x15\x04", None, "is no text but Parquet; its name must end in .parquet"),
}


@pytest.mark.parametrize(("text", "line", "why"), MESSY.values(), ids=MESSY)
def test_what_is_not_as_it_should_be_is_told_with_its_line_and_what_to_do(tmp_path, text, line, why):
    fails(write(tmp_path, text), line, why)


def test_what_a_parser_of_csv_is_for(tmp_path):
    text = '\ufeffuser,item,rating\r\nu0,"Apollo 1, 1991",4\r\n"say ""a""","two\nlines",3\n'
    text += "Müller,x,1\nMöller,x,2\n"
    found = read_ratings(write(tmp_path, text))
    assert found.users.tolist() == ["u0", 'say "a"', "Müller", "Möller"]
    assert found.items.tolist() == ["Apollo 1, 1991", "two\nlines", "x"]
    assert [v for *_, v in triples(found)] == [4, 3, 1, 2]
    fails(write(tmp_path, text + "u1,x,bad\n"), 7, "'bad' is not a number")
    latin = write(tmp_path, text.removeprefix("\ufeff").encode("latin-1"))
    assert read_ratings(latin, encoding="latin-1").users.tolist() == found.users.tolist()


def test_missing_ratings_are_left_out_where_that_is_asked_for(tmp_path):
    path, told = write(tmp_path, PLAIN + "dee,x,NA\nann,z,\n"), []
    found = read_ratings(path, drop_missing=True, tell=told.append)
    assert sorted(triples(found)) == sorted(ROWS)
    assert told == ["2 of 6 lines are left out: they have no rating"]
    fails(write(tmp_path, "u,i,\nv,j,NA\n"), None, "holds no rating", drop_missing=True)
    path = hdf5(tmp_path, user=[1, 2, 3], item=[1, 2, 2], rating=[1.0, np.nan, 2.0])
    assert len(read_ratings(path, drop_missing=True, tell=told.append).values) == 2


def hdf5(tmp_path, **columns):
    with h5py.File(tmp_path / "r.h5", "w") as file:
        file.update(columns)
    return tmp_path / "r.h5"


BOTH = {"user": [1, 2], "item": [1, 2]}


@pytest.mark.parametrize(
    ("columns", "line", "why"),
    [
        (BOTH | {"rating": np.array([1.0, 2j])}, 1, "is not a number"),
        (BOTH | {"rating": np.array([1.0, 1e300])}, 2, "beyond the range"),
        (BOTH | {"rating": np.array([b"3", b"x"])}, 2, "'x' is not a number"),
        (BOTH | {"rating": np.ones((2, 2))}, None, "columns of different shapes"),
        (BOTH | {"rating": 1.0}, None, "columns of different shapes"),
        (BOTH | {"rating": h5py.Empty("f8")}, None, "has no rating; it has item 2, user 2"),
        (
            {f"{group}/{name}": [1, 2] for group in "ab" for name in (*BOTH, "rating")},
            None,
            "has a table in each of a, b: keep one",
        ),
        ({"R": np.ones((40, 30))}, None, "has no user; it has R 40 × 30"),
        ({"user": h5py.ExternalLink("/etc/hostname", "/")}, None, "is a link to another place"),
        ({"who": [7, 8], "item": [1, 2], "rating": [1, 2]}, None, "has no user; it has item 2"),
    ],
)
def test_hdf5_of_other_kinds_is_told(tmp_path, columns, line, why):
    fails(hdf5(tmp_path, **columns), line, why)


def test_hdf5_of_references_and_no_hdf5_is_told(tmp_path):
    path = hdf5(tmp_path, item=[1, 2], rating=[1.0, 2.0])
    with h5py.File(path, "a") as file:
        file["user"] = np.array([file.ref] * 2, h5py.ref_dtype)
    fails(path, None, "user (dataset 'user') holds neither numbers nor texts")
    fails(write(tmp_path, "x", "s.h5"), None, "is not an HDF5 file")


def test_faults_count_lines_over_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 10)
    fails(write(tmp_path, f"user,item,rating\n{PLAIN}dee,x,y\n"), 6, "(column 3 'rating') 'y' is not")


def test_cut_gzip(tmp_path):
    text = "".join(f"u{k},i{k % 7},{k % 5}\n" for k in range(9999)).encode()
    fails(write(tmp_path, gzip.compress(text)[:-99], "r.csv.gz"), 1, "damaged or cut")


def test_a_line_without_end_is_refused_before_it_is_parted(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 1 << 10)
    monkeypatch.setattr(packed_lines, "WIDEST", 1 << 10)
    fails(write(tmp_path, "u,i,3\nv,j,4\n" + "," * 5000 + "\n"), 3, "line longer than 1024 bytes")
    fails(write(tmp_path, "," * 5000 + "\n"), 1, "line longer than 1024 bytes")


def test_one_long_name_takes_no_room_beside_the_others(tmp_path):
    found = read_ratings(write(tmp_path, f"{PLAIN}{'u' * 10_000},x,4\n"))
    assert found.users.nbytes <= 8 * len(found.users)


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lambda text: zipped({"r.csv": text})])
def test_what_unpacks_beyond_measure_is_refused(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(outside, "SMALL", 1 << 20)
    path = write(tmp_path, packed(b"u,i,3\n" * 1_000_000), "r.csv.packed")
    fails(path, 1, f"unpacks to more than {max(1 << 20, 200 * path.stat().st_size)} bytes")


def test_what_a_zero_and_a_count_are_is_taken_as_said(tmp_path):
    path, told = write(tmp_path, PLAIN + "cy,x,0\ndee,y,0\n"), []
    found = read_ratings(path, zeros="missing", tell=told.append)
    assert sorted(triples(found)) == sorted(ROWS) and told[0].startswith("2 of 6 lines are left out")
    assert read_ratings(path, zeros="rating").scale == (0, 5)
    for sure in ("u,i,0\nv,j,1\n", "u,i,0\nv,i,-2\nv,j,5\n", "u,i,100\nv,j,4\nu,j,99\nv,i,80\n"):
        read_ratings(write(tmp_path, sure))
    path = write(tmp_path, "u,i,0\nv,i,-1\nv,j,5\nw,j,99\n")
    assert read_ratings(path, missing=()).scale == (-1, 99)
    fails(path, None, "say --zeros missing", missing=(-1.0, 99.0))
    assert read_ratings(path, missing=(-1.0, 99.0), zeros="rating").scale == (0, 5)
    assert read_ratings(write(tmp_path, "u,i,1\nv,i,2\nv,j,300\n"), counts=True).scale == (1, 300)


def test_times_come_with_their_ratings_in_any_form(tmp_path):
    when = dict(zip(ROWS, (100, 90, 86_400, 7), strict=True))
    for form, suffix in (("{}", ""), ("{}500", "ms"), ("1970-01-0{}", "ISO")):
        text = "user,item,rating,timestamp\n"
        for (u, i, r), t in when.items():
            iso = f"{1 + t // 86_400}T00:{t % 86_400 // 60:02}:{t % 60:02}Z"
            stamp = 10**9 + t if suffix == "ms" else iso if suffix == "ISO" else t
            text += f"{u},{i},{r:g},{form.format(stamp)}\n"
        text += text.splitlines()[1] + "\n"
        found = read_ratings(write(tmp_path, text), times=True, duplicates="last")
        seconds = found.times - 10**9 * (suffix == "ms")
        assert {t: int(s) for t, s in zip(triples(found), seconds, strict=True)} == when
    assert read_ratings(write(tmp_path, PLAIN.replace("\n", ",9\n")), times=True).times.tolist() == [9] * 4
    fails(write(tmp_path, PLAIN), 1, "expected user, item, rating, time with a separator", times=True)
    fails(write(tmp_path, "u,i,3,9\nv,j,4,noon\n"), 2, "time (column 4) 'noon' is no number of", times=True)
    assert read_pairs(write(tmp_path, "ann,x,9\n"), times=True)["time"].tolist() == [9]


def test_duplicates_by_choice(tmp_path):
    path = write(tmp_path, PLAIN + "ann,x,2\nann,x,3\n")
    fails(path, 5, "user 'ann' rates item 'x' again", duplicates="error")
    for choice in ("last", "mean"):
        found = triples(read_ratings(path, duplicates=choice))
        assert ("ann", "x", 3.0) in found and len(found) == 4


def test_ids_of_hdf5_that_became_floats_are_those_of_a_text(tmp_path):
    columns = {"user": [7.0, 8.0, 7.0], "item": np.float32([1, 1, 2.5]), "Rating": [1, 2, 3]}
    found = triples(read_ratings(hdf5(tmp_path, **columns)))
    assert found == [("7", "1", 1.0), ("7", "2.5", 3.0), ("8", "1", 2.0)]
    fails(hdf5(tmp_path, **columns | {"user": [7, np.nan, 8]}), 2, "the user (dataset 'user') is empty")
    missing = columns | {"Rating": [1, 2, np.nan]}
    fails(hdf5(tmp_path, **missing), 3, "rating (dataset 'Rating') 'nan' is missing")


def test_random_bytes_are_read_or_blamed(tmp_path):
    rng, good = np.random.default_rng(0), np.frombuffer(PLAIN.encode() * 40, np.uint8)
    alphabet = np.frombuffer(b',;:\t\n\r "\x00\xff.-e9a', np.uint8)
    for _ in range(150):
        text = good.copy()
        at = rng.integers(len(text), size=rng.integers(1, 6))
        text[at] = rng.choice(alphabet, len(at))
        path = write(tmp_path, text[: rng.integers(1, len(text))].tobytes())
        try:
            assert read_ratings(path, duplicates="last").shape[0] > 1
        except FormatError as error:
            assert path.name in str(error)


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ("7,3\n8,4\n", "write a line of names above it: kunde for the user, film for the item"),
        ("kunde,wer\n7,3\n", "no column is called item (the columns are kunde, wer)"),
        ("film;kunde\n3;7\n", [["7", "3"]]),
        ("user,item\n7,3\n", [["7", "3"]]),
        ('{"film": 3, "x": 1, "kunde": 7}\n', [["7", "3"]]),
    ],
)
def test_pairs_beside_ratings_with_the_item_first(tmp_path, pairs, why):
    path = write(tmp_path, "film,kunde,note\n3,7,4\n4,8,5\n")
    columns = Reading(["kunde", "film", "note"]).pieces(path)[1]
    path = write(tmp_path, pairs, "w.csv")
    if isinstance(why, list):
        assert read_pairs(path, columns).to_numpy().tolist() == why
    else:
        with pytest.raises(FormatError, match=re.escape(why)):
            read_pairs(path, columns)
    known = Reading(["2", "1", "3"]).pieces(write(tmp_path, "3,7,4\n4,8,5\n"))[1]
    for text in ("3,7\n", "film,kunde\n3,7\n", "item,user\n3,7\n", "3,7,9\n"):
        assert read_pairs(write(tmp_path, text), known).to_numpy().tolist() == [["7", "3"]]
