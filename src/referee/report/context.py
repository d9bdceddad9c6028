"""Content of a paper's page as plain JSON types; the templates define its look."""

import csv
import io
import os
from pathlib import Path

from ..common import bounded
from ..common.bounded import read_json
from ..evidence.files import read
from ..evidence.words import HEADLINES, VERDICTS, axis_label, titles_of
from . import values
from .curves import figure_panels, panel_data, panel_endings
from .findings import messages, sentences, tasks, verdicts_of
from .html import is_small
from .options import dataset_of, panel_options
from .remedies import remedy
from .verdicts import KINDS, NAME, basis, cells, numbers, read_verdicts

#: Verdicts that a run could turn into another, and the columns and the word that have them.
OPEN = {"not_testable", "not_run"}
MAX_SVG_BYTES = 600_000  # a larger drawing is shown as its PNG; the SVG stays one click away


def build_context(spec, claims_path, figures_dir, tables_dir, base, provenance, tuning=None, tidy_dir=None):
    """All that the page shows, as plain JSON types (see `write_page`); `base` is the page's folder."""
    entries, rows = read_claims(claims_path), read_verdicts(Path(claims_path).with_name(NAME))
    tops = _grouped(entries, rows, spec)
    titles = titles_of({name: values["title"] for name, values in spec["experiments"].items()})
    claims = [top for top in tops if not top["theory"] and top["verdict"] != "not_judged"]
    theory = [top for top in tops if top["theory"] and top["verdict"] != "not_judged"]
    small = is_small(provenance.get("run", ""))  # which finds nothing about the papers
    about = ("paper", "prefix", "title", "authors", "venue", "year", "summary")
    tables = spec.get("tables") or {}
    leaves = [one for top in tops for one in top["parts"] or [top]]
    context = {
        "paper": {key: spec.get(key, "") for key in about},
        **{key: provenance.get(key, "") for key in ("run", "commit", "date")},
        "claims": claims,
        "theory": theory,
        "not_judged": [one for one in leaves if one["verdict"] == "not_judged"],
        "counts": {"claims": _counts(claims), "theory": _counts(theory)},
        "figures": [_figure(spec, stem, tops, Path(figures_dir), base, tidy_dir) for stem in spec["figures"]],
        "tables": [_table(stem, tables[stem] or {}, Path(tables_dir), base) for stem in tables],
        "deviations": [_deviation(entry, leaves) for entry in spec.get("deviations", [])],
        "messages": [] if small else messages(spec, entries, rows),
        "tasks": [] if small else tasks(spec, rows, titles),
        "variants": matrix(leaves, spec.get("deviations", [])),
        "tuning": [read_json(path) for path in tuning or []],
        "provenance": provenance,
        "claims_file": _links([Path(claims_path), Path(claims_path).with_name(NAME)], base),
        "data": _data(spec, provenance.get("data") or {}),
        "titles": titles,
    }
    figures = context["figures"]  # claims are folded by the first that names them or a part, the others last
    stems = {claim["id"].partition(".")[0]: f["stem"] for f in reversed(figures) for claim in f["claims"]}
    folds = {f["stem"]: f["title"] for f in figures} | {"": "Claims about no figure, or about all of them"}
    groups = [
        {"stem": stem, "title": title, "claims": [c for c in claims if stems.get(c["id"], "") == stem]}
        for stem, title in folds.items()
    ]
    context["groups"] = [group for group in groups if group["claims"]]
    context["remedies"] = {one["id"]: one["remedy"] for one in leaves if one["remedy"]}
    context["kinds"] = {top["id"]: top["kinds"] for top in tops}
    return values.plain(context)


def read_claims(path):
    """Entries of a claims.json, see `evidence.files.Entry`."""
    return read(path, "claims.json")


def _grouped(entries, rows, spec):
    """Top entries in order, each with its parts, all with their rows; `theory` marks the T… checks."""
    titles = titles_of({name: values["title"] for name, values in spec["experiments"].items()})
    methods = [spec["methods"], *((e or {}).get("define") or {} for e in spec["experiments"].values())]
    labels = {
        n: given["label"] for each in reversed(methods) for n, given in each.items() if given.get("label")
    }
    written, own, answers = sentences(spec, entries, rows), {}, spec.get("disputed") or {}
    for row in [row for row in rows if not row["call"]]:
        own.setdefault(row["claim"], []).append(row)
    tops = {}
    for entry in entries:
        name, judged = entry["id"], own.get(entry["id"], [])
        claim = entry | {
            "disputed": answers.get(name) or entry.get("disputed"),
            "taken": entry.get("taken", ""),
            "stand_in": "stand-in" in entry["data"],
            "kinds": list(dict.fromkeys(KINDS[r["data"]] for r in judged if r["data"])),
            "rows": (table := cells(judged, labels, titles)),
            "same": _same(table),
            "numbers": numbers(judged, labels),
            "basis": {
                column: basis(
                    [row for row in judged if row["column"] == column], entry.get("ask", "everywhere")
                )
                for column in ("published", "fair")
            },
            "about": {
                r["panel"]: {k: r.get(k, "") for k in ("metric", "over", "what", "required")} for r in judged
            },
            "sentences": {
                column: written.get((name, column), {}).get("text", "") for column in ("published", "fair")
            },
            "remedy": remedy(
                entry, [row for row in judged if OPEN & {*verdicts_of(entry, row["column"])}], spec
            ),
            "theory": name.startswith(f"{spec['prefix']}-T"),
            "parts": [],
        }
        head, dot, _ = name.partition(".")
        if dot and head not in tops:
            raise ValueError(f"claim {name} is a part of {head}, which is not there")
        if dot:
            tops[head]["parts"].append(claim)
            tops[head]["kinds"] = list(dict.fromkeys([*tops[head]["kinds"], *claim["kinds"]]))
            tops[head]["about"] = claim["about"] | tops[head]["about"]
        else:
            tops[name] = claim
    return list(tops.values())


