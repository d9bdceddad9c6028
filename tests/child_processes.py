"""Processes that end with the tests that started them, also where those are killed and can end nothing."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent():
    """As `preexec_fn` of a process: SIGTERM when its parent dies, where the system has that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
