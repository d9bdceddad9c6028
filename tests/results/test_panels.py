"""Panels without their traces: kept in git by one sitting, taken by another that asks for the same jobs."""

import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from checkouts import TRACE, call, change, solve

from projfree.ground.sealed import atomic_h5
from referee import study
from referee.cli.shared import place
from referee.data import catalog
from referee.ground import revision
from referee.publish import kept as keeping
from referee.publish import panels
from referee.publish.wanted import Unusable

STORE = Path("reports/reference/ncgs/evidence/next")
INDEX, PACKED = STORE / "panels.json", STORE / "fig1-left.csv.gz"
TABLE = Path("results/quick/evidence/ncgs/fig1-left.csv")
TUNING = Path("results/quick/tuning/ncgs/fig1-left/ncgs-2-tuned.json")
METHODS = ["fw", "ncgs-2-tuned"]


def alone(panel, quick):
    """The quick run with one panel of two methods, which is no bundle."""
    quick.pop("bundles", None)
    panel["methods"] = METHODS


@pytest.fixture
def finished(other, monkeypatch):
    """A checkout whose panel is finished, at a commit."""
    at(monkeypatch, "c" * 40)
    change(alone)
    call("tune", "ncgs", "fig1-left", METHODS[1])
    for method in METHODS:
        solve(method)
    tidy()


def at(monkeypatch, commit):
    monkeypatch.setattr(revision, "git_commit", lambda root=None: commit)


def tidy():
    call("tidy", TABLE, *(TRACE.with_name(f"{method}.h5") for method in METHODS))


def keep(code=0):
    return call("publish", "ncgs", "--run", "quick", "--keep", code=code)


def restore(code=0):
    return call("restore", "ncgs", "fig1-left", "--run", "quick", code=code)


@pytest.fixture
def kept(finished):
    """A kept panel of which nothing is left among the results; the text of its table."""
    text = TABLE.read_text()
    assert "1 panels kept, with those of before 1 of " in keep()
    shutil.rmtree("results")
    return text


def asked():
    return keeping.kept(study.load("ncgs", "quick"), ".")


def recorded(**changes):
    """The record of the panel, changed in place."""
    index = json.loads(INDEX.read_text())
    index["panels"]["fig1-left"] |= changes
    INDEX.write_text(json.dumps(index))


def founded():
    records, wrong = panels.founded(study.load("ncgs", "quick"), Path("results/quick"), ".")
    return records, [words for words in wrong if words.startswith("fig1-left:")]


def test_a_kept_panel_is_put_back_as_it_was(kept):
    restore()
    assert TABLE.read_text() == kept and not TRACE.exists()
    assert json.loads(TUNING.read_text())["method"] == METHODS[1]


def test_the_status_counts_a_kept_panel_before_it_is_put_back(kept):
    assert "2 more taken from elsewhere" in call("status", "--run", "quick", "--paper", "ncgs")


@pytest.mark.parametrize(
    "edit",
    [
        lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}),
        lambda panel, quick: panel["generator"].update(observe=0.6),
        lambda panel, quick: panel.update(methods=["ncgs-2-tuned"]),
        lambda panel, quick: panel.update(methods=[*METHODS, "ncgs-2"]),
        lambda panel, quick: quick.update(bundles={"one": ["fig1-left"]}),
    ],
)
def test_a_panel_of_another_study_is_not_taken(kept, edit):
    change(edit)
    assert asked() == {}
    assert "is not kept in the form that the run quick needs" in restore(code=1) and not TABLE.exists()


@pytest.mark.parametrize("record", [1, {}, {"jobs": 3}, {"jobs": {"fw": "0"}, "instance": [], "data": None}])
def test_a_record_that_is_none_is_not_taken(kept, record):
    INDEX.write_text(json.dumps({"paper": "ncgs", "run": "quick", "panels": {"fig1-left": record}}))
    assert asked() == {}


@pytest.mark.parametrize("data", ["0" * 64, None, 3])
def test_a_panel_of_other_data_is_not_taken(kept, data):
    recorded(data=data)
    assert asked() == {}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"paper": "p", "panels": {}}', '{"paper": "p", "run": "r", "panels": 1}']
)
def test_an_index_that_is_none_is_an_error(kept, text):
    INDEX.write_text(text)
    assert str(INDEX) in restore(code=1)


@pytest.mark.parametrize("file", ["fig1-left.csv.gz", "tuning/fig1-left/ncgs-2-tuned.json"])
def test_a_panel_whose_file_is_gone_is_refused(kept, file):
    (STORE / file).unlink()
    assert "take the file from git again" in restore(code=1) and not TABLE.exists()


def exchanged(text):
    """The two methods' names, one for the other, in the first columns."""
    swap = {"fw": "ncgs-2-tuned", "ncgs-2-tuned": "fw"}
    return re.sub(r"^fig1-left,(fw|ncgs-2-tuned),", lambda m: f"fig1-left,{swap[m[1]]},", text, flags=re.M)


