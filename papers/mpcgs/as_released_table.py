"""Which fault of the released code makes which verdict: the runs, and the tables and the page made of them.

``python -m referee.papers.mpcgs.as_released_table run news20 raw`` adds what is missing of
as-released/news20-raw.csv, one method at a time; ``… page`` makes as-released.md of all these files.
"""

import argparse
import csv
import re
from itertools import islice
from pathlib import Path

import numpy as np

from projfree.problems.robust_multiclass import Problem
from projfree.sets import nuclear_ball
from projfree.solvers import mpcgs, mpscgs, spfw, svre
from referee.common.project import project_root
from referee.data import prepared
from referee.data.prepare import prepare

from .as_released import BATCH, FAULTS, STEPS, TOUCHES, Point, Released, measured
from .generators import labelled_rows
from .probes._tiny_saddle import walk

FOLDER = Path(__file__).parent / "as-released"
ALL = frozenset(FAULTS)
#: Variant → faults that are on, and parameters that are not as released.
VARIANTS = {
    "released": (ALL, ()),
    "mended": (frozenset(), ()),
    **{f"mended {i}": (ALL - {i}, ()) for i in FAULTS},
    **{f"added {i}": (frozenset({i}), ()) for i in FAULTS},
    "released, rate": (ALL, ("rate_y",)),
    "mended, rate": (frozenset(), ("rate_y",)),
    "released, start": (ALL, ("uniform",)),
    "mended, start": (frozenset(), ("uniform",)),
}
#: The methods that a parameter touches.
USES = {"uniform": tuple(STEPS), "rate_y": ("svre",)}
#: Our own solvers with the parameters of our main run, at the same numbers of steps.
OURS = {
    "mpcgs": mpcgs.Solver(),
    "mpscgs": mpscgs.Solver(),
    "spfw": spfw.Solver(),
    "svre": svre.Solver(projection="gram", fused=True, random_epochs=False),
}
OUR_TAU = 50.0
KEPT = {"mpcgs": (1, 2, 3, 4, 5, 10), "spfw": (1, 10, 100, 300)}
KEPT |= {"mpscgs": KEPT["mpcgs"], "svre": (1, 2, 3, 4)}


def key(variant, method) -> tuple[str, str, str]:
    """What decides the run: the method, and the faults and parameters of the variant that touch it."""
    if variant == "ours":
        return method, "ours", ""
    faults, others = VARIANTS[variant]
    touching = "".join(str(i) for i in sorted(faults) if method in TOUCHES[i])
    changed = "+".join(name for name in USES if name in others and method in USES[name])
    return method, touching or "none", changed


SEED = 20201019  # any
#: Of the real documents of rcv1 as many are drawn as LIBSVM's training part, the paper's data, has.
ROWS = {"rcv1-lyrl2004": 15564}


def points(problem, name):
    """(point, its gaps) of a run by its key, from step 0 on, of the steps that are kept."""
    method, faults, changed = name
    params = {"uniform": True, "rate_y": 0.5 / problem.n}
    on = frozenset() if faults == "none" else {int(i) for i in faults}
    made = Released(problem, on, **{each: params[each] for each in changed.split("+") if each})
    for point in islice(getattr(made, method)(np.random.default_rng(SEED)), STEPS[method] + 1):
        if point.step in (0, STEPS[method], *KEPT[method]):
            yield point, made.gaps(point)


