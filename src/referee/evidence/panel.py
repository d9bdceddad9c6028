"""Tidy tables as panels: which runs there are, their curves, the end of the budget, and what is missing."""

from functools import cached_property

import numpy as np
import pandas as pd

from projfree.ground.names import nearest

from ..ground import bounded
from ..study.models.experiment import Experiment
from ..study.models.paper import Paper
from .axes import limit_on, with_axes
from .judging.cost_model import extra_seconds, seconds_of, with_model_seconds
from .tidy import METRICS_EXCLUDE, cut, first_runs, read_tidy, table_in


class Missing(Exception):
    """A table, method, metric or seed that a claim needs is not there; the message names it."""


class NotReached(Missing):
    """A run did not reach the condition of a sentence."""


class Outside(Missing):
    """A run is none of those that a sentence speaks of: it leaves, and no question stays open."""


def flat(*groups) -> list[str]:
    """Method names of strings, lists of strings and None, in order, each once."""
    names = []
    for group in groups:
        names += [] if group is None else [group] if isinstance(group, str) else flat(*group)
    return list(dict.fromkeys(names))


class Evidence:
    """All panels of a paper, read on demand.

    Parameters
    ----------
    paper : Paper
        As a study resolves it. With ``unit_costs`` (experiment → method →
        oracle → count → seconds a call) tables gain the column ``model_seconds``.
    tidy_dir : Path
        Folder with ``<experiment>.csv``.
    main : Evidence, optional
        Of the run that this one is an alternative to: its repetitions tell how well seconds repeat in panels
        that the alternative runs once, and it has the runs of methods that the alternative does not change.
    short : bool, optional
        The tables may be of more seeds, or of longer runs, than the experiments' entries: these are left out.

    Attributes
    ----------
    untuned : dict
        (experiment, method) → parameters that its tuning did not see.
    """

    def __init__(self, paper: Paper, tidy_dir, main=None, short=False):
        self.paper, self.tidy_dir, self.main = paper, tidy_dir, main
        self.short, self.untuned = short, {}
        self._panels, self._repeated, self.judged = {}, {}, {}

    def priced(self, factors: dict) -> "Evidence":
        """The same on a machine where oracles (`judging.cost_model`) cost so many times as much."""
        return _Priced(self, factors)

    def repetition(self, number: int, names: list[str]) -> "Evidence":
        """The same with the runs of these panels that were repeated, for the number-th time."""
        key = number, tuple(names)
        if key not in self._repeated:
            self._repeated[key] = self._of_repetition(number, names)
        return self._repeated[key]

    def _of_repetition(self, number, names):
        other = Evidence(self.paper, self.tidy_dir)
        panels = map(self.panel, names)
        made = [Panel(p.name, p.repetitions[number], p.experiment, other) for p in panels]
        other._panels |= {(panel.name, False): panel for panel in made}
        return other

    def panel(self, name: str, pool: bool = False) -> "Panel":
        """The panel of an experiment, pooled over seeds on request; `Missing` if it has no table."""
        if (name, pool) not in self._panels:
            self._panels[name, pool] = self._made(name, pool)
        return self._panels[name, pool]

    def _made(self, name, pool):
        if pool:
            return self.panel(name).pooled()
        if not self.has(name):
            raise Missing(f"{name} (no traces)")
        table, experiment = self._table(name), self.paper.experiments[name]
        return Panel(name, cut(table, experiment) if self.short else table, experiment, self)

    def _table(self, name):
        """The runs of an experiment; of one under an alternative those of the base run among them, cut."""
        table = bounded.table(table_in(self.tidy_dir, name), read_tidy)
        experiment = self.paper.experiments[name]
        if experiment.from_base:
            if not (self.main and self.main.has(name)):
                raise Missing(f"{name} of the base run ({', '.join(experiment.from_base)})")
            base = first_runs(bounded.table(table_in(self.main.tidy_dir, name), read_tidy))
            kept = cut(base[base["method"].isin(experiment.from_base)], experiment)
            parts = (part.drop(columns="repetition", errors="ignore") for part in (table, kept))
            table = pd.concat(parts, ignore_index=True)  # seconds are counts: nothing is repeated
        return with_model_seconds(table, self.paper.unit_costs.get(name))

    def has(self, name: str) -> bool:
        """Whether an experiment has a table."""
        return table_in(self.tidy_dir, name).is_file()

    def stand_in(self, name: str) -> bool:
        """Whether an experiment's data are a stand-in, as its traces say."""
        return self.has(name) and self.panel(name).stand_in

    @cached_property
    def scales(self) -> dict[tuple[str, str], str]:
        """(experiment, metric) → scale on which the paper's first figure of it draws it."""
        panels = [panel for figure in self.paper.figures.values() for panel in figure.every_panel]
        return {(panel.experiment, panel.y): panel.scale_of_y for panel in reversed(panels)}

    def siblings(self, name: str) -> list[str]:
        """Experiments with tables that share the instances and the objective of one, itself first.

        Probes record what they like, at other penalties too: their columns are not the objective's.
        """
        experiments = self.paper.experiments

        def objective(each):
            given = experiments[each]
            return given.instance_of or each, given.problem, given.penalty

        def probes(each):
            return any(method.probe for method in experiments[each].define.values())

        others = [each for each in experiments if each != name and objective(each) == objective(name)]
        return [name, *(each for each in others if not probes(each) and self.has(each))]


