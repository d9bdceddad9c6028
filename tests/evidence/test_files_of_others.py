"""What others may have put beside tables is read with a model: one clear error, never a traceback."""

import gzip
import json
import random
import shutil

import pandas as pd
import pytest
from click.testing import CliRunner
from places import ROOT

from projfree.common.outside import DamagedFile
from referee import cli
from referee.common import bounded
from referee.evidence import files
from referee.evidence.tidy import read_tidy

PUBLISHED = ROOT / "reports/reference/ipg"
#: Values that stand for whatever JSON may hold, in place of a whole file or a part of one.
ODD = None, {}, [], [1], [[]], 0, -1.5, True, "x", {"a": None}, [{"id": 1}], [{"id": {}}], {"quick": []}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """One published report, to be changed and put back."""
    folder = tmp_path_factory.mktemp("reports")
    shutil.copytree(PUBLISHED, folder / "ipg")
    for table in sorted(folder.glob("ipg/evidence/*.csv.gz"))[1:]:
        table.unlink()
    return folder


def write(path, found):
    content = json.dumps(found).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def places(found, path=()):
    """All places of a JSON value that are not within a list's later entries."""
    yield path
    pairs = enumerate(found[:1]) if isinstance(found, list) else ()
    for key, part in found.items() if isinstance(found, dict) else pairs:
        yield from places(part, (*path, key))


def changed(found, place, odd):
    if not place:
        return odd
    copy = found.copy()
    copy[place[0]] = changed(found[place[0]], place[1:], odd)
    return copy


def refused_or_right(words):
    done = CliRunner().invoke(cli.main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, repr(done.exception))
    assert done.exit_code in (0, 1), done.output


@pytest.mark.parametrize("name", ["claims.json", "costs.json", "about.json", "evidence/study.json.gz"])
def test_no_value_in_a_file_ends_in_a_traceback(published, name, long):
    """Whole files, and parts as deep as a model looks: `judge`, `compare` and the reader itself."""
    path, rng = published / "ipg" / name, random.Random(name)
    kept, found = path.read_bytes(), json.loads(bounded.content(path))
    cases = [((), odd) for odd in ODD]
    parts = [(place, odd) for place in places(found) if 0 < len(place) <= 3 for odd in ODD]
    cases += parts if long else rng.sample(parts, 8)
    try:
        for place, odd in cases:
            write(path, changed(found, place, odd))
            if name == "evidence/study.json.gz" or not place:
                refused_or_right(["judge", "ipg", "--from", str(published)]) if not place or long else None
            refused_or_right(["compare", str(published), str(published), "ipg"])
            if name in files.MODELS:
                try:
                    files.read(path)
                except DamagedFile as error:
                    assert str(error).startswith(str(path)) and "\n" not in str(error)
    finally:
        path.write_bytes(kept)


@pytest.mark.parametrize(
    ("name", "found"),
    [("claims.json", odd) for odd in (None, [1], [{"id": 1}])] + [("costs.json", []), ("about.json", None)],
)
def test_what_does_not_fit_is_named(tmp_path, name, found):
    write(tmp_path / name, found)
    with pytest.raises(DamagedFile, match=f"{name}: not as it should be"):
        files.read(tmp_path / name)


def test_published_files_fit():
    for path in (path for name in files.MODELS for path in ROOT.glob(f"reports/reference/*/{name}")):
        files.read(path)


FAULTS = {
    "no method": lambda t: t.drop(columns="method"),
    "a metric that is infinite": lambda t: t.assign(objective=float("inf")),
    "CPU seconds that are 0": lambda t: t.assign(cpu_seconds=0.0),
    "iterations that are none": lambda t: t.assign(iteration=float("nan")),
    "seconds below 0": lambda t: t.assign(cpu_seconds=t["cpu_seconds"] - 1e9),
    "seconds that go back": lambda t: t.assign(cpu_seconds=-t["cpu_seconds"]),
    "seconds in words": lambda t: t.assign(cpu_seconds="many"),
    "rows reversed": lambda t: t[::-1],
    "no rows": lambda t: t[:0],
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_tables_that_no_run_writes_are_refused(fault, tmp_path):
    found = bounded.table(next(iter(sorted(PUBLISHED.glob("evidence/*.csv.gz")))), read_tidy)
    fault(found).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DamagedFile, match=r"t\.csv: damaged, or not such a table"):
        bounded.table(tmp_path / "t.csv", read_tidy)
    found.to_csv(tmp_path / "t.csv", index=False)
    pd.testing.assert_frame_equal(bounded.table(tmp_path / "t.csv", read_tidy), found)


def test_published_tables_are_taken(long):
    tables = sorted(ROOT.glob("reports/reference/*/evidence/*.csv.gz"))
    for path in tables if long else random.Random(0).sample(tables, 8):
        bounded.table(path, read_tidy)
