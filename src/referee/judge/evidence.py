"""What claims read: the runs of a paper's experiments, each method in the form that a column gives it."""

from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from projfree.common.names import unknown

from ..common import bounded
from ..common.project import project_root
from ..evidence.axes import with_axes
from ..evidence.cost_model import with_model_seconds
from ..evidence.tidy import cut, read_tidy, table_in
from ..study import files, study

CLOCK = "cpu_seconds"
PUBLISHED = "published"
#: A record so little behind the end of an axis still belongs to it.
GRACE = 1.02
#: What a cell of the table of forms says where no form was run.
NONE = "none"


class NotRun(ValueError):
    """A panel or a method that a claim asks for and that no table has; the message names it."""


class Outside(NotRun):
    """A panel or a method that this run leaves out: a claim is judged on what the run has."""


class Line(NamedTuple):
    """One run as it is drawn: x and y (R,), records in order, and how it ended."""

    x: np.ndarray
    y: np.ndarray
    end_status: str


class Evidence:
    """The tables of a paper, seen in one column.

    Parameters
    ----------
    paper : str
    column : str
        A column of the paper's forms.yaml: ``published``, ``fair``. Any other name is that of a run under an
        alternative, whose methods run in the forms of ``published``.
    tables : list of Path, optional
        Folders with ``<panel>.csv`` or ``.csv.gz``; of a method in two of them the first is taken. By default
        the published evidence of the paper. Of no folder nothing is read: what is asked for is noted alone.
    run : str
        The run whose panels and methods are judged: ``full``, a smaller one, or one under an alternative
        (``full@U1-max-lo-1``). Then tables of the base run are cut to its seeds, repetitions and budgets.
    instead : dict, optional
        A method or form → the method that is judged in its place.
    """

    def __init__(self, paper: str, column=PUBLISHED, tables=None, run: str = "full", instead=None):
        self.paper, self.column, self.instead = paper, column, instead or {}
        folders = files.stores(project_root(), paper)[-1:] if tables is None else tables
        self.tables = [Path(folder) for folder in folders]
        self.study, self.whole = study.load(paper, run).model, study.load(paper).model
        self._panels: dict[str, Panel] = {}
        self.cuts = "@" in run
        #: What a reading reads in the place of a panel (or a pattern), a method or a column; which of these
        #: names were looked up.
        self.exchanged: dict[str, str] = {}
        self.met: set[str] = set()
        #: Panels that were asked for, whether they were run or not.
        self.asked: set[str] = set()
        #: (panel, form) of all that was read since it was last cleared.
        self.used: set[tuple[str, str]] = set()
        #: (panel, method) of these that the table of forms was asked for.
        self.in_forms: set[tuple[str, str]] = set()

    def clear(self):
        """Forget what was read."""
        self.used, self.in_forms, self.asked = set(), set(), set()

    def own(self, name: Any) -> Any:
        """What a reading reads in the place of a name; anything else stays."""
        if not isinstance(name, str) or name not in self.exchanged:
            return name
        self.met.add(name)
        return self.exchanged[name]

    def __getitem__(self, name: str) -> "Panel":
        """The panel of an experiment; an unknown name is an error that lists the known."""
        return self._panel(self.own(name))

    def _panel(self, name):
        known = {**self.whole.experiments, **self.study.experiments}
        if name not in known:
            raise ValueError(unknown("panel", name, known, f"papers/{self.paper}"))
        if name not in self._panels:
            self._panels[name] = Panel(self, name)
        panel = self._panels[name]
        self.asked.add(panel.name)
        return panel

    def panels(self, *patterns: str) -> list["Panel"]:
        """The panels whose names fit one of the patterns (``fig[23]-*``), in the order of the patterns.

        Those of the run; in a column with experiments of its own those for which it has one.
        """
        names, patterns = self.study.experiments, tuple(dict.fromkeys(map(self.own, patterns)))
        for name in (each for each in patterns if not set(each) & set("*?[")):
            self._panel(name)  # an unknown name is an error, and what is asked for is noted
        matches = [self._panel(name) for pattern in patterns for name in names if fnmatch(name, pattern)]
        return [panel for panel in matches if panel.name in names]

    @cached_property
    def scales(self) -> dict[tuple[str, str], str]:
        """(experiment, column) → scale in which the paper's first figure of it draws it."""
        panels = [panel for figure in self.whole.figures.values() for panel in figure.every_panel]
        scales: dict[Any, str] = {}
        for panel in (panel for panel in panels if not panel.excess):
            scales.setdefault((panel.experiment, panel.y), panel.scale_of_y)
            if panel.x == CLOCK:
                scales.setdefault((panel.experiment, panel.x), panel.x_scale or "linear")
        return scales


