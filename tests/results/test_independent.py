"""Independent replications: their answers and ours, the counts of the document, what the code may import."""

import ast
import csv
import json
import re
import sys
from collections import Counter

import pytest
from places import PAPERS, ROOT

OPEN = dict.fromkeys(("not_testable", "not_run", "not_judged", "none", "cannot say", "not tried"), "open")
ANSWERS = {"holds": "yes", "fails": "no", "holds_in_part": "in part", **OPEN}
ANSWERS |= {"yes": "yes", "no": "no", "in part": "in part"}
DOCUMENT = (ROOT / "docs/independent.md").read_text()


def folder(paper):
    return ROOT / "papers" / paper / "independent"


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def agreement(theirs, ours):
    theirs, ours = ANSWERS[theirs], ANSWERS[ours]
    if "open" in (theirs, ours):
        return "open"
    return "yes" if theirs == ours else "near" if "in part" in (theirs, ours) else "no"


def verdicts(paper):
    """What the published verdicts say: (as published, fair) of each claim and part."""
    published = ROOT / "reports/reference" / paper
    claims = json.loads((published / "claims.json").read_text())
    found = {claim["id"]: [claim["verdict"], claim.get("verdict_strong") or "none"] for claim in claims}
    rows = [row for row in table(published / "verdicts.csv") if not row["call"]]
    judged = {(row["claim"], row["column"]): row["headline"] for row in rows}
    for name in {claim for claim, _ in judged}:
        found[name] = [judged.get((name, column), "none") for column in ("published", "fair")]
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_each_sentence_has_both_answers_and_how_they_agree(paper):
    theirs, rows = table(folder(paper) / "claims.csv"), table(folder(paper) / "agreement.csv")
    ours = verdicts(paper)
    assert [row["sentence"] for row in rows] == [row["claim"] for row in theirs] and rows
    for row, their in zip(rows, theirs, strict=True):
        assert row["claim"] in ours, row["claim"]
        assert [row["theirs_published"], row["theirs_fair"]] == [their["holds"], their["fair"]], row["claim"]
        assert [row["ours_published"], row["ours_fair"]] == ours[row["claim"]], row["claim"]
        for column in ("published", "fair"):
            agree = agreement(row[f"theirs_{column}"], row[f"ours_{column}"])
            assert row[f"agree_{column}"] == agree, (row["claim"], column)
        assert row["why"] or {row["agree_published"], row["agree_fair"]} <= {"yes", "open"}, row["claim"]


def test_the_document_counts_what_the_tables_have():
    counted = dict(re.findall(r"^\| \[(\w+)\]\(\S+\) \| (\d+ \| [\d, ]+ \| [\d, ]+?) \|$", DOCUMENT, re.M))
    assert sorted(counted) == PAPERS
    for paper in PAPERS:
        rows = table(folder(paper) / "agreement.csv")
        counts = [Counter(row[f"agree_{column}"] for row in rows) for column in ("published", "fair")]
        shown = [", ".join(str(count[word]) for word in ("yes", "near", "no", "open")) for count in counts]
        assert counted[paper] == " | ".join([str(len(rows)), *shown]), paper


@pytest.mark.parametrize("paper", PAPERS)
def test_a_replication_imports_no_code_of_ours(paper):
    tree = ast.parse((folder(paper) / "replicate.py").read_text())
    statements = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    roots = {
        name.split(".")[0]
        for node in statements
        for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or "."])
    }
    assert "numpy" in roots and roots <= {"numpy", "scipy", "matplotlib", *sys.stdlib_module_names}
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in statements)
    assert (folder(paper) / "curves.csv.gz").stat().st_size <= 100_000
