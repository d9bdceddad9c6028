"""The README's part on the published verdicts: a message a paper, one under its figure, counts in words."""

import re
from pathlib import Path

from ..common.marks import between
from ..evidence.published import spec_of
from .context import read_claims
from .findings import messages, written
from .index import together, top_claims
from .verdicts import NAME, read_verdicts

HEAD = """\
| | the paper says | we find | on |
|---|---|---|---|"""
EXAMPLE = re.compile(r"<!-- (example:([\w-]+)) -->")


def renewed(readme: str, reference, where="reports/reference") -> str:
    """The README with all that it says of the published verdicts computed again.

    Parameters
    ----------
    readme : str
        Has the marks ``papers`` and ``verdicts``, and ``example:<paper>`` under the figure that it shows.
    reference : Path
        A folder a paper, with ``claims.json`` and evidence.
    where : str
        What links begin with.

    Raises
    ------
    ValueError
        For a mark that is missing, and an example of a paper that has no message.
    """
    folders = sorted(path.parent for path in Path(reference).glob("[!.]*/claims.json"))
    first = {folder.name: _first_message(folder) for folder in folders}
    rows = [_row(folder, f"{where}/{folder.name}/README.md", first[folder.name]) for folder in folders]
    readme = between(readme, "papers", "\n".join([HEAD, *rows]))
    claims = [claim for folder in folders for claim in top_claims(folder, Path(reference))]
    readme = between(readme, "verdicts", " ".join(together(claims)))
    for mark, paper in EXAMPLE.findall(readme):
        if not (message := first.get(paper)):
            raise ValueError(f"README.md shows an example of {paper}, which has no message")
        links = f"{message['data']}; {_links(message, f'{where}/{paper}/README.md')}"
        words = f"**The paper says:** {message['paper']}\n\n**We find:** {message['we']} ({links})"
        readme = between(readme, mark, words)
    return readme


def _first_message(folder):
    """The first message of a paper that is not stale; None if there is none."""
    spec = spec_of(folder) | written(folder.name)
    every = messages(spec, read_claims(folder / "claims.json"), read_verdicts(folder / NAME))
    return next((message for message in every if not message["stale"]), None)


def _row(folder, page, message):
    """A paper with its first message."""
    about, cells = spec_of(folder), ["–"] * 3
    work = f"{about['authors']}, *{about['title']}*, {about['venue']}, {about['year']}"
    if message:
        cells = [message["paper"], f"{message['we']} ({_links(message, page)})", message["data"]]
    return f"| {' | '.join([f'[{folder.name}]({page}): {work}', *cells])} |"


def _links(message, page):
    """Links to the rows of a message's claims in the paper's README."""
    tops = dict.fromkeys(name.partition(".")[0] for name in message["claims"])
    return ", ".join(f"[{name}]({page}#{name.lower()})" for name in tops)
