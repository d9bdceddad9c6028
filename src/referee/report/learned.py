"""What a run says over all its papers: sentences, each computed from verdicts and linked to them."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pandas as pd

from ..evidence.alternatives import comparable, read_alternatives
from ..evidence.judging.cost_model import MODEL
from ..evidence.words import VERDICTS
from ..ground import bounded
from .context import read_claims, with_later
from .html import write_html
from .values import text

NEAR = 10  # times dearer or cheaper: as much as machines differ in what an oracle costs
#: How the inverse search says that a fact is met, in words.
MET = {
    "reproduced by everything": "by every choice",
    "reproduced by the default": "by ours among others",
    "reproduced by another choice only": "by another only",
    "reproduced by nothing": "by none",
    "not testable": "cannot be tested",
}
CLOCK_VIEW = MODEL.replace("_", " ")


@dataclass(frozen=True)
class Claim:
    """A top claim or check of a paper: its entry, its page, and the choices that turn it.

    ``turned`` is None where no alternative was judged.
    """

    paper: str
    entry: dict
    href: str
    turned: list | None

    @property
    def link(self):
        """(words, address) of its page."""
        return self.entry["id"], self.href

    @property
    def theory(self):
        """Whether it checks a theorem."""
        return "-T" in self.entry["id"]

    def has(self, verdict, kind="verdict"):
        """Whether that is its verdict."""
        return self.entry[kind] == verdict


@dataclass(frozen=True)
class Sentence:
    """A finding: its name, its words, the claims that it is about, where more stands."""

    name: str
    words: str
    links: list
    more: str = "ledger.html"


def write_learned(reports_dir, output, papers):
    """Write the page of what was learned and return its sentences.

    Parameters
    ----------
    reports_dir : Path
        Folder of the run, with ``<paper>/claims.json`` and ``<paper>/tables``.
    output : Path
        Beside or above the papers' folders.
    papers : list of str
    """
    found = learned([Path(reports_dir, name) for name in papers], output.parent)
    write_html("learned.html.j2", output, here=None, sentences=found)
    return found


def learned(folders, base):
    """Sentences on papers' report folders, addresses relative to `base`; what is not known is left out."""
    claims = [claim for folder in folders for claim in top_claims(folder, base)]
    facts = {folder.name: _table(folder / "tables" / "inverse-facts.csv") for folder in folders}
    own, checks = ([c for c in claims if c.theory is theory] for theory in (False, True))
    told = (*(tell(own) for tell in SENTENCES), _theory(checks), _untested(own, checks), _facts(facts))
    return [*filter(None, told)]


def top_claims(folder, base):
    """A paper's claims and checks without their parts."""
    table = folder / "tables" / "alternatives.csv"
    others = comparable(read_alternatives(table)) if table.is_file() else None
    for entry in map(with_later, read_claims(folder / "claims.json")):
        if "." not in entry["id"]:
            yield Claim(folder.name, entry, address(folder, base, entry["id"]), _turned(others, entry["id"]))


def address(folder, base, claim):
    """Where a claim is shown: on its own page, or, in a report of an earlier version, on its paper's."""
    page = folder / "pages" / f"claim-{claim}.html"
    if page.is_file():
        return page.relative_to(base).as_posix()
    return (folder / "index.html").relative_to(base).as_posix() + f"#claim-{claim}"


def _table(path):
    return bounded.table(path, dtype=str, keep_default_na=False) if path.is_file() else pd.DataFrame()


def _turned(table, claim):
    """Choices whose alternatives turn a claim's verdict; None where none was judged."""
    if table is None:
        return None
    own = table[table["claim"] == claim]
    return list(dict.fromkeys(own["deviation"][own["turns"] == "yes"])) if len(own) else None


def _links(claims):
    return [claim.link for claim in claims]


def _papers(claims):
    """``ncgs 3, gcg 5``: how many of each paper."""
    return ", ".join(f"{paper} {count}" for paper, count in Counter(c.paper for c in claims).items())


