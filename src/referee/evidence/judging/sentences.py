"""A judgement in plain sentences: what happened, by how much and where; then what was required.

The subject comes first, a clause has one number, a ratio is above 1 ("2 times slower"), a range has one unit
and is over panels that are decided.
"""

from dataclasses import replace
from itertools import groupby, pairwise

from ...ground.operands import ON, OVER, parts
from ..relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost, Turns
from ..relations.base import CLEARLY
from ..statistics.base import parameters_of
from ..words import axis_label, between, figure, listed, medians, reason_words
from .ranges import ANY, Range

#: Axes on which less is faster; on others it is fewer calls.
UNITS = {
    "cpu_seconds": "CPU seconds",
    "wall_seconds": "wall seconds",
    "model_seconds": "model seconds",
}
#: So many places are named; of more it is said how many they are.
FEW = 3
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
    if isinstance(sentence.relation, Less):
        sentence = replace(sentence, relation=replace(sentence.relation, a="", than=""), label="")
    return repr(sentence)


def _is_one(group):
    """Whether one sentence says it of each of some methods against each of others, all with one verdict."""
    relations = [j.sentence.relation for j in group]
    if len(group) == 1 or not isinstance(relations[0], Less):
        return len(group) == 1
    pairs = {(str(r.a), str(r.than)) for r in relations}
    product = len(pairs) == len({a for a, _ in pairs}) * len({than for _, than in pairs})
    return product and len({p.verdict(j.sentence.quota) for j in group for p in j.panels}) == 1


def subject(sentence) -> str:
    """What of the curves a sentence is about, whatever it says of it."""
    words = _words(sentence)
    return f"{words['when']}{words['what']}{words['where']}"


def unit(axis: str) -> str:
    """Words for what an axis counts."""
    return UNITS.get(axis, axis_label(axis))


def _words(sentence):
    said, options = sentence.function.said, parameters_of(sentence.function) | sentence.options
    given = {key: axis_label(v) if isinstance(v, str) else v for key, v in options.items()}
    name = axis_label(str(sentence.read.get("metric", "")))
    upper = sentence.read.get("upper")
    given |= {"over": unit(sentence.over), "name": name, "target": _target(name, options.get("level"))}
    given["metric"] = f"the {name}" if upper is None else f"{upper:g} − {name}"
    where = sentence.read.get("where") or {}
    chosen = " and ".join(f"{axis_label(column)} is {_some(value)}" for column, value in where.items())
    found = {key: words.format_map(given) for key, words in said._asdict().items()}
    return found | {"where": f" where {chosen}" if chosen else "", "name": name}


