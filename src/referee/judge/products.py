"""What is kept of a judged paper, verdicts.csv and claims.json; both again; what a claim asks for."""

import csv
import io
import json
from pathlib import Path

from projfree.common.atomic_io import atomic_write

from ..common.bounded import read_json
from ..evidence.published import ALTERNATIVES, read_readings
from .claims import claims_of
from .evidence import PUBLISHED, Evidence, NotRun
from .runner import COLUMNS, call, entries, judge_paper, rows

CLAIMS, VERDICTS = "claims.json", "verdicts.csv"


def products(paper: str, tables=None, *, run: str = "full", only=None, alternatives=()) -> tuple[list, str]:
    """The entries of claims.json and the text of verdicts.csv; parameters as of `judge_paper`, `entries`.

    Raises
    ------
    ValueError
        Where no claim can be judged.
    """
    judged = judge_paper(paper, tables, run=run, only=only)
    if not judged:
        raise ValueError(f"{paper} ({run}): none of its claims can be judged on the panels that this run has")
    evidence, text = Evidence(paper, tables=tables, run=run), io.StringIO()
    prefix = evidence.study.prefix
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(paper, judged, prefix))
    found = entries(paper, judged, prefix, alternatives)
    for entry in found:
        entry["traces"] = traces(evidence, entry)
    return found, text.getvalue()


def written(entries: list[dict]) -> str:
    """The text of claims.json."""
    named = [{"id": entry["id"], **entry} for entry in entries]  # first, by which the file is known as ours
    return json.dumps(named, ensure_ascii=False, indent=1) + "\n"


def publish(paper: str, claims, tables=None, *, note=list, **how) -> list[dict]:
    """Judge a paper and write its two files; keywords as of `products`.

    Parameters
    ----------
    claims : Path
        The file of the entries; the rows of verdicts.csv are beside it, under its name with ``.csv``.
    note : callable, optional
        From the entries to those that are written.
    """
    found, text = products(paper, tables, **how)
    found = note(found)
    atomic_write(Path(claims).with_suffix(".csv"), text)
    atomic_write(Path(claims), written(found))
    return found


def again(report) -> tuple[list[dict], str]:
    """A published report judged again, from its evidence and from what was collected under alternatives."""
    report = Path(report)
    known = read_readings(report / ALTERNATIVES)
    return products(report.name, [report / "evidence"], alternatives=known)


def differences(report) -> list[str]:
    """Differences between the verdicts of a published report and of its evidence, one a line.

    Parameters
    ----------
    report : Path
        ``reports/reference/<paper>``, with its two files and ``evidence``.
    """
    entries, text = again(report)
    told = {entry["id"]: entry for entry in read_json(Path(report) / CLAIMS)}
    found = {entry["id"]: entry for entry in json.loads(written(entries))}
    lines = [
        f"{name}: {key} is {here}, published is {there}"
        for name in dict.fromkeys([*told, *found])
        for key in dict.fromkeys([*told.get(name, {}), *found.get(name, {})])
        for here, there in [[json.dumps(table.get(name, {}).get(key)) for table in (found, told)]]
        if here != there
    ]
    path = Path(report) / VERDICTS
    published = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = set(text.splitlines()), set(published)
    lines += [f"{VERDICTS}: not published: {row}" for row in sorted(pairs[0] - pairs[1])]
    return lines + [f"{VERDICTS}: no longer found: {row}" for row in sorted(pairs[1] - pairs[0])]


def traces(evidence: Evidence, entry: dict) -> list[str]:
    """The trace files that an entry was judged from."""
    wanted, found = {form for forms in entry["forms"].values() for form in forms}, []
    for name in entry["panels"]:
        try:
            table = evidence[name].table
        except NotRun:
            continue
        found += table.loc[table["method"].isin(wanted) | (not wanted), "trace"].dropna().unique().tolist()
    return sorted(set(found))


def asked(paper: str, columns=(PUBLISHED,)) -> dict[str, set[str]]:
    """Claim or part, with its prefix → the experiments that it asks for.

    Each is judged on evidence without a table, which notes what it is asked for.
    """
    evidence = [Evidence(paper, column, ()) for column in columns]
    claims = claims_of(paper)
    found: dict = {}
    for claim in claims:
        for own in evidence if claim.function else ():
            call(claim, own)
            found.setdefault(claim.id, set(claim.panels)).update(own.asked)
    for claim in claims:
        sources = [each.id for each in claims if {each.id, each.base} & set(claim.of)]
        own = found.setdefault(claim.id, set(claim.panels)).union(*(found.get(each, ()) for each in sources))
        found[claim.id] = own
        found[claim.base] = found.get(claim.base, set()) | own
    ids = dict.fromkeys(id for claim in claims for id in (claim.base, claim.id))
    return {f"{evidence[0].study.prefix}-{id}": found[id] for id in ids}
