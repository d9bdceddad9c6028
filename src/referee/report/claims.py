"""Parts of a claim's page besides its entry: its curves, and the command that runs it again."""

from pathlib import PurePosixPath

from ..evidence.aggregates import named
from ..evidence.judging.entry import thresholds
from ..evidence.judging.ranges import runs_of
from ..evidence.judging.sentences import required_text
from ..evidence.judging.views import sentences_of as read
from ..evidence.relations import AtMost
from ..evidence.relations.bounds import Shape
from ..evidence.words import axis_label, exact, titles_of
from ..study.models.claim import Claim
from ..study.models.paper import Paper
from .explorer import look
from .style import SERIES_COLOURS
from .values import text

#: Statistics whose value stands on the axis of the metric, so that a bound on it is a line of the drawing.
ON_THE_CURVE = {"value", "mean", "quantile"}


def sentences_of(spec):
    """Claim or part → its machine statements."""
    claims, paper = _model(spec)
    parts = {name: part or claim for name, (claim, part) in named(claims).items()}
    return {f"{paper.prefix}-{name}": read(part, paper) for name, part in parts.items()}


def _model(spec):
    claims = [Claim.model_validate(claim) for claim in spec.get("claims") or []]
    given = {key: spec[key] for key in ("paper", "prefix", "experiments", "clock") if key in spec}
    return claims, Paper.model_construct(**given, claims=claims)  # pages are of plain data still


def forms_of(spec):
    """Claim or part → experiment → the methods, in every form, that its race compares."""
    claims, paper = _model(spec)
    return {f"{paper.prefix}-{n}": _forms(part or claim, paper) for n, (claim, part) in named(claims).items()}


def _forms(part, paper):
    found = {}
    views = part.race.cells.values() if part.race else ()
    for sentence in (s for view in views for s in read(part, paper, view)):
        for run in runs_of(sentence.relation.operands):
            for panel in [run.panel] if run.panel else sentence.panels:
                found.setdefault(panel, {})[run.method] = None
    return {panel: list(methods) for panel, methods in found.items()}


def thresholds_in_words(spec, entries):
    """The requirement at each threshold of a claim.

    Parameters
    ----------
    spec : dict
        The paper's: its register.
    entries : list of dict
        Of claims.json.

    Returns
    -------
    dict
        Id → ``asked``, words for each statement, empty where the register's statements are not those that
        were judged; ``follows``, the ids of the claims that it follows from.
    """
    sentences, ids = sentences_of(spec), {entry["id"] for entry in entries}
    methods = {name: given.get("label") or name for name, given in spec["methods"].items()}
    return {
        e["id"]: {
            "asked": _asked(e, sentences.get(e["id"]), methods),
            "follows": _followed(e, spec["prefix"], ids),
        }
        for e in entries
    }


def _asked(entry, sentences, methods):
    if not sentences or thresholds(sentences) != entry["threshold"]:
        return []
    return list(dict.fromkeys(required(sentence, methods) for sentence in sentences))


def required(sentence, methods) -> str:
    """What a statement is about, what it requires, and with what tolerance."""
    return required_text(sentence, methods) + _leeway(sentence)


def _leeway(sentence):
    """The tolerance of a shape or a bound, and how many of several entries have to meet the requirement."""
    relation, told = sentence.relation, ""
    if isinstance(relation, Shape) and relation.within:
        times = exact(1 + relation.within)
        told = f" by more than {exact(relation.within)} (on a logarithmic axis {times} times)"
    if slack := getattr(relation, "slack", 0):
        told = f" (tolerance {exact(slack)} of it)"
    quota = getattr(relation, "quota", None)
    of = "levels" if sentence.said.to else "values compared"
    return told + (
        f", at {exact(100 * quota)} % of the {of} or more" if quota is not None and quota < 1 else ""
    )


def _followed(entry, prefix, ids):
    """Ids of other claims that its thresholds are named by."""
    named = entry["threshold"] if isinstance(entry["threshold"], dict) else {}
    names = [f"{prefix}-{name}" for name in named]
    return names if ids.issuperset(names) else []


def with_parts(found, entry) -> list:
    """The values found for an entry and its parts, one after the other."""
    return [found[one["id"]] for one in (entry, *entry.get("parts", [])) if one["id"] in found]


