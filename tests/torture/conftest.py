"""How often each case is tried: a few times in the test suite, TORTURE times as many by `make torture`."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "data"), str(HERE.parent / "contract")]


@pytest.fixture(scope="session")
def times() -> int:
    """By how much `make torture` multiplies the cases."""
    return int(os.environ.get("TORTURE", 1))