def _same(rows):
    """Whether the fair comparison of a claim has the rows of the claim as published."""
    columns = [[row | {"column": ""} for row in rows if row["column"] == c] for c in ("published", "fair")]
    return columns[0] == columns[1]


def _data(spec, recorded):
    """A row an experiment: its data set, kind and hash. What the run recorded decides what is a stand-in.

    recorded: instance → SHA-256 of its data, or ``generated``, with “(stand-in)” behind it.
    """
    rows = []
    for name, experiment in spec["experiments"].items():
        experiment = experiment or {}
        digest, _, word = recorded.get(experiment.get("instance_of") or name, "").partition(" ")
        dataset = dataset_of(spec, name) or ""
        is_real = "real" if dataset or digest not in ("", "generated") else "generated"
        kind = "stand-in" if word or experiment.get("stand_in") else is_real
        row = {"experiment": name, "dataset": dataset, "kind": KINDS[kind]}
        row["sha256"] = "" if digest == "generated" else digest
        rows.append(row | {key: experiment.get(key) or "" for key in ("title", "note")})
    return rows


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
    # The SVG, or the PNG where the SVG is large; None if the figure is not drawn.
    svg, png = folder / f"{stem}.svg", folder / f"{stem}.png"
    is_small_svg = svg.is_file() and svg.stat().st_size <= MAX_SVG_BYTES
    picture = png if png.is_file() and not is_small_svg else svg
    drawn = [(folder / f"{name}.svg", title) for name, title in singles.items()]
    orders = {}  # of the paper → ours → the panels that show them
    for panel in (panel for panel in panels if panel["order"]):
        here = orders.setdefault(panel["order"]["paper"], {}).setdefault(panel["order"]["here"], {})
        here.setdefault(panel["y_label"], []).append(panel["title"])
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
            {key: every[name][key] for key in ("id", "verdict", "verdict_strong", "headline")}
            | {"text": every[name]["sentences"]["published"]}
            if name in every
            else {"id": name, "verdict": None}
            for name in figure.get("claims", [])
        ],
        "deviations": figure.get("deviations", []),
        "links": _links([folder / f"{stem}.{end}" for end in ("svg", "pdf", "png", "csv")], base),
        "singles": list(singles),
        "single_links": [_link(path, said, base) for path, said in drawn if path.is_file()],
        "panels": panels,
        "orders": orders,
        "picture": _link(picture, picture.suffix[1:], base) if picture.is_file() else None,
    }


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
    drawn = panel_data(spec, stem, panel | {"also": []}, tidy_dir)
    for axis in drawn["axes"]:
        axis["x"] = values.rounded(axis["x"])
        axis["curves"] = [c | {"median": values.rounded(c["median"])} for c in axis["curves"]]
    return drawn


def _links(paths, base):
    """Relative addresses of those files that exist, named by their format."""
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


def _deviation(entry, leaves):
    """An entry of the register with the variants that are of it: claims down, variants across."""
    own = {one["id"]: [r for r in one["readings"] if r["choice"] == entry["id"]] for one in leaves}
    verdicts = [{"claim": name} | variant for name, variants in own.items() for variant in variants]
    names = list(dict.fromkeys(variant["reading"] for variant in verdicts))
    cells = {
        name: [variants[0]["base"], *({r["reading"]: r["verdict"] for r in variants}.get(n) for n in names)]
        for name, variants in own.items()
        if variants
    }
    turned = list(dict.fromkeys(variant["claim"] for variant in verdicts if variant["turns"]))
    blank = {"open": "", "chosen": "", "reason": "", "alternatives": [], "touches": [], "figures": []}
    picture = {"names": names, "cells": cells}
    return blank | entry | {"verdicts": verdicts, "picture": picture, "turned": turned}


def matrix(leaves, register):
    """The variants of a paper's claims and parts: ids in ``claims``, and ``rows``; empty without any.

    A row has ``reading, choice, open`` (what the paper leaves open, by the register) and ``cells``, one a
    claim: its variant, None where it was not judged under it. `leaves` are claims without parts, and parts.
    """
    every = {one["id"]: {(r["choice"], r["reading"]): r for r in one["readings"]} for one in leaves}
    every = {name: variants for name, variants in every.items() if variants}
    opened = {entry["id"]: entry["open"] for entry in register}
    rows = [
        {"reading": reading, "choice": choice, "open": opened.get(choice, "")}
        | {"cells": [variants.get((choice, reading)) for variants in every.values()]}
        for choice, reading in dict.fromkeys(key for variants in every.values() for key in variants)
    ]
    return {"claims": list(every), "rows": rows} if rows else {}
