"""A bound of anonymous memory is kept, with a certificate as good; told where it cannot be."""

import subprocess
import sys

import numpy as np
import pytest

from projfree.completion import budget
from projfree.completion.fitting import Part, Setting
from projfree.linalg import scratch

#: Peak of anonymous memory and what was reached: within a bound, long vectors in files; and without.
PEAKS = """
import contextlib, sys, tempfile, threading, time
import numpy as np
from projfree.completion.blocks import Block
from projfree.completion.budget import anonymous
from projfree.completion.fitting import Part, Setting
from projfree.completion.prepared import Prepared
from projfree.linalg.scratch import rooms_in

def blocks(users, items, each=20):
    rng = np.random.default_rng(0)
    R = rng.standard_normal((items, 20))
    for first in range(0, users, 5000):
        here = min(5000, users - first)
        cols = rng.integers(0, items // each, (here, each)) + np.arange(each) * (items // each)
        values = 3 + np.einsum("uk,uck->uc", rng.standard_normal((here, 20)), R[cols]) / 3
        values = np.clip(np.round(values), 1, 5).astype(np.float32)
        yield Block(np.arange(here + 1) * each, cols.ravel().astype(np.int32), values.ravel())

peak, done = 0, False
def watch():
    global peak
    while not done:
        peak = max(peak, anonymous())
        time.sleep(0.002)

def fit(users, items, memory):
    global peak
    names = (np.arange(side).astype(str) for side in (users, items))
    with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:
        prepared, peak = Prepared.write(folder, blocks(users, items), *names), 0
        with rooms_in(folder) if memory else contextlib.nullcontext():
            found = Part(prepared.sweeps(), Setting(memory=memory or None)).solve(34.0, 1e-2)
    print(peak, found.objective, found.relative_gap, found.rank)

threading.Thread(target=watch).start()
try:
    fit(300, 100, 10**10)  # compile
    for memory in map(int, sys.argv[2:]):
        fit(20_000, 1000, memory)
finally:
    done = True
"""


@pytest.mark.slow
def test_a_bound_is_kept_that_a_fit_without_one_exceeds(tmp_path):
    bound, asked = 220_000_000, [sys.executable, "-c", PEAKS, tmp_path]
    subprocess.run(asked, check=True)  # compiles, and the compiler keeps memory
    done = subprocess.run([*asked, str(bound), "0"], capture_output=True, text=True, check=True)
    kept, free = np.array([line.split() for line in done.stdout.splitlines()[1:]], float)
    assert kept[0] <= bound < free[0], (kept, free)
    assert max(kept[2], free[2]) <= 1e-2 and min(kept[3], free[3]) > 5
    assert abs(kept[1] - free[1]) <= 1e-2 * max(kept[1], free[1])


@pytest.mark.parametrize(("spare", "atoms"), [(64, 64), (63, 32), (16, 16), (15, 8), (1, 1)])
def test_as_many_atoms_as_fit(monkeypatch, spare, atoms):
    monkeypatch.setattr(budget, "anonymous", lambda: 10**8)
    assert budget.atoms_within(10**8 + budget.step_bytes(1000, 7 + spare), 1000, 7) == atoms


def test_less_than_the_least_is_an_error_that_tells_it(ratings):
    with pytest.raises(budget.NotEnough, match=r"rank 0 the fit needs \d\.\d\d GB.* the bound is 0\.01 GB"):
        Part(ratings.sweeps(), Setting(memory=10**7)).solve(6.0, 1e-3)


def test_long_vectors_are_in_files_without_a_name_and_short_ones_in_memory(tmp_path):
    with scratch.rooms_in(tmp_path):
        long, short = scratch.room((3, scratch.LEAST)), scratch.room((3, 4))
    long[:] = 1.0
    assert isinstance(long.base, np.memmap) and short.base is None and not list(tmp_path.iterdir())
    assert scratch.room((3, scratch.LEAST)).base is None and long.sum() == long.size
