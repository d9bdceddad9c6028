"""Publish a run: its reports become the reference, its verdicts the table of the README."""

import json
import shutil
from pathlib import Path

from ..evidence.wording import VERDICTS
from ..ground.sealed import atomic_write


def publish(report, reference, readme, paper: str) -> None:
    """Make a paper's report folder the reference, in one rename, and renew its verdict table in the README.

    The costs of other runs that the reference keeps stay.

    Parameters
    ----------
    report, reference : Path
        ``reports/<run>/<paper>`` and ``reports/reference/<paper>``, which is replaced.
    readme : Path
        Has the lines ``<!-- verdicts:<paper> -->`` and ``<!-- /verdicts -->``.
    """
    report, reference, readme = Path(report), Path(reference), Path(readme)
    if not (report / "index.html").exists():
        raise FileNotFoundError(
            f"{report}/index.html is missing; make it with: make replicate TARGETS={paper}"
        )
    _replace(report, reference)
    table = verdict_table(json.loads((report / "claims.json").read_text()), f"reports/reference/{paper}")
    atomic_write(readme, between(readme.read_text(), paper, table))


def _replace(report, reference):
    """The new folder is whole before it takes the old one's name, and the old one is kept until then."""
    new, old = (reference.with_name(f".{reference.name}.{word}") for word in ("new", "old"))
    if old.exists() and not reference.exists():  # of a command that was killed between its two renames
        old.rename(reference)
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    shutil.copytree(report, new)
    if (reference / "costs.json").exists():
        shutil.copy2(reference / "costs.json", new)
    if reference.exists():
        reference.rename(old)
    new.rename(reference)
    shutil.rmtree(old, ignore_errors=True)


def verdict_table(claims: list[dict], where: str) -> str:
    """Markdown: a row a top claim, with both verdicts and those of its parts."""
    tops = [claim for claim in claims if "." not in claim["id"]]
    lines = [
        "| claim | the paper says | paper's baseline | strong baseline | parts |",
        "|---|---|---|---|---|",
    ]
    for top in tops:
        parts = [c for c in claims if c["id"].startswith(top["id"] + ".")]
        told = ", ".join(f"{c['id'].rpartition('.')[2]} {VERDICTS[c['verdict']].mark}" for c in parts)
        own, strong = (_marked(top[key]) for key in ("verdict", "verdict_strong"))
        quote = " ".join((top["quote"] or top["statement"]).split())
        quote = quote if len(quote) <= 150 else quote[:147].rsplit(" ", 1)[0] + " …"
        link = f"[{top['id']}]({where}/index.html#{top['id']})"
        lines.append(f"| {link} | {quote.replace('|', '¦')} | {own} | {strong} | {told} |")
    return "\n".join(lines)


def _marked(verdict):
    return f"{VERDICTS[verdict].mark} {VERDICTS[verdict].words}" if verdict else ""


def between(text: str, paper: str, table: str) -> str:
    """The text with what stands between the paper's markers replaced."""
    begin, end = f"<!-- verdicts:{paper} -->", "<!-- /verdicts -->"
    if begin not in text or end not in text.split(begin, 1)[1]:
        raise ValueError(f"README.md lacks the lines {begin} and {end}")
    head, rest = text.split(begin, 1)
    return f"{head}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}"
