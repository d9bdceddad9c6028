"""What a run shows while it works: callbacks, a table, and words on compiling."""

import os
import subprocess
import sys

import numpy as np
import pytest

import projfree as pf

AIM = np.random.default_rng(0).standard_normal(8)
COLD = """
import logging, sys
import numpy as np
import projfree as pf

if sys.argv[1:]:
    logging.getLogger("projfree").setLevel(logging.ERROR)
print(pf.sets.L1Ball(1.0).project([3.0, 4.0]))
"""
COMPILED = """
import numpy as np
import projfree as pf
from numba.core import event

pf.compile()


class Told(event.Listener):
    def on_start(self, compiling):
        print("compiling", compiling.data["dispatcher"])

    def on_end(self, compiling):
        pass


event.register("numba:compile", Told())
rng = np.random.default_rng(0)
pf.sets.NuclearBall(1.0).lmo(rng.standard_normal((300, 200)))
pf.penalties.Oscar(1.0, 0.5, "absolute").prox(rng.standard_normal(9), 0.5)
pf.sets.Birkhoff().lmo(rng.standard_normal((5, 5)))
pf.minimize(lambda x: (x @ x, 2 * x), pf.sets.Simplex(), x0=[1.0, 0.0, 0.0])
"""


def square(x):
    return 0.5 * (x - AIM) @ (x - AIM), x - AIM


def run(**options):
    given = {"x0": np.zeros(8), "tol": 0.0, "budget": 20, "options": {"step_rule": "open_loop"}} | options
    return pf.minimize(square, pf.sets.L1Ball(2.0), "frank-wolfe", **given)


@pytest.mark.parametrize("every", [1, 3])
def test_a_callback_comes_as_often_as_it_is_asked_for(every):
    seen = []
    found = run(every=every, callback=seen.append)
    assert [p.nit for p in seen] == [*range(0, 21, every), *([20] if 20 % every else [])]
    assert found.trace.iteration == [p.nit for p in seen]
    for p in seen:
        assert isinstance(p, pf.Progress) and p.value == square(p.x)[0] and p.counts["LO"] == p.nit
        assert p.gap == pf.certificate(square, pf.sets.L1Ball(2.0), p.x).value
    assert [p.cpu_seconds for p in seen] == sorted(p.cpu_seconds for p in seen)


@pytest.mark.parametrize("every", [0, 1.5, "1", True - 1])
def test_a_distance_of_records_is_a_whole_number(every):
    with pytest.raises(ValueError, match="every must be a whole number ≥ 1"):
        run(every=every)


@pytest.mark.parametrize("every", [None, 1])
def test_a_table_has_the_numbers_of_the_trace(capsys, every):
    found = run(verbose=True, every=every)
    title, head, *rows, end = capsys.readouterr().out.splitlines()
    assert title == "frank-wolfe, set l1_ball, tol 0"
    assert head.split("  ")[-1] == "calls" and "lower bound" in head and "fw_gap" in head
    shown = [int(row.split()[0]) for row in rows]
    assert shown[0] == 0 and shown[-1] == 20 and shown == sorted(set(shown))
    assert (len(shown) == 21) == (every == 1)
    for row in rows:
        number, *numbers = map(float, row.split()[:4])
        at = found.trace.iteration.index(number)
        value, gap = (found.trace.metrics[name][at] for name in ("objective", "fw_gap"))
        assert numbers[:2] == pytest.approx([value, value - gap], rel=1e-5)
        assert numbers[2] == pytest.approx(gap, rel=1e-3)
    assert rows[-1].endswith(f"FO {found.counts['FO']} LO 20") and end == f"iterations: {found.message}"


def test_a_table_of_a_penalty_has_no_lower_bound_and_none_is_printed_unasked(capsys):
    known = {"x0": np.zeros(8), "constants": {"L_full": 1.0}}
    found = pf.minimize(square, pf.penalties.L1(0.1), verbose=True, **known)
    text = capsys.readouterr().out
    assert "sq_gradient_mapping" in text and "lower bound" not in text
    assert text.splitlines()[-1] == f"converged: {found.message}"
    pf.minimize(square, pf.penalties.L1(0.1), **known)
    assert capsys.readouterr().out == ""


def cold(cache, program, *arguments):
    environment = {**os.environ, "PROJFREE_CACHE": str(cache)}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_a_first_call_says_that_it_compiles_and_later_ones_do_not(tmp_path):
    assert cold(tmp_path / "other", COLD, "silent").stderr == ""
    first, second = (cold(tmp_path / "cache", COLD) for _ in range(2))
    assert first.stdout == second.stdout == "[0. 1.]\n"
    assert first.stderr.count("compiling what is called for the first time") == 1
    assert "projfree.compile()" in first.stderr and second.stderr == ""


OTHERS = """
import numba
import projfree as pf

pf.sets.L1Ball(1.0)
made = {}
exec("def twice(x): return 2 * x", made)  # a function without a module
twice = numba.njit(made["twice"])


@numba.experimental.jitclass([("x", numba.float64)])
class Held:
    def __init__(self, x):
        self.x = x


print(twice(2.0), Held(1.0).x)
"""


def test_kernels_of_others_are_compiled_without_a_word(tmp_path):
    done = cold(tmp_path, OTHERS)
    assert done.stdout == "4.0 1.0\n" and done.stderr == ""


@pytest.mark.slow
def test_nothing_is_compiled_after_all_is(tmp_path):
    assert cold(tmp_path, COMPILED).stdout == ""
