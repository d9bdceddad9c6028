"""The job of a probe: what its trace says, and what it refuses."""

import json

import instances
import pytest

from projfree.trace.format import read_trace
from referee.common import rooms
from referee.jobs.compiled import without_compiling
from referee.jobs.probe import run_probe

PROBE = """
from referee.jobs.probes import Row

def measure(job, problem, constraint, rng, *, draws=3, scale=1.0):
    for k in range(draws):
        yield Row(k, {"value": scale * rng.random()})
"""

LATE = """
import numba
from referee.jobs.probes import Row

@numba.njit
def late(x):
    return x + 1

def measure(job, problem, constraint, rng):
    yield Row(0, {"value": late(1)})
"""


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Run a made probe with these parameters; attributes and traces."""
    folder = tmp_path / "made_probes"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "noise.py").write_text(PROBE)
    (folder / "late.py").write_text(LATE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(rooms.SHARED, "probes", "made_probes")

    def run(name="noise", **params):
        job = instances.job(seeds=[0, 1], probe={"name": name, "params": params})
        run_probe(job, None, tmp_path / "noise.h5")
        return read_trace(tmp_path / "noise.h5")

    return run


def test_what_a_probe_compiles_within_its_time_makes_it_run_again(measured, capsys):
    for said in ("running it again: late was compiled within its time\n", ""):
        without_compiling(lambda: measured("late"))
        assert capsys.readouterr().err == said


def test_seeds_measure_different_things(measured):
    _, (first, second) = measured()
    assert first.metrics["value"] != second.metrics["value"]


def test_the_trace_of_a_probe_says_what_was_asked_and_that_it_had_no_instance(measured):
    attrs, traces = measured(draws=5)
    assert attrs["solver"] == "noise" and json.loads(attrs["params"]) == {"draws": 5}
    assert [trace.iteration for trace in traces] == [[0, 1, 2, 3, 4]] * 2
    assert attrs["dataset_sha256"] == "generated" and not attrs["stand_in"]


def test_unknown_parameters_list_the_known(measured):
    with pytest.raises(ValueError, match="'noise': unknown parameter 'drawn'.*Known are: draws, scale"):
        measured(drawn=3)
