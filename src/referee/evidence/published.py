"""What a paper's run was judged from, kept packed with its report, so that anyone can judge it again."""

import gzip
import json
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from projfree.common.atomic_io import atomic_write
from projfree.common.outside import DamagedFile

from ..common import bounded
from ..common.ours import removed
from ..study.models.paper import Paper
from ..study.views import panels_of
from .files import refuse
from .tidy import table_in

STUDY, TUNING = "study.json.gz", "tuning"
ALTERNATIVES, READINGS = "tables/alternatives.csv", "tables/readings.csv"
#: All that is in it.
EVIDENCE = (STUDY, "panels.json", "*.csv.gz", f"{TUNING}/*.json", f"{TUNING}/*/*.json")
#: Beside it, what is finished of the publication to come.
COMING = ("next/panels.json", "next/*.csv.gz", f"next/{TUNING}/*/*.json")
#: Of runs under alternatives, until their verdicts are published.
UNDER_CHOICES = ("next/*/panels.json", "next/*/*.csv.gz")


def keep(spec: dict, folders, tuning, folder) -> None:
    """Write the study, its experiments' tidy tables and what was tuned; the same bytes each time.

    Parameters
    ----------
    spec : dict
        Resolved study spec of the paper under the run.
    folders, tuning : list of Path
        Folders with tables, and tables of tried values.
    folder : Path
        ``evidence`` of the report, made anew.

    Raises
    ------
    ValueError
        For a study that could not be read again.
    """
    folder, paper = Path(folder), Paper.of_study(spec)
    removed(folder, EVIDENCE)
    atomic_write(folder / STUDY, packed(json.dumps(spec).encode()))
    for name in paper.experiments:
        if (path := table_in(folders, name)).exists():
            atomic_write(folder / f"{name}.csv.gz", packed(bounded.content(path)))
    for path in tuning:
        atomic_write(folder / TUNING / path.parent.name / path.name, bounded.content(path))


def spec_of(report) -> dict:
    """The study that a published report is of, as plain data.

    Raises
    ------
    FileNotFoundError
        For a report without evidence.
    """
    path = Path(report) / "evidence" / STUDY
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: published without evidence")
    spec = bounded.read_json(path)
    if not isinstance(spec, dict):
        raise DamagedFile(f"{path}: not a study of a paper")
    return spec


#: What of a published study stays as it was run; all else is said today.
RUN = ("run", "experiments", "methods", "unit_costs", "clock")


def restate(report, spec: dict, renewed=()) -> list[str]:
    """Give a published study today's words: claims and register, over the runs that it is of.

    Panels in `renewed` were run as `spec` says. Returns the figures that show them, which are today's too.
    """
    old = spec_of(report)
    runs = {key: old[key] for key in RUN if key in old}
    for key in ("experiments", "methods"):  # panels and methods that came later have no tables
        runs[key] = {**spec[key], **runs[key]}
    runs["experiments"] |= {name: spec["experiments"][name] for name in renewed}
    for name, values in runs["experiments"].items():  # what methods are called is no part of a run
        for method, entry in ((spec["experiments"].get(name) or {}).get("define") or {}).items():
            if entry.get("label") and method in (values.get("define") or {}):
                values["define"][method]["label"] = entry["label"]
    figures = {
        stem: figure
        for stem, figure in spec["figures"].items()
        if any(panel["experiment"] in renewed for panel in panels_of(figure, stem))
    }
    today = {key: value for key, value in spec.items() if key not in RUN}
    study = {**today, **runs, "figures": old["figures"] | figures, "tables": old["tables"]}
    Paper.of_study(study)
    atomic_write(Path(report) / "evidence" / STUDY, packed(json.dumps(study).encode()))
    return [*figures]


def paper_of(report) -> Paper:
    """The paper that a published report is of, as its study resolved it; DamagedFile for what is no study."""
    path, spec = Path(report) / "evidence" / STUDY, spec_of(report)
    try:
        return Paper.of_study(spec)
    except ValidationError as error:
        refuse(path, spec, error)
    except (TypeError, KeyError, AttributeError):
        raise DamagedFile(f"{path}: not a study of a paper, it lacks experiments") from None


def packed(content: bytes) -> bytes:
    """Content packed, to the same bytes each time."""
    return gzip.compress(content, 9, mtime=0)


#: ``base`` is the verdict without the choice on the same panels, seeds and budgets, ``full_verdict`` that of
#: the whole run.
READING_COLUMNS = ("claim", "choice", "reading", "verdict", "base", "full_verdict")


def write_readings(rows: list[dict], full: dict[str, str], output) -> None:
    """Write the table.

    Parameters
    ----------
    rows : list of dict
        Readings as `referee.judge.under` gives them: claim, reading, choice, base, verdict.
    full : dict
        Claim → its verdict in the whole run.
    output : path of the CSV
    """
    table = pd.DataFrame(
        [row | {"full_verdict": full.get(row["claim"], "")} for row in rows], columns=READING_COLUMNS
    )
    atomic_write(output, table.to_csv(index=False))


def read_readings(path) -> list[dict]:
    """The rows of the table, all text; none without a table, or of one that an earlier judge wrote."""
    if not Path(path).is_file():
        return []
    table = bounded.table(path, dtype=str, keep_default_na=False)
    return table.to_dict("records") if set(READING_COLUMNS) <= set(table) else []
