"""Verdicts of several from those of each: a claim's parts, and claims that follow from other claims."""

from graphlib import CycleError, TopologicalSorter

from projfree.ground.names import require

from ..study.models.claim import Claim, Part


def parts_of(claim: Claim) -> dict[str, Part]:
    """A claim's parts by letter; a claim without parts is its own only part, under the empty letter."""
    return {"": claim} if claim.parts is None else claim.parts


def named(claims: list[Claim]) -> dict[str, tuple[Claim, Part | None]]:
    """Name without prefix (``C1``, ``C1.a``) → claim and part, None for a claim that has parts; in order."""
    found = {}
    for claim in claims:
        found[claim.id] = claim, None
        for letter, part in parts_of(claim).items():
            found[f"{claim.id}.{letter}" if letter else claim.id] = claim, part
    return found


def heads(claim: Claim) -> list[str]:
    """Names of the parts that make the verdict of a claim with parts: all but the extra ones."""
    return [f"{claim.id}.{letter}" for letter, part in parts_of(claim).items() if not part.extra]


def leaves(claims: list[Claim]) -> dict[str, list[str]]:
    """Name of each claim and part → the parts with sentences of their own that make its verdict."""
    entries, found = named(claims), {}
    for name in order(claims):
        claim, part = entries[name]
        sources = heads(claim) if part is None else part.follows.from_ if part.follows else []
        found[name] = list(dict.fromkeys(leaf for source in sources for leaf in found[source])) or [name]
    return found


def order(claims: list[Claim]) -> list[str]:
    """Names of all claims and parts, each after those that it follows from.

    Raises
    ------
    ValueError
        For a name in ``follows`` that nothing has, for what is needed but not followed from, for a circle.
    """
    entries = named(claims)
    graph = {name: _sources(claim, part, name, entries) for name, (claim, part) in entries.items()}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise ValueError(f"claims follow from each other: {' → '.join(error.args[1])}") from error


def _sources(claim, part, name, entries):
    """Names that an entry follows from."""
    if part is None:
        return [f"{claim.id}.{letter}" for letter in parts_of(claim)]
    if part.follows is None:
        return []
    for wanted, known in ((part.follows.from_, entries), (part.follows.needed, part.follows.from_)):
        require(wanted, known, "claim", f"{name} follows")
    return part.follows.from_


#: Verdict → the share of several that have to say it, where those that are testable agree.
ENOUGH = {"holds": 1, "fails": 0.5, "holds_in_part": 0}


def combine(verdicts) -> str:
    """One verdict of several: in part where they differ; else theirs, if enough of them are testable.

    One that is not testable leaves open what holds; what fails it saves only in the majority.
    """
    verdicts = list(verdicts)
    known = {verdict for verdict in verdicts if verdict != "not_testable"}
    if len(known) != 1:
        return "holds_in_part" if known else "not_testable"
    verdict = known.pop()
    return verdict if verdicts.count(verdict) >= ENOUGH[verdict] * len(verdicts) else "not_testable"


def follow(verdicts: dict[str, str], needed=()) -> str:
    """`combine`, but a claim fails with each of those that it needs."""
    together = combine(verdicts.values())
    fails = together != "not_testable" and any(verdicts[name] == "fails" for name in needed)
    return "fails" if fails else together