def _target(name, level):
    if level is None:
        return f"the same {name}"
    return f"{name} {_some([figure(float(v)) for v in (level if isinstance(level, list) else [level])])}"


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
        """What happened where it is decided, what was required, and what is undecided."""
        held, other, opened = (
            [panel for panel, word in self.panels if word in words]
            for words in (("holds",), ("holds_in_part", "fails"), (OPEN,))
        )
        clauses = [self._clause(panels) + self._place(panels) for panels in (held, other) if panels]
        if not clauses:
            return f"Undecided: {self._open_clause(opened)}."
        told = f"{_capital('; '.join(clauses))}. Required: {self._required()}{self._met()}."
        return told + (f" Undecided{self._place(opened)}: {self._why(opened)}." if opened else "")

    def _met(self):
        """In how many of the decided seeds it was so."""
        true, false, left = (
            sum(j.counts[key] for j in self.group) for key in ("true", "false", "untestable")
        )
        noun = "comparisons" if len(self.group) > 1 else "seeds"
        undecided = f" ({left} undecided)" if left else ""
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
        number = self._clause(panels) if self._spans(panels) else ""
        why = self._why(panels)
        return (number + self._place(panels) + f"; {why}") if number else why + self._place(panels)

    def _why(self, panels):
        reasons = [cell.why for panel in panels for cell in panel.cells.values() if cell.why]
        reasons += [panel.missing for panel in panels if panel.missing]
        return "; ".join(dict.fromkeys(map(reason_words, reasons))) or "too few seeds are decided"

    def _spans(self, panels, name=None):
        """Measured word → the range over panels, of the first word that each has or of one."""
        found = {}
        for panel in panels:
            values = {word: r for word, r in medians(panel).items() if _known(r)}
            word = name if name in values else None if name else next(iter(values), None)
            if word:
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
        return [
            _each([_named(getattr(r, side), self.methods) for r in relations]) for side in ("a", "than")
        ]

    def _less(self, panels):
        a, than = self._sides()
        return self._never(panels, a, than) or self._compared(a, than, self._spans(panels))

    def _never(self, panels, a, than):
        """Of one level that one of them did not reach in time: until when, and when the other did."""
        if not self.words["to"] or len(panels) != 1 or len(self.group) > 1:
            return ""
        values = medians(panels[0])
        mine, other = (values.get(str(self.relation.operands[side]), ANY) for side in (0, 1))
        if _late(mine) == _late(other) or ANY in (mine, other):
            return ""
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
        if not words["to"]:
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
            return f"at least {figure(factor, 3)} times {less}"
        return f"at most {figure(1 / factor, 3)} times as much"

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
            to = "" if self.relation.to == 0 else f"difference of {figure(self.relation.to)} and "
            said = f"the largest {to}{self._what()}" if to else f"the largest {self._bare()}"
            return f"{said} was {between(span, 2)}"
        a, b = (_named(side, self.methods) for side in (self.relation.a, self.relation.to))
        told = []
        for word, span in self._spans(panels).items():
            if word == "difference":
                told.append(f"{self.words['what']} of {a} was {_signed(span)} that of {b}{self._when()}")
            elif self.words["to"]:
                told.append(f"{a} {_past(self.words['to'])} in {between(span)} times the {unit(self.sentence.over)} of {b}")
            else:
                told.append(f"{self.words['what']} of {a} was {between(span, 3)} times that of {b}{self._when()}")
        return "; ".join(told) or f"no number is known of {a} and {b}"

    def _equal_required(self):
        relation = self.relation
        if relation.to_number:
            return f"{figure(relation.to, 4)} (tolerance {figure(relation.within)})"
        if relation.within is None:
            return "equal, as far as the figure shows"
        return f"equal within a factor of {figure(1 + relation.within, 3)}"

    # Bounds and slopes

    def _what(self):
        """What is bounded, of which methods where it names them."""
        return f"{self.words['what']}{self._of_whom()}{self._when()}"

    def _bare(self):
        return self._what().removeprefix("the ")

    def _of_whom(self):
        names = self.relation.a if isinstance(self.relation, Equal) else self.relation.methods
        if names is None:
            return ""
        return f" of {_each([_named(n, self.methods) for n in (names if isinstance(names, list) else [names])])}"

    def _at_most(self, panels):
        (word, span), *_ = self._spans(panels).items() or [("", ANY)]
        relation, side = self.relation, self.relation.at_least
        if relation.absolute:
            ends = [relation.bound + (end if side else -end) for end in span]
            return f"{self._what()} was at {'least' if side else 'most'} {between(Range(*sorted(ends)), 3)}"
        best = self._spans(panels, "at best").get("at best", span)
        worst = "" if best == span else f" at {'least' if side else 'most'}"
        if isinstance(relation.bound, str):
            return f"{self._what()} was{worst} {_share(span)} its {'lower ' * side}bound"
        limit = relation.factor * relation.bound
        return f"{self._what()} was{worst} {between(Range(span.low * limit, span.high * limit), 3)}"

    def _at_most_required(self):
        relation = self.relation
        side = f"at {'least' if relation.at_least else 'most'}"
        if isinstance(relation.bound, str):
            times = f"{figure(relation.factor, 3)} times " if relation.factor != 1 else ""
            return f"{side} {times}the bound ({axis_label(relation.bound)})"
        tolerance = f" (tolerance {figure(relation.within)})" if relation.within else ""
        factor = (CLEARLY if relation.at_least else 1 / CLEARLY) if relation.clearly else relation.factor
        return f"{side} {figure(factor * relation.bound, 4)}{tolerance}"

    def _slope(self, panels):
        span = next(iter(self._spans(panels).values()), ANY)
        against = self.sentence.options.get("against")
        if self.sentence.statistic != "slope" or not against:
            return f"{self._what()} was {between(span, 3)}"
        name = f"the {self.words['name']}{self._of_whom()}{self.words['where']}"
        grew = "fell" if span.high < 0 else "grew" if span.low > 0 else "changed"
        return f"{name} {grew} as ({axis_label(against)})^({between(span, 3)})"

    def _slope_required(self):
        return f"an exponent of at most {figure(self.relation.order, 3)} (tolerance {figure(self.relation.within)})"

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
    return words[:1].upper() + words[1:]


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
        inverse = Range(1 / span.high if span.high else float("inf"), 1 / span.low if span.low else float("inf"))
        return between(inverse), less
    if span.low >= 1:
        return between(span), more
    return between(span), ""


def _signed(span):
    if span.high <= 0:
        return f"{between(Range(-span.high, -span.low))} below"
    return f"{between(span)} above"


def _share(span):
    """A share of a bound: per cent, or how many times it."""
    if span.low >= 2:
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
