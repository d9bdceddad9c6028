"""A store of finished traces: what hits, what never does, and what a bad store can do to a job: nothing."""

import hashlib
import json
import os
import shutil
import threading
from pathlib import Path

import h5py
import pytest
from checkouts import INSTANCE, RUNS, TRACE, call, change, opened, solve

from projfree import study
from projfree.ground import closure, provenance
from projfree.ground.hashes import digest
from projfree.jobs import instance
from projfree.jobs.attributes import job_attrs
from projfree.results import origin as origin_module
from projfree.results import store
from projfree.results.compare import differences
from projfree.results.origin import Unusable, attributes, origin, shareable


def entry(folder):
    (found,) = folder.glob("[0-9a-f][0-9a-f]/*/trace.h5")
    return found.parent


def test_another_checkout_finds_the_trace_and_it_says_so(other, made, monkeypatch):
    monkeypatch.setattr(provenance, "git_commit", lambda root=".": "another commit")
    INSTANCE.unlink()
    call("instance", "ncgs", "fig1-left")
    os.utime(INSTANCE, (1, 1))
    assert f"{TRACE}: from the store: {entry(other).name[:12]}, made at 20" in solve()
    assert differences(TRACE, made / TRACE) == []
    with h5py.File(TRACE) as here, h5py.File(made / TRACE) as there:
        assert here.attrs["from_store"] == entry(other).name and "from_store" not in there.attrs
        assert {k: v for k, v in here.attrs.items() if k != "from_store"} == dict(there.attrs)
        assert here["seed-1/cpu_seconds"][()].tolist() == there["seed-1/cpu_seconds"][()].tolist()
    assert TRACE.stat().st_nlink == 1 and not list(TRACE.parent.glob(".*"))


def test_the_entry_says_what_its_key_was_made_from(other):
    about = json.loads((entry(other) / "origin.json").read_text())
    assert digest(about["origin"]) == entry(other).name
    assert about["origin"]["job"]["budget"] == {"iterations": 8}
    assert about["origin"]["environment"]["versions"]["numpy"] and about["origin"]["environment"]["blas"]
    assert "git_commit" not in about["origin"] and about["git_commit"]


def test_an_equal_job_of_another_run_is_found(other):
    with Path(RUNS).open("a") as runs:
        runs.write("  twin: {like: quick}\n")
    trace = Path(str(TRACE).replace("quick", "twin"))
    instance_there = Path(str(INSTANCE).replace("quick", "twin"))
    instance_there.parent.mkdir(parents=True)
    shutil.copy(INSTANCE, instance_there)
    assert f"{trace}: from the store: {entry(other).name[:12]}" in solve(run="twin")
    assert attributes(trace)["run"] == "quick", "it stays that of the run that made it"


def test_what_is_judged_is_what_is_kept(other, tmp_path, monkeypatch):
    solve()
    judged, true, new = TRACE.read_bytes(), origin_module.origin, store.Store(tmp_path / "new")
    made_from = shareable(TRACE)

    def replaced(*arguments):
        TRACE.write_bytes(b"forged")
        return true(*arguments)

    monkeypatch.setattr(origin_module, "origin", replaced)
    assert new.put(TRACE, made_from)
    assert (new.place(digest(made_from)) / "trace.h5").read_bytes() == judged


def bump(values, *names):
    """Change one leaf of a copy of nested dictionaries."""
    if not names:
        return "another" if isinstance(values, (str, type(None))) else values + 1
    return {**values, names[0]: bump(values[names[0]], *names[1:])}


@pytest.mark.parametrize(
    "edit",
    [
        lambda panel, quick: panel.update(seeds=1),
        lambda panel, quick: panel.update(seeds=3),
        lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}),
        lambda panel, quick: panel.update(lmo_tol=1e-4),
        lambda panel, quick: panel["generator"].update(observe=0.6),
        lambda panel, quick: quick["methods"].update(fw={"params": {"step_rule": "short"}}),
        lambda panel, quick: panel.update(set={"radius": 4}),
        lambda panel, quick: panel.update(metrics=["objective", "fw_gap"]),
    ],
    ids=["fewer seeds", "more seeds", "budget", "tolerance", "instance", "parameter", "set", "metrics"],
)
def test_an_edit_of_the_study_never_hits(other, edit):
    change(edit)
    call("instance", "ncgs", "fig1-left")
    assert "wrote" in solve()


def test_a_changed_module_of_the_closure_never_hits_and_another_does(other, monkeypatch):
    real = closure._name_and_digest
    assert "from the store" in solve()
    for name, said in (("solvers/frank_wolfe.py", "wrote"), ("solvers/svrg.py", "from the store")):
        edited = closure.PACKAGE / name
        monkeypatch.setattr(
            provenance, "_name_and_digest", lambda p, t, e=edited: b"x" if p == e else real(p, t)
        )
        assert said in solve()


