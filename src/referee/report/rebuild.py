"""A report made again from its verdicts, tables, drawings and evidence, and published as the reference."""

import json
import shutil
from pathlib import Path

from projfree.common.atomic_io import atomic_write

from ..common import bounded
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
    or other fonts, so that those which are there are kept. Sentences are today's, not those of the day of the
    publication. `report` has ``claims.json``, ``about.json`` and ``evidence``; `more` is what its page says
    of its origin beside ``about.json``.
    """
    report = Path(report)
    paper_of(report)  # raises for what is no study
    about, evidence = read(report / ABOUT) | (more or {}), report / "evidence"
    spec, today = spec_of(report), written(report.name)
    figures = {  # as they are described today if their panels are the same
        stem: now if (now := today.get("figures", {}).get(stem)) and _shows(now) == _shows(old) else old
        for stem, old in spec["figures"].items()
    }
    spec |= today | {"figures": figures}
    index = evidence / "panels.json"
    panels = bounded.read_json(index)["panels"] if index.is_file() else {}
    for stem, figure in spec["figures"].items():
        if missing := _missing(report / "figures", stem, ".svg"):
            records = [panels.get(panel["experiment"], {}) for panel in panels_of(figure, stem)]
            commits = {commit for record in records for commit in record.get("commits", ())}
            draw(
                spec,
                stem,
                evidence,
                missing,
                about | ({"commit": "".join(commits)} if len(commits) == 1 else {}),
            )
    for name in spec.get("tables") or {}:
        if missing := _missing(report / "tables", name, ".csv"):
            write_table(build_table(Paper.of_study(spec), name, evidence), missing)
    write_from(spec, report, about, [evidence], sorted((evidence / TUNING).glob("*/*.json")))


def _shows(figure):
    """What the panels of a figure show."""
    keys = ("experiment", "methods", "series", "x", "y", "draw")
    return [[panel.get(key) for key in keys] for panel in panels_of(figure, "")]


def _missing(folder, name, usual):
    """Files of a drawing or table, in the formats that the others have, that are not there."""
    endings = sorted({path.suffix for path in folder.glob("*.*")}) or [usual]
    return [path for end in endings if not (path := folder / f"{name}{end}").is_file()]


def rejudge(report, about: dict, spec: dict, renewed=()) -> None:
    """Judge a published report again from its evidence, and write its pages.

    `about` is what changes of its origin: the commit of the judge, the commits and data of its tables. The
    claims of `spec`, the study as it is today, are judged; what was run is as published but for the panels in
    `renewed`, and panels that came later are without evidence.
    """
    report = Path(report)
    outdated = [path for stem in restate(report, spec, renewed) for path in report.glob(f"figures/{stem}.*")]
    for name, table in (spec.get("tables") or {}).items():
        if any(json.dumps(panel) in json.dumps(table) for panel in renewed):
            outdated.append(report / f"tables/{name}.csv")
    for path in outdated:  # drawn and built by `rebuild`
        path.unlink(missing_ok=True)
    entries, rows = again(report)
    atomic_write(report / "claims.json", text_of(entries))
    atomic_write(report / "verdicts.csv", rows)
    write_json(report / ABOUT, read(report / ABOUT) | about)
    rebuild(report)


def write_json(path, value) -> None:
    """Write what stands beside the pages."""
    atomic_write(path, json.dumps(value, indent=1, ensure_ascii=False))


def write_from(spec, report, about, folders, tuning) -> None:
    """Write the pages of a report folder, whose parts have their usual names; see `write_page`."""
    parts = [report / name for name in ("claims.json", "figures", "tables", "index.html")]
    write_page(spec, *parts, about, tuning=tuning, tidy_dir=folders)


#: What is not published: pages, which are made from the rest, and other formats of drawings and tables.
LEFT = ("index.html", "pages", "assets", "*.pdf", "*.png", "*.tex")
#: All that may be in a published report, its pages too, which `projfree page --from` makes.
FILES = "README.md index.html about.json claims.json verdicts.csv costs.json figures/* tables/* assets/*"
REPORT = (
    *FILES.split(),
    *(f"evidence/{name}" for name in (*EVIDENCE, *COMING, *UNDER_CHOICES)),
    *(f"pages/{name}" for name in PAGES),
)
#: What `projfree page` writes, and may replace.
PARTS = (*(name for name in REPORT if name not in ("costs.json",)), "evidence/*", "evidence/tuning/*/*")


def publish(report, reference, readme, paper: str) -> None:
    """Make a paper's report folder the reference, in one rename, and renew what the README says of it.

    The reference has README.md, verdicts, evidence, drawings as SVG and tables as CSV. It keeps its costs of
    other runs. `readme` has the marks of `readme.renewed`.
    """
    report, reference, readme = Path(report), Path(reference), Path(readme)
    if not (report / "index.html").exists():
        again = f"make replicate TARGETS={paper}"
        raise FileNotFoundError(f"{report}/index.html is missing; make it with: {again}")
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
