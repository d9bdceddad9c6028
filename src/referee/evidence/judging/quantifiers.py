"""From cells to verdicts: a quota of the seeds decides a panel, the quantifier a claim; their headline."""

from collections import Counter
from dataclasses import dataclass, field

from ..relations.base import Cell
from .ranges import Run

#: Under half of the seeds decided: the panel is open. Of all panels so many have to be true, and none false.
TESTABLE, TRUE_PANELS = 0.5, 2 / 3
EPS = 1e-9


@dataclass
class PanelCells:
    """All cells of a sentence on one panel, or what is missing there."""

    name: str
    cells: dict[int, Cell] = field(default_factory=dict)
    missing: str = ""
    pool: bool = False
    still: list[Run] = field(default_factory=list)

    def truths(self, control: bool = False) -> list:
        """Verdicts of its cells (truths of their controls); an open one in place of a missing panel."""
        found = [cell.control if control else cell.verdict for cell in self.cells.values()]
        return found or [None]

    def holds(self, quota: float, control: bool = False) -> bool | None:
        """Whether a quota of the decided seeds is true; None with fewer than half of them decided."""
        return share_holds(self.truths(control), quota)

    def verdict(self, quota: float, control: bool = False) -> str:
        """Its verdict: in part where the effect is there in a quota of the seeds, but hardly."""
        held = self.holds(quota, control)
        if held:
            return "holds"
        hardly = [True if cell.hardly else cell.verdict for cell in self.cells.values()]
        if not control and any(cell.hardly for cell in self.cells.values()) and share_holds(hardly, quota):
            return "holds_in_part"
        return "not_testable" if held is None else "fails"


def share_holds(truths: list, quota: float) -> bool | None:
    """Whether a quota of those that are decided is true; None where fewer than half are."""
    known = [truth for truth in truths if truth is not None]
    if len(known) < TESTABLE * len(truths) or not known:
        return None
    return sum(known) >= quota * len(known) - EPS


def verdict_of(quantifier: str, panels: list[PanelCells], quota: float, control: bool = False) -> str:
    """The verdict over panels; seeds of one panel never vote in another."""
    found = [panel.verdict(quota, control) for panel in panels]
    return {"all": conjunction, "most": _most, "some": disjunction}[quantifier](found)


def conjunction(verdicts: list[str]) -> str:
    """Of all: one that fails decides it, in part if others hold; two thirds that hold, and none fails.

    What holds in part does both.
    """
    true, false = verdicts.count("holds"), verdicts.count("fails")
    if "holds_in_part" in verdicts or (true and false):
        return "holds_in_part"
    if false:
        return "fails"
    return "holds" if verdicts and true >= TRUE_PANELS * len(verdicts) - EPS else "not_testable"


def _most(verdicts):
    """Of most: true in more than half of all, false in at least half; it has no "in part"."""
    half = len(verdicts) / 2
    if verdicts.count("holds") > half:
        return "holds"
    return "fails" if verdicts.count("fails") + verdicts.count("holds_in_part") >= half else "not_testable"


def disjunction(verdicts: list[str]) -> str:
    """Of panels or parts of which one has to hold ("some noise level")."""
    found = next((v for v in ("holds", "holds_in_part", "not_testable") if v in verdicts), "fails")
    return found if verdicts else "not_testable"


def counted(panels: list[PanelCells]) -> dict:
    """Cells by verdict, and why those without one have none."""
    cells = [cell for panel in panels for cell in panel.cells.values()]
    verdicts = Counter(cell.verdict for cell in cells)
    reasons = Counter(cell.why for cell in cells if cell.verdict is None)
    reasons.update(panel.missing for panel in panels if panel.missing)
    return {
        "true": verdicts[True],
        "false": verdicts[False],
        "untestable": verdicts[None] + sum(not panel.cells for panel in panels),
        "reasons": dict(reasons.most_common()),
    }


def is_vacuous(panels: list[PanelCells]) -> bool:
    """Whether the control was not refused where the claim is true: in most cells that have no verdict."""
    blind = sum(bool(c.truth) and c.verdict is None for p in panels for c in p.cells.values())
    seen = sum(c.verdict is not None for p in panels for c in p.cells.values())
    return blind > 0 and blind >= seen


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