class _Priced(Evidence):
    """Evidence of a machine where oracles cost so many times as much as on that of `base`."""

    def __init__(self, base, factors):
        main = base.main and base.main.priced(factors)
        super().__init__(base.paper, base.tidy_dir, main)
        self.base, self.factors = base, factors

    def _of_repetition(self, number, names):
        return self.base.repetition(number, names).priced(self.factors)

    def _made(self, name, pool):
        return _PricedPanel(self.base.panel(name, pool), self)


def _repetitions(frame):
    """Number → records of that repetition, without the column that says so; {} where nothing was repeated."""
    if "repetition" not in frame:
        return {}
    return {int(k): part.drop(columns="repetition") for k, part in frame.groupby("repetition")}


class Panel:
    """The runs of one experiment.

    Attributes
    ----------
    frame : DataFrame
        The tidy table without runs that ended in an error.
    experiment : Experiment
        Of it the budget is read.
    repeated : dict
        Number of a repetition → its methods.
    """

    def __init__(self, name: str, frame: pd.DataFrame, experiment: Experiment, evidence: Evidence):
        self.name, self.experiment, self.evidence = name, experiment, evidence
        failed = frame["end_status"] == "error"
        self.errors = sorted(
            {f"{m}, seed {s}" for m, s in frame.loc[failed, ["method", "seed"]].itertuples(index=False)}
        )
        frame = frame[~failed].sort_values(["method", "seed", "iteration"], kind="stable")
        self.repetitions = _repetitions(frame)
        self.repeated = {number: frozenset(part["method"]) for number, part in self.repetitions.items()}
        self.frame = self.repetitions.get(0, frame)
        self._runs = dict(list(self.frame.groupby(["method", "seed"])))
        self._records, self._lowest, self._parts, self._columns = {}, {}, {}, {}

    @property
    def stand_in(self) -> bool:
        """Whether the data are a stand-in for the paper's, by the traces."""
        return "stand_in" in self.frame and bool(self.frame["stand_in"].any())

    @cached_property
    def methods(self) -> list[str]:
        """Methods with at least one run that did not end in an error."""
        return list(dict.fromkeys(self.frame["method"]))

    def seeds(self, methods=()) -> list[int]:
        """Seeds for which every one of the methods has a run (all methods if none is named)."""
        names = list(methods) or self.methods
        absent = [name for name in names if name not in self.methods]
        if absent or not names:
            raise Missing(f"{', '.join(absent) or 'any run'} in {self.name}")
        common = set.intersection(*({s for m, s in self._runs if m == name} for name in names))
        if not common:
            raise Missing(f"a seed that all of {', '.join(names)} ran in {self.name}")
        return sorted(common)

    def ran(self, seed: int, methods=None) -> list[str]:
        """Those of the methods (of all if none is named) that have a run of this seed: some have fewer."""
        return [name for name in flat(methods) or self.methods if (name, seed) in self._runs]

    def run(self, method: str, seed: int) -> pd.DataFrame:
        """The records of one run in order."""
        if (method, seed) not in self._runs:
            raise Missing(f"{method}, seed {seed} in {self.name}")
        return self._runs[method, seed]

    def records(self, methods, seed: int, columns, where=None) -> pd.DataFrame:
        """Records of one seed (of all methods if none is named) in which all columns or axes are numbers.

        `where`, column → values, chooses among them. They are read once, and the same object ever after.
        """
        where = where or {}
        key = repr((methods, seed, columns, where))
        if key not in self._records:
            self._records[key] = self._chosen(self._read_records(methods, seed, [*columns, *where]), where)
        return self._records[key]

    def column(self, records: pd.DataFrame, name: str) -> np.ndarray:
        """A column of what `records` gave, as numbers."""
        key = id(records), name
        if key not in self._columns:
            self._columns[key] = records[name].to_numpy(float)
        return self._columns[key]

    def end_status(self, records: pd.DataFrame) -> str:
        """How the run ended whose records `records` gave."""
        key = id(records), "end_status"
        if key not in self._columns:
            self._columns[key] = records["end_status"].iloc[-1]
        return self._columns[key]

    def along(self, records: pd.DataFrame, axis: str) -> np.ndarray:
        """The places on an axis of the records that `records` gave."""
        return self.column(records, axis)

    def _read_records(self, methods, seed, columns):
        runs = [self.run(name, seed) for name in flat(methods) or self.methods]
        frame = self._with(runs[0] if len(runs) == 1 else pd.concat(runs), columns)
        known = np.logical_and.reduce([frame[c].notna().to_numpy() for c in columns])
        frame = frame if known.all() else frame[known]
        if frame.empty:
            raise Missing(f"a record with all of {', '.join(columns)} in {self.name}")
        return frame

    def _chosen(self, records, where):
        for column, values in where.items():
            wanted = np.atleast_1d(np.asarray(values, float))
            kept = np.isclose(records[column].to_numpy(float)[:, None], wanted, rtol=1e-9, atol=0).any(axis=1)
            records = records[kept]
        if records.empty:
            wanted = " and ".join(f"{column} {values}" for column, values in where.items())
            raise Missing(f"a record with {wanted} in {self.name}")
        return records

    def _with(self, frame, columns):
        """The frame with all columns and axes; `Missing` names those without a number, and the nearest."""
        frame = with_axes(frame, columns)
        absent = [c for c in columns if c not in frame or frame[c].isna().all()]
        if absent:
            hints = [nearest(name, frame.columns) for name in absent if name not in frame]
            raise Missing(f"{', '.join(absent)} in {self.name}{''.join(hints)}")
        return frame

    def lowest(self, seed: int, metric: str) -> float:
        """F*: the least value that any run on this instance reached, here or where it is shared."""
        if (seed, metric) not in self._lowest:
            frames = [self.evidence.panel(name).frame for name in self.evidence.siblings(self.name)[1:]]
            values = [f.loc[f["seed"] == seed, metric] for f in (self.frame, *frames) if metric in f]
            self._lowest[seed, metric] = float(min(v.min() for v in values if v.notna().any()))
        return self._lowest[seed, metric]

    def end(self, methods, seed: int, axis: str = "cpu_seconds") -> float:
        """t_end: the experiment's budget on `axis`, else where the first of the methods stopped.

        Runs with budgets in counts end at different seconds: they are compared as far as all of them went.
        A run that converged has nothing more to show and does not shorten the comparison.
        """
        stated = limit_on(self.experiment.budget, axis)
        if stated:
            return stated
        runs = [self.records([name], seed, [axis]) for name in methods]
        last = [(self.along(run, axis)[-1], self.end_status(run)) for run in runs]
        going = [x for x, status in last if status not in ("converged", "stalled")]
        return float(min(going) if going else max(x for x, _ in last))

    def traces(self, methods=()) -> list[str]:
        """Trace files of the methods (of all if none is named)."""
        names = list(methods) or self.methods
        return list(dict.fromkeys(trace for method, trace in self._traces if method in names))

    @cached_property
    def _traces(self):
        """Pairs of method and trace, each once."""
        return list(dict.fromkeys(zip(self.frame["method"], self.frame["trace"], strict=True)))

    def pooled(self) -> "Panel":
        """The same panel with every number averaged over the seeds, record by record, as seed −1."""
        numbers = [c for c in self.frame.select_dtypes(np.number) if c not in METRICS_EXCLUDE]
        ends = self.frame.drop_duplicates(["method", "seed", "iteration"], keep="last")
        frame = ends.groupby(["method", "iteration"], as_index=False, sort=False)[numbers].mean()
        first = self.frame.groupby("method")[["end_status", "trace"]].first()
        frame = frame.join(first, on="method").assign(seed=-1, experiment=self.name, stand_in=self.stand_in)
        return Panel(self.name, frame, self.experiment, self.evidence)


class _PricedPanel(Panel):
    """A panel of which nothing but the seconds differs from `base`: it shares what was read."""

    def __init__(self, base, evidence):
        self.__dict__ |= base.__dict__ | {"evidence": evidence, "_along": {}}

    def along(self, records, axis):
        key = id(records), axis
        if key not in self._along:
            extra = extra_seconds(self._parts_of(records, axis), self.evidence.factors)
            self._along[key] = super().along(records, axis) + extra
        return self._along[key]

    def _parts_of(self, records, axis):
        """Each oracle's part of the axis, read once for all costs."""
        key = id(records), axis
        if key not in self._parts:
            self._parts[key] = seconds_of(records, axis)
        return self._parts[key]