@pytest.mark.parametrize(
    "names",
    [
        ("python",),
        ("cpu",),
        ("libc",),
        ("system",),
        *[("versions", name) for name in provenance.NUMERICAL],
        ("settings", "OMP_NUM_THREADS"),
    ],
    ids=".".join,
)
def test_another_environment_never_hits(other, monkeypatch, names):
    changed = bump({**provenance.environment(), "python": "3.11.7"}, *names)
    changed["python"] = "3.99.1" if names == ("python",) else provenance.environment()["python"]
    monkeypatch.setattr(provenance, "environment", lambda: changed)
    assert "wrote" in solve()


@pytest.mark.parametrize("name", ["version", "num_threads", "architecture", "internal_api"])
def test_another_blas_never_hits(other, monkeypatch, name):
    pools = provenance.environment()["blas"]  # with those of OpenMP, where another test has loaded one
    changed = {**provenance.environment(), "blas": [bump(pool, name) for pool in pools]}
    monkeypatch.setattr(provenance, "environment", lambda: changed)
    assert "wrote" in solve()


def test_a_setting_of_a_library_never_hits(other, monkeypatch):
    monkeypatch.setenv("NUMBA_OPT", "1")
    provenance.environment.cache_clear()
    assert "wrote" in solve()


@pytest.mark.parametrize(
    "change", [{"python": "3.11.99"}, {"cores": 99}, {"load": 99.0}], ids=["patch level", "cores", "load"]
)
def test_what_no_number_depends_on_hits(other, monkeypatch, change):
    if "python" in change:
        minor = ".".join(provenance.environment()["python"].split(".")[:2])
        change = {"python": f"{minor}.99"}
    changed = {**provenance.environment(), **change}
    monkeypatch.setattr(provenance, "environment", lambda: changed)
    assert "from the store" in solve()


@pytest.mark.parametrize("attribute", ["dataset_sha256", "digest"])
def test_another_hash_of_the_data_never_hits(other, attribute):
    with opened(INSTANCE) as handle:
        handle.attrs[attribute] = "0" * 64
    assert "wrote" in solve()


def test_an_instance_of_the_same_recipe_and_other_content_never_hits(other):
    before = instance.instance_attrs(INSTANCE)
    with opened(INSTANCE) as handle:
        handle["seed-0/values"][0] *= 1 + 1e-15
    after = instance.instance_attrs(INSTANCE)
    assert before["digest"] == after["digest"] and before["sha256"] != after["sha256"]
    assert "wrote" in solve()


def test_other_tuned_values_never_hit_and_tuning_is_found_too(other):
    tuning = Path("results/quick/tuning/ncgs/fig1-left/ncgs-2-tuned.json")
    said = call("tune", "ncgs", "fig1-left", "ncgs-2-tuned")
    assert "wrote" in said
    assert "wrote" in solve("ncgs-2-tuned")
    first = json.loads(tuning.read_text())
    tuning.unlink()
    assert "from the store" in call("tune", "ncgs", "fig1-left", "ncgs-2-tuned")
    found = json.loads(tuning.read_text())
    assert len(found.pop("from_store")) == 64 and found == first
    assert "from the store" in solve("ncgs-2-tuned")
    value, *_ = {1, 3} - {found["chosen"]["max_lo"]}
    tuning.write_text(json.dumps({**found, "chosen": {"max_lo": value}}))
    assert "wrote" in solve("ncgs-2-tuned")


@pytest.mark.parametrize("size", [0, 100, -1])
def test_a_damaged_entry_is_set_aside_and_the_job_runs(other, capfd, size):
    place = entry(other)
    content = (place / "trace.h5").read_bytes()
    (place / "trace.h5").write_bytes(content[:size])
    assert "wrote" in solve()
    assert len(list(place.parent.glob(f"{place.name}.corrupted-*"))) == 1
    assert "from the store" in solve(), "the job put a good one in its place"


@pytest.mark.parametrize("file, text", [("origin.json", "{"), ("origin.json", "{}"), ("trace.h5", None)])
def test_a_half_entry_is_set_aside_and_the_job_runs(other, file, text):
    place = entry(other)
    (place / file).unlink() if text is None else (place / file).write_text(text)
    assert "wrote" in solve()
    assert list(place.parent.glob("*.corrupted-*"))


