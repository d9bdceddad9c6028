"""What a measure finds, and the verdict over what measures found."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from math import nan

#: Share of a panel's decided seeds that gives its word, and of its seeds that have to be decided.
AGREED, DECIDED = 0.8, 0.5
NOT_RUN = "run too short"
#: Verdict → its words.
VERDICTS = {
    "holds": "holds",
    "holds_in_part": "holds in part",
    "fails": "fails",
    "not_testable": "undecided",
    "not_run": NOT_RUN,
    "not_judged": "not judged",
}
ASKS = ("everywhere", "mostly", "somewhere")


@dataclass(frozen=True)
class Finding:
    """One comparison or value: a row of verdicts.csv.

    Attributes
    ----------
    panel, what : str
        Where, and of which pair or method. Findings that share both are the seeds of one cell.
    seed : int or None
        None where seeds are taken together.
    low, high : float
        What was measured, at least and at most.
    required : float
    truth : bool or None
        None is undecided.
    reason : str
        Why it is undecided, or where lines cross.
    metric, over : str
        The criterion, and the axis.
    data : str
        ``real`` or ``stand-in``.
    length : str
        ``12 of 30 s``: shorter than the paper's axis, hence provisional.
    absent : bool
        Whether nothing was run that could be compared.
    outside : bool
        Whether the run that is judged leaves it out, so that it is no part of the verdict.
    """

    panel: str
    what: str
    seed: int | None = None
    low: float = nan
    high: float = nan
    required: float = nan
    truth: bool | None = None
    reason: str = ""
    metric: str = ""
    over: str = ""
    data: str = ""
    length: str = ""
    absent: bool = False
    outside: bool = False

    def __post_init__(self):
        """Numbers and truths of NumPy are Python's: NumPy's false is not `False`."""
        ends = {name: float(getattr(self, name)) for name in ("low", "high", "required")}
        for name, value in ends.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "truth", None if self.truth is None else bool(self.truth))


def decided(low: float, high: float, required: float) -> bool | None:
    """Whether an interval is at or above what is required; None where it spans it."""
    return True if low >= required else False if high < required else None


def word(truths: Iterable[bool | None]) -> bool | None:
    """What the seeds of a cell say together: at least half decided, and four fifths of those agree."""
    truths = list(truths)
    known = [truth for truth in truths if truth is not None]
    if not known or len(known) < DECIDED * len(truths):
        return None
    share = sum(known) / len(known)
    return True if share >= AGREED else False if share <= 1 - AGREED + 1e-12 else None


def cells(findings: Iterable[Finding]) -> dict[tuple[str, str], bool | None]:
    """(panel, what) → its word. A pair that was not run leaves a panel where others were."""
    findings = sorted(findings, key=lambda f: (f.panel, f.what))
    ran = {f.panel for f in findings if not f.absent}
    present = [f for f in findings if not (f.absent and f.panel in ran)]
    return {key: word(f.truth for f in group) for key, group in groupby(present, lambda f: (f.panel, f.what))}


def verdict(findings: Iterable[Finding], ask: str = "everywhere") -> str:
    """The verdict over panels and pairs, a key of `VERDICTS`.

    Where there are real data, stand-ins have no part in it.

    Parameters
    ----------
    ask : str
        ``everywhere``: holds in all cells; fails where some are against and none for; in part where some are
        for and some against. ``mostly``: in more than half of all cells. ``somewhere``: in one. A quantifier
        is decided as soon as no outcome of the open cells can change it.
    """
    if ask not in ASKS:
        raise ValueError(f"ask: unknown quantifier {ask!r}; known: {', '.join(ASKS)}")
    findings = list(findings)
    findings = [f for f in findings if f.data != "stand-in"] or findings
    words = list(cells(findings).values())
    count, yes, no = len(words), words.count(True), words.count(False)
    if ask == "everywhere":
        known = (
            "holds_in_part" if yes and no else "fails" if no else "holds" if count and yes == count else ""
        )
    elif ask == "mostly":
        known = "holds" if yes > count / 2 else "fails" if no >= count / 2 and count else ""
    else:
        known = "holds" if yes else "fails" if count and no == count else ""
    if known:
        return known
    return "not_run" if any(f.reason.startswith(NOT_RUN) for f in findings) else "not_testable"


def at_length(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those against a claim left open where the run is shorter than the paper's axis."""
    return [
        replace(f, truth=None, reason=f"{NOT_RUN}: {f.length}") if f.length and f.truth is False else f
        for f in findings
    ]


def together(verdicts: Iterable[str], ask: str = "everywhere", needed: Iterable[str] = ()) -> str:
    """The verdict of a claim over those of its parts, or of other claims.

    Parameters
    ----------
    verdicts : iterable of str
        What is not judged has no part in it.
    needed : iterable of str
        Of those the verdicts with which it fails.
    """
    judged = [each for each in verdicts if each != "not_judged"]
    if not judged:
        return "not_judged"
    if "fails" in needed:
        return "fails"
    some, against = {"holds", "holds_in_part"} & set(judged), {"fails", "holds_in_part"} & set(judged)
    if ask != "everywhere":
        whole = judged.count("holds")
        enough = whole > len(judged) / 2 if ask == "mostly" else whole
        failed = judged.count("fails")
        lost = failed >= len(judged) / 2 if ask == "mostly" else failed == len(judged)
        known = (
            "holds" if enough else "fails" if lost else "holds_in_part" if "holds_in_part" in judged else ""
        )
    elif some and against:
        known = "holds_in_part"
    else:
        known = "fails" if against else "holds" if set(judged) == {"holds"} else ""
    return known or ("not_run" if "not_run" in judged else "not_testable")
