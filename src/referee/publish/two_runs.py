"""Two runs beside each other: their verdicts merged, where they were made, counts that must not differ."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS

from ..common import bounded
from ..evidence.tidy import CLOCKS, METRICS_EXCLUDE, first_runs, read_tidy
from ..evidence.words import VERDICTS
from . import records

#: A verdict in verdicts.csv, and a record in a results table; a step that a budget cut has two records.
VERDICT = ["claim", "part", "column", "call"]
STEP = ["method", "seed", "iteration"]
RECORD = [*STEP, "again"]
#: Verdicts and results tables of a paper: of a run, taken by it from what is published, of a report.
JUDGED = ("claims/{}.csv", "{}/verdicts.csv")
TABLES = ("evidence/{}/*/*.csv", "published/{}/*.csv", "{}/evidence/*.csv*")


@dataclass(frozen=True)
class Side:
    """A folder ``results/<run>``, or ``reports/<run>`` with the evidence that was published."""

    folder: Path

    @classmethod
    def of(cls, where: str, root) -> "Side":
        """The side that a run's name, or a folder, stands for.

        Raises
        ------
        FileNotFoundError
            Where neither is there, or holds neither verdicts nor results tables.
        """
        named = Path(root) / "results" / where
        side = cls(named if named.is_dir() else Path(where))
        if not side.folder.is_dir():
            here = ", ".join(sorted(path.name for path in named.parent.glob("*/"))) or "none"
            raise FileNotFoundError(f"there is neither a run nor a folder {where!r}. Runs here: {here}")
        if not side.papers:
            made = " or ".join(place.format("<paper>") for place in (*JUDGED, *TABLES))
            raise FileNotFoundError(f"{side.folder}: no verdicts or results tables to compare (no {made})")
        return side

    @property
    def papers(self) -> list[str]:
        """Papers with verdicts or results tables: who made one figure has no verdict."""
        names = set()
        for place in (*JUDGED, *TABLES):
            at = next(k for k, part in enumerate(place.split("/")) if "{}" in part)
            parts = (path.relative_to(self.folder).parts for path in self.folder.glob(place.format("*")))
            names |= {part[at].removesuffix(".csv") for part in parts}
        return sorted(names)

    def files(self, places, paper: str) -> list[Path]:
        """Files of a paper, the first of the places first."""
        return [path for place in places for path in sorted(self.folder.glob(place.format(paper)))]

    def verdicts(self, paper: str) -> pd.DataFrame:
        """Claim, part, column, call → verdict; nothing of a paper that was not judged."""
        tables = [bounded.table(path, dtype=str, keep_default_na=False) for path in self.files(JUDGED, paper)]
        if tables and (lacks := {*VERDICT, "verdict"} - {*tables[0]}):
            raise ValueError(f"{self.files(JUDGED, paper)[0]} lacks the columns {', '.join(sorted(lacks))}")
        rows = tables[0] if tables else pd.DataFrame(columns=[*VERDICT, "verdict"])
        return rows[[*VERDICT, "verdict"]].drop_duplicates(VERDICT)

    def tables(self, paper: str) -> dict[str, Path]:
        """Experiment → its results table."""
        return {path.name.partition(".csv")[0]: path for path in reversed(self.files(TABLES, paper))}

    def made(self, paper: str) -> dict[str, list[str]]:
        """Commits and machines of the panels."""
        about = records.read({path.parent for path in self.files(TABLES, paper)}).values()
        return {
            key: sorted({v for one in about for v in one.get(key, ())}) for key in ("commits", "machines")
        }


def contrast(first: Side, second: Side, papers: Collection[str] = ()) -> tuple[str, int]:
    """All differences of two runs in words, and at how many records a count differs that must not.

    `papers` are by default those that both sides have. Nothing in common is a `ValueError`.
    """
    lines, unequal, compared = [], 0, False
    for paper in papers or [name for name in first.papers if name in second.papers]:
        verdicts = pd.merge(
            first.verdicts(paper), second.verdicts(paper), on=VERDICT, how="outer", indicator="side"
        )
        both = verdicts[verdicts["side"] == "both"]
        changed = both[both["verdict_x"] != both["verdict_y"]]
        text = f"{len(changed)} of {len(both)} verdicts differ" if len(both) else "no verdict on both sides"
        lines.append(f"{paper}: {text}")
        for key, values in first.made(paper).items():
            if values != (other := second.made(paper)[key]):
                sides = ["; ".join(side) or "not known" for side in (values, other)]
                lines.append(f"  {key}: {'  |  '.join(sides)}")
        for row in changed.itertuples():
            words = " → ".join(
                VERDICTS[v].words if v in VERDICTS else v for v in (row.verdict_x, row.verdict_y)
            )
            name = f"{row.claim} {row.column}" + (f" ({row.call})" if row.call else "")
            lines.append(f"  {name}: {words}")
        for side, word in (("left_only", "first"), ("right_only", "second")):
            alone = list(dict.fromkeys(verdicts.loc[verdicts["side"] == side, "claim"]))
            if alone and len(both):
                lines.append(f"  only in the {word}: {', '.join(alone)}")
        tables = first.tables(paper), second.tables(paper)
        for name in sorted(tables[0].keys() & tables[1].keys()):
            text, wrong = panel(*(side[name] for side in tables))
            lines.append(f"  {name}: {text}")
            unequal += wrong
        compared |= bool(len(both) or tables[0].keys() & tables[1].keys())
    if not compared:
        raise ValueError(
            f"{first.folder} and {second.folder} have no claim and no panel in common that was asked for"
        )
    return "\n".join(lines), unequal


def panel(*paths) -> tuple[str, int]:
    """Two results tables: counts at the records that both have, metrics, seconds; how many counts differ.

    Counts must be equal at the same step of the same method with the same seed. Of metrics it is the largest
    relative difference, of seconds the median over runs of second / first.
    """
    frames = [first_runs(bounded.table(path, read_tidy)) for path in paths]
    frames = [frame.assign(again=frame.groupby(STEP).cumcount()) for frame in frames]
    both = pd.merge(*frames, on=RECORD, suffixes=("", "_other")).sort_values(RECORD, kind="stable")
    shared = [name for name in both.select_dtypes("number") if f"{name}_other" in both]
    counts = [name for name in COUNTS if name in shared]
    wrong = (both[counts].to_numpy() != both[[f"{n}_other" for n in counts]].to_numpy()).any(axis=1)
    text = f"counts {'differ' if wrong.any() else 'are equal'} at {wrong.sum() or len(both)} records"
    text = text if len(both) else "no record that must be equal"
    if alone := sum(map(len, frames)) - 2 * len(both):
        text += f", {alone} records on one side only"
    if wrong.any():
        row = both[wrong].iloc[0]
        values = [f"{n} {row[n]} against {row[f'{n}_other']}" for n in counts if row[n] != row[f"{n}_other"]]
        text += f" ({row['method']} seed {row['seed']} iteration {row['iteration']}: {', '.join(values)})"
    skipped = {*METRICS_EXCLUDE, *CLOCKS, *COUNTS, "others_on_core"}
    apart = {
        n: _apart(both[n], both[f"{n}_other"]) for n in shared if n not in skipped and n[:8] != "seconds_"
    }
    if worst := max(apart, key=apart.get, default=None):
        text += f", metrics within {apart[worst]:.2g} ({worst})" if apart[worst] else ", metrics are equal"
    last = both.drop_duplicates(["method", "seed"], keep="last")
    pace = (last["cpu_seconds_other"] / last["cpu_seconds"]).replace([np.inf, 0], np.nan).median()
    return text + (f", {pace:.3g} times the seconds" if pace == pace else ""), int(wrong.sum())


def _apart(a, b):
    """The largest relative difference of two columns; 0 without one."""
    apart = (a - b).abs() / np.maximum(a.abs(), b.abs()).where(lambda size: size > 0)
    return float(apart.replace(np.inf, np.nan).max()) if apart.notna().any() else 0.0
