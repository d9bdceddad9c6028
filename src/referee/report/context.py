"""Content of a paper's page as plain JSON types; the templates define its look."""

import csv
import io
import os
import re
from pathlib import Path

from ..evidence.alternatives import read_alternatives
from ..evidence.files import read
from ..evidence.judging.quantifiers import headline
from ..evidence.words import HEADLINES, VERDICTS, axis_label, headline_words, reason_words, titles_of
from ..ground import bounded
from ..ground.bounded import read_json
from . import values
from .claims import thresholds_in_words
from .curves import figure_panels, panel_data, panel_endings
from .findings import findings, tasks
from .html import is_small
from .options import panel_options
from .values import in_titles

MAX_SVG_BYTES = 600_000  # a larger drawing is shown as its PNG; the SVG stays one click away
#: Fields that earlier versions of claims.json lack, and what stands for nothing said.
LATER = {
    "extra": False,
    "panels": [],
    "sentence": "",
    "cells": {},
    "controls": {},
    "vacuous": False,
    "race": {},
    "headline": "",
    "depends": False,
    "readings": [],
    "remedies": {},
    "robustness": "",
    "loosely": False,
    "tightness": {},
    "flip_factor": {},
    "repeatability": None,
    "occupation": None,
    "disputed": None,
    "taken": "",
}


def build_context(
    spec,
    claims_path,
    figures_dir,
    tables_dir,
    base,
    provenance,
    tuning=None,
    alternatives=None,
    tidy_dir=None,
):
    """All that the page shows, as plain JSON types (see `write_page`); `base` is the page's folder."""
    entries = read_claims(claims_path)
    tops = _grouped(entries, spec)
    titles = titles_of({name: values["title"] for name, values in spec["experiments"].items()})
    every = [with_later(entry) for entry in entries]
    claims = [claim for claim in tops if not claim["theory"]]
    theory = [claim for claim in tops if claim["theory"]]
    small = is_small(provenance.get("run", ""))  # which finds nothing about the papers
    about = ("paper", "prefix", "title", "authors", "venue", "year", "summary")
    tables = spec.get("tables") or {}
    context = {
        "paper": {key: spec.get(key, "") for key in about},
        **{key: provenance.get(key, "") for key in ("run", "commit", "date")},
        "claims": claims,
        "theory": theory,
        "counts": {"claims": _counts(claims), "theory": _counts(theory)},
        "figures": [_figure(spec, stem, tops, Path(figures_dir), base, tidy_dir) for stem in spec["figures"]],
        "tables": [_table(stem, tables[stem] or {}, Path(tables_dir), base) for stem in tables],
        "deviations": _deviations(spec.get("deviations", []), alternatives),
        "findings": [] if small else findings(spec, every),
        "tasks": [] if small else tasks(spec, every, titles),
        "variants": matrix(tops, spec.get("deviations", [])),
        "variants_file": _links([Path(tables_dir) / "readings.csv"], base),
        "tuning": [read_json(path) for path in tuning or []],
        "provenance": provenance,
        "claims_file": _links([Path(claims_path)], base),
        "data": [_experiment(spec, name) for name in spec["experiments"]],
        "titles": titles,
    }
    return values.plain(context)


def read_claims(path):
    """Entries of a claims.json, see `evidence.files.Entry`."""
    return read(path, "claims.json")


def _grouped(entries, spec):
    """Top entries in order, each with its lettered parts; `theory` marks the T… checks."""
    prefix, words = spec["prefix"], thresholds_in_words(spec, entries)
    titles = titles_of({name: values["title"] for name, values in spec["experiments"].items()})
    shown = {entry["id"]: _claim(entry) | words[entry["id"]] for entry in entries}
    answers = _answers(spec)
    shown = {
        name: claim | in_titles(claim, titles) | {"disputed": answers.get(name)}
        for name, claim in shown.items()
    }
    tops = {name: claim for name, claim in shown.items() if "." not in name}
    for name, top in tops.items():
        top["theory"] = name.startswith(f"{prefix}-T")
    for entry in entries:
        head, dot, _ = entry["id"].partition(".")
        if dot and head not in tops:
            raise ValueError(f"claim {entry['id']} is a part of {head}, which is not there")
        if dot:
            tops[head]["parts"].append(shown[entry["id"]])
    for top in tops.values():
        if top["verdict"] == "not_testable":
            top["remedies"] = top["remedies"] or _of_parts(top["parts"])
    return list(tops.values())