def ours(arrays, method):
    """The same of our solver on our problem, f being n times as large: its start and its end."""
    problem, ball = Problem(arrays), nuclear_ball.Set(OUR_TAU, linear="gram")
    inner = -(-problem.n // BATCH) if method == "svre" else 1
    steps = walk(problem, ball, OURS[method], STEPS[method] * inner, np.random.default_rng(SEED))
    start = Point(0, problem.start(), problem.dual_start(), 0)
    yield start, measured(problem, ball, start)
    *_, (_, oracles, state) = steps
    end = Point(STEPS[method], state.iterate.x, state.iterate.y, oracles.counts["IFO"])
    yield end, measured(problem, ball, end)


def run(data, scaling, only=None):
    """Add the runs that are missing to the file of these data."""
    path = FOLDER / f"{data}-{scaling}.csv"
    done = {name for name, _ in read(path)} if path.exists() else set()
    variants = [*VARIANTS, *(["ours"] if scaling == "unit" else [])]
    wanted = dict.fromkeys(key(variant, method) for variant in variants for method in STEPS)
    wanted = [name for name in wanted if name not in done and only in (None, name[0])]
    arrays = _arrays(data, scaling) if wanted else None
    problem = Problem(arrays, lam_power=0.0) if wanted else None
    for name in wanted:
        print(data, scaling, *name, flush=True)
        found = ours(arrays, name[0]) if name[1] == "ours" else points(problem, name)
        about = dict(zip(("method", "faults", "changed"), name, strict=True))
        _add(path, [about | {"step": point.step, "ifo": point.ifo} | gaps for point, gaps in found])


def _arrays(data, scaling):
    prepared_file = project_root() / "data/prepared" / f"{data}.h5"
    if not prepared_file.exists():
        prepare(data, prepared_file, allow_stand_in=False)
    return labelled_rows.generate(
        np.random.default_rng(0), source=prepared.load(prepared_file), scaling=scaling, rows=ROWS.get(data)
    )


def _add(path, rows):
    path.parent.mkdir(exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(
            {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows
        )


def read(path) -> dict[tuple, dict]:
    """(key, step) → the numbers of that row."""
    names = ("method", "faults", "changed")
    with path.open(newline="") as file:
        return {
            (tuple(row[name] for name in names), int(row["step"])): {
                name: float(value) for name, value in row.items() if name not in names
            }
            for row in csv.DictReader(file)
        }


# --- the verdicts -------------------------------------------------------------------------------------------


def verdicts(table, variant) -> dict[str, str]:
    """Claims as the gap that the code itself takes has them, after the released numbers of steps.

    C5 asks for C1 and for projections that cost more than linear minimisations, which MP-C5.b measures.
    """
    end = {method: table[key(variant, method), last] for method, last in STEPS.items()}
    gap = {method: row["gap_drawn"] for method, row in end.items()}
    beaten = [less(gap[a], gap[b]) for a in OWN for b in ("spfw", "svre")]
    fewer = end["mpscgs"]["ifo"] < end["mpcgs"]["ifo"]
    return {
        "C1": word(beaten),
        "C3": word([gap["spfw"] >= CLEARLY * min(gap[method] for method in OWN)]),
        "C4": word([less(gap["mpscgs"], gap["mpcgs"]) and fewer]),
        "C5": word(beaten),
        "C10": word([gap[m] <= table[key(variant, m), 0]["gap_drawn"] / 2 for m in OWN]),
    }


OWN = ("mpcgs", "mpscgs")
CLEARLY = 1.25  # as in MP-C3
CLAIMS = ("C1", "C3", "C4", "C5", "C10")


def less(a, b) -> bool:
    """a < b by more than the hundredth within which the judge takes values as equal."""
    return a < 0.99 * b


def word(found) -> str:
    """The verdict of several comparisons."""
    return "holds" if all(found) else "in part" if any(found) else "fails"


def in_markdown(table) -> str:
    """The attribution table of one file, in Markdown: the variants whose runs are all there."""
    lines = [" | ".join(["| variant", *STEPS, "X of mpcgs", *CLAIMS]) + " |"]
    lines.append("|---" * (len(STEPS) + len(CLAIMS) + 2) + "|")
    for variant in complete(table):
        names = [key(variant, method) for method in STEPS]
        moved = "moved" if table[names[0], STEPS["mpcgs"]]["norm_x"] else "stayed 0"
        cells = [variant, *(_gap(table, name) for name in names), moved]
        lines.append("| " + " | ".join([*cells, *verdicts(table, variant).values()]) + " |")
    return "\n".join(lines)


def complete(table) -> list[str]:
    """The variants whose runs are all in a table."""
    ends = STEPS.items()
    return [v for v in (*VARIANTS, "ours") if all((key(v, method), last) in table for method, last in ends)]


def _gap(table, name) -> str:
    """The last gap that is drawn; a star where the code's own arithmetic has left the range of floats."""
    overflows = any(row["overflow"] for (own, _), row in table.items() if own == name)
    return f"{table[name, STEPS[name[0]]]['gap_drawn']:.3g}" + "*" * overflows


# --- the page -----------------------------------------------------------------------------------------------


def page() -> str:
    """The page from its template, where ``{{table F}}`` is the table of a file, and ``{{F/V/M/S/C:f}}`` the
    column C, formatted by f, of method M of variant V after step S in file F.
    """
    tables = {path.stem: read(path) for path in FOLDER.glob("*.csv")}

    def filled(match):
        if match[1].startswith("table "):
            return in_markdown(tables[match[1].removeprefix("table ")])
        where, _, form = match[1].partition(":")
        stem, variant, method, step, column = where.split("/")
        return format(tables[stem][key(variant, method), int(step)][column], form)

    return re.sub(r"\{\{(.+?)\}\}", filled, (FOLDER / "page.md").read_text())


PAGE = Path(__file__).parent / "as-released.md"


def main():
    """The command: `run` or `page`."""
    parser = argparse.ArgumentParser(prog="python -m referee.papers.mpcgs.as_released_table")
    commands = parser.add_subparsers(dest="command", required=True)
    adding = commands.add_parser("run", help="Add the missing runs of a data set to its file.")
    adding.add_argument("data", help="Name of the data set, such as news20.")
    adding.add_argument("scaling", choices=["unit", "raw"], help="Rows of norm 1, or as they are.")
    adding.add_argument("--method", choices=list(STEPS), help="Of this method only.")
    commands.add_parser("page", help="Write as-released.md again.")
    given = parser.parse_args()
    if given.command == "page":
        PAGE.write_text(page())
    else:
        run(given.data, given.scaling, given.method)


if __name__ == "__main__":
    main()
