"""Files of others that would never end, or fill the memory: each command refuses them at once, by name."""

import gzip
import os
import shutil
import signal
from functools import partial

import pytest
from click.testing import CliRunner
from places import ROOT

from projfree.common.outside import DamagedFile
from referee.cli import main
from referee.common import bounded
from referee.data import catalog, store
from referee.data.errors import IntegrityError
from referee.publish import costs
from referee.study import StudyError, unit_costs

PAPER = "mpcgs"


def fifo(path):
    os.mkfifo(path)


def device(path):
    path.symlink_to("/dev/zero")


def endless(path):
    with path.open("wb") as stream:
        stream.truncate(bounded.LARGEST << 4)  # takes no space on disk


def bomb(path):
    path.write_bytes(gzip.compress(bytes(256 << 20), 9))


@pytest.fixture(autouse=True)
def in_time():
    """A command that waits, or reads for ever, fails here and does not hang."""

    def late(*_):
        raise AssertionError("it does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("make", (fifo, device, endless, bomb))
def test_what_is_no_file_or_too_much_is_not_read(tmp_path, make):
    path = tmp_path / "table.csv.gz"
    make(path)
    for read in (bounded.content, bounded.text, bounded.read_json, bounded.table):
        with pytest.raises(DamagedFile, match=r"table\.csv\.gz: (not read|unpacks to more)"):
            read(path)


@pytest.mark.parametrize("make", (fifo, device, endless))
def test_what_a_project_keeps_is_read_in_bounds_too(tmp_path, make):
    hostile = tmp_path / "solve/mpcgs/spfw.tsv"
    hostile.parent.mkdir(parents=True)
    make(hostile)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/downloads.lock.json").symlink_to(hostile)
    dataset = catalog.dataset("sensorless")
    given = (tmp_path, dataset, dataset.files[0])
    with pytest.raises(StudyError, match="not read"):
        unit_costs.read(hostile)
    with pytest.raises(DamagedFile, match="not read"):
        costs.measured(tmp_path, "mpcgs")
    for read in (store.recorded, partial(store.record, source="", digest="")):
        with pytest.raises(IntegrityError, match="is damaged .*not read"):
            read(*given)
    with pytest.raises(IntegrityError, match="not a regular file|more than the limit"):
        store.check_hash(dataset, dataset.files[0], hostile, tmp_path)


@pytest.mark.parametrize("content", [b"", b"not gzip", gzip.compress(b"a,b\n" * 99)[:-9]])
def test_a_damaged_packed_file_is_named(tmp_path, content):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=r"table\.csv\.gz: damaged"):
        bounded.table(path)


def test_what_is_in_bounds_is_read(tmp_path):
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b'{"a": [1]}'))
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    assert bounded.read_json(tmp_path / "a.json.gz") == {"a": [1]}
    assert bounded.table(tmp_path / "a.csv").to_dict("list") == {"x": [1], "y": [2]}


def refused(make, path, command):
    """A command ends with an error in words that names the file, which is made so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    done = CliRunner().invoke(main, command)
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code != 0 and path.name in done.output


@pytest.mark.parametrize(
    "command, name, make",
    [
        (("judge", "--from", "."), "evidence/{table}.csv.gz", bomb),
        (("judge", "--from", "."), "claims.json", fifo),
        (("page", "--from", "."), "about.json", device),
        (("compare", "{reports}", "{reports}"), "verdicts.csv", fifo),
        (("compare", "{reports}", "{reports}"), "evidence/{table}.csv.gz", fifo),
        (("compare", "{reports}", "{reports}"), "evidence/{table}.csv.gz", bomb),
    ],
)
def test_reports_of_others(tmp_path, monkeypatch, command, name, make):
    """Published reports of one paper, as someone gives them away."""
    reports = tmp_path / "reports"
    shutil.copytree(ROOT / "reports/reference" / PAPER, reports / PAPER)
    monkeypatch.setenv("PROJFREE_ROOT", str(ROOT))
    monkeypatch.chdir(reports)
    table = sorted((reports / PAPER / "evidence").glob("*.csv.gz"))[0].name.partition(".")[0]
    path = reports / PAPER / name.format(table=table)
    refused(make, path, [part.format(reports=reports) for part in command])


@pytest.mark.parametrize(
    "command, name, make",
    [
        (("trace", "{}"), "traces/mpcgs/simplex/spfw.h5", fifo),
        (("trace", "{}", "{}"), "traces/mpcgs/simplex/spfw.h5", endless),
        (("draw", "mpcgs", "fig1-a"), "evidence/mpcgs/fig1-a.csv", endless),
        (("judge", "mpcgs"), "evidence/mpcgs/fig1-a.csv", endless),
        (("claims", "mpcgs"), "claims/mpcgs.json", device),
        (("complete", "{}"), "ratings/a/b/r.csv", fifo),
        (("complete", "{}"), "ratings/a/b/r.csv", device),
        (("complete", "{}"), "ratings/a/b/r.parquet", fifo),
        (("complete", __file__, "--predict", "{}"), "ratings/a/b/p.csv", fifo),
        (("complete", __file__, "--recommend", "{}"), "ratings/a/b/p.txt", fifo),
    ],
)
def test_results_of_others(tmp_path, monkeypatch, command, name, make):
    monkeypatch.setenv("PROJFREE_ROOT", str(ROOT))
    monkeypatch.setenv("PROJFREE_WORK", str(tmp_path))
    path = tmp_path / "results/quick" / name
    refused(make, path, [part.format(path) for part in command])
