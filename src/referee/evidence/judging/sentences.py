"""A judgement in plain sentences: what happened, by how much and where; then what was required.

The subject comes first, a clause has one number, a ratio is above 1 ("2 times slower"), a range has one unit
and is over panels that are decided.
"""

import math
from dataclasses import replace
from itertools import groupby, pairwise

from ...ground.operands import ON, OVER, parts
from ..relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost, Turns
from ..relations.base import CLEARLY
from ..words import axis_label, between, exact, figure, listed, medians, reason_words
from .cost_model import MODEL
from .judge import Judgement
from .ranges import ANY, Range

#: Axes on which less is faster; on others it is fewer calls.
UNITS = {"cpu_seconds": "CPU seconds", "wall_seconds": "wall seconds", "model_seconds": "model seconds"}
#: So many places are named; of more it is said how many they are.
FEW = 3
#: More methods than these are counted, not named.
MANY = 6
OPEN = "not_testable"


def verdict_text(judgements: list, methods: dict[str, str], titles: dict[str, str]) -> str:
    """Sentences for people, one for all pairs of methods of which the same is asked and found.

    Parameters
    ----------
    methods : dict
        Method → how it is called in the figures.
    titles : dict
        Panel → what it is called.
    """
    titles = {name: f"“{title}”" for name, title in titles.items()}
    names = methods | {OVER: " over ", ON: " on "} | {ON + name: title for name, title in titles.items()}
    groups = [list(group) for _, group in groupby(judgements, lambda j: _asked(j.sentence))]
    parts = [part for group in groups for part in ([group] if _is_one(group) else [[j] for j in group])]
    return " ".join(dict.fromkeys(_Told(part, names, titles).text() for part in parts))


def _asked(sentence):
    """What a sentence says, whichever two methods it compares."""
    names = {field: "" for field in _sides_of(sentence.relation)}
    return repr(
        replace(sentence, relation=replace(sentence.relation, **names), label="") if names else sentence
    )


def _sides_of(relation):
    """Fields of a relation that name whom it compares, or whom it bounds."""
    if isinstance(relation, Less):
        return "a", "than"
    if isinstance(relation, Equal):
        return ("a",) if relation.to_number and relation.a else ()
    return ("methods",) if not isinstance(relation, Order) and relation.methods else ()


def _is_one(group):
    """Whether one sentence says it of each of some methods, against each of others, all with one verdict."""
    if len(group) == 1:
        return True
    relations = [j.sentence.relation for j in group]
    pairs = {tuple(str(getattr(r, side)) for side in _sides_of(r)) for r in relations}
    sides = [len(set(side)) for side in zip(*pairs, strict=True)]
    verdicts = {p.verdict(j.sentence.quota) for j in group for p in j.panels}
    return len(pairs) == math.prod(sides) and len(verdicts | {OPEN}) == 2


def required_text(sentence, methods: dict[str, str]) -> str:
    """The quantity that a sentence is about, and the requirement: “the test RMSE at the end: at most 0.5”."""
    words = _words(sentence)
    about = f"{words['what']} {words['when'].strip()}".rstrip() + words["where"]
    about += " above the least value known" * bool(sentence.read.get("excess"))
    return f"{about}: {_Told([Judgement(sentence)], methods, {})._required()}"


def unit(axis: str) -> str:
    """Words for the unit of an axis."""
    return UNITS.get(axis, axis_label(axis))


def _words(sentence):
    said, options = sentence.said, sentence.given
    given = {key: axis_label(v) if isinstance(v, str) else v for key, v in options.items()}
    name = axis_label(str(sentence.read.get("metric", "")))
    upper = sentence.read.get("upper")
    given |= {"over": unit(sentence.over), "name": name, "target": _target(name, options.get("level"))}
    given["metric"] = f"the {name}" if upper is None else f"{upper:g} − {name}"
    where = sentence.read.get("where") or {}
    chosen = " and ".join(f"{axis_label(column)} is {_some(value)}" for column, value in where.items())
    found = {key: words.format_map(given) for key, words in said._asdict().items()}
    return found | {"where": f" where {chosen}" if chosen else "", "target": given["target"], "name": name}


def _target(name, level):
    if level is None:
        return f"the same {name}"
    levels = level if isinstance(level, list) else [level]
    return f"the level {listed([exact(value) for value in levels])} of the {name}"


