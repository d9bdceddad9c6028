"""One word for two columns: a claim as published, and in a fair race."""

#: The cells of a race: our method as stated or tuned, against rivals as described or strong.
CELLS = ("stated_described", "tuned_described", "stated_strong", "tuned_strong")
STATED = CELLS[0]
NOT_RUN = "not run"
#: What both columns say → the word.
AS_PUBLISHED = {"holds": "holds"} | dict.fromkeys(("not_testable", "fails", "holds_in_part"), "as_published")
WORDS = {"holds_in_part": "in_part", "fails": "fails", "not_testable": "open"}


def headline(verdict: str, fair: str | None) -> str:
    """The word of an entry: holds, as_published (not, or not known, in a fair race), in_part, fails, open.

    Parameters
    ----------
    verdict : str
        Column 1, as published.
    fair : str, optional
        Column 2; None where no fair race was run.
    """
    if verdict != "holds":
        return WORDS[verdict]
    return "holds" if fair is None else AS_PUBLISHED[fair]


def turned(base: str, verdict: str) -> bool:
    """Whether what holds fails, or what fails holds."""
    return {base, verdict} == {"holds", "fails"}
