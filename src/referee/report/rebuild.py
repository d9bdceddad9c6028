"""A report made again from its verdicts, tables, drawings and evidence, and published as the reference."""

import json
import shutil
from pathlib import Path

from projfree.common.atomic_io import atomic_write

from ..common.ours import removed, require
from ..evidence.files import read
from ..evidence.published import (
    ALTERNATIVES,
    COMING,
    EVIDENCE,
    TUNING,
    UNDER_CHOICES,
    paper_of,
    restate,
    spec_of,
)
from ..evidence.tables import build_table, write_table
from ..judge.products import again
from ..judge.products import written as text_of
from ..study.models.paper import Paper
from ..study.views import panels_of
from .figures import draw
from .findings import written
from .page import PAGES, write_page
from .readme import renewed

ABOUT = "about.json"


def rebuild(report, more=None) -> None:
    """Write a published report's pages and README again, and those tables and drawings that are missing.

    The same bytes as before, but for drawings: they name the page's commit, and may be of another Matplotlib
    or other fonts, so that those which stand there are kept. Sentences are today's, not those of the day of
    the publication.

    Parameters
    ----------
    report : Path
        ``reports/reference/<paper>``, with ``claims.json``, ``about.json`` and ``evidence``.
    more : dict, optional
        What its page says of its origin beside ``about.json``.

    Raises
    ------
    FileNotFoundError
        For a report without evidence, or one whose origin is not kept.
    """
    report = Path(report)
    paper_of(report)  # raises for what is no study
    about, evidence = read(report / ABOUT) | (more or {}), report / "evidence"
    spec = _told_today(spec_of(report), written(report.name))
    _draw_missing(spec, about, report / "figures", evidence)
    _tabulate_missing(spec, report / "tables", evidence)
    write_from(spec, report, about, [evidence], sorted((evidence / TUNING).glob("*/*.json")))


def _told_today(spec, today):
    """The study with today's sentences; figures as they are described today if their panels are the same."""
    figures = {
        stem: now if (now := today.get("figures", {}).get(stem)) and _shows(now) == _shows(old) else old
        for stem, old in spec["figures"].items()
    }
    return spec | today | {"figures": figures}


def _shows(figure):
    """What the panels of a figure show."""
    keys = ("experiment", "methods", "series", "x", "y", "draw")
    return [[panel.get(key) for key in keys] for panel in panels_of(figure, "")]


def rejudge(report, commit: str, spec: dict) -> None:
    """Judge a published report again from its evidence, and write its pages.

    Parameters
    ----------
    report : Path
    commit : str
        The judge's.
    spec : dict
        The study as it is today: its claims are judged. What was run is as published; panels that came later
        are without evidence.
    """
    report = Path(report)
    restate(report, spec)
    entries, rows = again(report)
    atomic_write(report / "claims.json", text_of(entries))
    atomic_write(report / "verdicts.csv", rows)
    write_json(report / ABOUT, read(report / ABOUT) | {"judged_by": commit})
    rebuild(report)


def write_json(path, value) -> None:
    """Write what stands beside the pages."""
    atomic_write(path, json.dumps(value, indent=1, ensure_ascii=False))


def write_from(spec, report, about, folders, tuning) -> None:
    """Write the pages of a report folder, whose parts have their usual names.

    Parameters
    ----------
    spec, about : dict
        The study, and what `write_page` calls provenance.
    report : Path
        The folder of the report.
    folders, tuning : list of Path
        Folders with results tables; tables of tried values.
    """
    write_page(
        spec,
        report / "claims.json",
        report / "figures",
        report / "tables",
        report / "index.html",
        about,
        tuning=tuning,
        tidy_dir=folders,
    )


def _draw_missing(spec, about, folder, evidence):
    """Figures in the formats that the others have; a browser's own if there is none."""
    for stem in spec["figures"]:
        files = [folder / f"{stem}{end}" for end in _formats(folder, ".svg")]
        if missing := [path for path in files if not path.is_file()]:
            draw(spec, stem, evidence, missing, about)


def _formats(folder, usual):
    return sorted({path.suffix for path in folder.glob("*.*")}) or [usual]


def _tabulate_missing(spec, folder, evidence):
    for name in spec.get("tables") or {}:
        files = [folder / f"{name}{end}" for end in _formats(folder, ".csv")]
        if missing := [path for path in files if not path.is_file()]:
            write_table(build_table(Paper.of_study(spec), name, evidence), missing)


#: What is not published: pages, which are made from the rest, and other formats of drawings and tables.
LEFT = ("index.html", "pages", "assets", "*.pdf", "*.png", "*.tex")
#: All that may be in a published report, its pages too, which `projfree page --from` makes.
REPORT = (
    *(
        "README.md",
        "index.html",
        "about.json",
        "claims.json",
        "verdicts.csv",
        "costs.json",
        "figures/*",
        "tables/*",
    ),
    *(f"evidence/{name}" for name in (*EVIDENCE, *COMING, *UNDER_CHOICES)),
    *(f"pages/{name}" for name in PAGES),
    "assets/*",
)
#: What `projfree page` writes, and may replace.
PARTS = (*(name for name in REPORT if name not in ("costs.json",)), "evidence/*", "evidence/tuning/*/*")


def publish(report, reference, readme, paper: str) -> None:
    """Make a paper's report folder the reference, in one rename, and renew what the README says of it.

    The reference has README.md, verdicts, evidence, drawings as SVG and tables as CSV. It keeps its costs of
    other runs.

    Parameters
    ----------
    report, reference : Path
        ``reports/<run>/<paper>`` and ``reports/reference/<paper>``, which is replaced.
    readme : Path
        Has the marks of `readme.renewed`.
    """
    report, reference, readme = Path(report), Path(reference), Path(readme)
    if not (report / "index.html").exists():
        raise FileNotFoundError(
            f"{report}/index.html is missing; make it with: make replicate TARGETS={paper}"
        )
    require(reference, REPORT)
    _replace(report, reference)
    tell(readme, reference.parent)


def tell(readme, reports) -> None:
    """Renew what the README says of published reports."""
    atomic_write(readme, renewed(readme.read_text(encoding="utf-8"), reports))


def _replace(report, reference):
    """The new folder is whole before it takes the old one's name, and the old one is kept until then."""
    new, old = (reference.with_name(f".{reference.name}.{word}") for word in ("new", "old"))
    if old.exists() and not reference.exists():  # of a command that was killed between its two renames
        old.rename(reference)
    for left in (new, old):
        removed(left, REPORT)
    shutil.copytree(report, new, ignore=shutil.ignore_patterns(".*", *LEFT))  # .*: marks of the workflow
    if (reference / "costs.json").exists():
        shutil.copy2(reference / "costs.json", new)
    if not (new / ALTERNATIVES).exists():  # panels under alternatives wait for the verdicts made of them
        for path in (file for name in UNDER_CHOICES for file in reference.glob(f"evidence/{name}")):
            copy = new / path.relative_to(reference)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
    if reference.exists():
        reference.rename(old)
    new.rename(reference)
    removed(old, REPORT)
