"""Every advice that a message gives is followed on its file, and ends with the ratings that are in it."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from packs import zipped
from places import BIN

from ratings.advice import csv_of_parquet
from ratings.tables import Reading, read_ratings, read_some
from referee.data.errors import FormatError

COMMAND = re.compile(r"(?:python -c |iconv |python -m zipfile ).*?(?=; or name|$)|(?<=unpack it by )unxz")
#: Ids that a careless reader changes.
USERS = [
    "0000000001",
    "1",
    "NA",
    "ann, b",
    "Müller",
    '"q"',
    "1e3",
    "007",
    "2.50",
    " =x",
    "None",
    "18446744073709551617",
]
ITEMS = [
    "0000000001",
    "1.0",
    "NaN",
    "a;b",
    "Ødegård",
    'say "a"',
    "12 Monkeys",
    "tt0042",
    "x y",
    "-",
    "+1",
    "3",
]


def table(rng, size=12):
    """{(user, item): rating as text}, half of them known, none alone."""
    known = rng.random((size, size)) < 0.6
    np.fill_diagonal(known, True)
    values = rng.choice(["1", "2.5", "3", "4.0", "5"], known.shape)
    return {
        (u.strip(), i): str(values[a, b])
        for a, u in enumerate(USERS[:size])
        for b, i in enumerate(ITEMS[:size])
        if known[a, b]
    }


ASKED = re.compile(r"--missing (\S+) if|--(zeros) missing|--(drop-missing)|--duplicates (last)|--(counts)")


def followed(path, **options):
    """The ratings after what messages say is done, and how many times."""
    shell = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    for done in range(4):
        try:
            return read_ratings(path, **options), done
        except FormatError as error:
            told = str(error)
        if found := COMMAND.search(told):
            command = f"unxz {path.name}" if found[0] == "unxz" else found[0]
            before = {*path.parent.rglob("*")}
            run = subprocess.run(["bash", "-ec", command], cwd=path.parent, env=shell, capture_output=True)
            assert run.returncode == 0 and not run.stderr, (told, run.stderr.decode())
            (path,) = (made for made in path.parent.rglob("*") if made not in before and made.is_file())
        elif found := ASKED.search(told):
            codes, zeros, dropped, last, counts = found.groups()
            options |= {"missing": tuple(map(float, codes.split(",")))} if codes else {}
            options |= {"zeros": "missing"} if zeros else {}
            options |= {"drop_missing": True} if dropped else {}
            options |= {"duplicates": last} if last else {}
            options |= {"counts": True} if counts else {}
        else:
            pytest.fail(f"no advice in: {told}")
    return pytest.fail(f"not read after all that is said: {told}")


def triples(ratings):
    return {
        (ratings.users[i], ratings.items[j]): float(v)
        for i, j, v in zip(ratings.rows, ratings.cols, ratings.values, strict=True)
    }


def cells(rows, separator):
    """CSV, quoted where that is needed."""

    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def matrix(known, corner="user", separator=",", empty=""):
    """Lines of users, columns of items."""
    users, items = ([*dict.fromkeys(pair[k] for pair in known)] for k in (0, 1))
    rows = [[u, *(known.get((u, i), empty) for i in items)] for u in users]
    return cells([[corner, *items], *rows] if corner is not None else rows, separator)


def in_archive(text):
    return zipped({"ml/ratings.csv": text})


PACKS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".zip": in_archive}


#: Forms of a table: their text; and whether items are numbered.
FORMS = {
    "matrix": matrix,
    "matrix, tabs": lambda known: matrix(known, separator="\t"),
    "matrix, semicolons": lambda known: matrix(known, "kunde", ";"),
    "matrix of an index": lambda known: matrix(known, ""),
    "matrix, NA": lambda known: matrix(known, empty="NA"),
    "matrix, zeros": lambda known: matrix(known, empty="0"),
    "matrix, 99": lambda known: matrix(known, empty="99"),
    "matrix, items first": lambda known: matrix({(i, u): v for (u, i), v in known.items()}, "movieId"),
    "matrix without a header": lambda known: matrix(known, None),
    "array of JSON": lambda known: json.dumps(
        [{"user": u, "item": i, "rating": r} for (u, i), r in known.items()], indent=1
    ),
    "dictionaries of Python": lambda known: "".join(
        f"{ {'user_id': u, 'review': 'it' + chr(39) + 's', 'product_id': i, 'stars': float(r)} }\n"
        for (u, i), r in known.items()
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", PACKS)
def test_a_table_is_read_after_what_its_message_says(tmp_path, monkeypatch, form, suffix):
    monkeypatch.chdir(tmp_path)
    known = table(np.random.default_rng(len(form)))
    path = tmp_path / f"a 'b' é😀.csv{suffix}"
    path.write_bytes(PACKS[suffix](FORMS[form](known).encode()))
    found, done = followed(path)
    if form == "matrix without a header":
        items = [*dict.fromkeys(item for _, item in known)]
        known = {(u, str(1 + items.index(i))): value for (u, i), value in known.items()}
    assert done and triples(found) == numbers(known)


def numbers(known):
    return {pair: float(value) for pair, value in known.items()}


def long_table(known, separator=","):
    return cells([("user", "item", "rating"), *((*pair, value) for pair, value in known.items())], separator)


PLAIN = table(np.random.default_rng(5))
BELOW = PLAIN | {("x", "3"): "-0.5"}
COUNTS = {pair: value[0] for pair, value in PLAIN.items()} | {("1", "3"): "500"}
LATIN = {pair: value for pair, value in PLAIN.items() if "Ø" not in pair[1]}
#: Tables, and with which name, options and ratings they are read in the end.
OTHERS = {
    "UTF-16": (long_table(PLAIN).encode("utf-16"), "t.csv", {}, PLAIN),
    "UTF-16, packed": (gzip.compress(long_table(PLAIN).encode("utf-16")), "t.csv", {}, PLAIN),
    "UTF-16, in an archive": (in_archive(long_table(PLAIN).encode("utf-16")), "t.zip", {}, PLAIN),
    "UTF-8 with a mark": (matrix(PLAIN, "").encode("utf-8-sig"), "t.csv", {}, PLAIN),
    "Latin-1": (matrix(LATIN).encode("latin-1"), "t.csv", {"encoding": "latin-1"}, LATIN),
    "xz": (lzma.compress(long_table(PLAIN).encode()), "t.csv.xz", {}, PLAIN),
    "missing": (long_table(PLAIN | {("x", "y"): ""}).encode(), "t.csv", {}, PLAIN),
    "again": ((long_table(PLAIN) + "1,3,2\n1,3,4\n").encode(), "t.csv", {}, PLAIN | {("1", "3"): "4"}),
    "codes": (long_table(PLAIN | {("x", "3"): "-1", ("y", "3"): "99"}).encode(), "t.csv", {}, PLAIN),
    "zeros below none": (long_table(BELOW | {("y", "3"): "0", ("z", "3"): "0"}).encode(), "t.csv", {}, BELOW),
    "counts": (long_table(COUNTS).encode(), "t.csv", {}, COUNTS),
    "counts of rated jokes first": (
        b"5,1,2,3,4,5\n5,2,3,4,5,1\n4,1,2.5,,5,1\n",
        "t.csv",
        {},
        {
            (str(1 + u), str(1 + i)): value
            for u, row in enumerate(("1 2 3 4 5", "2 3 4 5 1", "1 2.5 - 5 1"))
            for i, value in enumerate(row.split())
            if value != "-"
        },
    ),
    "numbers of items above": (
        b"kunde,1193,661,12\na,3,4,5\nb,,5,1\n",
        "t.csv",
        {},
        {("a", "1193"): "3", ("a", "661"): "4", ("a", "12"): "5", ("b", "661"): "5", ("b", "12"): "1"},
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_another_table_is_read_after_what_its_message_says(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    content, name, options, known = OTHERS[case]
    if name.endswith(".xz") and not shutil.which("unxz"):
        pytest.skip("no unxz here")
    (tmp_path / name).write_bytes(content)
    assert triples(followed(tmp_path / name, **options)[0]) == numbers(known)  # with the same options


def test_what_is_subtracted_or_divided_by_is_enough(tmp_path):
    known, path = numbers(PLAIN), tmp_path / "t.csv"
    for change in (lambda v: v + 10**8, lambda v: v - 1.6e12, lambda v: v * 1e-20, lambda v: v * 1e20):
        changed = {pair: change(value) for pair, value in known.items()}
        path.write_text(long_table({pair: repr(value) for pair, value in changed.items()}))
        with pytest.raises(FormatError) as error:
            read_ratings(path)
        word, number = re.search(r"(subtract|divide all by) (\S+)", str(error.value)).groups()
        less, by = (float(number), 1) if word == "subtract" else (0, float(number))
        path.write_text(long_table({pair: repr((v - less) / by) for pair, v in changed.items()}))
        assert len(triples(read_ratings(path))) == len(known)


def test_the_command_for_parquet_keeps_ids(tmp_path, monkeypatch):
    """By the pandas of this place; its reader of Parquet needs pyarrow, which is not here."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"user": ["001", "NA", "1"], "item": [3.0, 7.0, np.nan], "rating": [1, 2.5, np.nan]})
    monkeypatch.setattr(pd, "read_parquet", lambda path: frame)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    exec(shlex.split(csv_of_parquet(Path("t.parquet")).partition("with: ")[2])[2])
    assert (tmp_path / "t.csv").read_text() == "user,item,rating\n001,3,1.0\nNA,7,2.5\n1,,\n"


