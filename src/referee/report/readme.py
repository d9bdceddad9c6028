"""The README's part on the published verdicts: a message a paper, one under its figure, counts in words."""

import re
from pathlib import Path

from ..common.marks import between
from ..evidence.published import spec_of
from ..evidence.words import HEADLINES, VERDICTS
from .context import read_claims
from .findings import leading, messages, written
from .index import together, top_claims
from .verdicts import NAME, read_verdicts

HEAD = """\
| | the paper says | verdict | we find | on |
|---|---|---|---|---|"""
OPEN = {"open", "not_run"}
EXAMPLE = re.compile(r"<!-- (example:([\w-]+)) -->")


def renewed(readme: str, reference, where="reports/reference") -> str:
    """The README with all that it says of the published verdicts computed again.

    `readme` has the marks ``papers`` and ``verdicts``, and ``example:<paper>`` under the figure that it
    shows; `reference` is a folder of reports, and `where` what links begin with. A mark that is missing, or
    an example of a paper that has no message, is a `ValueError`.
    """
    folders = sorted(path.parent for path in Path(reference).glob("[!.]*/claims.json"))
    first, rows = {}, []  # paper → its first message that is not stale
    for folder in folders:
        page, about = f"{where}/{folder.name}/README.md", spec_of(folder)
        spec, entries = about | written(folder.name), read_claims(folder / "claims.json")
        every = messages(spec, entries, read_verdicts(folder / NAME))
        message = first[folder.name] = next((one for one in every if not one["stale"]), None)
        cells = [f"[{folder.name}]({page}): {about['authors']}, *{about['title']}*, {about['venue']}, "]
        cells[0] += str(about["year"])
        cells += ["–"] * 4
        if message:
            verdict, we = _verdict(message), f"{message['we']} ({_links(message, page)})"
            if next(iter(message["verdicts"].values()))["headline"] in OPEN:  # what is decided, too
                we += "".join(
                    f" {_verdict(one)}: “{one['paper']}” ({one['data']}; {_links(one, page)})"
                    for one in leading(every)[1:]
                )
            cells[1:] = message["paper"], verdict, we, message["data"]
        rows.append(f"| {' | '.join(cells)} |")
    readme = between(readme, "papers", "\n".join([HEAD, *rows]))
    claims = [claim for folder in folders for claim in top_claims(folder, Path(reference))]
    readme = between(readme, "verdicts", " ".join(together(claims)))
    for mark, paper in EXAMPLE.findall(readme):
        if not (message := first.get(paper)):
            raise ValueError(f"README.md shows an example of {paper}, which has no message")
        links = f"{message['data']}; {_links(message, f'{where}/{paper}/README.md')}"
        ours = f"**We find:** {_verdict(message)}. {message['we']} ({links})"
        readme = between(readme, mark, f"**The paper says:** {message['paper']}\n\n{ours}")
    return readme


def _verdict(message):
    """The verdict of a message's main claim, in words, with that of the fair comparison if it differs."""
    verdict = next(iter(message["verdicts"].values()))
    head, strong = HEADLINES[verdict["headline"]], verdict["verdict_strong"]
    fair = f"; fair comparison: {VERDICTS[strong].words}" if strong and VERDICTS[strong] != head else ""
    return f"**{head.mark} {head.words}**{fair}"


def _links(message, page):
    """Links to the rows of a message's claims in the paper's README."""
    names = message["claims"]  # a part next to its claim is in the same row
    names = [name for name in names if (top := name.partition(".")[0]) == name or top not in names]
    return ", ".join(f"[{name}]({page}#{name.partition('.')[0].lower()})" for name in names)
