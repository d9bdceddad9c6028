"""The timing lane: one core a run, none twice, and who else was at work is told."""

import multiprocessing
import os
import subprocess
import sys
import time

import pytest

from projfree.engine import cpu_pinning
from projfree.engine.cpu_pinning import SHARED, lane

pinned = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot pin a process")


@pinned
def test_a_run_has_a_core_of_its_own_and_gives_it_back(tmp_path):
    before = os.sched_getaffinity(0)
    with lane(tmp_path) as told:
        assert os.sched_getaffinity(0) == {told()["core"]} and told()["core"] in before
    assert os.sched_getaffinity(0) == before
    with pytest.raises(KeyError), lane(tmp_path):
        raise KeyError
    assert os.sched_getaffinity(0) == before


@pinned
def test_a_folder_of_others_or_behind_a_link_is_not_used(tmp_path, monkeypatch):
    def core(name):
        with lane(tmp_path / name) as told:
            return told()["core"]

    (tmp_path / "theirs").mkdir()
    (tmp_path / "link").symlink_to("theirs")
    assert core("link") is None
    (tmp_path / "victim").touch()
    for number in os.sched_getaffinity(0):
        (tmp_path / "theirs" / str(number)).symlink_to("../victim")
    assert core("theirs") is None
    assert core("own") is not None and (tmp_path / "own").stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert core("own") is None


def _core(folder, queue, done):
    with lane(folder) as told:
        queue.put(told()["core"])
        done.wait(30)


@pinned
def test_no_core_is_given_twice_and_without_a_free_one_a_run_goes_on(tmp_path):
    cores = sorted(os.sched_getaffinity(0))
    context = multiprocessing.get_context("fork")
    queue, done = context.Queue(), context.Event()
    runs = [context.Process(target=_core, args=(tmp_path, queue, done)) for _ in range(len(cores) + 1)]
    for run in runs:
        run.start()
    found = [queue.get(timeout=30) for _ in runs]
    done.set()
    for run in runs:
        run.join()
    assert sorted(core for core in found if core is not None) == cores and found.count(None) == 1
    with lane(tmp_path) as told:  # their end freed the cores
        assert told()["core"] == cores[0]


@pinned
@pytest.mark.skipif(not os.path.exists("/proc/stat"), reason="this system does not say what its cores do")
def test_a_neighbour_on_the_core_is_told(tmp_path):
    with lane(tmp_path) as told:
        neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])  # inherits the core
        end = time.process_time() + 0.6
        try:
            while time.process_time() < end:
                pass
        finally:
            neighbour.kill()
            neighbour.wait()
        assert told()["others_on_core"] > SHARED and told()["others"] > SHARED


@pytest.mark.parametrize(
    ("busy", "told"), [({"cpu": 1.5}, "others use 1.5 of the 4 CPUs"), ({"cpu": 0.1}, ""), ({}, "")]
)
def test_who_is_about_to_time_runs_is_told_of_others(monkeypatch, busy, told):
    now, seen = iter((10.0, 11.0)), iter(({name: 0.0 for name in busy}, busy))
    monkeypatch.setattr(cpu_pinning.time, "perf_counter", lambda: next(now))
    monkeypatch.setattr(cpu_pinning.time, "process_time", lambda: 0.0)
    monkeypatch.setattr(cpu_pinning.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(cpu_pinning, "_busy", lambda: next(seen))
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    said = cpu_pinning.not_quiet()
    assert said.startswith(told) and bool(said) == bool(told)


def test_what_the_system_does_not_say_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(cpu_pinning, "_busy", dict)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    with lane(tmp_path / "file-less") as told:
        assert told() == {"core": None, "others_on_core": None, "others": None}
