"""What speaks against publishing a run: changes, parts of several sources or machines, what is missing."""

import json
import re
from pathlib import Path

from ..evidence.judging.repeatability import UNKNOWN
from ..ground.hdf5 import open_h5
from ..ground.outside import read_json
from ..ground.provenance import git_commit, same_sources
from ..report.page import read_context
from .merge import finished

DRAWN = re.compile(r"commit ([0-9a-f]{12})")


def refusals(root, run: str, paper: str, alternatives) -> list[str]:
    """Why a paper's report under a run is not to be published, in words; empty where it is.

    Parameters
    ----------
    root : Path
        Of the project.
    alternatives : collection of str
        Those of the deviation register that can be run.
    """
    root, report = Path(root), Path(root) / "reports" / run / paper
    context = read_context(report / "index.html")
    parts = {"the page": context["commit"], **_figures(report), **_results(root / "results" / run, paper)}
    if git_commit(root).endswith("+changes"):
        parts["the checkout"] = git_commit(root)
    found = [*_uncommitted(parts), *_mixed(parts, root), *_on_several_machines(root / "results", run, paper)]
    if alternatives and not _has_rows(report / "tables" / "alternatives.csv"):
        found.append(
            f"without the verdicts under the {len(alternatives)} alternatives of its register: "
            f"snakemake alternatives --cores 2 --config run={run}"
        )
    return found + _unrepeated(report / "claims.json")


def _has_rows(table):
    return table.is_file() and len(table.read_text().splitlines()) > 1


def _figures(report):
    """Figure → the commit that stands in its footer."""
    told = {path.stem: DRAWN.search(path.read_text()) for path in sorted(report.glob("figures/*.svg"))}
    return {f"figure {name}": commit[1] for name, commit in told.items() if commit}


def _results(results, paper):
    """Trace or table of tried values → the commit that made it."""
    return {str(path.relative_to(results)): _commit(path) for path in finished(results, [paper])}


def _commit(path):
    if path.suffix == ".json":
        return read_json(path)["made_from"]["git_commit"]
    with open_h5(path) as handle:
        return str(handle.attrs["git_commit"])


def _uncommitted(parts):
    names = [name for name, commit in parts.items() if commit.endswith("+changes") or commit == "unknown"]
    if names:
        yield f"of sources (src, config, workflow) that no commit has: {_listed(names)}"


def _mixed(parts, root):
    """The page's sources are the reference; commits that leave the sources as they are do not matter."""
    page, others = parts["the page"], {}
    for name, commit in parts.items():
        others.setdefault(commit.removesuffix("+changes"), []).append(name)
    for commit, names in others.items():
        if not same_sources(commit, page.removesuffix("+changes"), root):
            both = f"(commit {commit[:12]}) than the page (commit {page[:12]})"
            yield f"of other sources {both}: {_listed(names)}"


def _on_several_machines(results, run, paper):
    """Panels, also under alternatives, that compare seconds of different processors."""
    machines = {}
    for folder in (results / run, *sorted(results.glob(f"{run}@*"))):
        for path in folder.glob(f"traces/{paper}/*/*.h5"):
            with open_h5(path) as handle:
                cpu = json.loads(handle.attrs["environment"])["cpu"]
            machines.setdefault(str(path.parent.relative_to(results)), set()).add(cpu)
    if names := [
        f"{name} ({' and '.join(sorted(cpus))})" for name, cpus in machines.items() if len(cpus) > 1
    ]:
        yield f"with seconds of several processors in one panel: {_listed(names)}"


def _unrepeated(claims):
    """Claims over seconds that were measured once."""
    entries = read_json(claims)
    names = [e["id"] for e in entries if UNKNOWN in e.get("cells", {}).get("reasons", ())]
    return [f"judged on {UNKNOWN}: {_listed(names)}"] if names else []


def _listed(names):
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
