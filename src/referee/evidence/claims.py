"""Claims of a paper → verdicts: the entries of claims.json."""

from ..study.models.claim import Words
from ..study.models.paper import Paper
from .aggregates import combined_fields, follow, heads, named, order, parts_of, raced
from .judging.entry import entry_of
from .judging.quantifiers import conjunction, disjunction, headline, turned
from .judging.views import check_sentences
from .panel import Evidence
from .tables import untuned
from .words import STAMP, brief

#: What an entry says in the words of the paper and ours. The note is told with its remarks; an answer of the
#: paper's authors changes no verdict, so it is not part of one.
TOLD = [name for name in Words.model_fields if name not in ("note", "disputed")]


def check_claims(paper: Paper) -> None:
    """Raise `ValueError` for the first unknown word, parameter, experiment, method or claim."""
    _distinct([claim.id for claim in paper.claims])
    for claim in paper.claims:
        for letter, part in parts_of(claim).items():
            try:
                check_sentences(paper, part)
            except (ValueError, KeyError) as error:
                raise ValueError(f"claim {claim.id}{'.' * bool(letter)}{letter}: {error}") from error
    order(paper.claims)


def _distinct(names):
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"more than one claim is called {', '.join(twice)}")


def evaluate(
    paper: Paper, tidy_dir, tried=(), main: Evidence | None = None, short: bool = False
) -> list[dict]:
    """Judge every claim of a paper by its tidy tables.

    Parameters
    ----------
    paper : Paper
        As a study resolves it.
    tidy_dir : Path
        Folder with ``<experiment>.csv``. What is not there makes claims `not_testable`, naming it.
    tried : iterable of Path, optional
        Tables of tried values: against baselines that these say to be untuned nothing is won.
    main : Evidence, optional
        Of the run that this one is an alternative to.
    short : bool, optional
        Whether the tables are of more seeds or longer runs than the paper's, which are left out.

    Returns
    -------
    list of dict
        Entries of claims.json: each claim, followed by its lettered parts.

    Raises
    ------
    ValueError
        For an unknown word, parameter, experiment, method or claim in the claims.
    """
    check_claims(paper)
    evidence = Evidence(paper, tidy_dir, main=main, short=short)
    evidence.untuned = untuned(tried)
    claims, found = named(paper.claims), {}
    for name in order(paper.claims):
        found[name] = _entry(evidence, *claims[name], found)
    return [{"id": f"{paper.prefix}-{name}", **_noted(found[name])} for name in claims]


def _entry(evidence, claim, part, found):
    """One entry but for its id: a claim of the parts found before, a part, or one that follows."""
    if part is None:
        parts = {name.rpartition(".")[2]: found[name] for name in heads(claim)}
        rule = {"all": conjunction, "some": disjunction}[claim.over_parts]
        return {**_words(claim), **_combined(parts, lambda verdicts: rule(list(verdicts.values())))}
    if part.follows:
        return {**_words(claim, part), **_follows(part, found)}
    return {**_words(claim, part), **entry_of(evidence, part)}


def _noted(entry):
    """The entry with its headline, and its remarks as a note."""
    remarks = entry.pop("remarks")
    told = {
        "headline": headline(entry["verdict"], entry["verdict_strong"]),
        "depends": any(turned(entry["verdict"], found) for found in entry["verdict_readings"].values()),
    }
    return {**entry, **told, "note": " ".join(dict.fromkeys(remarks))}


def _words(claim, part=None):
    return {name: getattr(part or claim, name) or getattr(claim, name) or "" for name in TOLD}


def _follows(part, found):
    """Fields of a part that follows from others, which need not be parts of the same claim."""
    sources = {name: found[name] for name in part.follows.from_}
    entry = _combined(sources, lambda verdicts: follow(verdicts, part.follows.needed))
    untested = [name for name, source in sources.items() if source["verdict"] == "not_testable"]
    remarks = [f"Undecided: {', '.join(untested)}."] if untested else []
    remarks += [remark for remark in entry["remarks"] if remark.startswith(STAMP)]
    remarks += [part.note.strip()] if part.note else []
    return entry | {"remarks": remarks, "extra": part.extra}


def _combined(parts, rule):
    """Fields that follow from those of others; `rule` makes one verdict of a dictionary of verdicts."""
    readings = dict.fromkeys(name for p in parts.values() for name in p["verdict_readings"])

    def verdict(of):
        return rule({name: of(part) for name, part in parts.items()})

    def union(key):
        return list(dict.fromkeys(item for p in parts.values() for item in p[key]))

    return {
        "verdict": verdict(lambda p: p["verdict"]),
        "verdict_strong": verdict(lambda p: p["verdict_strong"] or p["verdict"])
        if any(p["verdict_strong"] for p in parts.values())
        else None,
        "measured": {name: brief(p) for name, p in parts.items()},
        "threshold": {name: p["threshold"] for name, p in parts.items()},
        "race": raced(list(parts.values()), verdict),
        "verdict_readings": {
            reading: verdict(lambda p, r=reading: p["verdict_readings"].get(r, p["verdict"]))
            for reading in readings
        },
        "seeds": sorted(union("seeds")),
        "traces": union("traces"),
        "remarks": union("remarks"),
        "extra": False,
        "panels": [],
    } | combined_fields(list(parts.values()), verdict)
