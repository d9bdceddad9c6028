"""A paper under a run, resolved.

A run is ``quick``, ``full``, any other key under ``runs`` of a paper's files, or ``<run>@<alternative>``:
the same run under one alternative of the deviation register (``full@U1-max-lo-1``).
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from projfree.common.names import unknown
from projfree.trace.runs import runs_of

from ..common.project import project_root
from . import code, files, resolution, unit_costs
from .models.experiment import Budget, Chosen, Experiment, Job, Method, Recipe, SeededSearch
from .models.figure import Figure, Table
from .models.paper import Deviation, Paper
from .names import check_names
from .register import under
from .resolution import merge, without_null
from .unit_costs import counts_of
from .validation import StudyError, lookup, validate
from .views import on_figures, shown_in

TUNING_SEED = 1000
#: What a job takes from its experiment as it is.
TAKEN = ("problem", "set", "penalty", "metrics", "records", "lmo_tol", "generator")


@dataclass(frozen=True)
class Study:
    """One paper under one run, resolved.

    Attributes
    ----------
    paper, run : str
    spec : dict
        The paper's YAML with the run's overrides merged in, as plain data, for evidence, reports, hashes.
    model : Paper
        The same as types.
    """

    paper: str
    run: str
    spec: dict
    model: Paper

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by name, without those that single experiments define."""
        return self.model.methods

    @property
    def experiments(self) -> dict[str, Experiment]:
        """Experiments by name."""
        return self.model.experiments

    @property
    def figures(self) -> dict[str, Figure]:
        """Figures by the stem of their files."""
        return self.model.figures

    @property
    def tables(self) -> dict[str, Table]:
        """Tables by the stem of their files."""
        return self.model.tables

    @property
    def deviations(self) -> list[Deviation]:
        """The deviation register."""
        return self.model.deviations

    def experiment(self, name: str) -> Experiment:
        """One experiment; an unknown name is an error that lists the known."""
        return lookup(self.experiments, name, "experiment", self.paper, self._all)

    def method(self, experiment: str, name: str) -> Method:
        """A method as an experiment has it; an unknown name is an error that lists the known."""
        known = {**self.methods, **self.experiment(experiment).define}
        return lookup(known, name, "method", self.paper, self._all)

    @property
    def _all(self):
        """Where an error sends a reader who looks for a name."""
        return f"All are in {files.PAPERS}/{self.paper}/experiments.yaml"

    def solves(self) -> list[tuple[str, str]]:
        """All (experiment, method) pairs that are run, probes included: one trace each."""
        return [(e, m) for e, values in self.experiments.items() for m in values.run_here]

    def units(self, without=()) -> dict[str, list[str]]:
        """Unit of work → experiments whose tables one job writes: those of a bundle, else one experiment."""
        found = {}
        for name, values in self.experiments.items():
            if values.run_here and name not in without:
                bundle = self.spec["experiments"][name].get("bundle")
                found.setdefault(bundle if isinstance(bundle, str) else name, []).append(name)
        return found

    def drawn(self) -> list[str]:
        """Experiments that figures show."""
        return sorted(shown_in(self.spec["figures"]))

    def job(self, experiment: str, method: str) -> Job:
        """Everything one job needs."""
        values = self.experiment(experiment)
        if method not in values.methods:
            raise StudyError(unknown("method", method, values.methods, f"experiment {experiment}"))
        chosen = self.method(experiment, method)
        given = {key: getattr(values, key) for key in TAKEN if key in values.model_fields_set}
        if chosen.problem:
            given["problem"] = type(values.problem)(**merge(values.problem.plain(), chosen.problem))
        if chosen.searches:
            given["search"] = _search(values, chosen)
        if (repetitions := self.repetitions(experiment, method)) > 1:
            given["repetitions"] = repetitions
        job = Job(
            **given,
            **_chosen(values, chosen),
            paper=self.paper,
            run=self.run,
            experiment=experiment,
            method=method,
            instance_of=self.instance_of(experiment),
            seeds=values.seeds_of(method),
            budget=values.budget_of(method),
        )
        return job.model_copy(update={"code": code.code_of(job)})

    def budget(self, experiment: str, method: str) -> Budget | None:
        """The budget of a method in an experiment; None for probes, which end by themselves."""
        return self.experiment(experiment).budget_of(method)

    def seeds(self, experiment: str, method: str) -> list[int]:
        """The seeds of a method's runs in an experiment."""
        return self.experiment(experiment).seeds_of(method)

    def repetitions(self, experiment: str, method: str) -> int:
        """How often the first seed of a method is run, for how well its seconds repeat."""
        repeated = self.model.clock == "measured" and not self.method(experiment, method).probe
        return self.experiment(experiment).repetitions if repeated else 1

    def runs(self, experiment: str, method: str) -> list[tuple[int, int]]:
        """(seed, repetition) of each run of a method in an experiment."""
        return runs_of(self.seeds(experiment, method), self.repetitions(experiment, method))

    def instance_of(self, experiment: str) -> str:
        """The experiment whose instances this one shares."""
        return self.experiment(experiment).instance_of or experiment

    def recipe(self, experiment: str) -> Recipe:
        """The recipe of the instance file of an experiment, with the seeds of all that share it."""
        values = self.experiment(experiment)
        sharing = [e for e in self.experiments if self.instance_of(e) == experiment]
        wanted = {seed for e in sharing for seed in self.experiments[e].seeds_of()}
        if any(self.tunes(e, m) for e in sharing for m in self.experiments[e].methods):
            wanted.add(TUNING_SEED)
        recipe = Recipe(
            paper=self.paper,
            experiment=experiment,
            instance_of=experiment,
            generator=values.generator,
            problem=values.problem,
            seeds=sorted(wanted),
        )
        return recipe.model_copy(update={"code": code.code_of(recipe)})

    def needs_instance(self, experiment: str) -> bool:
        """Whether the experiment runs on instances (probes may make their own)."""
        return self.experiment(self.instance_of(experiment)).generator is not None

    def searches(self, experiment: str, method: str) -> bool:
        """Whether the method is tuned (or piloted) in that experiment."""
        return self.method(experiment, method).searches

    def tunes(self, experiment: str, method: str) -> bool:
        """Whether this run tunes the method: under an alternative it keeps the choice of its base run."""
        return self.tuned_in == self.run and self.searches(experiment, method)

    @property
    def tuned_in(self) -> str:
        """The run that chooses tuned values: of one under an alternative its base run."""
        return self.run.partition("@")[0]

    def dataset(self, experiment: str) -> str | None:
        """The prepared dataset that the experiment's generator draws from."""
        return self.experiment(self.instance_of(experiment)).dataset

    def datasets(self) -> list[str]:
        """Prepared datasets that the run needs."""
        return sorted({self.dataset(e) for e in self.experiments} - {None})