FAULTS = {
    "it is no table": (lambda text: "", "no tidy table"),
    "text": (lambda text: re.sub(r"(fw,0,1,)[^,]*", r"\1soon", text), "cpu_seconds holds text"),
    "no rows": (lambda text: text.splitlines()[0] + "\n", "no rows"),
    "one seed": (lambda text: re.sub(r"^fig1-left,fw,1,.*\n", "", text, flags=re.M), "it lacks fw, seed 1"),
    "another seed": (lambda text: text.replace("fw,1,", "fw,7,"), "it has fw, seed 7"),
    "unknown methods": (lambda text: text.replace("left,fw,", "left,fww,"), "it has fww, seed 0"),
    "a count that is none": (lambda text: text.replace("fw,0,1,", "fw,0,,"), "iteration is not of whole"),
    "no metric": (
        lambda text: re.sub(r"(fw,0,[2-9],.*?)[^,]*(,[a-z]+,False)", r"\1\2", text),
        "is no number",
    ),
    "no clock": (lambda text: re.sub(r"(fw,0,1,)[^,]*", r"\1", text), "its clocks are no numbers"),
    "methods exchanged": (exchanged, "from results/quick/traces/ncgs/fig1-left/"),
    "another panel": (lambda text: text.replace("fig1-left,fw", "fig2,fw"), "rows of fig2"),
    "an early end": (lambda text: re.sub(r"^fig1-left,fw,0,8,.*\n", "", text, flags=re.M), "it ended by its"),
    "a late end": (lambda text: text.replace("fw,0,8,", "fw,0,9,"), "9 iterations, of 8"),
    "two ends": (lambda text: text.replace(",iterations,", ",budget,", 1), "it ended "),
    "the order": (lambda text: text.replace("fw,0,1,", "fw,0,4,"), "iteration goes back"),
}


@pytest.mark.parametrize("edit, reason", FAULTS.values(), ids=FAULTS)
def test_a_table_that_its_jobs_do_not_make_is_refused_whatever_its_record_says(kept, edit, reason):
    content = edit(kept).encode()
    assert content != kept.encode()
    PACKED.write_bytes(gzip.compress(content))
    assert "fig1-left.csv is not the file of that record" in restore(code=1)
    files = json.loads(INDEX.read_text())["panels"]["fig1-left"]["files"]
    recorded(files=files | {"fig1-left.csv": hashlib.sha256(content).hexdigest()})
    said = restore(code=1)
    assert reason in said and "remove fig1-left from panels.json" in said and not TABLE.exists()


def test_a_packed_file_that_unpacks_to_far_more_is_refused(kept):
    PACKED.write_bytes(gzip.compress(bytes(80 << 20)))
    assert "unpacks to more than" in restore(code=1)


def test_a_table_that_its_jobs_do_not_make_is_not_kept(finished):
    TABLE.write_text(exchanged(TABLE.read_text()))
    assert "fig1-left: not a table of the jobs that are asked for: rows of " in keep(code=1)
    assert not INDEX.exists()


@pytest.mark.parametrize("commit", ["c" * 40 + "+changes", revision.UNKNOWN])
def test_a_panel_of_uncommitted_sources_is_not_kept(finished, monkeypatch, commit):
    at(monkeypatch, commit)
    TRACE.unlink()
    solve()
    tidy()
    assert "0 panels kept" in keep()


def test_a_panel_that_is_not_finished_is_not_kept(finished):
    solve()  # later than the table
    assert "0 panels kept" in keep()
    TRACE.unlink()
    assert "0 panels kept" in keep()


def test_a_panel_stays_beside_those_that_are_kept_later(finished):
    keep()
    index = json.loads(INDEX.read_text())
    other = index | {"panels": {"fig2": {"jobs": {}}}}
    INDEX.write_text(json.dumps(other))
    assert "1 panels kept" in keep()
    assert json.loads(INDEX.read_text())["panels"] == index["panels"] | other["panels"]


def test_what_is_published_is_not_kept_again(finished):
    keep()
    for path in (INDEX, PACKED):
        shutil.move(path, STORE.parent)
    assert "0 panels kept, with those of before 1 of " in keep() and not INDEX.exists()


def test_kept_panels_become_published_ones(kept):
    published = STORE.parent
    published.joinpath("panels.json").write_text(
        json.dumps({"paper": "ncgs", "run": "quick", "panels": {"fig1-left": {}, "fig1-right": {"jobs": {}}}})
    )
    found = panels.adopt(study.load("ncgs", "quick"), ".")
    assert list(found) == ["fig1-left"] and not STORE.exists()
    assert set(keeping.index(published)["panels"]) == {"fig1-left", "fig1-right"}
    assert asked()["fig1-left"] == (published, found["fig1-left"])
    restore()
    assert TABLE.read_text() == kept
    assert panels.adopt(study.load("ncgs", "quick"), ".") == {}


