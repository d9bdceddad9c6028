"""How a paper's file says what is a claim: decorators that note functions, and entries without evidence."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from projfree.common.names import require

from ..common import rooms
from .findings import ASKS


@dataclass
class Claim:
    """One sentence of a paper, or a part of one.

    Attributes
    ----------
    id : str
        ``C3``, or ``C3.a`` for one of several parts.
    statement : str
        What is asked: the docstring.
    part : str
        What a part says, in a few words.
    headline : bool
        Whether it counts in the verdict of its claim; a part that concedes or explains does not.
    late : bool
        Whether the sentence is about what comes at the end of the axis: a shorter run never fails it.
    readings : dict
        Name → (arguments, entry of the register that it is a choice of).
    refused : list of dict
        Arguments under which it has to fail on planted curves.
    why : str
        Of what is not judged, the reason.
    of, needed : list of str
        Of what follows from other claims, their ids.
    """

    id: str
    statement: str = ""
    where: str = ""
    quote: str = ""
    part: str = ""
    ask: str = "everywhere"
    headline: bool = True
    late: bool = False
    note: str = ""
    function: Callable | None = None
    readings: dict = field(default_factory=dict)
    refused: list = field(default_factory=list)
    why: str = ""
    panels: list = field(default_factory=list)
    of: list = field(default_factory=list)
    needed: list = field(default_factory=list)

    @property
    def base(self) -> str:
        """The id of the whole claim."""
        return self.id.partition(".")[0]


#: Module → its claims in order, as the decorators noted them.
_noted: dict[str, dict[str, Claim]] = {}


def _note(module, claim):
    if claim.ask not in ASKS:
        raise ValueError(f"{claim.id}: unknown quantifier {claim.ask!r}; known: {', '.join(ASKS)}")
    known = _noted.setdefault(module, {})
    if claim.id in known:
        raise ValueError(f"{module}: two claims are called {claim.id}")
    known[claim.id] = claim


#: In a docstring the place and the words of a sentence: ``§6.1, figure 2: “NCGS outperforms FW”``.
QUOTED = re.compile(r"(.+?): “(.+)”")


def claim(
    id: str,
    part: str = "",
    *,
    ask: str = "everywhere",
    headline=True,
    late=False,
    readings=None,
    refused=(),
    where="",
    quote="",
):
    """Make a function a claim: ``evidence, *, keywords with defaults`` → findings.

    The first paragraph of its docstring is the statement, what exactly is asked. One that reads ``place:
    “words”`` is the sentence of the paper; a part without one has that of the part before. Others are a
    note.

    Parameters
    ----------
    id, part, ask, headline, late
        See `Claim`.
    readings : dict, optional
        Name → arguments under which the claim is judged again; ``choice`` is the entry of the register that
        they vary.
    refused : iterable of dict
        Arguments under which the claim has to fail, where the exchange of the two sides of its measures,
        which tests try on every claim, is no control.
    where, quote : str
        The sentence, where a factory makes several claims.
    """

    def noted(function):
        paragraphs = [" ".join(each.split()) for each in (function.__doc__ or "").split("\n\n")]
        if not paragraphs[0]:
            raise ValueError(f"{id}: the docstring is the statement, and {function.__name__} has none")
        entry = Claim(id, paragraphs[0], where, quote, part, ask, headline, late, function=function)
        for each in paragraphs[1:]:
            sentence = QUOTED.fullmatch(each)
            entry.where, entry.quote = sentence.groups() if sentence else (entry.where, entry.quote)
            entry.note += "" if sentence else f" {each}" if entry.note else each
        for name, arguments in (readings or {}).items():
            entry.readings[name] = (
                {k: v for k, v in arguments.items() if k != "choice"},
                arguments.get("choice", ""),
            )
        entry.refused = list(refused)
        _note(function.__module__, entry)
        return function

    return noted


def statement(text: str) -> Callable:
    """Make a lambda a claim; keywords of `claim` follow it.

    `text` is ``id, part: `` and what the docstring of a claim has::

        statement("T1.b, calls: At most ⌈6D²/(γη)⌉ linear minimisations.")(
            lambda e: at_most(e["t1"], "condg", "lo_calls", "lo_bound")
        )
    """
    head, _, words = text.partition(": ")
    id, _, part = head.partition(", ")

    def noted(function, **options):
        function.__doc__ = words
        return claim(id, part, **options)(function)

    return noted


def unjudged(id: str, *, where: str, quote: str, why: str, part: str = "", panels=()) -> None:
    """Note a sentence that no run of ours can judge, why, and the panels where its numbers can be seen."""
    module = sys._getframe(1).f_globals["__name__"]
    _note(module, Claim(id, "", where, quote, part, headline=not part, why=why, panels=list(panels)))


def follows(
    id: str, *, of, where: str, quote: str, ask: str = "everywhere", needed=(), part: str = "", note=""
):
    """Note a sentence whose verdict is that of other claims; it fails with those that it needs."""
    module = sys._getframe(1).f_globals["__name__"]
    entry = Claim(
        id,
        f"Follows from {', '.join(of)}.",
        where,
        quote,
        part,
        ask,
        note=note,
        of=list(of),
        needed=list(needed),
    )
    require(needed, of, "claim", f"{id} needs")
    _note(module, entry)


def noted(module: str) -> list[Claim]:
    """The claims of a module, or of the modules of a package, in their order."""
    inside = (name for name in _noted if name == module or name.startswith(f"{module}."))
    return [claim for name in inside for claim in _noted[name].values()]


def claims_of(paper: str) -> list[Claim]:
    """The claims of a paper: ``papers/<paper>/claims.py``, or all modules of ``claims/``.

    Raises
    ------
    ValueError
        For two claims of a name, and for one that follows from what is no claim.
    """
    claims = noted(rooms.whole(paper, "claims"))
    names = [each.id for each in claims]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{paper}: two claims are called {', '.join(twice)}")
    known = {*names, *(each.base for each in claims)}
    sentences: dict[str, tuple[str, str]] = {}
    for each in claims:  # a part without a sentence of its own has that of the part before
        if not each.quote:
            each.where, each.quote = sentences.get(each.base, ("", ""))
        sentences[each.base] = each.where, each.quote
        require(each.of, known, "claim", f"{paper}: {each.id} follows")
    return claims