def _number(count, one, several):
    """``1 fails``, ``2 fail``."""
    return f"{count} {one if count == 1 else several}"


def _standing(claims):
    """How many claims hold at all."""
    judged = [c for c in claims if not c.has("not_testable")]
    held = [c for c in judged if c.has("holds")]
    words = (
        f"{len(held)} of the {len(judged)} claims that could be judged hold against the papers’ own baselines"
    )
    told = f" ({_papers(held)})" if held else ""
    return Sentence("standing", f"{words}{told}; the papers make {len(claims)}.", _links(held))


def _strong(claims):
    """Which of them survive strong baselines."""
    held = [c for c in claims if c.has("holds") and c.entry["verdict_strong"] is not None]
    if not held:
        return None
    by = {verdict: [c for c in held if c.has(verdict, "verdict_strong")] for verdict in VERDICTS}
    words = f"Of {len(held)} that hold and have a strong baseline {len(by['holds'])} hold against it too"
    part = f", {len(by['holds_in_part'])} in part" if by["holds_in_part"] else ""
    names = ", ".join(c.entry["id"] for c in by["fails"])
    lost = f", {_number(len(by['fails']), 'fails', 'fail')} against it: {names}" if names else ""
    mute = f", {len(by['not_testable'])} cannot be told" if by["not_testable"] else ""
    return Sentence("strong", f"{words}{part}{mute}{lost}.", _links(by["holds"]))


def _one_choice(claims):
    """Which turn on a single choice that the paper leaves open."""
    asked = [c for c in claims if c.turned is not None]
    turned = [c for c in asked if c.turned]
    single = [c for c in turned if len(c.turned) == 1]
    if not asked:
        return None
    alone = f"{len(single)} of them with one choice alone" if single else "each of them with several"
    words = (
        f"Of {len(asked)} claims that were judged under alternatives "
        f"{_number(len(turned), 'turns', 'turn')} with a choice that the paper leaves open"
    )
    return Sentence("one-choice", words + f", {alone}" * bool(turned) + ".", _links(single or turned))


def _deciding(claims):
    """The choice that turns most."""
    turned = [(c, choice) for c in claims for choice in c.turned or []]
    if not turned:
        return None
    (paper, choice), count = Counter((c.paper, choice) for c, choice in turned).most_common(1)[0]
    own = [c for c, name in turned if (c.paper, name) == (paper, choice)]
    turns = _number(count, "verdict", "verdicts")
    words = f"The choice that decides most is {choice} of {paper}: it turns {turns}."
    return Sentence("deciding", words, _links(own), f"{paper}/pages/register.html#deviation-{choice}")


def _hardware(claims):
    """Which turn on what an oracle costs, and on the clock."""
    priced = [c for c in claims if c.entry["flip_factor"]]
    if not priced:
        return None
    near = [c for c in priced if _nearest(c.entry) <= NEAR]
    clocked = [c for c in priced if CLOCK_VIEW in c.entry["fragility"].get("flips", [])]
    words = (
        f"Of {len(priced)} verdicts on seconds {_number(len(near), 'turns', 'turn')} where one oracle costs "
        f"at most {NEAR} times more or less than here"
    )
    differ = _number(len(clocked), "differs", "differ")
    other = f"; {differ} between measured seconds and seconds made of counts" if clocked else ""
    return Sentence("hardware", f"{words}{other}.", _links(near))


def _nearest(entry):
    """How many times dearer or cheaper an oracle has to be for the verdict to turn, at least."""
    factors = [factor for found in entry["flip_factor"].values() for factor in found]
    return min((max(factor, 1 / factor) for factor in factors), default=float("inf"))


