"""Where compiled code is kept, and that no kernel runs in parallel."""

import os
import subprocess
import sys

from projfree.common import root

PROBE = "from projfree.linalg import compiled; print(compiled.CACHE)"


def cache_folder(**changes):
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PROJFREE_CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment | changes, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_cache_is_a_folder_of_ours_unless_told_otherwise(tmp_path):
    assert cache_folder(PROJFREE_CACHE=str(tmp_path)) == str(tmp_path / "numba")
    assert cache_folder(NUMBA_CACHE_DIR=str(tmp_path)) == str(tmp_path)
    assert ".cache" in cache_folder(HOME=str(tmp_path))


def test_another_project_that_is_started_does_not_inherit_the_folder():
    """It would compile into ours, for the better part of a minute, and leave it there."""
    code = "import os; old = dict(os.environ); import projfree.linalg.compiled; print(old == os.environ)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


KERNEL = """
import sys
from projfree.linalg.compiled import njit, on_compiling

@njit
def double(x):
    return 2 * x

with on_compiling(lambda: print("compiling")):
    print(double(1), double(1.5))
"""


def test_what_is_compiled_is_told_once_and_what_is_loaded_is_not(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, again = (
        subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert (first.stdout, again.stdout) == ("compiling\n2 3.0\n", "2 3.0\n")


def test_without_a_folder_that_can_be_written_kernels_are_compiled_and_it_is_told_once(tmp_path):
    """Numba's locator that finds a place next to the sources is left out: root can write there."""
    (tmp_path / "file").touch()
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "file" / "cache")
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert done.stdout == "compiling\n2 3.0\n", done.stderr
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1


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
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", LANES], env=environment, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
