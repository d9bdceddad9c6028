"""Numbers as text, and the line of one that is none."""

import re

from referee.data.errors import FormatError

LARGEST = 3.4e38  # of float32
EXACT = 2**24  # integers up to here are exact in float32
NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


def number_fault(field: bytes) -> str | None:
    """The error in a field that should be a finite float32 number; None if there is none."""
    if re.fullmatch(NUMBER, field):
        return None if abs(float(field)) < LARGEST else f"'{field.decode()[:40]}' is too large"
    return f"'{field.decode(errors='replace')[:40]}' is not a finite number"


def blame(path, first: int, block: bytes, fault) -> None:
    """Find the line that made a block unreadable."""
    for number, line in enumerate(block.split(b"\n"), first):
        if line.strip() and (reason := fault(line.rstrip(b"\r"))):
            raise FormatError(path, number, reason)
    raise FormatError(path, first, "unreadable in the block that begins here")
