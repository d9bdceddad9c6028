"""Verdicts under every variant (reading) of the paper, as one matrix: variants down, claims across."""


def matrix(tops, register):
    """The variants of a paper's claims.

    Parameters
    ----------
    tops : list of dict
        Claims without their parts, with ``readings``.
    register : list of dict
        The unstated choices, for the words of those that a variant is of.

    Returns
    -------
    dict
        ``claims``: ids of those that have variants; ``rows``: dictionaries ``reading, choice, open`` (what
        the paper leaves open) and ``cells``, one a claim: its reading, None where it was not judged under it.
        Empty where no claim has a variant.
    """
    told = {top["id"]: {(r["choice"], r["reading"]): r for r in top["readings"]} for top in tops}
    told = {name: found for name, found in told.items() if found}
    opened = {entry["id"]: entry["open"] for entry in register}
    names = dict.fromkeys(key for found in told.values() for key in found)
    rows = [
        {"reading": reading, "choice": choice, "open": opened.get(choice, "")}
        | {"cells": [found.get((choice, reading)) for found in told.values()]}
        for choice, reading in names
    ]
    return {"claims": list(told), "rows": rows} if rows else {}
