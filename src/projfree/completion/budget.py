"""A bound of anonymous memory: how many atoms a step of the fit may add within it.

Ratings, errors, Krylov bases and the history of L-BFGS are in mapped files (`linalg.scratch`). What a step
needs beside what is held is a number of vectors as long as a column of both factors, and grows with their
columns; steps that add fewer of them lead to the same optimum.
"""

from __future__ import annotations

from pathlib import Path

ATOMS = 64  # most of a step
A_COLUMN, A_STEP = 80, 400  # bytes for each row of both factors: of each column, and beside them; measured
DECODED = 32_000_000  # bytes for a block of ratings that is decoded, and what is computed from it


class NotEnough(MemoryError):
    """The bound is too low for a step of one atom."""


def anonymous() -> int:
    """Bytes of this process that are no pages of files (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("RssAnon")).split()[1])


def atoms_within(memory: int | None, rows: int, rank: int) -> int:
    """How many atoms, `ATOMS` or a half, a quarter … of them, a step may add to `rank` columns.

    Parameters
    ----------
    memory : bytes that the process may take; None is no bound
    rows : of both factors together

    Raises
    ------
    NotEnough
        With the least bound that would do.
    """
    if memory is None:
        return ATOMS
    held, atoms = anonymous(), ATOMS
    while held + step_bytes(rows, rank + atoms) > memory:
        atoms //= 2
        if not atoms:
            least = (held + step_bytes(rows, rank + 1)) / 1e9
            raise NotEnough(
                f"at rank {rank} the fit needs {least:.2f} GB of memory, the bound is {memory / 1e9:.2f} GB; "
                "a larger λ leads to a lower rank"
            )
    return atoms


def step_bytes(rows: int, columns: int) -> int:
    """What a step needs beside what is held."""
    return DECODED + rows * (A_STEP + A_COLUMN * columns)
