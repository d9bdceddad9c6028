"""Two runs beside each other: where they were made, verdicts that differ, counts that must not."""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.ground.sealed import read_h5
from projfree.trace.counts import COUNTS

from ..evidence.files import read
from ..evidence.tidy import CLOCKS, METRICS_EXCLUDE, first_runs, read_tidy
from ..evidence.words import VERDICTS
from ..ground import bounded
from ..ground.bounded import check_size

STEP = ["method", "seed", "iteration"]
RECORD = [*STEP, "again"]
KINDS = ("verdict", "verdict_strong")
#: Results tables of a paper: of a run, taken by it from what is published, of a report.
PLACES = ("evidence/{}/*/*.csv", "published/{}/*.csv", "{}/evidence/*.csv*")
#: What is told of where a side was made.
MADE = ("commit", "cpu", "system", "python", "libraries", "blas")


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
            made = "claims/<paper>.json, <paper>/claims.json or evidence/<paper>/<unit>/<experiment>.csv"
            raise FileNotFoundError(f"{side.folder}: no verdicts or results tables to compare (no {made})")
        return side

    @cached_property
    def judged(self) -> dict[str, Path]:
        """Paper → its claims.json."""
        results = {path.stem: path for path in sorted(self.folder.glob("claims/*.json"))}
        reports = {path.parent.name: path for path in sorted(self.folder.glob("*/claims.json"))}
        return results or reports

    @cached_property
    def papers(self) -> list[str]:
        """Papers with verdicts or results tables: who made one figure has no verdict."""
        found = [
            path.relative_to(self.folder).parts
            for place in PLACES
            for path in self.folder.glob(place.format("*"))
        ]
        tables = {parts[1] if parts[0] in ("evidence", "published") else parts[0] for parts in found}
        return sorted({*self.judged, *tables})

    def claims(self, paper: str) -> dict[str, dict]:
        """Claim or part → its entry; nothing of a paper that was not judged."""
        if paper not in self.judged:
            return {}
        return {entry["id"]: entry for entry in read(self.judged[paper], "claims.json")}

    def tables(self, paper: str) -> dict[str, Path]:
        """Experiment → its tidy table."""
        found = [path for place in PLACES for path in sorted(self.folder.glob(place.format(paper)))]
        return {path.name.partition(".csv")[0]: path for path in reversed(found)}

    def made(self, paper: str) -> dict[str, list[str]]:
        """Commit, processor and libraries, each with all values that its traces have, the usual one first."""
        traces = [
            *self.folder.glob(f"traces/{paper}/*/*.h5"),
            *self.folder.glob(f"evidence/{paper}/*/traces/*/*.h5"),
        ]
        told = [_origin(path) for path in traces] or [self._published(paper)]
        return {
            key: [v for v, _ in Counter(t[key] for t in told if t.get(key)).most_common()] for key in MADE
        }

    def _published(self, paper):
        """Provenance of a published report."""
        if paper not in self.judged:
            return {}
        origin, costs = (self.judged[paper].with_name(name) for name in ("about.json", "costs.json"))
        about = read(origin) if origin.is_file() else {}
        runs = read(costs) if costs.is_file() else {}
        return {"commit": about.get("commit"), "cpu": runs.get(about.get("run"), {}).get("machine")}


def _origin(path):
    """A trace's origin in words that can be compared."""
    check_size(path)
    with read_h5(path) as handle:
        commit, made = str(handle.attrs["git_commit"]), json.loads(handle.attrs["environment"])
    blas = [f"{p['internal_api']} {p['version']} {p['architecture']}" for p in made["blas"]]
    return {
        "commit": commit,
        **{key: made[key] for key in ("cpu", "system", "python")},
        "libraries": ", ".join(f"{name} {version}" for name, version in made["versions"].items()),
        "blas": ", ".join(sorted(set(blas))),
    }


def contrast(first: Side, second: Side, papers: Collection[str] = ()) -> dict:
    """All differences of two runs, as plain JSON types.

    Parameters
    ----------
    papers : names, optional
        By default those that both sides have.

    Returns
    -------
    dict
        Paper → ``made`` (what differs of `MADE`), ``claims`` (how many both have), ``verdicts`` (rows
        ``claim, kind, first, second``), ``alone`` (ids of each side only), ``panels`` (one each).

    Raises
    ------
    ValueError
        Where nothing is to be compared.
    """
    names = papers or [name for name in first.papers if name in second.papers]
    found = {name: _paper(first, second, name) for name in names}
    found = {name: table for name, table in found.items() if table["claims"] or table["panels"]}
    if not found:
        raise ValueError(
            f"{first.folder} and {second.folder} have no claim and no panel in common that was asked for"
        )
    return found


def _paper(first, second, paper):
    entries = [side.claims(paper) for side in (first, second)]
    both = [name for name in entries[0] if name in entries[1]]
    made = [side.made(paper) for side in (first, second)]
    return {
        "made": {key: [side[key] for side in made] for key in MADE if made[0][key] != made[1][key]},
        "claims": len(both),
        "verdicts": [row for name in both for row in _changed(name, *(e[name] for e in entries))],
        "alone": [[n for n in own if other and n not in other] for own, other in (entries, entries[::-1])],
        "panels": _panels(first, second, paper),
    }