def test_a_trace_under_the_key_of_another_is_not_taken(other):
    place = entry(other)
    change(lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}))
    job = study.load("ncgs", "quick").job("fig1-left", "fw")
    made_from = origin("trace", job_attrs(job, INSTANCE))
    wrong = store.Store(other).place(digest(made_from))
    shutil.copytree(place, wrong)
    assert "wrote" in solve()
    assert list(wrong.parent.glob("*.corrupted-*"))


@pytest.mark.parametrize("foreign", ["text", "another trace", "forged"])
def test_a_foreign_entry_under_a_right_hash_is_set_aside_and_the_job_runs(other, foreign):
    place = entry(other)
    file, about = place / "trace.h5", json.loads((place / "origin.json").read_text())
    if foreign == "text":
        file.write_text("no trace")
    else:
        with opened(file) as handle:
            name, value = {"forged": ("method", "better"), "another trace": ("dataset_sha256", "0" * 64)}[
                foreign
            ]
            handle.attrs[name] = value
    about["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (place / "origin.json").write_text(json.dumps(about))
    assert "wrote" in solve()
    assert list(place.parent.glob("*.corrupted-*"))
    assert "from the store" in solve()


def test_a_well_formed_entry_that_is_not_what_was_put_in_is_set_aside(other):
    with opened(entry(other) / "trace.h5") as handle:
        handle["seed-0/metrics/objective"][2] = 0.5
    assert "wrote" in solve()
    assert list(other.glob("*/*.corrupted-*"))


def test_what_a_killed_writer_leaves_is_never_an_entry(other):
    place = entry(other)
    place.rename(place.with_name(f".{place.name}.0.part"))
    assert "wrote" in solve()
    assert "from the store" in solve()


def test_of_many_writers_at_once_one_wins_and_the_entry_is_whole(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    made_from, shared, won = shareable(TRACE), store.Store(tmp_path / "new"), []
    barrier = threading.Barrier(8)

    def put():
        barrier.wait()
        won.append(shared.put(TRACE, made_from))

    threads = [threading.Thread(target=put) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(won) == [False] * 7 + [True]
    assert shared.fetch(made_from, tmp_path / "copy.h5")
    assert [p.name for p in shared.place(digest(made_from)).parent.iterdir()] == [digest(made_from)]


def test_a_second_writer_that_was_late_changes_nothing(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    shared, made_from = store.Store(tmp_path / "new"), shareable(TRACE)
    place = shared.place(digest(made_from))
    real = store._named

    def late(part, there):
        shutil.copytree(part, there)
        return real(part, there)

    monkeypatch.setattr(store, "_named", late)
    assert shared.put(TRACE, made_from) is False
    assert [path.name for path in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "denied")])
def test_a_full_or_read_only_store_is_a_warning(other, monkeypatch, error):
    def fail(*_):
        raise error

    shutil.rmtree(other)
    monkeypatch.setattr(store, "_to_disk", fail)
    said = solve()
    assert "wrote" in said and f"store: {TRACE} is not kept: [Errno {error.errno}]" in said
    assert not list(other.rglob("*.part"))


def test_a_store_that_is_a_file_is_a_warning(other, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PROJFREE_STORE", str(tmp_path / "file"))
    assert "is not kept" in solve()


def test_a_run_that_was_continued_in_another_environment_is_not_shared(other):
    shutil.rmtree(other)
    unfinished = TRACE.parent / ".fw.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "environment").write_text("another")
    said = solve()
    assert "began on another machine" in said and not list(other.rglob("trace.h5"))
    with pytest.raises(Unusable, match="began on another machine"):
        shareable(TRACE)


def test_unfinished_work_is_left_alone_by_a_hit(other):
    unfinished = TRACE.parent / ".fw.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "seed-0.checkpoint.h5").write_text("kept")
    assert "from the store" in solve()
    assert (unfinished / "seed-0.checkpoint.h5").read_text() == "kept"


def test_without_a_store_nothing_is_looked_up(other, monkeypatch):
    monkeypatch.delenv("PROJFREE_STORE")
    assert "wrote" in solve()


def test_a_probe_is_found_too(other):
    probe = ("oracle-costs-200x200", "c5d")
    assert "wrote" in solve(*probe)
    assert "from the store" in solve(*probe)
    change(lambda panel, quick: quick["experiments"]["c5d"]["params"].update(repetitions=2))
    assert "wrote" in solve(*probe)


def test_the_key_before_a_run_is_the_key_of_its_trace(made, monkeypatch):
    monkeypatch.chdir(made)
    loaded = study.load("ncgs", "quick")
    before = origin("trace", job_attrs(loaded.job("fig1-left", "fw"), INSTANCE))
    assert digest(before) == digest(origin("trace", attributes(TRACE)))
