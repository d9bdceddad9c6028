"""`make env` says what it needs, and does nothing twice."""

import os
import shutil
import subprocess

import pytest
from places import ROOT

# The suite itself may run under make.
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


@pytest.fixture
def folder(tmp_path):
    """A folder with what `make env` reads, and no environment."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "harness", tmp_path / "harness", ignore=shutil.ignore_patterns("build"))
    return tmp_path


def make(folder, *arguments):
    return subprocess.run(["make", *arguments], cwd=folder, env=PLAIN, capture_output=True, text=True)


@pytest.mark.parametrize("python", ["", "/bin/false", "no-such-python"])
def test_a_missing_or_old_python_is_named(folder, python):
    result = make(folder, "env", f"PYTHON={python}")
    assert result.returncode != 0
    assert "projfree needs Python 3.11 or newer" in result.stdout
    assert not (folder / ".venv").exists()


def test_an_environment_is_installed_again_only_when_the_lock_changed(folder):
    stamp = folder / ".venv/.installed"
    stamp.parent.mkdir()
    stamp.touch()
    later = stamp.stat().st_mtime + 10
    os.utime(stamp, (later, later))
    assert "Nothing to be done" in make(folder, "--dry-run", "env").stdout
    os.utime(folder / "requirements.lock", (later + 10, later + 10))
    assert "--require-hashes -r .venv/needed.txt" in make(folder, "--dry-run", "env").stdout


def test_threads_are_pinned(folder):
    probe = "include Makefile\nprobe: ; @echo $$OMP_NUM_THREADS $$OPENBLAS_NUM_THREADS $$NUMBA_NUM_THREADS\n"
    (folder / "probe.mk").write_text(probe)
    assert make(folder, "-f", "probe.mk", "probe").stdout.split() == ["1", "1", "1"]
