"""One thread for each numerical library, by hand as in the workflow: seconds count, sums have an order."""

import os

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMBA")


def one_each() -> None:
    """Use one thread, whatever the environment says; to be called before NumPy is imported."""
    for library in LIBRARIES:
        os.environ[f"{library}_NUM_THREADS"] = "1"
