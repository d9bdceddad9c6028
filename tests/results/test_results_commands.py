"""merge between checkouts, on a tiny run."""

import json
import shutil
from pathlib import Path

import h5py
import pytest
from checkouts import INSTANCE, TRACE, call, change, merged, opened, solve

from referee import study
from referee.publish import merge, wanted

pytestmark = pytest.mark.usefixtures("other")


def test_merge_takes_what_is_missing_and_then_it_is_the_same(theirs):
    assert "1 taken, 0 same, 0 conflicts, 0 refused" in merged(theirs)
    assert TRACE.read_bytes() == (theirs / "traces/ncgs/fig1-left/fw.h5").read_bytes()
    assert TRACE.stat().st_nlink == 1 and TRACE.stat().st_mtime_ns > INSTANCE.stat().st_mtime_ns
    assert "0 taken, 1 same, 0 conflicts, 0 refused" in merged(theirs)


def test_merge_takes_what_it_judged_and_not_what_came_in_its_place(theirs, monkeypatch):
    path = theirs / "traces/ncgs/fig1-left/fw.h5"
    judged, true = path.read_bytes(), merge.bounded.content

    def replaced(name):
        content = true(name)
        if Path(name) == path:
            path.write_bytes(b"forged")
        return content

    monkeypatch.setattr(merge.bounded, "content", replaced)
    assert "1 taken" in merged(theirs)
    assert TRACE.read_bytes() == judged


def test_merge_of_a_repetition_is_the_same(theirs):
    solve()
    before = TRACE.read_bytes()
    assert before != (theirs / "traces/ncgs/fig1-left/fw.h5").read_bytes()
    assert "0 taken, 1 same" in merged(theirs)
    assert TRACE.read_bytes() == before


def test_merge_needs_no_instance_here(theirs):
    INSTANCE.unlink()
    assert "1 taken" in merged(theirs)


def test_merge_tells_a_conflict_and_overwrites_nothing(theirs):
    solve()
    before, there = TRACE.read_bytes(), theirs / "traces/ncgs/fig1-left/fw.h5"
    with opened(there) as handle:
        handle["seed-1/metrics/objective"][3] = 0.5
    said = merged(theirs, code=1)
    assert f"conflict  {TRACE} and {there}: seed 1: metrics/objective at record 3" in said
    assert "0 taken, 0 same, 1 conflicts, 0 refused" in said and TRACE.read_bytes() == before


@pytest.mark.parametrize(
    "edit, reason",
    [
        (
            lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}),
            "budget.iterations: 9 here, 8 there",
        ),
        (
            lambda panel, quick: quick["methods"].update(fw={"params": {"step_rule": "short"}}),
            "solver.params.step_rule: short here",
        ),
        (lambda panel, quick: panel["generator"].update(observe=0.6), "generator.observe: 0.6 here"),
        (lambda panel, quick: panel.update(methods=["fw-short"]), "unknown method 'fw'"),
    ],
)
def test_merge_refuses_what_another_study_made(theirs, edit, reason):
    change(edit)
    said = merged(theirs)
    assert reason in said and "0 taken, 0 same, 0 conflicts, 1 refused" in said and not TRACE.exists()


@pytest.mark.parametrize("name, reason", [("dataset_sha256", "data: "), ("instance_digest", "instance: ")])
def test_merge_refuses_other_data(theirs, name, reason):
    with opened(theirs / "traces/ncgs/fig1-left/fw.h5") as handle:
        handle.attrs[name] = "0" * 64
    assert f"not of a job of this study: {reason}" in merged(theirs) and not TRACE.exists()


def test_merge_refuses_other_code(theirs, monkeypatch):
    real = wanted.Wanted.job.func
    other = property(lambda self: real(self).model_copy(update={"code": "0" * 64}))
    monkeypatch.setattr(wanted.Wanted, "job", other)
    assert "code: 000" in merged(theirs) and not TRACE.exists()


def test_a_result_is_published_while_its_study_asks_for_it_here(theirs):
    merged(theirs)
    assert wanted.fitting(study.load)(TRACE)
    assert not wanted.fitting(study.load)(TRACE.with_name("gone.h5"))
    change(lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}))
    assert not wanted.fitting(study.load)(TRACE)


def test_merge_refuses_what_holds_no_job(theirs):
    with opened(theirs / "traces/ncgs/fig1-left/fw.h5") as handle:
        handle.attrs["spec"] = json.dumps({**json.loads(handle.attrs["spec"]), "sedes": [0]})
    said = merged(theirs)
    assert "unknown key 'sedes'. Did you mean 'seeds'" in said and "1 refused" in said and not TRACE.exists()


def test_merge_refuses_a_file_that_was_cut_on_its_way(theirs):
    there = theirs / "traces/ncgs/fig1-left/fw.h5"
    there.write_bytes(there.read_bytes()[:-500])
    said = merged(theirs)
    assert "differs from its checksum" in said and "1 refused" in said and not TRACE.exists()


