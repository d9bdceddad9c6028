"""Settings all tests share: one BLAS thread; pytest puts the helpers beside this file on the path."""

import os

# Before NumPy is imported: runs are compared bit by bit, and clocks count the CPU seconds of all threads.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

#: Folders whose tests take minutes and mostly wait: they begin first, so that others run beside them.
FIRST = ("cluster", "results", "workflow", "torture")


def pytest_collection_modifyitems(items):
    """Put the slow folders first."""
    items.sort(key=lambda item: item.path.parent.name not in FIRST)
