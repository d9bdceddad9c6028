"""Where compiled code is kept, and that no kernel runs in parallel."""

import os
import subprocess
import sys

import pytest

from projfree.common import root


def printed(*arguments, without=(), **changes):
    """What Python prints in this environment with changes, and what it says beside."""
    environment = {k: v for k, v in os.environ.items() if k not in without} | changes
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_the_cache_is_a_folder_of_ours_unless_told_otherwise(tmp_path):
    def folder(**changes):
        code = "from projfree.linalg import compiled; print(compiled.CACHE)"
        return printed("-c", code, without=("NUMBA_CACHE_DIR", "PROJFREE_CACHE"), **changes)[0].strip()

    assert folder(PROJFREE_CACHE=str(tmp_path)) == str(tmp_path / "numba")
    assert folder(NUMBA_CACHE_DIR=str(tmp_path)) == str(tmp_path)
    assert ".cache" in folder(HOME=str(tmp_path))


def test_another_project_that_is_started_does_not_inherit_the_folder():
    """It would compile into ours, for the better part of a minute, and leave it there."""
    code = "import os; old = dict(os.environ); import projfree.linalg.compiled; print(old == os.environ)"
    assert printed("-c", code)[0] == "True\n"


KERNEL = """
import sys
from projfree.linalg.compiled import njit, on_compiling

@njit
def double(x):
    return 2 * x

with on_compiling(lambda: print("compiling")):
    print(double(1), double(1.5))
"""


@pytest.fixture
def kernel(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    return tmp_path / "kernel.py"


def test_what_is_compiled_is_told_once_and_what_is_loaded_is_not(kernel, tmp_path):
    first, again = (printed(kernel, NUMBA_CACHE_DIR=str(tmp_path / "cache"))[0] for _ in range(2))
    assert (first, again) == ("compiling\n2 3.0\n", "2 3.0\n")


def test_without_a_folder_that_can_be_written_kernels_are_compiled_and_it_is_told_once(kernel, tmp_path):
    """Numba's locator that finds a place next to the sources is left out: root can write there."""
    (tmp_path / "file").touch()
    where = {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    said, beside = printed(kernel, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"), **where)
    assert said == "compiling\n2 3.0\n" and beside.count("NUMBA_CACHE_DIR") == 1


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("PROJFREE_CACHE", raising=False)
    monkeypatch.setattr(root, "checkout", lambda: None)

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(root.Path, "home", homeless)
    assert root.cache_folder() is None


LANES = """
import numpy as np
import projfree as pf

table = np.where(np.random.default_rng(0).random((12, 8)) < 0.6, 1.0 + np.arange(8.0), np.nan)
print(np.isfinite(pf.estimators.MatrixCompletion(weight=1.0).fit_transform(table)).all())
"""


def test_kernels_are_compiled_where_the_user_debugs_others():
    assert printed("-c", LANES, NUMBA_DISABLE_JIT="1")[0] == "True\n"
