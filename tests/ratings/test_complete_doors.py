"""The same table gives the same answer at each door: as ratings, pairs or new users, in every form."""

import bz2
import gzip
import json
import warnings

import h5py
import numpy as np
import pandas as pd
from click.testing import CliRunner
from packs import zipped
from scipy import sparse

import projfree as pf
from ratings.output import Asked
from ratings.storage import prepare_ratings
from ratings.tables import Reading, read_pairs, read_ratings
from referee.cli import main
from referee.data.errors import FormatError

FIELDS = "user", "item", "rating", "time"
#: Names that tell their fields, and such that do not.
KNOWN = [FIELDS, ("userId", "movieId", "rating", "timestamp"), ("User-ID", "ISBN", "Book-Rating", "date")]
KNOWN += [("user_id:token", "item_id:token", "rating:float", "timestamp:float")]
OWN = [("kunde", "artikel", "note", "wann"), ("a", "b", "c", "d"), ("who", "Item-no", "x", "t")]
SEPARATORS = {"comma": ",", "tab": "\t", "semicolon": ";", "colons": "::", "blank": " "}
PACKS = {"gzip": (".csv.gz", gzip.compress), "bzip2": (".csv.bz2", bz2.compress)}
PACKS |= {"zip": (".zip", lambda text: zipped({"in it/table.csv": text}))}
NAMED = "JSON", "HDF5", "group", "compound", "column vectors"
FORMS = [*SEPARATORS, *PACKS, *NAMED]
CASES, SHARE = 4000, 120
ODD = -1.0, 99.0


def form_of(rng, named=None):
    """A random form; `named` as all forms with names are, or none of them."""
    return str(rng.choice(FORMS if named is None else NAMED if named else [*set(FORMS).difference(NAMED)]))


def write(folder, stem, form, names, columns, header):
    """A file of columns, lists of texts."""
    if form in NAMED:
        kinds = [
            np.array(c, float) if all(v.replace(".", "", 1).lstrip("-").isdigit() for v in c) else c
            for c in columns
        ]
        if form == "JSON":
            path = folder / f"{stem}.jsonl"
            rows = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            return path
        path = folder / f"{stem}.h5"
        with h5py.File(path, "w") as file:
            made = [kind if isinstance(kind, np.ndarray) else np.array(kind, "S30") for kind in kinds]
            if form == "compound":
                file["table"] = np.rec.fromarrays(made, names=names)
            else:
                group = file.create_group("ratings") if form == "group" else file
                file["about"] = h5py.Empty("f8")
                for name, array in zip(names, made, strict=True):
                    group[name] = array[:, None] if form == "column vectors" else array
        return path
    separator = SEPARATORS.get(form, ",")
    rows = ([names] if header else []) + [*zip(*columns, strict=True)]
    text = "".join(separator.join(row) + "\n" for row in rows).encode()
    suffix, pack = PACKS.get(form, (".csv", bytes))
    path = folder / f"{stem}{suffix}"
    path.write_bytes(pack(text))
    return path


def ratings_of(rng, users, n=30):
    """Columns of the fields as texts: ids of users and items alike, some pairs twice, some ratings odd."""
    user = rng.choice(users, n)
    item = rng.choice(np.arange(1, 9).astype(str), n)
    value = rng.choice([1.0, 2.0, 2.5, 4.0, 5.0, *ODD], n)
    value[:2] = 1.0, 5.0
    time = rng.permutation(n) + 1000
    user[:2], item[:2] = users[:2], ("1", "2")
    return [*map(list, (user, item, map("{:g}".format, value), time.astype(str)))]


def expected(columns, times):
    """The last rating of each pair, by time or line; odd ones are none."""
    found = {}
    rows = [*zip(*columns, strict=True)]
    for user, item, value, _ in sorted(rows, key=lambda row: int(row[3])) if times else rows:
        if float(value) not in ODD:
            found[user, item] = float(value)
    return found


def triples(found):
    return {
        (found.users[i], found.items[j]): float(v)
        for i, j, v in zip(found.rows, found.cols, found.values, strict=True)
    }


