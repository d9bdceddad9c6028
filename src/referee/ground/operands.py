"""The text of a test: its panels, and names as in ``casvrg``, ``casvrg@fig1-p10`` and ``ours / theirs``."""

import re

OVER, ON = " / ", "@"


def parts(text: str) -> list[str]:
    """Its names, at even places, and the marks between them."""
    return re.split(f"({OVER}|{ON})", text)


#: The key of a test in papers that holds its panels.
QUANTIFIERS = ("all", "most", "some")


def panels_named(test: dict) -> list[str]:
    """Names and patterns of a test's experiments."""
    return next((test[key] for key in QUANTIFIERS if test.get(key)), [])


def on_panels(test: dict, panels: list[str]) -> dict:
    """The test on other experiments."""
    return {**test, **{key: panels for key in QUANTIFIERS if test.get(key)}}
