"""One judgement of one claim, and all of a paper."""

from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from .claims import Claim, claims_of
from .evidence import PUBLISHED, Evidence, NotRun, Outside
from .findings import Finding, at_length, verdict

FAIR = "fair"


@dataclass
class Call:
    """One judgement of one claim: in a column, as it stands or under a reading."""

    claim: Claim
    column: str
    name: str = ""
    findings: list[Finding] = field(default_factory=list)
    used: set = field(default_factory=set)

    @property
    def verdict(self) -> str:
        """The verdict over what was measured, provisional or not; of a late event at the paper's length
        only.
        """
        return verdict(at_length(self.findings) if self.claim.late else self.findings, self.claim.ask)

    @property
    def headline(self) -> str:
        """The verdict, but runs that are shorter than the paper's axis fail no claim."""
        known = self.verdict
        return verdict(at_length(self.findings), self.claim.ask) if known == "fails" else known


def judge_paper(
    paper: str, tables=None, *, columns=(PUBLISHED, FAIR), run: str = "full", only=None
) -> list[Call]:
    """Judge the claims of a paper on folders of tables.

    Parameters
    ----------
    tables : list of Path, optional
        Folders with tidy tables, the first wins; the published evidence by default.
    columns : tuple of str
        Columns of forms.yaml. Besides the first, a column has calls for claims only that compare forms.
    run : str
        A run that is smaller than the full one leaves claims out on whose panels it has nothing.
    only : iterable of str, optional
        Ids of claims, without prefix; a claim with its parts.

    Returns
    -------
    list of Call
        Of each claim and column the sentence itself; in the first column its readings too.
    """
    judged = []
    evidence = {column: Evidence(paper, column, tables, run) for column in columns}
    for claim in claims_of(paper):
        if claim.function is None or (only is not None and not {claim.id, claim.base} & set(only)):
            continue
        first = call(claim, evidence[columns[0]])
        if run != "full" and not first.findings:
            continue
        judged.append(first)
        for name, (arguments, _) in claim.readings.items():
            judged.append(call(claim, evidence[columns[0]], name, arguments))
        for column in columns[1:]:
            other = call(claim, evidence[column])
            judged += [other] if evidence[column].in_forms else []
    return judged


def call(claim: Claim, evidence: Evidence, name: str = "", arguments=None) -> Call:
    """One judgement; what was not run is a finding that says so.

    Parameters
    ----------
    arguments : dict, optional
        Keywords of the claim, and names of panels, methods, columns → what is read in their place.
    """
    evidence.clear()
    function: Any = claim.function
    keywords = {k: v for k, v in (arguments or {}).items() if k in signature(function).parameters}
    names = {k: v for k, v in (arguments or {}).items() if k not in keywords}
    evidence.exchanged, evidence.met = names, set()
    try:
        findings = list(function(evidence, **keywords))
    except NotRun as missing:
        outside = isinstance(missing, Outside)
        findings = [Finding("", claim.id, reason=str(missing), absent=True, outside=outside)]
    finally:
        evidence.exchanged = {}
    if names and not keywords and not evidence.met and not all(finding.absent for finding in findings):
        raise ValueError(f"{claim.id}, {name}: it has no keyword and reads nothing called {', '.join(names)}")
    findings = [finding for finding in findings if not finding.outside]
    return Call(claim, evidence.column, name, findings, set(evidence.used))
