"""Take finished files of other checkouts into this one, job by job, and overwrite nothing."""

from dataclasses import dataclass, field
from pathlib import Path

from projfree.ground.sealed import atomic_write

from ..ground import bounded
from ..ground.bounded import read_json
from . import compare
from .origin import UNREADABLE, Unusable, attributes, differences
from .wanted import in_words


@dataclass
class Outcome:
    """The action for each file, as lines."""

    taken: list = field(default_factory=list)
    same: list = field(default_factory=list)
    conflicts: list = field(default_factory=list)
    refused: list = field(default_factory=list)

    def __str__(self):
        names = ("taken", "same", "conflicts", "refused")
        return ", ".join(f"{len(getattr(self, name))} {name}" for name in names)


def finished(folder: Path, papers=()) -> list[Path]:
    """Tuning tables and traces of a ``results/<run>`` folder, tables first: traces depend on them."""
    found = sorted(folder.glob("tuning/*/*/*.json")) + sorted(folder.glob("traces/*/*/*.h5"))
    return [path for path in found if not papers or path.relative_to(folder).parts[1] in papers]


def merge(folder: Path, papers, wanted_of, outcome: Outcome) -> None:
    """Merge a ``results/<run>`` folder.

    Parameters
    ----------
    folder : Path
    papers : names to take, or empty for all
    wanted_of : callable(paper, experiment, method) → `wanted.Wanted`; ValueError for what it does not have
    outcome : Outcome, added to
    """
    for path in finished(folder, papers):
        try:
            paper, experiment, method = path.with_suffix("").parts[-3:]
            _take(path, wanted_of(paper, experiment, method), outcome)
        except UNREADABLE as error:  # one bad file is no reason to leave the others
            outcome.refused.append(f"refused   {path}: {error}")


def _take(path, wanted, outcome):
    """Copy one file if it is this study's and missing; say what it is otherwise."""
    here = wanted.trace if path.suffix == ".h5" else wanted.tuning
    if here is None:
        raise Unusable("the method is not tuned here")
    content = bounded.content(path)  # once: what is judged is what is taken
    misfit = wanted.misfit(content, path)
    if misfit:
        raise Unusable(f"not of a job of this study: {misfit}")
    if not here.exists():
        atomic_write(here, content)
        outcome.taken.append(f"taken     {here}")
        return
    found = first_difference(here, path)
    if found:
        outcome.conflicts.append(f"conflict  {here} and {path}: {found}")
    else:
        outcome.same.append(f"same      {here}")


def first_difference(here: Path, there: Path) -> str:
    """The first difference of two files of one job in all but clocks and machine, in words; empty if none."""
    found = differences(attributes(here)["spec"], attributes(there)["spec"])
    if found:
        return in_words(found[0])
    if here.suffix == ".h5":
        return next(iter(compare.differences(here, there)), "")
    tables = [read_json(path) for path in (here, there)]
    found = differences(*[{key: table[key] for key in ("chosen", "tried")} for table in tables])
    return in_words(found[0]) if found else ""
