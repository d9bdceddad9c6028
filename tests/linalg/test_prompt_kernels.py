"""Small first calls do not wait for the compiler, and have its bits."""

import os
import subprocess
import sys

import numpy as np
import pytest

from projfree import sets
from projfree.linalg import compiled, singular
from projfree.linalg.compiled import _plain
from projfree.penalties.prox import pava


@pytest.mark.parametrize("shape", [(25, 25), (60, 40), (28, 63)])
def test_lanczos_in_plain_python_has_the_bits_of_the_compiled_one(shape, monkeypatch):
    G = np.random.default_rng(1).standard_normal(shape)
    for asked in ({}, {"gap": 1e-3}):
        monkeypatch.setattr(singular, "prompt", lambda kernel, size: kernel)
        pair = singular.leading_pair(G, **asked)
        monkeypatch.setattr(singular, "prompt", lambda kernel, size: _plain(kernel))
        same = singular.leading_pair(G, **asked)
        assert np.array_equal(pair.u, same.u) and np.array_equal(pair.v, same.v)
        assert (pair.sigma, pair.bound, pair.matvecs) == (same.sigma, same.bound, same.matvecs)


@pytest.mark.parametrize("size", [1, 7, 500, 4096])
@pytest.mark.parametrize("digits", [1, 17])
def test_the_prox_in_plain_python_has_the_bits_of_the_compiled_one(size, digits):
    rng = np.random.default_rng(size)
    p, weights = rng.standard_normal(size).round(digits), np.sort(rng.random(size))[::-1].copy()
    (x, value, _), (same, its_value, _) = (run(weights, p, 0.3) for run in (pava._prox, _plain(pava._prox)))
    assert np.array_equal(x, same) and value == its_value


COLD = """
import logging, numpy as np, projfree as pf
told = []
logging.getLogger("projfree").warning = lambda *said: told.append(said)
G = np.random.default_rng(0).standard_normal((40, 30))
pf.penalties.Oscar(lambda1=0.1, lambda2=0.1, units="absolute").prox(G[0], 1.0)
pf.sets.NuclearBall(1.0).lmo(G)
from projfree.linalg.lanczos import lanczos
from projfree.penalties.prox.pava import _prox
assert not lanczos.overloads and not _prox.overloads
for _ in range(25):
    atom = pf.sets.NuclearBall(1.0).lmo(G)
assert lanczos.overloads
print(atom.sigma.hex())
"""


@pytest.mark.slow
@pytest.mark.parametrize("disabled", ["0", "1"])
def test_with_an_empty_cache_a_first_answer_waits_for_no_kernel(disabled, tmp_path):
    """Nor does it fail where numba is switched off; after some calls the kernel is compiled."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": disabled}
    done = subprocess.run([sys.executable, "-c", COLD], env=env, capture_output=True, text=True)
    G = np.random.default_rng(0).standard_normal((40, 30))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == float(sets.NuclearBall(1.0).lmo(G).sigma).hex()


def test_large_inputs_and_compiled_kernels_are_not_interpreted():
    pava._prox(np.ones(1), np.ones(1), 1.0)
    assert compiled.prompt(pava._prox, 3) is pava._prox
    assert compiled.prompt(compiled.njit(lambda x: x), compiled.SMALL + 1).py_func