def _answers(spec):
    """Claim or part → what the paper's authors answer to its verdict."""
    claims = spec.get("claims") or []
    parts = {f"{c['id']}.{letter}": part for c in claims for letter, part in (c.get("parts") or {}).items()}
    every = {claim["id"]: claim for claim in claims} | parts
    return {f"{spec['prefix']}-{name}": one["disputed"] for name, one in every.items() if one.get("disputed")}


def _of_parts(parts):
    """Remedies that were tried, and those that would decide, over the parts of a claim."""
    found = [part["remedies"] for part in parts if part["remedies"]]
    return {
        key: list(dict.fromkeys(w for one in found for w in one[key])) for key in ("tried", "would_decide")
    }


def with_later(entry):
    """An entry with the fields that later versions have, and a mark where it rests on stand-in data."""
    found = LATER | entry | {"stand_in": "stand-in" in str(entry["note"]).lower()}
    found["headline"] = found["headline"] or headline(found["verdict"], found["verdict_strong"])
    return found | {"words": headline_words(found), "because": _reasons(found)}


def _reasons(entry):
    """Why an entry is undecided: its note where it is not judged, else the reasons of its comparisons."""
    note = str(entry["note"])
    if entry["verdict"] != "not_testable":
        return [f"in the fair comparison: {why}" for why in FAIR_UNDECIDED.findall(note)]
    if note.startswith(NOT_JUDGED):
        return [note.partition(". ")[0].removeprefix(NOT_JUDGED).rstrip(".")]
    if entry["vacuous"]:
        return [reason_words("its control holds too")]
    reasons = (entry["cells"] or {}).get("reasons", {})
    return [f"{reason_words(why)} ({number} of its comparisons)" for why, number in reasons.items()]


#: How the note of an entry without a verdict begins.
NOT_JUDGED = "Not judged: "
#: How it tells why a fair comparison is undecided.
FAIR_UNDECIDED = re.compile(r"In the fair comparison undecided: ([^.]*)\.")


def _claim(entry):
    """An entry as its page shows it: with its key number, and room for its parts."""
    return with_later(entry) | {"parts": [], "key_number": values.key_number(entry["measured"])}


def _counts(claims):
    kinds = {"headline": HEADLINES, "verdict": VERDICTS, "verdict_strong": VERDICTS}
    return {
        kind: {v: sum(claim[kind] == v for claim in claims) for v in words} for kind, words in kinds.items()
    }


def _figure(spec, stem, tops, folder, base, tidy_dir):
    """One figure: its words, its claims, its files, and its curves where tidy tables are at hand."""
    figure = spec["figures"][stem]
    every = {claim["id"]: claim for top in tops for claim in (top, *top["parts"])}
    entries = figure_panels(spec["figures"], stem)
    options = [panel_options(spec, stem, panel) for panel in entries]
    panels = [_panel(spec, stem, panel, tidy_dir) for panel in entries] if tidy_dir else []
    singles = {panel["name"]: f"{panel['title']} – {panel['y_label']}" for panel in options if panel["name"]}
    drawn = [(folder / f"{name}.svg", title) for name, title in singles.items()]
    wanted = figure.get("claims", [])
    return {
        "stem": stem,
        "grid": "grid" in figure,
        "title": figure.get("title", stem),
        "paper_says": figure.get("paper_says", ""),
        "caption": " ".join(filter(None, [figure.get("caption"), _axes_in_words(options)])),
        "extra": bool(figure.get("extra")),
        "stand_in": any(panel["stand_in"] for panel in panels or options),
        "experiments": [panel["experiment"] for panel in options],
        "datasets": list(dict.fromkeys(p["dataset"] for p in options if p["dataset"])),
        "notes": list(dict.fromkeys(p["note"].rstrip(".") for p in options if p["note"])),
        "claims": [
            _brief(every[name]) if name in every else {"id": name, "verdict": None} for name in wanted
        ],
        "deviations": figure.get("deviations", []),
        "links": _links([folder / f"{stem}.{end}" for end in ("svg", "pdf", "png", "csv")], base),
        "singles": list(singles),
        "single_links": [_link(path, said, base) for path, said in drawn if path.is_file()],
        "panels": panels,
        "picture": _picture(folder / stem, base),
    }


def _picture(stem, base):
    """The figure's drawing: its SVG, or its PNG where the SVG is large; None if it is not drawn."""
    svg, png = stem.with_suffix(".svg"), stem.with_suffix(".png")
    if png.is_file() and not (svg.is_file() and svg.stat().st_size <= MAX_SVG_BYTES):
        return _link(png, "png", base)
    return _link(svg, "svg", base) if svg.is_file() else None


def _brief(claim):
    return {key: claim[key] for key in ("id", "verdict", "verdict_strong", "headline", "words", "key_number")}


