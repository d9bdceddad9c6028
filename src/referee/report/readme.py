"""The README's part on the published verdicts: a row for each paper, findings, a claim under its figure."""

import re
from collections import Counter
from pathlib import Path

from ..evidence.published import ALTERNATIVES, spec_of
from ..evidence.words import HEADLINES, VERDICTS
from ..ground.marks import between
from .context import read_claims
from .findings import messages, sentences, written
from .index import together, top_claims
from .verdicts import NAME, read_verdicts

HEAD = """\
| name | paper | claims | we find | in a fair comparison | theory checks |
|---|---|---|---|---|---|"""
SHOWN = re.compile(r"<!-- (claim:([\w-]+)/([\w-]+)) -->")


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
    told = {folder.name: _told(folder) for folder in folders}
    readme = between(readme, "papers", "\n".join([HEAD, *rows]))
    readme = between(readme, "alternatives", _alternatives(folders))
    said = together(claim for tops in papers.values() for claim in tops)
    readme = between(readme, "findings", _findings(said, told, where))
    shown = {(claim.paper, claim.entry["id"]): claim for tops in papers.values() for claim in tops}
    for mark, *name in SHOWN.findall(readme):
        claim = shown[tuple(name)]
        sentence = told[claim.paper][1].get(claim.entry["id"], "")
        readme = between(readme, mark, _claim_lines(claim, sentence, where))
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
    """Numbers of claims and of each verdict, with theory checks counted separately."""
    claims, checks = ([claim for claim in tops if claim.theory is theory] for theory in (False, True))
    yield str(len(claims))
    columns = (
        (claims, "headline", HEADLINES),
        (claims, "verdict_strong", VERDICTS),
        (checks, "verdict", VERDICTS),
    )
    for some, kind, words in columns:
        counts = Counter(claim.entry[kind] for claim in some)
        yield " ".join(f"{word.mark} {counts[name]}" for name, word in words.items() if counts[name])


def _alternatives(folders):
    """The papers whose unstated choices have been run."""
    run, not_yet = ([f.name for f in folders if (f / ALTERNATIVES).is_file() is yes] for yes in (True, False))
    left = f", not yet for {_listed(not_yet)}" if not_yet else ""
    return f"Alternatives to the papers' unstated choices have been run for {_listed(run) or 'none'}{left}."


def _listed(names):
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _told(folder):
    """What people wrote of a paper: its messages that are not stale, and claim → sentence as published."""
    entries, rows = read_claims(folder / "claims.json"), read_verdicts(folder / NAME)
    spec = spec_of(folder) | written(folder.name)
    found = [one for one in messages(spec, entries, rows) if not one["stale"]]
    said = sentences(spec, entries, rows)
    return found, {claim: one["text"] for (claim, column), one in said.items() if column == "published"}


def _findings(said, told, where):
    """What the verdicts say together, then a number a paper: its first message, with the claims."""
    lines = []
    for paper, (found, _) in told.items():
        for one in found[:1]:
            links = ", ".join(_linked(name, f"{paper}/{name}", where) for name in one["claims"])
            lines.append(
                f"{len(lines) + 1}. **{paper}.** {one['paper']} We find: {one['we']} ({one['data']}; {links})"
            )
    return "\n".join([" ".join(said), "", *lines])


def _linked(words, page, where):
    """Link to a claim's row in its paper's README; `page` begins with the paper's folder."""
    paper = page.partition("/")[0]
    return f"[{words}]({where}/{paper}/README.md#{words.partition('.')[0].lower()})"


def _claim_lines(claim, sentence, where):
    """A claim and where it stands, then its verdicts and what was found."""
    entry = claim.entry
    quote = " ".join((entry["quote"] or entry["statement"]).split())
    source = f" — {entry['where']}" if entry["where"] else ""
    word = HEADLINES[entry["headline"]]
    return (
        f"> {_linked(*claim.link, where)}: “{quote}”{source}\n>\n> **{word.mark} {word.words}**. {sentence}"
    ).rstrip()
