"""The words that pages have of their own: at most twenty, each linked at its first use on a page."""

import re

PAGE = "glossary.html"
#: Term → what it means.
TERMS = {
    "claim": "A sentence of a paper about its experiments, or a part of one, that we test.",
    "theory check": "A theorem or a bound of a paper that we test on small instances.",
    "panel": "One plot of a figure: a data set and a setting.",
    "comparison": "One panel, one seed and one pair of methods.",
    "as published": "With the paper’s method as it states it, and with the competitors as it describes them.",
    "fair comparison": "Every method in its best form, tuned with the same budget.",
    "holds": "True in every panel that can be decided, in at least 80 % of its seeds.",
    "holds in part": "True in some panels or parts and false in others, or true but hardly.",
    "undecided": "Our runs do not say whether it is true; the claim’s page says what would decide it.",
    "too close to call": "The difference is below the noise, or below 1 % of the drawn axis.",
    "made no progress": "At its end a run had at least 99 % of its way to the best value left.",
    "unstated choice": "A setting that the paper leaves out; we list our choice and its alternatives.",
    "variant": "The claim under another answer to an unstated choice, or under another fair measure.",
    "negative control": "A false version of the claim, which the test must reject.",
    "uninformative": "A test that also accepts its negative control, so that it says nothing.",
    "loosely": "A bound that holds so far from its limit that another order would hold too.",
    "stand-in": "Synthetic data of the same shape, where the paper’s data is not available.",
    "oracle": "What a method asks of the problem: a gradient, a linear minimisation, a projection.",
    "level": "A value of a metric. A run reaches it if it gets below it and stays there.",
    "trace": "The record of a run: times, oracle calls and values, step by step.",
}
#: Inside of these nothing is linked.
CLOSED = ("a", "button", "code", "h1", "h2", "h3", "option", "pre", "script", "span", "summary")
TAG = re.compile(r"(<[^>]+>)")
#: Longer terms first: “holds in part” is not “holds”.
WORDS = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(TERMS, key=len, reverse=True))})(?:s\b|\b)(?!-)", re.IGNORECASE
)


def linked(html: str, address: str) -> str:
    """A page with the first use of each term linked to the glossary, from its main part on.

    Parameters
    ----------
    html : str
    address : str
        Of the glossary, from the page.
    """
    head, main, rest = html.partition("<main")
    found, closed, parts = set(), 0, TAG.split(rest)
    for i, part in enumerate(parts):
        if i % 2:
            name = part[1:].lstrip("/").split()[0].rstrip(">")
            closed += (-1 if part.startswith("</") else 1) * (name in CLOSED)
        elif not closed and len(found) < len(TERMS):
            parts[i] = WORDS.sub(lambda word: _once(word[0], found, address), part)
    return head + main + "".join(parts)


def _once(word, found, address):
    """The word, linked if its term was not used before."""
    term = word.lower() if word.lower() in TERMS else word.lower().removesuffix("s")
    if term in found:
        return word
    found.add(term)
    return f'<a class="term" href="{address}#{anchor(term)}">{word}</a>'


def anchor(term: str) -> str:
    """The anchor of a term."""
    return term.replace(" ", "-")