class Panel:
    """The runs of one experiment.

    Attributes
    ----------
    name : str
        Of the experiment whose runs it has: in a column with experiments of its own that one.
    axis : dict
        Column → end of the paper's own axis.
    table : DataFrame
        One row a record: method, seed, repetition, iteration, counts, timers, metrics.
    """

    def __init__(self, evidence: Evidence, name: str):
        forms = evidence.study.forms
        compares = forms is not None and any(fnmatch(name, pattern) for pattern in forms.panels)
        self._forms: Any = forms if compares else None
        own = self._forms and self._forms.experiments.get(evidence.column)
        self.evidence, self.name = evidence, own.format(name) if own else name
        self._drawn: dict[tuple, Any] = {}
        known = evidence.study.experiments.get(self.name)
        self.axis = known and known.axis or {}
        self._metrics = known.metrics if known else ()
        #: An axis of the paper → the one that takes its place in this column.
        self.over = forms.over.get(evidence.column, {}) if forms else {}

    @cached_property
    def table(self) -> pd.DataFrame:
        """Its runs without those that ended in an error; `NotRun` where no folder has them."""
        own = self.evidence.study.experiments.get(self.name)
        if own is None:
            raise Outside(f"{self.name} is no part of this run")
        paths = [path for folder in self.evidence.tables if (path := table_in(folder, self.name)).is_file()]
        if not paths:
            raise NotRun(f"{self.name} was not run")
        whole: list = []
        methods: set = set()
        for path in paths:
            frame = bounded.table(path, read_tidy)
            frame = cut(frame[frame["method"].isin(own.methods)], own) if self.evidence.cuts else frame
            whole.append(frame[~frame["method"].isin(methods)])
            methods |= set(frame["method"])
        frame = pd.concat(whole, ignore_index=True) if len(whole) > 1 else whole[0]
        if self.evidence.study.clock == "model":
            frame = _on_model_clock(frame, self.evidence.study.unit_costs.get(self.name))
        frame = frame[frame["end_status"] != "error"]
        repetition = frame["repetition"].fillna(0) if "repetition" in frame else 0
        frame = frame.assign(repetition=repetition)
        return frame.sort_values(["method", "seed", "repetition", "iteration"], kind="stable")

    @cached_property
    def data(self) -> str:
        """Kind of its data: real, a stand-in for the paper's, or generated as the paper generates."""
        if self.table.get("stand_in", pd.Series(False)).any():
            return "stand-in"
        every = self.evidence.study.experiments
        own = every[self.name]
        shared = every[own.instance_of] if own.instance_of else own
        return "real" if own.dataset or shared.dataset else "generated"

    @cached_property
    def _runs(self):
        return dict(list(self.table.groupby("method")))

    def form(self, method: str) -> str:
        """What runs for a method here; `NotRun` where it has no form for this column, or did not run."""
        form: Any = (method := self.evidence.own(method))
        row = self._forms and self._forms.methods.get(method)
        own, whole = (e.experiments.get(self.name) for e in (self.evidence.study, self.evidence.whole))
        if row:
            self.evidence.in_forms.add((self.name, method))
            columns = self._forms.columns
            arms = columns.get(self.evidence.column, columns[PUBLISHED])
            forms = [row[arm] for arm in arms if row[arm] != NONE]
            if not forms:
                raise NotRun(f"no form of {method} was run: {' or '.join(arms)}")
            # A smaller run may leave out what was tuned; what no run has is not exchanged.
            form = next((f for f in forms if not _left_out(f, own, whole)), forms[0])
        form = self.evidence.instead.get(form, self.evidence.instead.get(method, form))
        if _left_out(form, own, whole):
            raise Outside(f"{form} is no part of {self.name} in this run")
        if form not in self._runs:
            raise NotRun(f"{form} was not run in {self.name}")
        self.evidence.used.add((self.name, form))
        return form

    def rows(self, method: str) -> pd.DataFrame:
        """The records of a method, in the form of this column; all repetitions and seeds."""
        form = self.form(method)
        return self._runs[form]

    def runs(self, method: str) -> dict[int, pd.DataFrame]:
        """Seed → the records of a method's first repetition."""
        rows = self.rows(method)
        return dict(list(rows[rows["repetition"] == 0].groupby("seed")))

    def repeated(self, method: str) -> bool:
        """Whether a method was run again with the same seed, which tells the noise of its seconds."""
        return self.rows(method)["repetition"].nunique() > 1

    @cached_property
    def one_instance(self) -> bool:
        """Whether all seeds are of one instance: those of a method start at the same value of the first
        metric.
        """
        metric = next((name for name in self._metrics if name in self.table), None)
        if metric is None:
            return False
        starts = self.table.groupby(["method", "seed"])[metric].first()
        return bool((starts.groupby("method").nunique() <= 1).all())

    def seeds(self, *methods: str) -> list[int]:
        """The seeds that all of them have; of one instance, a method with one seed meets each seed of the
        others. `NotRun` where they have none in common.
        """
        own = [set(self.rows(method)["seed"]) for method in methods]
        several = [each for each in own if len(each) > 1] if self.one_instance else own
        common = sorted(set.intersection(*(several or own)))
        if not common:
            raise NotRun(f"{' and '.join(map(self.form, methods))} share no instance in {self.name}")
        return common

    def one_computation(self, method: str, metric: str) -> bool:
        """Whether the seeds of a method repeat one computation: at equal iterations all have one value."""
        values = self.rows(method).groupby("iteration")[metric]
        return self.one_instance and bool((values.nunique() <= 1).all())

    def lines(self, method: str, metric: str, over: str, seed: int | None) -> list[Line]:
        """The runs of a method with a seed, one a repetition, of all seeds for None; after it diverged a line
        is at infinity.
        """
        form = self.form(method)
        if (form, metric, over) not in self._drawn:
            self._drawn[form, metric, over] = self._draw(form, metric, over)
        seeds = self._drawn[form, metric, over]
        if seed is None:
            return [line for lines in seeds.values() for line in lines]
        return seeds.get(seed) or next(iter(seeds.values()))

    def _draw(self, form, metric, over):
        """Seed → the lines of a method."""
        rows = with_axes(self._runs[form], [over])
        for name in (over, metric):
            if name not in rows or rows[name].isna().all():
                raise NotRun(f"{form} has no {name} in {self.name}")
        lines = {}
        for (seed, _), run in rows[["seed", "repetition", over, metric, "end_status"]].groupby(
            ["seed", "repetition"]
        ):
            run, status = run[run[over].notna()], str(run["end_status"].iloc[-1])
            x, y = run[over].to_numpy(float), run[metric].to_numpy(float)
            y = np.where(np.isnan(y), np.inf, y)
            if status == "diverged":
                x, y = np.append(x, np.nextafter(x[-1], np.inf)), np.append(y, np.inf)
            lines.setdefault(seed, []).append(Line(x, y, status))
        return lines

    def scale(self, column: str) -> str:
        """``linear`` or ``log``, as the paper draws a column here, else in another figure; else linear."""
        scales = self.evidence.scales
        known = (scale for (_, name), scale in scales.items() if name == column)
        return scales.get((self.name, column)) or next(known, "linear")

    def length(self, *methods: str) -> str:
        """``12 of 30 s`` where runs of these methods ended before the paper's axis of time does; else
        empty.
        """
        axis = self.axis.get(CLOCK)
        ends = []
        for method in methods if axis else ():
            last = self.rows(method).groupby(["seed", "repetition"]).tail(1)
            ends += list(last.loc[~last["end_status"].isin(["converged", "diverged"]), CLOCK])
        if not ends or not min(ends) * GRACE < axis:
            return ""
        return f"{float(f'{min(ends):.2g}'):g} of {axis:g} s"


def _left_out(form, own, whole):
    """Whether a run leaves out a form that the full one has."""
    return bool(own and whole) and form in whole.methods and form not in own.methods


def _on_model_clock(frame, unit_costs):
    """Seconds as counts × unit cost of the same setting; NaN for a method without unit costs."""
    priced = with_model_seconds(frame, unit_costs)
    if priced is frame:
        return frame.assign(**{CLOCK: np.nan})
    model = "model_seconds"
    parts = [name for name in priced if name.startswith(f"{model}_")]
    renamed = {name.replace(model, "seconds"): priced[name] for name in parts}
    dropped = [name for name in frame if name.startswith("seconds_")]
    return priced.drop(columns=[*dropped, *parts, model]).assign(**{CLOCK: priced[model]}, **renamed)