def load(paper: str, run: str = "full", root=None, seeds: int | None = None) -> Study:
    """Read, validate and resolve ``papers/<paper>`` for a run, with at most so many seeds.

    Raises
    ------
    StudyError
        For a file that does not fit, or a name that nothing defines.
    """
    root = Path(root or project_root())
    source, known = root / files.PAPERS / paper, files.papers(root)
    if not (paper in known or source.is_dir()):
        raise StudyError(unknown("paper", paper, known, files.PAPERS))
    base, _, alternative = run.partition("@")
    spec, named, runs_given = _base(paper, base, source, files.stamp(source))
    spec = {**spec, "experiments": {name: dict(values) for name, values in spec["experiments"].items()}}
    costs = _unit_costs(paper, runs_given, base, root)
    if alternative:
        counted = spec.get("alternatives", {}).get("base") == base
        spec = under(spec, alternative, counts_of(paper, base, costs, root) if counted else None)
    if seeds:
        for values in spec["experiments"].values():
            values["seeds"] = min(seeds, values.get("seeds", 1))
    if costs:
        spec["unit_costs"] = costs
    model = validate(Paper, {key: value for key, value in spec.items() if key != "defaults"}, source)
    check_names(model, source)
    if not alternative and (wrong := [name for name, e in model.experiments.items() if e.from_base]):
        raise StudyError(f"{source}: experiment {wrong[0]}: from_base is set under alternatives only")
    for name in named.keys() & spec["experiments"].keys():
        spec["experiments"][name]["bundle"] = named[name]
    return Study(paper, run, spec, model)


def runs(paper: str, root=None) -> list[str]:
    """Names of the runs of a paper."""
    given = files.read_paper(Path(root or project_root()) / files.PAPERS / paper)
    return ["full", *(given.get("runs") or {})]


def dataset_row(name: str, root=None) -> dict:
    """The catalog's row of a dataset, as in the file."""
    path = Path(root or project_root()) / files.CATALOG
    return lookup(files.read(path), name, "dataset", path)


@lru_cache(32)
def _base(paper, base, source, _stamp):
    """A paper under a run, its bundles, what it says of runs: kept until a file changes, for alternatives."""
    try:
        given = files.read_paper(source)
    except files.FileError as error:
        raise StudyError(error) from error
    change = _change({"full": {}, **(given.get("runs") or {})}, base, paper)
    only = change.pop("only", None)
    spec, named = _resolved(merge(given, change), source)
    spec = on_figures(spec, only, source) if only else spec
    return spec, named, given.get("runs") or {}


def _resolved(given, source):
    """What the files say, checked and resolved, and the bundles of its experiments."""
    spec = resolution.expanded(given, source)
    validate(Paper, without_null(spec), source, ignore=_may_be_given_elsewhere)
    spec = resolution.with_plain_solvers(resolution.with_defaults(spec, source))
    named = resolution.bundled(spec, source)
    for name in named:
        spec["experiments"][name]["bundle"] = True
    return spec, named


def _change(runs, name, paper):
    """What a run changes, over what that run changes which it is `like`."""
    change = dict(lookup(runs, name, "run", paper))
    like = change.pop("like", None)
    return merge(_change(runs, like, paper), change) if like else change


def _unit_costs(paper, runs, name, root):
    """Those of a run, or of the one that it is `like`."""
    like = runs.get(name, {}).get("like")
    found = unit_costs.read(unit_costs.place(paper, name, root))
    return found or (_unit_costs(paper, runs, like, root) if like else {})


def _may_be_given_elsewhere(place):
    """Whether `defaults` or `like` may give what is missing there."""
    return place[0] == "defaults" or (place[0] == "experiments" and len(place) > 2)


def _chosen(values, method):
    """The solver or the probe; an experiment's parameters are a solver's defaults, and win over a probe's."""
    if method.probe:
        return {"probe": Chosen(name=method.probe, params=merge(method.params, values.params))}
    return {"solver": Chosen(name=method.solver, params=merge(values.params, method.params))}


def _search(values, method):
    own = {"criterion": values.criterion, "share": values.tuning_share}
    own = {name: value for name, value in own.items() if value}
    return SeededSearch(**{**method.search.plain(), **own, "seed": TUNING_SEED})
