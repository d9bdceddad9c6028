"""What a paper's run was judged from, kept packed with its report, so that anyone can judge it again."""

import gzip
import json
import shutil
from pathlib import Path

from projfree.ground.sealed import atomic_write

from ..ground import bounded
from ..ground.ours import removed
from ..study.models.paper import Paper

STUDY, TUNING = "study.json.gz", "tuning"
ALTERNATIVES, READINGS = "tables/alternatives.csv", "tables/readings.csv"
#: All that is in it.
EVIDENCE = (STUDY, "panels.json", "*.csv.gz", f"{TUNING}/*.json", f"{TUNING}/*/*.json")
#: Beside it, what is finished of the publication to come.
COMING = ("next/panels.json", "next/*.csv.gz", f"next/{TUNING}/*/*.json")
#: Of runs under alternatives, until their verdicts are published.
UNDER_CHOICES = ("next/*/panels.json", "next/*/*.csv.gz")


def keep(spec: dict, tidy_dir, tuning_dir, folder) -> None:
    """Write the study, its experiments' tidy tables and what was tuned; the same bytes each time.

    Parameters
    ----------
    spec : dict
        Resolved study spec of the paper under the run.
    tidy_dir, tuning_dir : Path
        What is judged, and the tables of tried values.
    folder : Path
        ``evidence`` of the report, made anew.

    Raises
    ------
    ValueError
        For a study that could not be read again.
    """
    folder, tuning_dir, paper = Path(folder), Path(tuning_dir), Paper.of_study(spec)
    removed(folder, EVIDENCE)
    atomic_write(folder / STUDY, packed(json.dumps(spec).encode()))
    for name in paper.experiments:
        if (path := Path(tidy_dir) / f"{name}.csv").exists():
            atomic_write(folder / f"{name}.csv.gz", packed(bounded.content(path)))
    if tuning_dir.is_dir():
        shutil.copytree(tuning_dir, folder / TUNING)


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
    return bounded.read_json(path)


#: What of a published study stays as it was run; all else is said today.
RUN = ("run", "experiments", "methods", "unit_costs", "clock")


def restate(report, spec: dict, anew=()) -> None:
    """Give a published study today's words: register, findings and the like, over the runs that it is of.

    Panels of `anew` were run as today's study says.
    """
    old = spec_of(report)
    kept = {key: old[key] for key in RUN if key in old}
    kept["experiments"] |= {name: spec["experiments"][name] for name in anew}
    for key in ("experiments", "methods"):  # panels and methods that came later have no tables
        kept[key] = {**spec[key], **kept[key]}
    today = {key: value for key, value in spec.items() if key not in RUN}
    said = {**today, **kept, "figures": old["figures"], "tables": old["tables"]}
    Paper.of_study(said)
    atomic_write(Path(report) / "evidence" / STUDY, packed(json.dumps(said).encode()))


def packed(content: bytes) -> bytes:
    """Content packed, to the same bytes each time."""
    return gzip.compress(content, 9, mtime=0)