def _some(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class _Told:
    """One sentence with the panels of its judgements."""

    def __init__(self, group, methods, titles):
        self.group, self.methods, self.titles = group, methods, titles
        self.sentence = group[0].sentence
        self.relation, self.words = self.sentence.relation, _words(self.sentence)
        quota = self.sentence.quota
        self.panels = [(panel, panel.verdict(quota)) for j in group for panel in j.panels]
        self.names = list(dict.fromkeys(panel.name for panel, _ in self.panels))

    def text(self):
        """The decided result, the requirement, and the undecided panels."""
        held, other, opened = (
            [panel for panel, word in self.panels if word in words]
            for words in (("holds",), ("holds_in_part", "fails"), (OPEN,))
        )
        clauses = [self._clause(panels) + self._place(panels) for panels in (held, other) if panels]
        if not clauses or any(j.vacuous for j in self.group):
            return f"Undecided: {self._open_clause([panel for panel, _ in self.panels])}."
        told = f"{_capital('; '.join(clauses))}. Required: {self._required()}{self._met()}."
        return told + (f" Undecided{self._place(opened)}: {self._why(opened)}." if opened else "")

    def _met(self):
        """In how many of the decided seeds it was so."""
        true, false, left = (
            sum(j.counts[key] for j in self.group) for key in ("true", "false", "untestable")
        )
        noun = "comparisons" if len(self.group) > 1 else "seeds"
        undecided = f" ({left} undecided)" if left else ""
        if true + false == 1:
            return f"; {'met' if true else 'not met'} in one seed{undecided}"
        return f"; met in {true} of {true + false} {noun}{undecided}"

    def _place(self, panels):
        """Where: the names of a few panels, else how many they are."""
        names = list(dict.fromkeys(panel.name for panel in panels))
        if len(names) == len(self.names) > 1:
            return f" ({'both' if len(names) == 2 else f'all {len(names)}'} panels)"
        if len(names) <= FEW:
            return f" ({listed([self.titles[name] for name in names])})"
        return f" ({len(names)} of {len(self.names)} panels)"

    def _open_clause(self, panels):
        number = "" if isinstance(self.relation, Order) or not self._spans(panels) else self._clause(panels)
        why = self._neither(panels) or self._why(panels)
        return (number + self._place(panels) + f"; {why}") if number else why + self._place(panels)

    def _neither(self, panels):
        """Of one level that no side reached: until when."""
        values = [value for panel in panels for value in self._both(panel)]
        if not values or not all(map(_late, values)):
            return ""
        within = f"within {figure(min(r.low for r in values), 3)} {unit(self.sentence.over)}"
        return f"neither {' nor '.join(self._sides())} reached {self.words['target']} {within}"

    def _both(self, panel):
        """Times of both sides, of one level."""
        if not self.words["to"] or not isinstance(self.relation, Less):
            return []
        values = medians(panel)
        return [values[name] for name in map(str, self.relation.operands) if name in values]

    def _why(self, panels):
        if any(j.vacuous for j in self.group):
            return reason_words("its control holds too")
        reasons = [cell.why for panel in panels for cell in panel.cells.values() if cell.why]
        reasons += [panel.missing for panel in panels if panel.missing]
        return "; ".join(dict.fromkeys(map(reason_words, reasons))) or "too few seeds are decided"

    def _spans(self, panels, name=None):
        """Measured word → the range over panels, of the first word that each has or of one."""
        found = {}
        for panel in panels:
            values = medians(panel)
            word = name or next(iter(values), None)
            if word in values and _known(values[word]):
                found.setdefault(word, []).append(values[word])
        return {w: Range(min(r.low for r in rs), max(r.high for r in rs)) for w, rs in found.items()}

    def _clause(self, panels):
        clause = {Less: self._less, Order: self._order, Equal: self._equal, AtMost: self._at_most}
        clause |= {SlopeAtMost: self._slope, Monotone: self._shape, Turns: self._shape}
        return clause[type(self.relation)](panels)

    def _required(self):
        required = {Less: self._less_required, Order: self._order_required, Equal: self._equal_required}
        required |= {AtMost: self._at_most_required, SlopeAtMost: self._slope_required}
        required |= {Monotone: self._shape_required, Turns: self._shape_required}
        return required[type(self.relation)]()

    # Less: one side against the other

    def _sides(self):
        relations = [j.sentence.relation for j in self.group]
        return [_each([_named(getattr(r, side), self.methods) for r in relations]) for side in ("a", "than")]

    def _less(self, panels):
        a, than = self._sides()
        return self._never(panels, a, than) or self._compared(a, than, self._spans(panels))

    def _never(self, panels, a, than):
        """Of one level that one of them did not reach in time: until when, and when the other did."""
        values = self._both(panels[0]) if len(panels) == 1 else []
        if len(values) != 2 or _late(values[0]) == _late(values[1]):
            return ""
        mine, other = values
        slow, fast = ((a, mine), (than, other)) if _late(mine) else ((than, other), (a, mine))
        within = f"within {figure(slow[1].low, 3)} {unit(self.sentence.over)}"
        to = _past(self.words["to"], "did not ")
        return f"{slow[0]} {to}{self.words['where']} {within}; {fast[0]} did in {between(fast[1])}"

    def _compared(self, a, than, spans):
        told = [self._by(a, than, word, span) for word, span in spans.items()]
        return "; ".join(told) or f"no number is known of {a} and {than}"

    def _by(self, a, than, word, span):
        words = self.words
        if word == "difference":
            return f"{words['what']} of {a} was {_signed(span)} that of {than}{self._when()}"
        less, more = self._comparatives()
        by, comparative = _times(span, less, more)
        if not words["to"] or OVER in f"{a}{than}" or " over " in f"{a} {than}":
            if not comparative:
                return f"{words['what']} of {a} was {by} times that of {than}{self._when()}"
            return f"{words['what']} of {a} was {by} times {comparative} than that of {than}{self._when()}"
        to = _past(words["to"]) + words["where"]
        if not comparative:
            return f"{a} {to} in {by} times the {unit(self.sentence.over)} of {than}"
        how = f"{by} times {comparative}"
        return f"{a} {to} {how} than {than}" if self._timed() else f"{a} {to} with {how} than {than}"

    def _timed(self):
        return self.sentence.over in UNITS

    def _comparatives(self):
        if not self.words["to"]:
            return "smaller", "larger"
        calls = unit(self.sentence.over)
        if self.sentence.over == MODEL:
            return "faster in model seconds", "slower in model seconds"
        return ("faster", "slower") if self._timed() else (f"fewer {calls}", f"more {calls}")

    def _when(self):
        when = self.words["when"].strip()
        return f" {when}" * bool(when) + self.words["where"]

    def _less_required(self):
        less, _ = self._comparatives()
        factor = CLEARLY if self.relation.clearly else self.relation.factor
        if factor == 1:
            return less
        if factor > 1:
            return f"at least {exact(factor)} times {less}"
        return f"at most {exact(1 / factor)} times as much"

    # Order: each before the next

    def _order(self, panels):
        """The first pair that breaks it, or what is true of it."""
        methods = self.relation.methods
        for a, than in pairwise(methods):
            spans = self._spans(panels, f"{a} / {than}")
            if any(span.high > 1 for span in spans.values()):
                pair = [_named(side, self.methods) for side in (a, than)]
                return self._compared(*pair, {"ratio": next(iter(spans.values()))})
        return "the required order was found"

    def _order_required(self):
        if self.words["to"]:
            first = "fastest" if self._timed() else f"fewest {unit(self.sentence.over)}"
        else:
            first = f"smallest {self.words['what'].removeprefix('the ')}{self._when()}"
        return f"{', '.join(_named(n, self.methods) for n in self.relation.methods)}, {first} first"

    # Equal, to another or to a number

    def _equal(self, panels):
        if self.relation.to_number:
            (span,) = self._spans(panels).values() or [ANY]
            to = "" if self.relation.to == 0 else f"difference between {exact(self.relation.to)} and "
            said = f"the largest {to}{self._what()}" if to else f"the largest {self._bare()}"
            return f"{said} was {between(span, 2)}"
        a, b = (_named(side, self.methods) for side in (self.relation.a, self.relation.to))
        told = []
        for word, span in self._spans(panels).items():
            if word == "difference":
                told.append(f"{self.words['what']} of {a} was {_signed(span)} that of {b}{self._when()}")
            elif self.words["to"]:
                calls = unit(self.sentence.over)
                told.append(f"{a} {_past(self.words['to'])} in {between(span)} times the {calls} of {b}")
            else:
                told.append(
                    f"{self.words['what']} of {a} was {between(span, 3)} times that of {b}{self._when()}"
                )
        return "; ".join(told) or f"no number is known of {a} and {b}"

    def _equal_required(self):
        relation = self.relation
        if relation.to_number:
            return f"{exact(relation.to)} (tolerance {exact(relation.within)})"
        if relation.within is None:
            return "equal, as far as the figure shows"
        return f"equal within a factor of {exact(1 + relation.within)}"

    # Bounds and slopes

    def _what(self):
        """What is bounded, of which methods where it names them."""
        return f"{self.words['what']}{self._of_whom()}{self._when()}"

    def _bare(self):
        return self._what().removeprefix("the ")

    def _of_whom(self):
        field = "a" if isinstance(self.relation, Equal) else "methods"
        given = [getattr(j.sentence.relation, field) for j in self.group]
        names = [name for some in given if some for name in (some if isinstance(some, list) else [some])]
        if len(set(map(str, names))) > MANY:
            return f" of each of {len(set(map(str, names)))} runs"
        return f" of {_each([_named(name, self.methods) for name in names])}" if names else ""

    def _at_most(self, panels):
        (word, span), *_ = self._spans(panels).items() or [("", ANY)]
        relation, side = self.relation, self.relation.at_least
        if relation.absolute:
            ends = [relation.bound + (end if side else -end) for end in span]
            return f"{self._what()} was at {'least' if side else 'most'} {between(Range(*sorted(ends)), 3)}"
        best = self._spans(panels, "at best").get("at best", span)
        worst = "" if best == span else f" at {'least' if side else 'most'}"
        if isinstance(relation.bound, str):
            share = _share(Range(*(relation.factor * end for end in span)))
            return f"{self._what()} was{worst} {share} the {axis_label(relation.bound)}"
        limit = relation.factor * relation.bound
        return f"{self._what()} was{worst} {between(Range(span.low * limit, span.high * limit), 3)}"

    def _at_most_required(self):
        relation = self.relation
        side = f"at {'least' if relation.at_least else 'most'}"
        factor = (CLEARLY if relation.at_least else 1 / CLEARLY) if relation.clearly else relation.factor
        if isinstance(relation.bound, str):
            if factor == 1:
                return f"{side} as much"
            return f"{side} {_share(Range.of(factor)).removesuffix(' of')}"
        tolerance = f" (tolerance {exact(relation.within)})" if relation.within else ""
        return f"{side} {exact(factor * relation.bound)}{tolerance}"

    def _slope(self, panels):
        span = next(iter(self._spans(panels).values()), ANY)
        against = self.sentence.options.get("against")
        if self.sentence.statistic != "slope" or not against:
            return f"{self._what()} was {between(span, 3)}"
        name = f"the {self.words['name']}{self._of_whom()}{self.words['where']}"
        grew = "fell" if span.high < 0 else "grew" if span.low > 0 else "changed"
        return f"{name} {grew} as ({axis_label(against)})^({between(span, 3)})"

    def _slope_required(self):
        return (
            f"an exponent of at most {exact(self.relation.order)} (tolerance {exact(self.relation.within)})"
        )

    # Shapes

    def _shape(self, panels):
        held = all(panel.holds(self.sentence.quota) for panel in panels)
        if isinstance(self.relation, Turns):
            return f"{self._what()} {'fell, then rose' if held else 'did not fall and then rise'}"
        way = ("fell" if self.relation.rising else "rose") + " on the way"
        return f"{self._what()} {f'never {way}' if held else way + ' or did not change'}"

    def _shape_required(self):
        if isinstance(self.relation, Turns):
            return "a fall, then a rise"
        return f"never {'falling' if self.relation.rising else 'rising'}"


def _capital(words):
    """A sentence's beginning; a method that is written like nmAPG stays as it is."""
    first = words.partition(" ")[0]
    return words[:1].upper() + words[1:] if first == first.lower() else words


def _known(r):
    return r != ANY and r.low == r.low and r.high == r.high and not (r.low <= 0 and r.high == float("inf"))


def _late(r):
    return 0 < r.low < float("inf") == r.high


def _past(to, before=""):
    """“reach …” as it was done, or with “did not ” before it."""
    verb, _, rest = to.partition(" ")
    if before:
        return f"{before}{to}"
    return f"{ {'reach': 'reached', 'come': 'came'}[verb] } {rest}"


def _times(span, less, more):
    """A ratio above 1 with its direction; “0.9–1.1” without one where it lies on both sides."""
    if span.high <= 1:
        inverse = Range(
            1 / span.high if span.high else float("inf"), 1 / span.low if span.low else float("inf")
        )
        return _near_one(inverse), less
    return _near_one(span), more if span.low >= 1 else ""


def _near_one(span):
    return between(span, 4 if span.low > 0.95 and span.high < 1.05 else 2)


def _signed(span):
    if span.high <= 0:
        return f"{between(Range(-span.high, -span.low))} below"
    return f"{between(span)} above"


def _share(span):
    """A share of a bound: per cent, or how many times it."""
    if span.low >= 2 or (span.low > 1 and span.low == span.high):
        return f"{between(span)} times"
    return f"{between(Range(100 * span.low, 100 * span.high))} % of"


def _each(names):
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"each of {listed(names)}"


def _named(text, methods):
    if isinstance(text, list):
        names = [_named(name, methods) for name in text]
        return f"the best of {listed(names)}" if len(names) > 1 else names[0]
    said = parts(str(text))
    return "".join(
        methods.get(ON + part if before == ON else part, part) for before, part in pairwise(["", *said])
    )
