"""One validator for tables and merges: each way to malform or forge a trace is told by name."""

import json
from contextlib import contextmanager

import h5py
import numpy as np
import pytest

from projfree.common.atomic_io import sealed
from projfree.trace.check import Malformed, check_trace, described
from projfree.trace.format import SeedTrace, read_trace, write_trace
from referee.evidence.tidy import tidy

SPEC = {
    **{"paper": "p", "experiment": "e", "method": "m", "run": "quick", "instance_of": "e", "code": "c0de"},
    **{"problem": {"name": "matrix_completion"}, "set": {"name": "trace_norm_ball", "radius": 3}},
    **{"solver": {"name": "frank_wolfe", "params": {"step_rule": "short"}}, "generator": {"name": "g"}},
    **{"seeds": [0, 1], "budget": {"iterations": 2}, "metrics": ["objective"]},
}


def seed_trace(seed):
    trace = SeedTrace(seed, end_status="iterations", final={"x": np.ones(3)}, attrs={"n": 6})
    for i in range(3):
        trace.append(i, 0.1 * i, 0.2 * i, {"LO": i}, {"lmo": 0.1}, {"objective": 1.0 / (1 + i)})
    return trace


@pytest.fixture
def path(tmp_path):
    write_trace(tmp_path / "m.h5", {**described(SPEC), "spec": SPEC}, [seed_trace(s) for s in SPEC["seeds"]])
    return tmp_path / "m.h5"


@contextmanager
def opened(path):
    with h5py.File(path, "r+") as handle:
        yield handle


def replaced(handle, place, array):
    del handle[place]
    handle[place] = array


def spec_with(handle, **changes):
    handle.attrs["spec"] = json.dumps({**SPEC, **changes})


FORGERIES = {
    "seed missing": (lambda h: h.pop("seed-1"), "it holds seed-0, its job has seed-0, seed-1"),
    "seed more": (lambda h: h.copy("seed-1", "seed-2"), "seed-2: it says it is seed 1"),
    "seed twice": (lambda h: h.copy("seed-1", "seed-01"), "seed-01: it says it is seed 1"),
    "seed no number": (lambda h: h["seed-0"].attrs.create("seed", "zero"), "it says it is seed zero"),
    "seed no group": (lambda h: (h.pop("seed-1"), h.update({"seed-1": 3})), "KeyError|AttributeError"),
    "no seed": (lambda h: (h.pop("seed-0"), h.pop("seed-1")), "no seed in it"),
    "no experiment": (lambda h: h.attrs.pop("experiment"), "no experiment"),
    "no records": (lambda h: replaced(h, "seed-0/iteration", np.zeros(0, int)), "seed-0: no records"),
    "lengths": (lambda h: replaced(h, "seed-0/metrics/objective", np.ones(4)), r"has shape \(4,\)"),
    "table": (lambda h: replaced(h, "seed-0/cpu_seconds", np.ones((3, 1))), r"has shape \(3, 1\)"),
    "text": (lambda h: replaced(h, "seed-0/metrics/objective", ["a", "b", "c"]), "is not of numbers"),
    "complex": (lambda h: replaced(h, "seed-0/timers/lmo", np.ones(3) * 1j), "timers/lmo is not of numbers"),
    "half counts": (lambda h: replaced(h, "seed-0/oracles/LO", np.ones(3) / 2), "not of whole numbers"),
    "below 0": (lambda h: replaced(h, "seed-0/oracles/LO", -np.arange(3)), "oracles/LO counts below 0"),
    "new count": (lambda h: h.update({"seed-0/oracles/XO": np.arange(3)}), "oracles/XO is no count"),
    "clock": (lambda h: replaced(h, "seed-0/wall_seconds", [0, np.nan, 1]), "wall_seconds is not finite"),
    "end": (lambda h: h["seed-1"].attrs.create("end_status", "won"), "seed-1: it ended 'won'; known: budget"),
    "no end": (lambda h: h["seed-1"].attrs.pop("end_status"), "KeyError"),
    "no clock": (lambda h: h.pop("seed-1/cpu_seconds"), "KeyError"),
    "group": (lambda h: (h.pop("seed-0/timers/lmo"), h.create_group("seed-0/timers/lmo")), "numbers"),
    "column for group": (lambda h: (h.pop("seed-0/timers"), h.update({"seed-0/timers": 1})), "Attr"),
    "attribute": (lambda h: h["seed-0"].attrs.create("n", "{"), "JSONDecodeError"),
    "deep": (lambda h: h["seed-0"].attrs.create("n", "[" * 60_000), "RecursionError"),
    "iterate": (lambda h: replaced(h, "seed-0/final/x", ["a"]), "final/x is not of numbers"),
    "method": (lambda h: h.attrs.create("method", "better"), "says method 'better', its job 'm'"),
    "run": (lambda h: h.attrs.create("run", "full"), "says run 'full', its job 'quick'"),
    "solver": (lambda h: h.attrs.create("solver", "ncgs"), "says solver 'ncgs'"),
    "params": (lambda h: h.attrs.create("params", "{}"), "says params {}, its job"),
    "problem": (lambda h: h.attrs.create("problem", '{"name": "x"}'), "says problem"),
    "code": (lambda h: h.attrs.create("code_sha256", "0"), "says code_sha256 '0'"),
    "metric more": (lambda h: spec_with(h, metrics=[]), "seed-0 has the metrics"),
    "metric less": (lambda h: spec_with(h, metrics=["objective", "gap"]), "seed-0 has the metrics"),
    "job": (lambda h: h.attrs.create("spec", "[]"), "TypeError"),
}


@pytest.mark.parametrize("forge, said", FORGERIES.values(), ids=FORGERIES)
def test_a_malformed_or_forged_trace_is_refused_by_name(path, forge, said):
    with opened(path) as handle:
        forge(handle)
    with opened(path) as handle, pytest.raises(Malformed, match=f"m.h5: not a trace .*({said})") as error:
        check_trace(handle, path)
    assert "\n" not in str(error.value)


def test_a_good_one_is_read_by_all(path):
    assert [trace.seed for trace in read_trace(path)[1]] == [0, 1]
    tidy([path], path.with_suffix(".csv"))


def test_tables_and_readers_ask_the_validator(path):
    with opened(path) as handle:
        handle["seed-1"].attrs["end_status"] = "won"
    path.write_bytes(sealed(path.read_bytes()))
    for reader in (read_trace, lambda p: tidy([p], path.with_suffix(".csv"))):
        with pytest.raises(Malformed, match="it ended 'won'"):
            reader(path)
    assert not path.with_suffix(".csv").exists()