def _axes_in_words(panels):
    """The caption's last sentences: what is drawn against what."""
    shown = list(dict.fromkeys(f"{p['y_label']} against {p['x_label']}" for p in panels))
    beside = list(dict.fromkeys(axis_label(name) for p in panels for name in p["also"]))
    best = list(dict.fromkeys(p["y_label"] for p in panels if p["running"] == "best"))
    return (
        f"Drawn: {'; '.join(shown)}."
        + (f" Small axes: against {', '.join(beside)}." if beside else "")
        + (f" Of the {' and the '.join(best)} the running best is drawn." if best else "")
    )


def _panel(spec, stem, panel, tidy_dir):
    """The end values of a panel's curves; for points, which are few, the values at each place."""
    if panel.get("draw") != "points":
        return panel_endings(spec, stem, panel, tidy_dir)
    found = panel_data(spec, stem, panel | {"also": []}, tidy_dir)
    for axis in found["axes"]:
        axis["x"] = values.rounded(axis["x"])
        axis["curves"] = [c | {"median": values.rounded(c["median"])} for c in axis["curves"]]
    return found


def _experiment(spec, name):
    """Origin of an experiment's data."""
    given = spec["experiments"][name] or {}
    return {
        "experiment": name,
        "title": given.get("title", ""),
        "dataset": given.get("dataset") or "",
        "stand_in": bool(given.get("stand_in")),
        "note": given.get("note") or "",
    }


def _links(paths, base):
    """Relative addresses of those files that exist, called by their format."""
    return [_link(path, path.suffix[1:], base) for path in paths if path.is_file()]


def _link(path, label, base):
    return {"label": label, "href": Path(os.path.relpath(path, base)).as_posix()}


def _table(stem, entry, folder, base):
    """One table: words of the spec, cells of its CSV."""
    path, rows = folder / f"{stem}.csv", []
    if path.is_file():
        rows = list(csv.reader(io.StringIO(bounded.text(path), newline="")))
    return {
        "stem": stem,
        "title": entry.get("title", stem),
        "caption": entry.get("caption", ""),
        "paper_says": entry.get("paper_says", ""),
        "header": rows[0] if rows else [],
        "rows": [[row[0], *map(values.parsed, row[1:])] for row in rows[1:]],
        "links": _links([folder / f"{stem}.{end}" for end in ("csv", "tex")], base),
    }


def _deviations(register, alternatives):
    """The register, each entry with its `verdicts` under alternatives: the rows of the CSV that name it."""
    rows = read_alternatives(alternatives).to_dict("records") if alternatives else []
    unknown = {row["deviation"] for row in rows} - {entry["id"] for entry in register}
    if unknown:
        raise ValueError(f"{alternatives}: deviations {', '.join(sorted(unknown))} are not in the register")
    blank = {"open": "", "chosen": "", "reason": "", "alternatives": [], "touches": [], "figures": []}
    return [
        blank | entry | _verdicts([r for r in rows if r["deviation"] == entry["id"]]) for entry in register
    ]


def _verdicts(rows):
    """Rows of the table about one choice, and as a picture: claims down, our choice and the others across."""
    names = list(dict.fromkeys(row["alternative"] for row in rows))
    told = {(row["claim"], row["alternative"]): row["verdict"] for row in rows}
    ours = {row["claim"]: row["main_verdict"] or None for row in rows}
    cells = {claim: [ours[claim], *(told.get((claim, name)) for name in names)] for claim in ours}
    return {
        "verdicts": rows,
        "picture": {"names": names, "cells": cells},
        "turned": {row["claim"] for row in rows if row["turns"] == "yes"},
    }


def matrix(tops, register):
    """The variants of a paper's claims.

    Parameters
    ----------
    tops : list of dict
        Claims without their parts, with ``readings``.
    register : list of dict
        The unstated choices, for the words of those that a variant is of.

    Returns
    -------
    dict
        ``claims``: ids of those that have variants; ``rows``: dictionaries ``reading, choice, open`` (what
        the paper leaves open) and ``cells``, one a claim: its reading, None where it was not judged under it.
        Empty where no claim has a variant.
    """
    told = {top["id"]: {(r["choice"], r["reading"]): r for r in top["readings"]} for top in tops}
    told = {name: found for name, found in told.items() if found}
    opened = {entry["id"]: entry["open"] for entry in register}
    names = dict.fromkeys(key for found in told.values() for key in found)
    rows = [
        {"reading": reading, "choice": choice, "open": opened.get(choice, "")}
        | {"cells": [found.get((choice, reading)) for found in told.values()]}
        for choice, reading in names
    ]
    return {"claims": list(told), "rows": rows} if rows else {}
