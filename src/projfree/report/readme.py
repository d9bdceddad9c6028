"""What the README says of the published verdicts: a row a paper, five findings, a claim under its figure."""

import re
from collections import Counter
from pathlib import Path

from ..evidence.wording import VERDICTS
from ..ground.marks import between
from .context import read_claims, with_later
from .page import read_context

HEAD = "| name | paper | claims | against its own baselines | against strong ones |\n|---|---|---|---|---|"
SHOWN = re.compile(r"<!-- (claim:([\w-]+)/([\w-]+)) -->")


def renewed(readme: str, reference, where="reports/reference") -> str:
    """The README with all that it says of the published verdicts computed again.

    Parameters
    ----------
    readme : str
        Has the marks ``papers`` and ``findings``, and ``claim:<paper>/<id>`` for each claim that it shows.
    reference : Path
        A folder a paper, with ``index.html`` and ``claims.json``.
    where : str
        What links begin with.
    """
    folders = sorted(page.parent for page in Path(reference).glob("[!.]*/index.html"))
    papers = {folder.name: [*_tops(folder, f"{where}/{folder.name}")] for folder in folders}
    rows = [_row(folder, f"{where}/{folder.name}", papers[folder.name]) for folder in folders]
    claims = [claim for tops in papers.values() for claim in tops]
    readme = between(readme, "papers", "\n".join([HEAD, *rows]))
    readme = between(readme, "findings", _findings(claims))
    for mark, paper, name in SHOWN.findall(readme):
        readme = between(readme, mark, _told(next(c for c in papers[paper] if c["id"] == name)))
    return readme


def _tops(folder, where):
    """A paper's claims without their parts, each with a link to its page, or to its row in the paper's."""
    for entry in map(with_later, read_claims(folder / "claims.json")):
        own = f"pages/claim-{entry['id']}.html"
        place = own if (folder / own).is_file() else f"index.html#claim-{entry['id']}"
        if "." not in entry["id"]:
            yield entry | {"link": f"[{entry['id']}]({where}/{place})"}


def _row(folder, where, tops):
    about = read_context(folder / "index.html")["paper"]
    paper = f"{about['authors']}: *{about['title']}*, {about['venue']}, {about['year']}"
    cells = f"[{folder.name}]({where}/index.html)", paper, str(len(tops)), *_tallies(tops)
    return f"| {' | '.join(cells)} |"


def _tallies(tops):
    """How often each verdict was reached, against both kinds of baselines."""
    for key in ("verdict", "verdict_strong"):
        counts = Counter(claim[key] for claim in tops)
        yield " ".join(f"{word.mark} {counts[name]}" for name, word in VERDICTS.items() if counts[name])


def _findings(claims):
    """Numbered sentences, each with the claims that it rests on, or three of them."""
    judged = [claim for claim in claims if claim["verdict"] != "not_testable"]
    told = (find(judged) for find in (_comparisons, _theory, _thresholds, _readings, _data))
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(told, 1))


def _comparisons(judged):
    compared = [claim for claim in judged if claim["verdict_strong"]]
    held, both = _holding(compared, "verdict"), _holding(compared, "verdict", "verdict_strong")
    return (
        f"**Comparisons.** Of {len(compared)} claims that compare methods {len(held)} hold against the "
        f"paper's own baselines, {len(both)} of them against strong ones too{_links(both)}."
    )


def _theory(judged):
    theory = [claim for claim in judged if "-T" in claim["id"]]
    broken = [claim for claim in theory if claim["verdict"] != "holds"]
    held = len(theory) - len(broken)
    return (
        f"**Theory.** {held} of {len(theory)} bounds, rates and formulas hold; not in full{_links(broken)}."
    )


def _thresholds(judged):
    moved = [claim for claim in judged if _others(claim["sensitivity"], claim)]
    return (
        f"**Thresholds.** {len(moved)} of {len(judged)} verdicts are others with thresholds halved or "
        f"doubled{_links(moved)}."
    )


def _readings(judged):
    read = [claim for claim in judged if claim["verdict_readings"]]
    turned = [claim for claim in read if _others(claim["verdict_readings"], claim)]
    upset = [c for c in turned if {"holds", "fails"} <= {c["verdict"], *c["verdict_readings"].values()}]
    return (
        f"**What the paper left open.** {len(turned)} of {len(read)} verdicts turn on a choice that the "
        f"paper does not state, {len(upset)} of them from holding to failing or back{_links(upset)}."
    )


def _data(judged):
    real, other = ([c for c in judged if c["stand_in"] is kind] for kind in (False, True))
    return (
        f"**Data.** {len(_holding(real, 'verdict'))} of {len(real)} claims hold on data that can be had, "
        f"{len(_holding(other, 'verdict'))} of {len(other)} where a stand-in took the place of some."
    )


def _holding(claims, *keys):
    return [claim for claim in claims if all(claim[key] == "holds" for key in keys)]


def _others(verdicts, claim):
    """Whether a verdict among those made otherwise is another than the claim's."""
    return set(verdicts.values()) - {claim["verdict"]}


def _links(claims, most=3):
    """The first of some claims, in brackets."""
    told = ", ".join(claim["link"] for claim in claims[:most]) + ", …" * (len(claims) > most)
    return f" ({told or 'none'})"


def _told(claim):
    """A claim with its verdicts, in two lines."""
    quote = " ".join((claim["quote"] or claim["statement"]).split())
    own, strong = (VERDICTS[claim[key]] if claim[key] else None for key in ("verdict", "verdict_strong"))
    beside = f"; against strong baselines: {strong.mark} {strong.words}" if strong else ""
    return f"> {claim['link']}: “{quote}”\n>\n> **{own.mark} {own.words}**{beside}."
