"""The pages of one paper: its own, in `pages` beside it one a claim, a figure, a question; and its README."""

import json
import re
from pathlib import Path

from projfree.common.atomic_io import atomic_write

from ..common import bounded
from ..common.ours import removed, require, require_page
from .context import build_context
from .curves import figure_panels
from .explorer import claim_panels, explorer_panel, traced, write_experiment
from .html import fill, write_assets, write_html
from .options import panel_options
from .style import method_styles, series_styles

EMBEDDED = re.compile(r'<script type="application/json" id="context">(.*?)</script>', re.DOTALL)
#: Of the context what a page over all papers reads of this one.
SUMMARY = ("paper", "run", "commit", "date", "counts", "messages", "tasks", "kinds", "remedies")
#: Pages of a paper that answer one question each: name → (title, key of the context that fills it).
QUESTIONS = {
    "tables": ("Tables", "tables"),
    "theory": ("Theory checks", "theory"),
    "variants": ("Variants", "variants"),
    "register": ("Choices that the paper leaves open", "deviations"),
    "tuning": ("Tuning", "tuning"),
    "data": ("Data", "data"),
    "environment": ("Environment and commands", "provenance"),
}
#: What is made anew in `pages`.
PAGES = ("claim-*.html", "figure-*.html", *(f"{name}.html" for name in QUESTIONS), "data/*.js")


def write_page(spec, claims_path, figures_dir, tables_dir, output, provenance, tuning=None, tidy_dir=None):
    """Write a paper's page, the folder `pages` beside it, and README.md, which a code host renders.

    They are HTML that opens offline, each at most 1 MB, with what it loads in `assets`, beside the page.

    Parameters
    ----------
    spec : dict
        The paper's resolved configuration.
    claims_path : Path
        claims.json, with verdicts.csv beside it.
    figures_dir, tables_dir : Path
        Folders of `<figure>.{svg,pdf,png}` and `<table>.{csv,tex}`.
    output : Path
        The page, in a folder of its paper.
    provenance : dict
        `run`, `commit`, `command`, and all else worth printing.
    tuning : list of Path, optional
        Tables of tried values.
    tidy_dir : Path, optional
        Tidy tables; with them pages have end values, and curves to explore.

    Raises
    ------
    ValueError
        For claims that break the contract, a sentence with a number that no row has, or a page above 1 MB.
    """
    output, folder = Path(output), Path(output).parent / "pages"
    readme = output.with_name("README.md")
    for page in (output, readme):
        require_page(page)
    require(folder, PAGES)
    context = build_context(
        spec, claims_path, figures_dir, tables_dir, output.parent, provenance, tuning, tidy_dir
    )
    write_assets(output.parent / "assets")
    removed(folder, PAGES)
    tops = context["claims"] + context["theory"] + [c for c in context["not_judged"] if "." not in c["id"]]
    shared = {
        "context": context,
        "names": {name: given.get("label") or name for name, given in spec["methods"].items()},
        "known": {claim["id"] for top in tops for claim in (top, *top["parts"])},
        "questions": {name: title for name, (title, key) in QUESTIONS.items() if context[key]},
    }
    beside = shared | {"here": "", "home": "../", "assets": "../assets/", "above": "../../"}
    curves = _Curves(spec, tidy_dir)
    _write_claims(tops, context["figures"], curves, folder, beside)
    for figure in context["figures"]:
        panels, records = (
            curves.figures.get(figure["stem"], []),
            _records(output.parent, figure["experiments"]),
        )
        page = folder / f"figure-{figure['stem']}.html"
        write_html("figure.html.j2", page, f=figure, panels=panels, records=records, **beside)
    for name in shared["questions"]:
        write_html(f"{name}.html.j2", folder / f"{name}.html", stems=list(spec["figures"]), **beside)
    curves.write(folder / "data")
    judged_from = {top["id"]: _records(output.parent, traced(top)) for top in tops}
    atomic_write(readme, fill("readme.md.j2", readme, context=context, records=judged_from))
    pictures = [{key: f[key] for key in ("stem", "title", "stand_in")} for f in context["figures"]]
    summary = {key: context[key] for key in SUMMARY} | {"figures": pictures}
    own = {"here": "pages/", "home": "", "assets": "assets/", "above": "../"}
    own["pages"] = {name: f"pages/claim-{name}.html" for name in shared["known"]}
    # The paper's own page, written last, says that all are there.
    write_html("paper.html.j2", output, summary=summary, **own, **shared)


def _records(report, experiments):
    """Links to the tables of experiments that are published beside the pages."""
    names = [f"{name}.csv.gz" for name in dict.fromkeys(experiments)]
    return [{"href": f"evidence/{n}", "label": n} for n in names if (report / "evidence" / n).is_file()]


def _write_claims(tops, figures, curves, folder, beside):
    """A page a claim and a part of one, in the order of claims.json, with links to those around."""
    entries = [(claim, top) for top in tops for claim in (top, *top["parts"])]
    around = [None, *(claim["id"] for claim, _ in entries), None]
    panels = [p for f in figures for p in f["panels"] if p["draw"] != "points"]
    for i, (claim, top) in enumerate(entries):
        experiments = traced(claim)
        ends = {
            (p["title"], p["y_label"], e["label"]): (p, e)
            for p in panels
            for e in p["methods"]
            if e["seeds"] and e["stuck"] and e["method"] in experiments.get(p["experiment"], ())
        }
        write_html(
            "claim.html.j2",
            folder / f"claim-{claim['id']}.html",
            claim=claim,
            top=top,
            before=around[i],
            after=around[i + 2],
            figures=[f for f in figures if experiments.keys() & set(f["experiments"])],
            panels=curves.of_claim(claim),
            stuck=list(ends.values()),
            records=_records(folder.parent, experiments),
            **beside,
        )


def read_context(page):
    """The summary embedded in a page that `write_page` wrote."""
    embedded = EMBEDDED.search(bounded.text(page))
    context = json.loads(embedded[1]) if embedded else None
    if not (isinstance(context, dict) and {*SUMMARY, "figures"} <= set(context)):
        raise ValueError(f"{page}: not a page of a paper: no embedded context, or not that of a paper's page")
    return context


class _Curves:
    """Panels for the explorer, and the records of all experiments that some page shows."""

    def __init__(self, spec, tidy_dir):
        self.spec, self.tidy_dir, self.styles = spec, tidy_dir, method_styles(spec)
        self.figures, self.options, self.shown = {}, {}, {}
        for stem in spec["figures"] if tidy_dir else ():
            for panel in figure_panels(spec["figures"], stem):
                options = panel_options(spec, stem, panel)
                styles = series_styles(spec["figures"], stem) if options["series"] else self.styles
                shown, experiment = explorer_panel(spec, stem, panel, styles), options["experiment"]
                self.options.setdefault(experiment, []).append(options)
                self.shown.setdefault(experiment, []).append(shown)
                self.figures.setdefault(stem, []).append(shown)

    def of_claim(self, entry):
        """Panels of a claim on those experiments whose records are at hand."""
        if not self.tidy_dir:
            return []
        panels = claim_panels(self.spec, entry, self.shown, self.styles, self.tidy_dir)
        for panel in panels:
            self.options.setdefault(panel["experiment"], [])
        return panels

    def write(self, folder):
        """Write the records of every experiment that a panel was asked for."""
        for name, options in self.options.items():
            write_experiment(self.spec, name, options, self.tidy_dir, folder / f"{name}.js")
