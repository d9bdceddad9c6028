"""Reasons not to publish a run: changes, parts from several sources or machines, missing parts."""

import re
from pathlib import Path

from ..evidence.tidy import table_in
from ..ground import bounded
from ..ground.revision import git_commit, same_sources
from ..report.page import read_context
from .wanted import maker_of

#: What is said of panels that are judged over seconds which no second run repeats.
UNKNOWN = "seconds that were not measured repeatedly"
DRAWN = re.compile(r"commit ([0-9a-f]{12})")


def refusals(root, run: str, paper: str, alternatives, fits) -> list[str]:
    """Why a paper's report under a run is not to be published, in words; empty where it is.

    Parameters
    ----------
    root : Path
        Of the project.
    alternatives : collection of str
        Those of the deviation register that can be run.
    fits : callable
        Path of a result → whether its job, with the code it imports, is the one that this checkout asks for.
    """
    root, report = Path(root), Path(root) / "reports" / run / paper
    context = read_context(report / "index.html")
    made = _results(root / "results", run, paper)
    parts = {"the page": context["commit"], **_figures(report)}
    parts |= {name: by.commit for name, by in made.items()}
    if git_commit(root).endswith("+changes"):
        parts["the checkout"] = git_commit(root)
    earlier = [*_mixed(parts, root, lambda name: name in made and fits(root / "results" / name))]
    found = [
        *_undrawn(report, context["figures"]),
        *_uncommitted(parts),
        *earlier,
        *_on_several_machines(made),
    ]
    if alternatives and not _has_rows(report / "tables" / "alternatives.csv"):
        found.append(
            f"without the verdicts under the {len(alternatives)} alternatives of its register: "
            f"snakemake alternatives --cores 2 --config run={run}; or publish --before-alternatives"
        )
    return found + _unrepeated(report / "verdicts.csv", root / "results" / run / "evidence" / paper)


def _has_rows(table):
    return table.is_file() and len(table.read_text(encoding="utf-8").splitlines()) > 1


def _figures(report):
    """Figure → the commit that stands in its footer."""
    told = {
        path.stem: DRAWN.search(path.read_text(encoding="utf-8"))
        for path in sorted(report.glob("figures/*.svg"))
    }
    return {f"figure {name}": commit[1] for name, commit in told.items() if commit}


def _undrawn(report, figures):
    names = [f["stem"] for f in figures if not (report / "figures" / f"{f['stem']}.svg").is_file()]
    if names:
        again = f"snakemake --cores 2 --forcerun figures_{report.name} --config run={report.parent.name}"
        yield f"without the drawings of {_listed(names)}: {again} -- {report.name}"


def _results(results, run, paper):
    """Trace or table of tried values, of the run or under an alternative → what made it."""
    folders = [results / run, *sorted(results.glob(f"{run}@*"))]
    kinds = f"tuning/{paper}/*/*.json", f"traces/{paper}/*/*.h5"
    paths = [path for folder in folders for kind in kinds for path in sorted(folder.glob(kind))]
    return {str(path.relative_to(results)): maker_of(path) for path in paths}


def _uncommitted(parts):
    names = [name for name, commit in parts.items() if commit.endswith("+changes") or commit == "unknown"]
    if names:
        yield f"of sources (src, config, workflow) that no commit has: {_listed(names)}"


def _mixed(parts, root, fits):
    """The page's sources are the reference; what a commit since then leaves as it was does not matter.

    Of a result that is the code it imports: a judge that is mended leaves the traces that it judges.
    """
    page, others = parts["the page"], {}
    for name, commit in parts.items():
        others.setdefault(commit.removesuffix("+changes"), []).append(name)
    for commit, names in others.items():
        if same_sources(commit, page.removesuffix("+changes"), root):
            continue
        if names := [name for name in names if not fits(name)]:
            both = f"(commit {commit[:12]}) than the page (commit {page[:12]})"
            yield f"of other sources {both}: {_listed(names)}"


def _on_several_machines(made):
    """Panels that compare seconds of different machines."""
    machines = {}
    for name, by in made.items():
        if by.machine is not None:
            machines.setdefault(str(Path(name).parent), set()).add(by.machine)
    if names := [
        f"{name} ({' and '.join(sorted(several))})" for name, several in machines.items() if len(several) > 1
    ]:
        yield f"with seconds of several processors in one panel: {_listed(names)}"


def _unrepeated(verdicts, tables):
    """Panels judged over CPU seconds, each run of which was measured once."""
    rows = bounded.table(verdicts, usecols=["panel", "over"], dtype=str, keep_default_na=False)
    names = sorted(set(rows.loc[rows["over"] == "cpu_seconds", "panel"]))
    paths = {name: path for name in names if (path := table_in(tables, name)).is_file()}
    once = [name for name, path in paths.items() if not _repeats(bounded.table(path, nrows=0), path)]
    return [f"judged on {UNKNOWN}: {_listed(once)}"] if once else []


def _repeats(head, path):
    """Whether a tidy table has a second run of the same seed."""
    return "repetition" in head and bounded.table(path, usecols=["repetition"])["repetition"].max() > 0


def _listed(names):
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
