"""The most memory that a call holds at once, by tracemalloc."""

import tracemalloc


def peak_of(work):
    """What it returns, and its peak in bytes beside what there was before."""
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
