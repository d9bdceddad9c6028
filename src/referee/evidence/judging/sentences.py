"""A judgement as a sentence for people: where it is so, what is said of whom, and by how much."""

from dataclasses import replace
from itertools import groupby, pairwise

from ...ground.operands import ON, OVER, parts
from ..relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost, Turns
from ..words import axis_label, medians, shown
from .ranges import ANY, Range, every

UNITS = {
    "cpu_seconds": "CPU seconds",
    "wall_seconds": "wall seconds",
    "model_seconds": "model seconds",
}
#: Named where so few do not hold.
FEW = 3


def verdict_text(judgements: list, methods: dict[str, str], titles: dict[str, str]) -> str:
    """Sentences for people, one for all pairs of methods of which the same is asked.

    Parameters
    ----------
    methods : dict
        Method → how it is called in the figures.
    titles : dict
        Panel → what it is called.
    """
    names = {name: f"“{title}”" for name, title in titles.items()}
    methods = methods | {OVER: " over ", ON: " on "} | {ON + name: title for name, title in names.items()}
    groups = [list(group) for _, group in groupby(judgements, lambda j: _asked(j.sentence))]
    parts = [part for group in groups for part in ([group] if _is_product(group) else [[j] for j in group])]
    sentences, last = [], ""
    for place, said in dict.fromkeys(_place_and_statement(part, methods, names) for part in parts):
        again = place == last and place.startswith("On ")
        sentences.append(("There" if again else place) + said)
        last = place or last
    return " ".join(sentences)


def _asked(sentence):
    """What a sentence says, whichever two methods it compares."""
    if isinstance(sentence.relation, Less):
        sentence = replace(sentence, relation=replace(sentence.relation, a="", than=""), label="")
    return repr(sentence)


def _is_product(group):
    """Whether each of some methods is compared with each of others."""
    relations = [j.sentence.relation for j in group]
    if len(group) == 1 or not isinstance(relations[0], Less):
        return len(group) == 1
    pairs = {(str(r.a), str(r.than)) for r in relations}
    return len(pairs) == len({a for a, _ in pairs}) * len({than for _, than in pairs})


def _place_and_statement(group, methods, experiments):
    """Where it is so, empty where that is open; and what is said of it there."""
    said = _statement([judgement.sentence for judgement in group], methods)
    if not sum(j.counts["true"] + j.counts["false"] for j in group):
        reasons = "; ".join(dict.fromkeys(reason for j in group for reason in j.counts["reasons"]))
        return "", f"It is open whether {said}" + (f": {reasons}." if reasons else ".")
    place, often = _where(group, experiments)
    numbers = _numbers(group)
    return place, f"{often} {said}" + (f": {numbers}." if numbers else ".")


def _where(group, experiments):
    """On which panel, or in how many; and in how many seeds it is so there, how many are open."""
    names = list(dict.fromkeys(panel.name for j in group for panel in j.panels))
    true, false, unknown = (sum(j.counts[key] for j in group) for key in ("true", "false", "untestable"))
    seeds = "comparisons" if len(group) > 1 else "seeds"
    left = f", {unknown} open" if unknown else ""
    if len(names) > 1:
        held = {experiments[name]: every(_holds(j, name) for j in group) for name in names}
        counted = f"({true} of {true + false} {seeds}{left}{_exceptions(held)})"
        known = [truth for truth in held.values() if truth is not None]
        if not known:
            return "", f"It is open in {_of(len(names), len(names), 'panels')} {counted} whether"
        noun = "panels" if len(known) == len(names) else f"testable of {len(names)} panels"
        return f"In {_of(known.count(True), len(known), noun)}", f" {counted}"
    place = f"On {experiments[names[0]]}"
    if true + false == 1:
        return place, f"{left}," * bool(left) + " it is not so that" * false
    return place, f", in {_of(true, true + false, seeds)}{left},"


def _holds(judgement, name):
    return next(p.holds(judgement.sentence.quota) for p in judgement.panels if p.name == name)


def _exceptions(held):
    """Panels on which it is not so, or open, where they are few among others."""
    found = ""
    for truth, words in ((False, "not on"), (None, "open on")):
        names = [name for name, holds in held.items() if holds is truth]
        if 0 < len(names) <= FEW and True in held.values():
            found += f", {words} {' and '.join(names)}"
    return found


def _of(held, number, noun):
    """“both panels”, “all 3 seeds”, “2 of 3 seeds”, “none of 3 seeds”, “the one testable of 3 panels”."""
    if held == number:
        every_one = {1: "the one", 2: "both"}.get(number, f"all {number}")
        return f"{every_one} {noun}"
    return f"{held or 'none'} of {number} {noun}"


def _statement(sentences, methods):
    """What is said; of several sentences that differ in the methods that they compare."""
    first, relation = sentences[0], sentences[0].relation
    words = _words(first)
    if isinstance(relation, Less):
        a, than = _sides([s.relation for s in sentences], methods)
        return _less(first, words, a, than)
    if isinstance(relation, Order):
        ordered = " < ".join(_named(name, methods) for name in relation.methods)
        return f"{words['when']}{words['what']} is ordered {ordered}"
    if isinstance(relation, Equal) and not relation.to_number:
        return _equal(relation, words, methods)
    return f"{words['when']}{words['what']}{_of_whom(relation, methods)} {_bounded(relation)}{words['where']}"


def subject(sentence) -> str:
    """What of the curves a sentence is about, whatever it says of it."""
    words = _words(sentence)
    return words["when"] + words["what"] + words["where"]


