"""The shipped catalog, and clear errors for a wrong one."""

import re

import pytest
import yaml
from local_site import row

from referee.data import catalog, fingerprint, formats, generators
from referee.data.errors import CatalogError, IntegrityError
from referee.data.rating_lines import LAYOUTS

NEEDED = {
    "ncgs": ["covertype", "covertype-sample", "aloi", "sensorless"],
    "mpcgs": ["rcv1", "rcv1-test", "sector", "sector-test", "news20", "news20-test"],
    "gcg": ["movielens-100k", "movielens-1m", "movielens-10m", "netflix-prize", "yahoo-r1", "yahoo-r2"]
    + ["kdd-cup-2011", "extended-yale-b", "extended-yale-b-cropped", "extended-yale-b-32x32"]
    + ["fungus10", "fungus134", "k1024"],
    "nfwu": ["movielens-100k"],
    "ipg": ["coil20", "soc-epinions1", "soc-sign-epinions", "gas-drift", "year-prediction-msd", "cardiac"],
}


PRINT = {"shape": [1, 1], "nnz": 1, "labels": None, "column_sums": None}


@pytest.fixture(scope="module")
def rows():
    return catalog.load()


def test_every_dataset_of_the_five_papers_has_its_row(rows):
    for paper, names in NEEDED.items():
        assert set(names) <= {name for name, dataset in rows.items() if paper in dataset.used_by}


@pytest.mark.parametrize("name", list(catalog.load()))
def test_row_is_usable(rows, name):
    dataset = rows[name]
    assert dataset.citation and dataset.licence
    assert dataset.reader in formats.READERS or (dataset.reader is None and dataset.reader_issue)
    open_files = [f for f in dataset.files if not f.shipped and not any(not a.login for a in f.addresses)]
    assert not open_files or dataset.obtain, "says how to obtain what no address delivers"
    for file in dataset.files:
        assert all(re.match("https?://", a.address) for a in file.addresses)
        assert not file.mirror.address.startswith("/")
    if dataset.stand_in:
        assert generators.find(dataset.stand_in.generator, dataset.paper)


def test_facts_that_must_not_drift(rows):
    counts = [211840, 283301, 35754, 2747, 9493, 17367, 20510]
    print_ = rows["covertype"].fingerprint
    assert print_.shape == [581012, 54] and list(print_.labels.values()) == counts
    assert rows["covertype"].files[0].sha256 is None and rows["covertype"].files[0].bytes == 11240707
    print_ = rows["news20"].fingerprint
    assert print_.nnz == 1272569 and sum(print_.labels.values()) == 15935
    assert rows["aloi"].stand_in.params["classes"] == 1000
    official = {name: row for name, row in rows.items() if row.reader == "ratings" and row.files}
    ratings = {name: row.fingerprint.nnz for name, row in official.items()}
    assert ratings == {
        "movielens-100k": 100_000,
        "movielens-1m": 1_000_209,
        "movielens-10m": 10_000_054,
        "movielens-10m-split": 10_000_054,
        "netflix-prize": 100_480_507,
        "kdd-cup-2011": 252_800_275 + 4_003_960,
        "yahoo-r1": None,
        "yahoo-r2": None,
    }
    held_out = {name: row.fingerprint.held_out for name, row in official.items()}
    assert {name: number for name, number in held_out.items() if number} == {
        "movielens-10m-split": 698_780,
        "netflix-prize": 1_408_395,
        "kdd-cup-2011": 4_003_960,
    }
    assert all(row.reader_params["layout"] in LAYOUTS for row in rows.values() if row.reader == "ratings")


def test_unknown_dataset_guesses_and_says_what_lists_all():
    with pytest.raises(CatalogError, match=r"Did you mean 'covertype'.*\? List them with: projfree data$"):
        catalog.dataset("covertyp")
    with pytest.raises(CatalogError, match="unknown dataset 'xyzzy'. List them with: projfree data$"):
        catalog.dataset("xyzzy")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"licens": "x"}, r"thing: unknown key 'licens'. Did you mean 'licence'\?"),
        ({"title": None}, "thing.title"),
        ({"used_by": ["Other 1"]}, "thing.used_by.0: 'Other 1' should match"),
        ({"files": []}, "thing: files: none, and no stand_in"),
        ({"reader": "libsmv"}, "thing.reader: unknown reader 'libsmv'. Did you mean 'libsvm'"),
        ({"stand_in": {"generator": "x", "params": {}, "sed": 1}}, "sed"),
        ({"fingerprint": PRINT | {"shape": [1]}}, "fingerprint.shape"),
        (row([{"name": "a", "sha256": "abc"}]), "files.0.sha256"),
        (row([{"name": "a", "bytes": "12"}]), "files.0.bytes"),
        (row([{"name": "../a"}]), "files.0.name"),
        (row([{"name": "a/b"}]), "files.0.name"),
        (row([{"name": "a", "addresses": [{"address": "http://x", "unpak": "zip"}]}]), "unpak"),
    ],
)
def test_wrong_rows(project, change, message):
    with pytest.raises(CatalogError, match=message):
        catalog.load(project(thing=row([{"name": "a"}]) | change))


def test_missing_or_broken_file(tmp_path):
    with pytest.raises(CatalogError, match="no catalog at"):
        catalog.load(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "datasets.yaml").write_text("a: [")
    with pytest.raises(CatalogError, match="not YAML"):
        catalog.load(tmp_path)
    (tmp_path / "config" / "datasets.yaml").write_text(yaml.safe_dump(["a"]))
    with pytest.raises(CatalogError, match="not a valid catalog"):
        catalog.load(tmp_path)


def test_either_number_of_classes_of_rcv1_fits():
    """51 labels occur in the training part; LIBSVM's page says 53."""
    expected = catalog.load()["rcv1"].fingerprint.plain()
    for classes in (51, 53):
        fingerprint.check(expected, {"shape": [15564, 47236], "classes": classes}, "rcv1")
    with pytest.raises(IntegrityError, match="classes is 52, expected"):
        fingerprint.check(expected, {"shape": [15564, 47236], "classes": 52}, "rcv1")
