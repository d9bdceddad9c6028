"""Over which of its panels a claim speaks: all of them, most, or some."""

#: The key of a test in papers that holds its panels.
QUANTIFIERS = ("all", "most", "some")


def panels_of(test: dict) -> list[str]:
    """Names and patterns of a test's experiments."""
    return next((test[key] for key in QUANTIFIERS if test.get(key)), [])


def on_panels(test: dict, panels: list[str]) -> dict:
    """The test on other experiments."""
    return {**test, **{key: panels for key in QUANTIFIERS if test.get(key)}}
