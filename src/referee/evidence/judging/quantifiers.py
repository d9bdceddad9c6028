"""From cells to verdicts: a quota of the seeds makes a panel, the sentence's quantifier a claim of panels."""

from collections import Counter
from dataclasses import dataclass, field

from ..relations.base import Cell

#: In part: one panel, or this share of the cells. Under half of the cells testable: nothing is known.
IN_PART, TESTABLE = 0.2, 0.5
EPS = 1e-9


@dataclass
class PanelCells:
    """All cells of a sentence on one panel, or what is missing there."""

    name: str
    cells: dict[int, Cell] = field(default_factory=dict)
    missing: str = ""
    pool: bool = False

    def truths(self, control: bool = False) -> list:
        """Verdicts of its cells (truths of their controls); an open one in place of a missing panel."""
        found = [cell.control if control else cell.verdict for cell in self.cells.values()]
        return found or [None]

    def holds(self, quota: float, control: bool = False) -> bool | None:
        """Whether a quota of the testable seeds is true; None with fewer than half of them testable."""
        return share_holds(self.truths(control), quota)


def share_holds(truths: list, quota: float) -> bool | None:
    """Whether a quota of those that are testable is true; None where fewer than half are."""
    known = [truth for truth in truths if truth is not None]
    if len(known) < TESTABLE * len(truths) or not known:
        return None
    return sum(known) >= quota * len(known) - EPS


def verdict_of(quantifier: str, panels: list[PanelCells], quota: float, control: bool = False) -> str:
    """The verdict over panels: ``all`` or ``most`` of the testable ones, or every one that is ``named``."""
    truths = [truth for panel in panels for truth in panel.truths(control)]
    found = [panel.holds(quota, control) for panel in panels]
    known = [held for held in found if held is not None]
    share_known = sum(truth is not None for truth in truths)
    if (
        not known
        or share_known < TESTABLE * len(truths)
        or (quantifier == "named" and None in found and all(known))
    ):
        return "not_testable"
    if sum(known) > len(known) / 2 if quantifier == "most" else all(known):
        return "holds"
    return "holds_in_part" if any(known) or truths.count(True) >= IN_PART * share_known - EPS else "fails"


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