def _changed(name, *entries):
    """A row for each kind of verdict that differs."""
    for kind in KINDS:
        told = [VERDICTS[e[kind]].words if e[kind] else "none" for e in entries]
        if told[0] != told[1]:
            yield {"claim": name, "kind": kind, "first": told[0], "second": told[1]}


def _panels(first, second, paper):
    tables = [side.tables(paper) for side in (first, second)]
    return [_panel(name, [side[name] for side in tables]) for name in tables[0] if name in tables[1]]


def _panel(name, paths):
    """One experiment: records that both have, counts there that differ, metrics, seconds.

    Counts must be equal at the same step of the same method with the same seed.
    ``metrics`` is the largest relative difference, ``seconds`` the median over runs of second / first.
    """
    frames = [_records(path) for path in paths]
    both = pd.merge(*frames, on=RECORD, suffixes=("", "_other")).sort_values(RECORD, kind="stable")
    unequal = {n: both[n] != both[f"{n}_other"] for n in COUNTS if f"{n}_other" in both}
    wrong = np.logical_or.reduce(list(unequal.values())) if len(both) else np.zeros(0, bool)
    alone = sum(map(len, frames)) - 2 * len(both)
    return {
        "experiment": name,
        "unequal": int(wrong.sum()),
        "words": _in_words(len(both), int(wrong.sum()), alone),
        "where": _where(both[wrong].iloc[0]) if wrong.any() else "",
        "metrics": _largest(both),
        "seconds": _pace(both),
    }


def _records(path):
    """A tidy table; a step that a budget cut has two records of one iteration, told apart by ``again``."""
    frame = first_runs(bounded.table(path, read_tidy))
    return frame.assign(again=frame.groupby(STEP).cumcount())


def _where(row):
    told = [f"{n} {row[n]} against {row[f'{n}_other']}" for n in COUNTS if row[n] != row[f"{n}_other"]]
    return f"{row['method']} seed {row['seed']} iteration {row['iteration']}: {', '.join(told)}"


def _largest(rows):
    """The largest relative difference of any metric, and of which; None without one."""
    skipped = {*METRICS_EXCLUDE, *CLOCKS, *COUNTS, "others_on_core"}
    names = [n for n in rows.select_dtypes("number") if f"{n}_other" in rows and n not in skipped]
    found = {n: _difference(rows[n], rows[f"{n}_other"]) for n in names if not n.startswith("seconds_")}
    worst = max(found, key=found.get, default=None)
    return worst and {"name": worst, "difference": found[worst]}


def _difference(a, b):
    apart = (a - b).abs() / np.maximum(a.abs(), b.abs()).where(lambda size: size > 0)
    return float(apart.replace(np.inf, np.nan).max()) if apart.notna().any() else 0.0


def _pace(rows):
    """Ratio of the second side's seconds to the first's for the same steps; None without clocks."""
    last = rows.drop_duplicates(["method", "seed"], keep="last")
    shares = (last["cpu_seconds_other"] / last["cpu_seconds"]).replace([np.inf, 0], np.nan).dropna()
    return float(shares.median()) if len(shares) else None


def unequal(found: dict) -> int:
    """Records at which a count differs that must not."""
    return sum(panel["unequal"] for table in found.values() for panel in table["panels"])


def contrast_text(found: dict) -> str:
    """A contrast for a terminal."""
    return "\n".join(line for paper, table in found.items() for line in _contrast_lines(paper, table))


def _contrast_lines(paper, table):
    verdicts = f"{len(table['verdicts'])} of the verdicts on {table['claims']} claims and parts differ"
    yield f"{paper}: {verdicts if table['claims'] else 'no claim was judged on both sides'}"
    for key, sides in table["made"].items():
        yield f"  {key}: " + "  |  ".join("; ".join(values) or "not known" for values in sides)
    for row in table["verdicts"]:
        yield f"  {row['claim']} {row['kind']}: {row['first']} → {row['second']}"
    for side, names in zip(("first", "second"), table["alone"], strict=True):
        if names:
            yield f"  only in the {side}: {', '.join(names)}"
    for panel in table["panels"]:
        yield f"  {panel['experiment']}: {panel['words']}{_metrics_in_words(panel)}{_pace_in_words(panel)}"
        if panel["where"]:
            yield f"    {panel['where']}"


def _in_words(records, unequal, alone):
    rest = f", {alone} records on one side only" if alone else ""
    if unequal:
        return f"counts differ at {unequal} of {records} records{rest}"
    return f"counts equal at {records} records{rest}" if records else f"no record that must be equal{rest}"


def _metrics_in_words(panel):
    worst = panel["metrics"]
    if not worst or not worst["difference"]:
        return ", metrics equal" if worst else ""
    return f", metrics within {worst['difference']:.2g} ({worst['name']})"


def _pace_in_words(panel):
    return f", {panel['seconds']:.3g} times the seconds" if panel["seconds"] else ""
