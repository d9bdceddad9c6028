"""The text of the operands of a test: names, as in ``casvrg``, ``casvrg@fig1-p10`` and ``ours / theirs``."""

import re

OVER, ON = " / ", "@"


def parts(text: str) -> list[str]:
    """Its names, at even places, and the marks between them."""
    return re.split(f"({OVER}|{ON})", text)
