"""What the README says of the published verdicts: a row a paper, five findings, a claim under its figure."""

import re
from collections import Counter
from pathlib import Path

from ..evidence.published import ALTERNATIVES, spec_of
from ..evidence.words import VERDICTS
from ..ground.marks import between
from .learned import learned, top_claims

HEAD = """\
| name | paper | claims | against its own baselines | against strong ones | theory checks |
|---|---|---|---|---|---|"""
SHOWN = re.compile(r"<!-- (claim:([\w-]+)/([\w-]+)) -->")
FINDINGS, EXAMPLES = 5, 3


def renewed(readme: str, reference, where="reports/reference") -> str:
    """The README with all that it says of the published verdicts computed again.

    Parameters
    ----------
    readme : str
        Has the marks ``papers``, ``alternatives`` and ``findings``, and ``claim:<paper>/<id>`` for each claim
        that it shows.
    reference : Path
        A folder a paper, with ``claims.json`` and evidence.
    where : str
        What links begin with.
    """
    folders = sorted(path.parent for path in Path(reference).glob("[!.]*/claims.json"))
    papers = {folder: [*top_claims(folder, Path(reference))] for folder in folders}
    rows = [_row(folder, f"{where}/{folder.name}", tops) for folder, tops in papers.items()]
    rows.append(_sum([claim for tops in papers.values() for claim in tops]))
    found = enumerate(learned(folders, Path(reference))[:FINDINGS], 1)
    readme = between(readme, "papers", "\n".join([HEAD, *rows]))
    readme = between(readme, "alternatives", _alternatives(folders))
    readme = between(readme, "findings", "\n".join(_finding(*one, where) for one in found))
    shown = {(claim.paper, claim.entry["id"]): claim for tops in papers.values() for claim in tops}
    for mark, *name in SHOWN.findall(readme):
        readme = between(readme, mark, _claim_lines(shown[tuple(name)], where))
    return readme


def _row(folder, where, tops):
    about = spec_of(folder)
    paper = f"{about['authors']}: *{about['title']}*, {about['venue']}, {about['year']}"
    return _cells(f"[{folder.name}]({where}/README.md)", paper, *_tallies(tops))


def _sum(tops):
    return _cells("", "together", *_tallies(tops))


def _cells(*cells):
    return f"| {' | '.join(cells)} |"


def _tallies(tops):
    """How many claims, and how often each verdict was reached, of checks of the theory apart."""
    claims, checks = ([claim for claim in tops if claim.theory is theory] for theory in (False, True))
    yield str(len(claims))
    for some, kind in ((claims, "verdict"), (claims, "verdict_strong"), (checks, "verdict")):
        counts = Counter(claim.entry[kind] for claim in some)
        yield " ".join(f"{word.mark} {counts[name]}" for name, word in VERDICTS.items() if counts[name])


def _alternatives(folders):
    """Of which papers the choices that they leave open have been run."""
    run, not_yet = ([f.name for f in folders if (f / ALTERNATIVES).is_file() is yes] for yes in (True, False))
    left = f"; of {_listed(not_yet)} they have not" if not_yet else ""
    return f"The choices that a paper leaves open have been run for {_listed(run) or 'none'}{left}."


def _listed(names):
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _finding(number, sentence, where):
    """An item of a numbered list: a sentence of what was learned, and the first of its claims."""
    told = [_linked(*link, where) for link in sentence.links[:EXAMPLES]]
    told += ["…"] * (len(sentence.links) > EXAMPLES)
    return f"{number}. {sentence.words}" + f" ({', '.join(told)})" * bool(told)


def _linked(words, page, where):
    """Link to a claim's row in its paper's README, or to all of it; `page` begins with the paper's folder."""
    paper = page.partition("/")[0]
    row = f"#{words.lower()}" if words != paper else ""
    return f"[{words}]({where}/{paper}/README.md{row})"


def _claim_lines(claim, where):
    """A claim and where it stands, with its verdicts, in two lines."""
    entry = claim.entry
    quote = " ".join((entry["quote"] or entry["statement"]).split())
    source = f" — {entry['where']}" if entry["where"] else ""
    own, strong = (VERDICTS.get(entry[kind]) for kind in ("verdict", "verdict_strong"))
    beside = f"; against strong baselines: {strong.mark} {strong.words}" if strong else ""
    return f"> {_linked(*claim.link, where)}: “{quote}”{source}\n>\n> **{own.mark} {own.words}**{beside}."