def test_a_kept_panel_that_is_damaged_is_not_published(kept):
    PACKED.write_bytes(gzip.compress(b"method\n"))
    with pytest.raises(Unusable, match="is not the file of that record"):
        panels.adopt(study.load("ncgs", "quick"), ".")
    assert PACKED.exists() and {path.name for path in STORE.parent.iterdir()} == {"next"}


UNDER = "quick@U1-max-lo-1"
READ = Path(f"results/{UNDER}/evidence/ncgs/fig1-left.csv")


@pytest.fixture
def kept_under(finished):
    """A panel of a run under an alternative, kept, its results gone; the text of its table."""
    change(lambda panel, quick: panel.update(methods=[*METHODS, "ncgs-2"]))
    call("instance", "ncgs", "fig1-left", "--run", UNDER)
    solve("ncgs-2", run=UNDER)
    call("tidy", READ, f"results/{UNDER}/traces/ncgs/fig1-left/ncgs-2.h5")
    assert f"({UNDER}): 1 panels kept, with those of before 1 of " in keep()
    text = READ.read_text()
    shutil.rmtree("results")
    return text


def test_a_panel_under_an_alternative_is_kept_apart_and_put_back(kept_under):
    assert not INDEX.exists() and (STORE / "U1-max-lo-1/panels.json").exists()
    call("restore", "ncgs", "U1-max-lo-1/fig1-left", "--run", "quick")
    assert READ.read_text() == kept_under
    change(lambda panel, quick: panel["generator"].update(observe=0.6))
    assert "is not kept" in call("restore", "ncgs", "U1-max-lo-1/fig1-left", "--run", "quick", code=1)


def test_panels_under_alternatives_outlive_those_that_become_published(kept):
    under = STORE / "U1-max-lo-1" / "fig1-left.csv.gz"
    under.parent.mkdir()
    shutil.copy(PACKED, under)
    assert list(panels.adopt(study.load("ncgs", "quick"), ".")) == ["fig1-left"]
    assert [path for path in STORE.rglob("*") if path.is_file()] == [under]


def test_panels_of_two_runs_are_not_kept_together(finished):
    keep()
    INDEX.write_text(INDEX.read_text().replace('"quick"', '"full"'))
    assert "keeps panels of the run full" in keep(code=1)


def test_a_panel_of_which_a_trace_is_here_is_made_here(finished):
    keep()
    begun = keeping.begun("results/quick", "ncgs")
    assert begun == {"fig1-left"} and keeping.kept(study.load("ncgs", "quick"), ".", begun) == {}
    shutil.rmtree("results/quick/traces")
    assert keeping.begun("results/quick", "ncgs") == set()


def test_a_table_without_traces_needs_a_store_that_vouches_for_it(kept):
    restore()
    records, wrong = founded()
    assert records["fig1-left"]["commits"] == ["c" * 40] and not wrong
    TABLE.write_text(TABLE.read_text() + "\n")
    assert "its table is not the one that is kept" in founded()[1][0]
    INDEX.unlink()
    assert "is not kept in the form that is needed now" in founded()[1][0]


def test_a_store_vouches_for_what_its_panel_was_made_of_byte_for_byte(finished):
    def vouched():
        vouches = panels.vouching(study.load, place, Path.cwd())
        return {vouches(path.resolve()) for path in (TUNING, TRACE.with_name("fw.h5"))}

    assert vouched() == {False}  # no store
    keep()
    assert vouched() == {True}
    TUNING.write_text(TUNING.read_text() + "\n")
    assert vouched() == {False}


def test_traces_vouch_for_themselves(finished):
    records, wrong = founded()
    record = records["fig1-left"]
    assert record["commits"] == ["c" * 40] and set(record["jobs"]) == set(METHODS) and not wrong
    assert panels.origins({"fig1-left": record}) == f"1 of commit {'c' * 12}"


def test_data_is_told_as_of_instances(finished):
    loaded = study.load("ncgs", "quick")
    record = founded()[0]["fig1-left"]
    assert panels.data_hashes(loaded, {"fig1-left": record}) == {"fig1-left": "generated"}
    record |= {"stand_in": True}
    assert panels.data_hashes(loaded, {"fig1-left": record}) == {"fig1-left": "generated (stand-in)"}


def test_data_is_that_which_is_prepared_and_before_that_what_the_catalog_pins(other):
    loaded, experiment = study.load("ncgs", "full"), "fig3-middle"
    name = loaded.dataset(experiment)
    (file,) = catalog.dataset(name).files
    official, record = min(file.pinned), keeping.asked(loaded, experiment)

    def fits(**data):
        return keeping.fits(loaded, experiment, record | data, ".", ".")

    assert fits(data=official) and not fits(data="0" * 64) and fits(data="0" * 64, stand_in=True)
    raw = Path("data/raw", name, file.name)
    raw.parent.mkdir(parents=True)
    raw.touch()
    assert not fits(data="0" * 64, stand_in=True)
    with atomic_h5(Path(f"data/prepared/{name}.h5")) as handle:
        handle.attrs["sha256"] = "0" * 64
    assert not fits(data=official) and fits(data="0" * 64)
