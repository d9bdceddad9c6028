"""The claims of all papers of a run: their addresses, and what the verdicts say together."""

from collections import Counter
from dataclasses import dataclass

from ..evidence.words import HEADLINES, VERDICTS
from .context import read_claims, with_later


@dataclass(frozen=True)
class Claim:
    """A top claim or check of a paper: its entry and its page."""

    paper: str
    entry: dict
    href: str

    @property
    def link(self):
        """(words, address) of its page."""
        return self.entry["id"], self.href

    @property
    def theory(self):
        """Whether it checks a theorem."""
        return "-T" in self.entry["id"]


def top_claims(folder, base):
    """A paper's claims and checks without their parts."""
    for entry in map(with_later, read_claims(folder / "claims.json")):
        if "." not in entry["id"]:
            yield Claim(folder.name, entry, address(folder, base, entry["id"]))


def address(folder, base, claim):
    """Address of a claim's page."""
    return (folder / f"pages/claim-{claim}.html").relative_to(base).as_posix()


def together(claims) -> list[str]:
    """Sentences on all verdicts: how many claims and checks hold, as published and in a fair comparison."""
    claims = list(claims)
    own, checks = ([c.entry for c in claims if c.theory is theory] for theory in (False, True))
    return [*filter(None, (_headlines(own), _fair(own), _checks(checks)))]


def _headlines(entries):
    counts = Counter(entry["headline"] for entry in entries)
    return f"We judged {len(entries)} claims: {_counted(counts, HEADLINES)}." if entries else ""


def _fair(entries):
    """Both columns of those that were run in a fair comparison too: none is left out."""
    both = [entry for entry in entries if entry["verdict_strong"] is not None]
    if not both:
        return ""
    columns = [
        _counted(Counter(entry[kind] for entry in both), VERDICTS) for kind in ("verdict", "verdict_strong")
    ]
    return (
        f"{len(both)} of them compare methods that we also tuned: as published, {columns[0]}; "
        f"in the fair comparison, {columns[1]}."
    )


def _checks(entries):
    counts = Counter(entry["verdict"] for entry in entries)
    return f"We checked {len(entries)} theorems and bounds: {_counted(counts, VERDICTS)}." if entries else ""


def _counted(counts, words):
    """``39 hold, 11 fail``: each word that occurs, in its order."""
    told = [
        f"{counts[w]} {word.words if counts[w] == 1 else word.of_several}"
        for w, word in words.items()
        if counts[w]
    ]
    return ", ".join(told)
