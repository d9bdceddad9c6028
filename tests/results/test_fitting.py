"""Whether a finished file is what its study asks for here: a forged one, or another study's, is not."""

import json
import shutil

import h5py
import pytest
from checkouts import INSTANCE, TRACE, call, change, opened, solve

from referee import study
from referee.publish import wanted

METHOD = "ncgs-2-tuned"
pytestmark = pytest.mark.usefixtures("other")


def fits(path=TRACE):
    return wanted.fitting(study.load)(path)


@pytest.fixture
def there(made, other):
    """The trace of the first checkout in the second."""
    TRACE.parent.mkdir(parents=True)
    return shutil.copy(made / TRACE, TRACE)


@pytest.mark.usefixtures("there")
def test_a_trace_fits_while_its_study_asks_for_it():
    assert fits() and not fits(TRACE.with_name("gone.h5"))
    change(lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}))
    assert not fits()


@pytest.mark.usefixtures("there")
def test_a_trace_fits_without_an_instance_here():
    INSTANCE.unlink()
    assert fits()


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    "edit",
    [
        lambda panel, quick: quick["methods"].update(fw={"params": {"step_rule": "short"}}),
        lambda panel, quick: panel["generator"].update(observe=0.6),
        lambda panel, quick: panel.update(methods=["fw-short"]),
    ],
)
def test_what_another_study_made_does_not_fit(edit):
    assert fits()
    change(edit)
    assert not fits()


@pytest.mark.usefixtures("there")
def test_what_other_code_made_does_not_fit(monkeypatch):
    real = wanted.Wanted.job.func
    other = property(lambda self: real(self).model_copy(update={"code": "0" * 64}))
    monkeypatch.setattr(wanted.Wanted, "job", other)
    assert not fits()


def forged(path, edit):
    with opened(path) as handle:
        edit(handle)


def respelled(handle):
    handle.attrs["spec"] = json.dumps({**json.loads(handle.attrs["spec"]), "sedes": [0]})


FORGERIES = {
    "other data": lambda h: h.attrs.create("dataset_sha256", "0" * 64),
    "another instance": lambda h: h.attrs.create("instance_digest", "0" * 64),
    "no job": respelled,
    "a seed twice": lambda h: h.copy("seed-1", "seed-7"),
    "a name": lambda h: h.attrs.create("solver", "ncgs"),
    "no numbers": lambda h: (h.pop("seed-0/cpu_seconds"), h.update({"seed-0/cpu_seconds": ["a"] * 9})),
    "deep": lambda h: h.attrs.create("environment", "[" * 60_000),
    "spec": lambda h: h.attrs.create("spec", "[]"),
    "numbers": lambda h: h.attrs.create("dataset_sha256", 3.5),
    "a link": lambda h: h.update({"x": h5py.ExternalLink("/etc/hostname", "/")}),
}


@pytest.mark.parametrize("edit", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_file_does_not_fit(there, edit):
    assert fits()
    forged(there, edit)
    assert not fits()


def test_a_file_that_was_cut_on_its_way_does_not_fit(there):
    there.write_bytes(there.read_bytes()[:-500])
    assert not fits()


@pytest.fixture
def table(other):
    """The table of tried values of a tuned method, made here."""
    call("tune", "ncgs", "fig1-left", METHOD)
    path = TRACE.parents[3] / f"tuning/ncgs/fig1-left/{METHOD}.json"
    assert fits(path)
    return path


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[" * 60_000, '{"made_from": 1, "tried": [], "chosen": {}}']
)
def test_a_table_that_is_none_does_not_fit(table, text):
    table.write_text(text)
    assert not fits(table)


def test_a_trace_of_other_tuned_values_does_not_fit(table):
    solve(METHOD)
    trace = TRACE.with_name(f"{METHOD}.h5")
    assert fits(trace)
    record = json.loads(table.read_text())
    value, *_ = {1, 3} - {record["chosen"]["max_lo"]}
    table.write_text(json.dumps({**record, "chosen": {"max_lo": value}}))
    assert not fits(trace)


def test_a_table_fits_whose_tries_are_equal_but_none_that_hides_a_best(table):
    record = json.loads(table.read_text())
    table.write_text(json.dumps({**record, "chosen": {}}))
    assert not fits(table)
    tied = [{**stage, "tie": True} for stage in record["stages"]]
    table.write_text(json.dumps({**record, "stages": tied, "chosen": {}}))
    assert fits(table)


def test_a_value_that_tries_leave_at_its_default_is_one_that_was_tried(table):
    record = json.loads(table.read_text())
    record["stages"].append({**record["stages"][0], "parameter": "later", "default": 5, "best": 5})
    table.write_text(json.dumps({**record, "chosen": {**record["chosen"], "later": 6}}))
    assert not fits(table)
    table.write_text(json.dumps({**record, "chosen": {**record["chosen"], "later": 5}}))
    assert fits(table)