def case(rng, folder):
    """One table as ratings, and another of its kind as pairs and new users; FormatError names of others."""
    times, extra = bool(rng.integers(2)), bool(rng.integers(2))
    fields = 4 if times else 3
    known, header = bool(rng.integers(2)), bool(rng.integers(3))
    order = rng.permutation(fields + extra) if rng.integers(2) else np.arange(fields + extra)
    form = form_of(rng, None if header else False)
    rows = KNOWN if known else OWN
    names = [*rows[rng.integers(len(rows))][:fields], "more"][: fields + extra]

    def laid(columns, fields=fields, names=names, order=order):
        held = [*columns[:fields], ["7"] * len(columns[0])][: fields + extra]
        return [names[k] for k in order], [held[k] for k in order]

    first = ratings_of(rng, np.arange(1, 9).astype(str))
    path = write(folder, "ratings", form, *laid(first), header)
    places = [str(1 + int(np.flatnonzero(order == k)[0])) for k in range(fields)]
    plain = header and known or (not header and not extra and (order == np.arange(fields)).all())
    numbers = form not in NAMED and bool(rng.integers(2))
    columns = (
        (places if numbers or not header else [*names[:fields]]) if not plain or rng.integers(2) else None
    )
    if columns and form in NAMED:
        columns = [*names[:fields]]
    asked = {"missing": ODD, "duplicates": "last", "times": times}
    read = read_ratings(path, columns, **asked)
    assert triples(read) == expected(first, times)
    if not times:
        kept = {name: value for name, value in asked.items() if name != "times"}
        prepared = prepare_ratings(path, folder, columns, **kept, tell=lambda text: None)
        assert prepared.users.tolist() == read.users.tolist() and prepared.scale == read.scale

    layout = Reading(columns, times=times).pieces(path)[1]
    others = ratings_of(rng, [f"new {k}".replace(" ", "") for k in range(4)])
    beside = form_of(rng, None if header else False)
    asked |= {"encoding": "utf-8", "drop_missing": False, "zeros": "ask", "counts": False, "tell": print}
    new = write(folder, "new", beside, *laid(others), header)
    assert triples(Asked.read(new, layout, **asked).ratings) == expected(others, times)
    pairs = write(folder, "pairs", beside, *laid(first), header)
    found = read_pairs(pairs, layout, times=times)
    assert [found["user"].tolist(), found["item"].tolist()] == first[:2]
    assert not times or found["time"].tolist() == [*map(int, first[3])]
    keep = [k for k in order if k != 2 and k < fields]  # the same without ratings, and without what is more
    short = write(folder, "short", beside, [names[k] for k in keep], [first[k] for k in keep], header)
    found = read_pairs(short, layout, times=times)
    assert [found["user"].tolist(), found["item"].tolist()] == first[:2]
    assert not times or found["time"].tolist() == [*map(int, first[3])]
    bare = write(folder, "bare", "comma", [], [first[k] for k in keep], False)
    if header and form not in NAMED:  # without one the order is that of the fields, or it is asked for
        try:
            found = read_pairs(bare, layout, times=times)
        except FormatError as error:
            assert bare.name in str(error) and keep != sorted(keep)
            assert all(f"{layout[field].name} for the {field}" in str(error) for field in ("user", "item"))
        else:
            assert keep == sorted(keep) and [found["user"].tolist(), found["item"].tolist()] == first[:2]
    return form, beside


def test_a_table_gives_the_same_at_each_door(tmp_path, long):
    forms = set()
    for seed in range(CASES if long else SHARE):
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            forms.add(case(np.random.default_rng(seed), folder))
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
    assert [len(set(each)) for each in zip(*forms, strict=True)] == [len(FORMS)] * 2


def matrices():
    """A matrix with unknown entries in every form that a fit takes."""
    rng = np.random.default_rng(0)
    X = 3 + rng.standard_normal((40, 1)) @ rng.standard_normal((1, 9)) + 0.1 * rng.standard_normal((40, 9))
    X = np.where(rng.random(X.shape) < 0.4, np.nan, np.round(X))
    known = np.isfinite(X)
    entries = X[known], np.nonzero(known)
    shuffled = rng.permutation(known.sum())
    mixed = entries[0][shuffled], tuple(axis[shuffled] for axis in entries[1])
    frame = pd.DataFrame(X, columns=[f"film {k}" for k in range(9)])
    return {
        "array": X,
        "columns first": np.asfortranarray(X),
        "float32": X.astype(np.float32),
        "masked": np.ma.masked_invalid(X),
        "masked integers": np.ma.array(np.where(known, X, 7).astype(int), mask=~known),
        "frame": frame,
        "frame of nullable integers": frame.astype("Int64"),
        "frame of objects": frame.astype(object).where(known, None),
        "CSR": sparse.csr_array(entries, shape=X.shape),
        "CSC": sparse.csc_array(entries, shape=X.shape),
        "COO": sparse.coo_array(mixed, shape=X.shape),
        "CSR matrix": sparse.csr_matrix(mixed, shape=X.shape),
    }


def test_a_matrix_gives_the_same_fit_in_each_form():
    found = {}
    for name, X in matrices().items():
        model = pf.estimators.MatrixCompletion(weight=2.0, tol=1e-4)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of -1 among them
            found[name] = model.fit(X).transform(X)
        assert model.items_.tolist() == ([*map(str, getattr(X, "columns", ()))] or [*range(9)])
    for name, filled in found.items():
        np.testing.assert_allclose(filled, found["array"], atol=1e-9, err_msg=name)


def test_the_command_predicts_as_the_estimator(tmp_path):
    """The order of users differs, so both are as near to the optimum as the tolerance says."""
    columns = ratings_of(np.random.default_rng(0), np.arange(1, 9).astype(str), 60)
    ratings = {pair: value for pair, value in expected(columns, False).items()}
    rows = [[*map(list, zip(*ratings, strict=True))][k] for k in (0, 1)]
    path = write(tmp_path, "r", "comma", FIELDS[:3], [*rows, [*map(str, ratings.values())]], True)
    asked = ["complete", str(path), "--weights", "1", "--tol", "1e-7", "--folds", "2", "--no-clip"]
    done = CliRunner().invoke(main, [*asked, "--predict", str(path), "--output", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    model = pf.estimators.MatrixCompletion(weight=1.0, tol=1e-7).fit_ratings(*rows, [*ratings.values()])
    predicted = pd.read_csv(tmp_path / "out/predictions.csv")["rating"]
    np.testing.assert_allclose(predicted, model.predict_ratings(*rows), atol=1e-2)
