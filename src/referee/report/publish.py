"""Publish a run: its reports become the reference, and the README tells their verdicts."""

import shutil
from pathlib import Path

from projfree.ground.sealed import atomic_write

from ..evidence.published import COMING, EVIDENCE
from ..ground.ours import require
from .page import PAGES
from .readme import renewed

#: What is not published: pages, which are made from the rest, and other formats of drawings and tables.
LEFT = ("index.html", "pages", "*.pdf", "*.png", "*.tex")
#: All that may be in a published report, its pages too, which `projfree page --from` makes.
REPORT = (
    *("README.md", "index.html", "about.json", "claims.json", "costs.json", "figures/*", "tables/*"),
    *(f"evidence/{name}" for name in (*EVIDENCE, *COMING)),
    *(f"pages/{name}" for name in PAGES),
)


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
        shutil.rmtree(left, ignore_errors=True)
    shutil.copytree(report, new, ignore=shutil.ignore_patterns(".*", *LEFT))  # .*: marks of the workflow
    if (reference / "costs.json").exists():
        shutil.copy2(reference / "costs.json", new)
    if reference.exists():
        reference.rename(old)
    new.rename(reference)
    shutil.rmtree(old, ignore_errors=True)