def forged(path, edit):
    with opened(path) as handle:
        edit(handle)


FORGERIES = {
    "a seed twice": lambda h: h.copy("seed-1", "seed-7"),
    "a name": lambda h: h.attrs.create("solver", "ncgs"),
    "no numbers": lambda h: (h.pop("seed-0/cpu_seconds"), h.update({"seed-0/cpu_seconds": ["a"] * 9})),
    "deep": lambda h: h.attrs.create("environment", "[" * 60_000),
    "spec": lambda h: h.attrs.create("spec", "[]"),
    "numbers": lambda h: h.attrs.create("dataset_sha256", 3.5),
    "a link": lambda h: h.update({"x": h5py.ExternalLink("/etc/hostname", "/")}),
}


@pytest.mark.parametrize("edit", FORGERIES.values(), ids=FORGERIES)
def test_merge_refuses_the_forged_file_and_takes_the_others(theirs, edit):
    good = theirs / "traces/ncgs/fig1-left/fw.h5"
    bad = shutil.copy(good, good.with_name("a-bad.h5"))
    change(lambda panel, quick: panel["methods"].append("fw-short") if "methods" in panel else None)
    forged(bad, edit)
    shutil.copy(bad, good.with_name("fw-short.h5"))
    said = merged(theirs)
    assert f"refused   {good.with_name('fw-short.h5')}: " in said and "Traceback" not in said
    assert "1 taken, 0 same, 0 conflicts, 2 refused" in said and TRACE.exists()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[" * 60_000, '{"made_from": 1, "tried": [], "chosen": {}}']
)
def test_merge_refuses_tables_that_are_none(theirs, text):
    table = theirs / "tuning/ncgs/fig1-left/ncgs-2-tuned.json"
    table.parent.mkdir(parents=True)
    table.write_text(text)
    said = merged(theirs)
    assert f"refused   {table}" in said and "1 taken, 0 same, 0 conflicts, 1 refused" in said


def test_merge_takes_tuning_tables_before_the_traces_that_need_them(theirs, made, tmp_path):
    method = "ncgs-2-tuned"
    call("tune", "ncgs", "fig1-left", method)
    solve(method)
    mine = shutil.move("results/quick", tmp_path / "mine")
    assert "2 taken, 0 same, 0 conflicts, 0 refused" in merged(mine)
    table = Path(f"results/quick/tuning/ncgs/fig1-left/{method}.json")
    trace = TRACE.with_name(f"{method}.h5")
    assert table.stat().st_mtime_ns < trace.stat().st_mtime_ns
    trace.unlink()
    record = json.loads(table.read_text())
    value, *_ = {1, 3} - {record["chosen"]["max_lo"]}
    table.write_text(json.dumps({**record, "chosen": {"max_lo": value}}))
    said = merged(mine, code=1)
    assert "chosen.max_lo" in said and "solver.params.max_lo" in said
    assert "0 taken, 0 same, 1 conflicts, 1 refused" in said


def test_merge_takes_a_table_whose_tries_are_equal_but_none_that_hides_a_best(theirs, made, tmp_path):
    call("tune", "ncgs", "fig1-left", "ncgs-2-tuned")
    mine = shutil.move("results/quick", tmp_path / "mine")
    table = mine / "tuning/ncgs/fig1-left/ncgs-2-tuned.json"
    record = json.loads(table.read_text())
    table.write_text(json.dumps({**record, "chosen": {}}))
    assert "0 taken, 0 same, 0 conflicts, 1 refused" in merged(mine)
    tied = [{**stage, "tie": True} for stage in record["stages"]]
    table.write_text(json.dumps({**record, "stages": tied, "chosen": {}}))
    assert "1 taken, 0 same, 0 conflicts, 0 refused" in merged(mine)


def test_a_value_that_tries_leave_at_its_default_is_one_that_was_tried(theirs, made, tmp_path):
    call("tune", "ncgs", "fig1-left", "ncgs-2-tuned")
    mine = shutil.move("results/quick", tmp_path / "mine")
    table = mine / "tuning/ncgs/fig1-left/ncgs-2-tuned.json"
    record = json.loads(table.read_text())
    later = {**record["stages"][0], "parameter": "later", "default": 5, "best": 5}
    record["stages"].append(later)
    table.write_text(json.dumps({**record, "chosen": {**record["chosen"], "later": 6}}))
    assert "0 taken, 0 same, 0 conflicts, 1 refused" in merged(mine)
    table.write_text(json.dumps({**record, "chosen": {**record["chosen"], "later": 5}}))
    assert "1 taken, 0 same, 0 conflicts, 0 refused" in merged(mine)


def test_a_folder_without_traces_is_an_error(tmp_path):
    assert "holds no traces" in merged(tmp_path, code=2)