def _robust(claims):
    """How firm verdicts are, and what turns them most."""
    graded = [c for c in claims if c.entry["fragility"].get("grade") in ("robust", "leaning", "fragile")]
    if not graded:
        return None
    robust = [c for c in graded if c.entry["fragility"]["grade"] == "robust"]
    fragile = sum(c.entry["fragility"]["grade"] == "fragile" for c in graded)
    views = Counter(view for c in graded for view in c.entry["fragility"]["flips"]).most_common(1)
    most = f"; what turns most is “{views[0][0]}” ({views[0][1]})" if views else ""
    words = f"{len(robust)} of {len(graded)} graded verdicts are robust, {fragile} fragile{most}."
    return Sentence("robust", words, _links(robust), "ledger.html#robustness=robust")


def _theory(checks):
    """How the theory fares, and how much its bounds say."""
    held = [c for c in checks if c.has("holds")]
    tight = [c.entry["tightness"]["worst"] for c in checks if "worst" in c.entry["tightness"]]
    vacuous = [c for c in checks if c.entry["vacuous"]]
    told = f"; its bounds are met at {text(median(tight))} of their value in the median" if tight else ""
    mute = _number(len(vacuous), "check says", "checks say")
    lost = f"; {mute} nothing, as a planted error passes too" if vacuous else ""
    rest = [c.entry["id"] for c in checks if c.has("holds_in_part") or c.has("fails")]
    less = f", not or in part only {', '.join(rest)}" if rest else ""
    words = f"Beside the claims, {len(held)} of {len(checks)} checks of the theory hold{less}{told}{lost}."
    return Sentence("theory", words, _links(held)) if checks else None


def _data(claims):
    """What stand-in data do to verdicts."""
    judged = [c for c in claims if not c.has("not_testable")]
    sides = [[c for c in judged if c.entry["stand_in"] == yes] for yes in (True, False)]
    if not all(sides):
        return None
    shares = [f"{sum(c.has('holds') for c in side)} of {len(side)}" for side in sides]
    words = f"On stand-in data {shares[0]} claims hold, on data as in the papers {shares[1]}."
    return Sentence("data", words, _links(sides[0]), "ledger.html#data=stand-in")


def _untested(claims, checks):
    """What could not be tested, and why."""
    open_, mute = ([c for c in some if c.has("not_testable")] for some in (claims, checks))
    own = [*open_, *mute]
    reasons = Counter()
    for claim in own:
        reasons.update((claim.entry["cells"] or {}).get("reasons", {}))
    why = ", ".join(f"{reason} ({count} cells)" for reason, count in reasons.most_common(2))
    words = f"{_number(len(open_), 'claim', 'claims')} and {_number(len(mute), 'check', 'checks')}"
    words += " of the theory cannot be tested"
    words += f", most often: {why}." if why else "."
    return Sentence("untested", words, _links(own), "ledger.html#verdict=not+testable") if own else None


def _in_part(claims):
    """Which hold only somewhere."""
    own = [c for c in claims if c.has("holds_in_part")]
    failed = [c for c in claims if c.has("fails")]
    held = _number(len(own), "claim holds", "claims hold")
    words = f"{held} in some panels or seeds only, {_number(len(failed), 'fails', 'fail')}"
    words += f": {_papers(failed)}." if failed else "."
    return Sentence("in-part", words, _links(failed), "ledger.html#verdict=fails")


def _facts(tables):
    """What the inverse search found of the facts that papers state."""
    found = Counter(word for table in tables.values() if len(table) for word in table["found"])
    total = sum(found.values())
    if not total:
        return None
    met = ", ".join(f"{found[word]} {told}" for word, told in MET.items() if found[word])
    words = f"Of {total} facts that the papers state or draw are met: {met}."
    links = [(name, f"{name}/pages/inverse.html") for name, table in tables.items() if len(table)]
    return Sentence("inverse", words, links, "")


SENTENCES = (
    _standing,
    _strong,
    _in_part,
    _one_choice,
    _deciding,
    _hardware,
    _robust,
    _data,
)
