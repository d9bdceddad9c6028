"""The thresholds of a claim in plain words: a factor, a tolerance or a bound, and its quantity."""

from ..evidence.judging.entry import thresholds
from ..evidence.judging.race import VISIBLE
from ..evidence.judging.sentences import subject
from ..evidence.relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost, Turns
from ..evidence.relations.base import CLEARLY
from ..evidence.words import axis_label
from .claims import sentences_of
from .values import text

VISIBLY = (
    f"Visibly: by more than {100 * VISIBLE:g} % of the drawn axis, or of a time. What is nearer coincides: "
    "neither is less, on whichever side of 1 their ratio is."
)


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
        were judged; ``visibly``, what that word means where they have it; ``follows``, the ids of the claims
        that it follows from.
    """
    sentences, ids = sentences_of(spec), {entry["id"] for entry in entries}
    return {
        e["id"]: _words(e, sentences.get(e["id"])) | {"follows": _followed(e, spec["prefix"], ids)}
        for e in entries
    }


def _followed(entry, prefix, ids):
    """Ids of other claims that its thresholds are named by."""
    named = entry["threshold"] if isinstance(entry["threshold"], dict) else {}
    names = [f"{prefix}-{name}" for name in named]
    return names if ids.issuperset(names) else []


def _words(entry, sentences):
    if not sentences or thresholds(sentences) != entry["threshold"]:
        return {"asked": [], "visibly": ""}
    lines = _lines(sentences)
    return {
        "asked": lines,
        "visibly": VISIBLY if any("visibly" in line for line in lines) else "",
    }


def _lines(sentences):
    return list(dict.fromkeys(f"{_subject(s)}: {asked(s)}" for s in sentences))


def _subject(sentence):
    return subject(sentence) + " above the least value known" * bool(sentence.read.get("excess"))


def asked(sentence) -> str:
    """The threshold of one statement: “at least 6 times less”, “at most 0.5”, “equal within 1.25 times”."""
    return WORDS[type(sentence.relation)](sentence.relation) + _how_often(sentence)


def _times_less(relation):
    if getattr(relation, "clearly", False):
        return f"at least {CLEARLY:g} times less (“clearly”)"
    if relation.factor == 1:
        return "visibly less"
    if relation.factor < 1:
        return f"at most {text(1 / relation.factor, 4)} times as much"
    return f"at least {_exact(relation.factor)} times less"


def _ordered(relation):
    return f"each {_times_less(relation)} {'as' if relation.factor < 1 else 'than'} the next"


def _equal(relation):
    if not relation.to_number:
        return (
            f"equal within {_exact(1 + relation.within)} times" if relation.within else "not to be told apart"
        )
    within = f" within {_exact(relation.within)}" if relation.within else ""
    return f"{'' if within else 'exactly '}{_exact(relation.to)}{within}"


def _at_most(relation):
    side = "at least" if relation.at_least else "at most"
    if relation.absolute:
        return f"{side} {_exact(relation.bound)}" + _leeway(relation.within)
    return f"{side} {_limit(relation)}" + _leeway(relation.slack, " of it")


def _limit(relation):
    factor = relation.factor
    if getattr(relation, "clearly", False):
        factor = CLEARLY if relation.at_least else 1 / CLEARLY
    if not isinstance(relation.bound, str):
        return _exact(factor * relation.bound)
    return (f"{_exact(factor)} times " if factor != 1 else "") + f"the {axis_label(relation.bound)}"


def _slope(relation):
    return f"at most {_exact(relation.order)}" + _leeway(relation.within)


def _leeway(tolerance, of=""):
    return f", give or take {_exact(tolerance)}{of}" if tolerance else ""


def _monotone(relation):
    return f"never {'falling' if relation.rising else 'rising'} {_step(relation)}"


def _turns(relation):
    return f"falling, then ending above its least value, both {_step(relation)}"


def _step(shape):
    """The step that counts: a difference, on a logarithmic axis a factor; else what a reader sees."""
    if not shape.within:
        return "visibly"
    return f"by more than {_exact(shape.within)} (on a logarithmic axis {_exact(1 + shape.within)} times)"


def _how_often(sentence):
    """How many of several entries (levels of a time, places of a curve) have to meet the requirement."""
    quota = getattr(sentence.relation, "quota", None)
    timed = bool(sentence.said.to)
    of = "levels" if timed else "values compared"
    if quota is None:
        median = isinstance(sentence.relation, Less) and timed
        return " in the median over the levels" if median else ""
    return f", at {_exact(100 * quota)} % of the {of} or more" if quota < 1 else ""


def _exact(value):
    return text(value, 6)


#: Relation → what it asks, without the methods that it asks it of.
WORDS = {
    Less: _times_less,
    Order: _ordered,
    Equal: _equal,
    AtMost: _at_most,
    SlopeAtMost: _slope,
    Monotone: _monotone,
    Turns: _turns,
}