def _words(sentence):
    said, options = sentence.said, sentence.given
    given = {key: axis_label(v) if isinstance(v, str) else v for key, v in options.items()}
    given |= {"over": unit(sentence.over), "metric": _metric(sentence.read)}
    given["name"] = given["metric"].removeprefix("the ")
    where = sentence.read.get("where") or {}
    chosen = " and ".join(f"{axis_label(column)} is {_listed(value)}" for column, value in where.items())
    found = {key: words.format_map(given) for key, words in said._asdict().items()}
    return given | found | {"where": f" where {chosen}" if chosen else ""}


def _listed(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def unit(axis: str) -> str:
    """Words for what an axis counts."""
    return UNITS.get(axis, axis_label(axis))


def _metric(read):
    name = axis_label(str(read.get("metric", "")))
    return f"{read['upper']:g} − {name}" if "upper" in read else f"the {name}"


def _sides(relations, methods):
    """Both sides of comparisons that differ in these alone."""
    sides = ([r.a for r in relations], [r.than for r in relations])
    return [_each([_named(side, methods) for side in found]) for found in sides]


def _each(names):
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"each of {', '.join(names[:-1])} and {names[-1]}"


def _less(sentence, words, a, than):
    factor = sentence.relation.factor
    if words["to"]:
        least = (
            f"fewer {words['over']} than"
            if factor == 1
            else f"at most {_share(factor)} the {words['over']} of"
        )
        return f"{a} needs {least} {than} to {words['to']}{words['where']}"
    less = "less than" if factor == 1 else f"at most {_share(factor)}"
    return f"{words['when']}{words['what']} of {a} is {less} that of {than}{words['where']}"


def _share(factor):
    """“0.5 of”, or of what is no worse, “1.05 times”."""
    return f"{1 / factor:.3g} {'of' if factor > 1 else 'times'}"


def _equal(relation, words, methods):
    a, b = _named(relation.a, methods), _named(relation.to, methods)
    if relation.within is None:
        return f"{words['when']}{words['what']} of {a} cannot be told apart from that of {b}{words['where']}"
    near = f"within a factor {1 + relation.within:g}"
    return f"{words['when']}{words['what']} of {a} equals that of {b} {near}{words['where']}"


def _named(text, methods):
    if isinstance(text, list):
        names = [_named(name, methods) for name in text]
        return f"the best of {' and '.join(names)}" if len(names) > 1 else names[0]
    said = parts(str(text))
    return "".join(
        methods.get(ON + part if before == ON else part, part) for before, part in pairwise(["", *said])
    )


def _of_whom(relation, methods):
    """The methods that a bound, an order of growth or a shape is of, where it names them."""
    field = "a" if isinstance(relation, Equal) else "methods"
    names = getattr(relation, field)
    if names is None:
        return ""
    return f" of {_each([_named(name, methods) for name in (names if isinstance(names, list) else [names])])}"


def _bounded(relation):
    if isinstance(relation, Equal):
        return f"is {relation.to:g}" + (f" within {relation.within:g}" if relation.within else "")
    if isinstance(relation, AtMost):
        return f"is at {'least' if relation.at_least else 'most'} {_limit(relation)}"
    if isinstance(relation, SlopeAtMost):
        return f"is at most {relation.order:g}" + (f" + {relation.within:g}" if relation.within else "")
    if isinstance(relation, Monotone):
        return "never falls" if relation.rising else "never rises"
    assert isinstance(relation, Turns)
    return "falls and then rises"


def _limit(relation):
    if isinstance(relation.bound, str):
        times = f"{relation.factor:.3g} times " if relation.factor != 1 else ""
        return times + axis_label(relation.bound)
    within = f" within {relation.within:g}" if relation.within else ""
    return f"{relation.factor * relation.bound:.4g}{within}"


def _numbers(group):
    """The first measured number: its range over the panels, each the median of its seeds."""
    panels = [panel for j in group for panel in j.panels if panel.cells]
    found = [next(iter(medians(panel).items()), ("", ANY)) for panel in panels]
    known = sorted((value for _, value in found if shown(value) is not None), key=lambda r: (r.low, r.high))
    if not known:
        return ""
    name = next(name for name, value in found if shown(value) is not None)
    return _said(name, known, group[0].sentence.relation)


def _said(name, values, relation):
    if name == "least distance to the limit":
        return _distance(values)
    low, high = _apart(values[0], values[-1]) if len(values) > 1 else (_short(values[0]), None)
    return f"{name} {low}" + (f" … {high}" if high not in (None, low) else "") + _good(name, relation)


def _good(name, relation):
    """Which numbers are good, where a name does not say it."""
    if name in ("ratio", "difference"):
        even = 1 if name == "ratio" else 0
        return f"; {even} is equal" if isinstance(relation, Equal) else "; small is good"
    if name == "measured / bound":
        return f"; {'large' if relation.at_least else 'small'} is good, 1 is at the bound"
    return ""


def _distance(values):
    """How far the nearest stays away from a limit, or goes beyond it."""
    least = min(value.low for value in values)
    if least == 0:
        return "it is reached"
    return f"beyond it by {-least:.2g}" if least < 0 else f"it stays {least:.3g} away"


def _short(value, digits=3):
    return str(shown(value, digits)).replace(" to ", "–")


def _apart(low: Range, high: Range):
    """Both ends in 3 digits, in 5 where 3 hide the difference."""
    short = _short(low), _short(high)
    return short if short[0] != short[1] or low == high else (_short(low, 5), _short(high, 5))