def traced(entry):
    """Experiment → methods that the claim was judged on, as its traces name them."""
    found = {}
    for trace in map(PurePosixPath, entry["traces"]):
        found.setdefault(trace.parent.name, []).append(trace.stem)
    return found


def claim_panels(spec, entry, asked, forms, shown, styles):
    """Panels of the explorer for one claim: one an experiment, on the metric and the axis that are judged.

    Parameters
    ----------
    asked : list of Sentence
        Its machine statements.
    forms : list of dict
        Experiment → methods that its races compare, in other forms than the statements name.
    shown : dict
        Experiment → panels of figures that show it.
    """
    titles = titles_of({name: values["title"] for name, values in spec["experiments"].items()})
    panels = [
        panel_of(name, titles[name], methods, _about(name, asked), shown.get(name, []), styles)
        for name, methods in _compared(spec, entry, forms).items()
        if name in spec["experiments"]
    ]
    levels, flips = _levels(entry), entry["flip_factor"]
    return [p | {"lines": p["lines"] + levels.get(p["experiment"], []), "flips": flips} for p in panels]


def _compared(spec, entry, forms):
    """Experiment → every method that is compared on it, and that it runs."""
    found = traced(entry)
    for name, methods in found.items():
        run = spec["experiments"].get(name, {}).get("methods", [])
        others = [method for each in forms for method in each.get(name, []) if method in run]
        found[name] = list(dict.fromkeys([*methods, *others]))
    return found


def _about(name, asked):
    """The first statement about an experiment; None where none names it."""
    return next((s for s in asked if name in s.panels), None)


def _levels(entry):
    """Experiment → the levels at which its curves were compared, as lines of the drawing."""
    found = {}
    for panel in [panel for one in (entry, *entry.get("parts", [])) for panel in one["panels"]]:
        if "levels" in panel:  # of several statements about an experiment the first is drawn
            found.setdefault(panel["panel"].partition(" · ")[0], panel["levels"])
    return {
        name: [{"y": y, "label": _level(y, words)} for words, y in levels.items()]
        for name, levels in found.items()
    }


def _level(y, words):
    """The level's number, and what share of the start it is where it is not named by its number."""
    return f"level {words}" if words == f"{y:g}" else f"level {text(y, 4)}: {words}"


def panel_of(name, title, methods, sentence, shown, styles):
    """The explorer's panel of an experiment: on what a statement, else a figure, is about."""
    metric = sentence.read.get("metric") if sentence else None
    figure = next((panel for panel in shown if panel["y"] == metric), shown[0] if shown else {})
    y = metric or figure.get("y")
    base = {"draw": "curves", "rows": []}
    base |= {"y_scale": "linear", "lines": [], "methods": {}, "x_max": None}
    x = (sentence.over if sentence else "") or figure.get("x", "iteration")
    base |= {key: value for key, value in figure.items() if key != "series"}
    if x != figure.get("x"):
        base |= {"x_label": axis_label(x), "x_scale": "linear", "x_max": None}
    looks = {method: look(styles[method]) if method in styles else None for method in methods}
    colours = iter(SERIES_COLOURS * (1 + len(methods) // len(SERIES_COLOURS)))
    looks = {m: found or {"label": m, "colour": next(colours), "dash": "solid"} for m, found in looks.items()}
    return base | {
        "title": title,  # a figure's panel says only what its figure does not
        "running": "best" if sentence and sentence.read.get("best") else "current",
        "experiment": name,
        "x": x,
        "y": y,
        "y_label": axis_label(y) if y else "",
        "series": {},
        "methods": figure.get("methods", {}) | looks,
        "only": methods,
        "lines": [*base["lines"], *_bound(sentence)],
    }


def _bound(sentence):
    """The bound of a statement as a line of the drawing, where it stands on the metric's own axis."""
    if not sentence or not isinstance(sentence.relation, AtMost) or sentence.statistic not in ON_THE_CURVE:
        return []
    bound, factor = sentence.relation.bound, sentence.relation.factor
    if isinstance(bound, str):
        return [{"column": bound, "factor": factor, "label": "bound: " + axis_label(bound)}]
    plain = not {"excess", "upper"} & set(sentence.read) and not sentence.options.get("share")
    return [{"y": factor * bound, "label": f"threshold {exact(factor * bound)}"}] if plain else []