HEAD = "user,item,rating\n"
#: What is refused; a part of what is said; what is read after it, and by which columns.
BY_HAND = {
    "columns by number": ("a,f,3,x,y\nb,m,4,x,z\n", "--columns 1,2,3", None, "1,4,3"),
    "columns by name": ("user,film,when,rating\na,x,9,3\nb,x,9,4\n", "--columns", None, "user,film,rating"),
    "columns of a matrix": ("who,b,c,d\na,x,1,3\nb,x,1,4\n", "--columns", None, "who,b,d"),
    "two of one field": ("user,item,rating,score\na,x,3,9\nb,x,4,8\n", "--columns", None, "user,item,rating"),
    "no decimal comma": ("a,x,3,0\nb,x,4,0\n", "--columns 1,2,3 if they are two", None, "1,2,3"),
    "decimal commas": ("a,x,3,0\nb,x,4,0\n", "write it with a point", "a,x,3.0\nb,x,4.0\n", None),
    "decimal comma": (f"{HEAD}a,x,3,0\nb,x,4\n", "write 3.0 with a point", f"{HEAD}a,x,3.0\nb,x,4\n", None),
    "quoted comma": (f'{HEAD}a,x,"3,0"\nb,x,4\n', "with a decimal point", f"{HEAD}a,x,3.0\nb,x,4\n", None),
    "comma in a name": (f"{HEAD}a,x, y,3\nb,x,4\n", "quote a field", f'{HEAD}a,"x",3\nb,x,4\n', None),
    "quote in a name": (f'{HEAD}a,"x"y,3\n', "quotes doubled", f'{HEAD}a,"x""",3\nb,"x""",4\n', None),
    "no field": (f"{HEAD}a,x,3\nb,x\n", "write every field", f"{HEAD}a,x,3\nb,x,4\n", None),
    "no name": (f"{HEAD},x,3\nb,x,4\n", "name it, or remove the line", f"{HEAD}a,x,3\nb,x,4\n", None),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_what_is_said_to_do_by_hand_is_enough(tmp_path, case):
    text, said, after, columns = BY_HAND[case]
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=re.escape(said)):
        read_ratings(path)
    path.write_text(after or text)
    found, _ = read_some(path, Reading(columns and columns.split(",")))
    assert found.users.tolist() == ["a", "b"] and found.values.tolist() == [3, 4]
