"""What the rules of the workflow ask of the study: units of work, what each reads, its digest and its needs.

No work is done here. Paths begin with ``<results>``, the folder that Snakemake puts there.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace

from projfree.common import hashes
from projfree.common.names import nearest, require, unknown

from .. import study
from ..common import closure, rooms
from ..common.project import project_root
from ..data import catalog
from ..data import store as downloads
from ..study import views
from . import costs, records

#: Seconds: runs that take less share a job on a cluster.
CHEAP = 600
FORMATS = ("svg", "pdf", "png")
#: Folders of a run's results.
KINDS = ("alternatives", "claims", "drawn", "evidence", "figures", "instances", "published", "traces")
#: Parts of a paper's files that verdicts, drawings and pages are made of.
JUDGED = ("experiments", "forms", "methods", "clock", "unit_costs", "deviations")
DRAWN = ("figures", "tables", "experiments", "methods", "unit_costs")
SHOWN = (*DRAWN, "deviations", "title", "summary")


@cache
def _code(*modules):
    """Hash of code; one start of the workflow sees one state of the sources."""
    return closure.code_sha256(*modules)


@cache
def _folder(name):
    return closure.folder_sha256(name)


@dataclass(frozen=True)
class Workflow:
    """The study under a configuration.

    Attributes
    ----------
    config : Config
    """

    config: object

    def __hash__(self):
        return id(self)

    @cached_property
    def papers(self) -> list[str]:
        """The configured papers, or all; an unknown paper, or a run that one of them lacks, is an error."""
        known = study.papers()
        require(self.config.papers or (), known, "paper", "configuration (papers)")
        names = self.config.papers or known
        with_run = [name for name in names if self.config.run in study.runs(name)]
        if not with_run:
            runs = {run for name in names for run in study.runs(name)}
            raise ValueError(unknown("run", self.config.run, runs, "configuration (run)"))
        return with_run

    def papers_with(self, run: str) -> list[str]:
        """Those of the papers that have a run; an unknown run is an error."""
        study.lookup(dict.fromkeys(self.runs), base := run.partition("@")[0], "run", "papers")
        return [name for name in self.papers if base in study.runs(name)]

    @cached_property
    def runs(self) -> list[str]:
        """All runs of the papers."""
        return list(dict.fromkeys(run for name in study.papers() for run in study.runs(name)))

    @cache  # noqa: B019 - one for the whole process
    def load(self, paper: str, run: str):
        """A paper under a run."""
        return study.load(paper, run, seeds=self.config.seeds)

    def of(self, w):
        """The study of wildcards."""
        return self.load(w.paper, w.run)

    @cache  # noqa: B019
    def alternatives(self, paper: str, run: str) -> list[str]:
        """Runs under the alternatives of a run."""
        return [f"{run}@{name}" for name in study.alternatives(self.load(paper, run).spec)]

    # -- units of work

    @cache  # noqa: B019
    def taken(self, paper: str, run: str) -> list[str]:
        """Panels that are taken from what is published: none unless the configuration says so."""
        loaded = self.load(paper, run)
        return sorted(records.published(loaded, project_root())) if self.config.published else []

    @cache  # noqa: B019
    def units(self, paper: str, run: str) -> dict[str, list[str]]:
        """Unit → experiments whose tables one job writes: a bundle, else one experiment."""
        return self.load(paper, run).units(without=self.taken(paper, run))

    def experiments(self, w) -> list[str]:
        """Experiments of a unit; an unknown one is an error."""
        units = self.units(w.paper, w.run)
        require([w.unit], units, "experiment or bundle", w.paper)
        return units[w.unit]

    def own(self, w) -> list[str]:
        """Experiments of a unit whose methods run in its job."""
        return [e for e in self.experiments(w) if self.of(w).experiment(e).bundle]

    def tables(self, w, names=None) -> list[str]:
        """Folders of evidence of a paper, or of some experiments of it."""
        places = [
            f"<results>/{w.run}/evidence/{w.paper}/{unit}"
            for unit, members in self.units(w.paper, w.run).items()
            if names is None or {*members} & {*names}
        ]
        taken = self.taken(w.paper, w.run)
        if taken if names is None else {*taken} & {*names}:
            places.append(f"<results>/{w.run}/published/{w.paper}")
        return places

    def base_tables(self, w) -> list[str]:
        """Of a run under an alternative, the evidence of its base run."""
        base, _, alternative = w.run.partition("@")
        return self.tables(SimpleNamespace(paper=w.paper, run=base)) if alternative else []

    def tables_of_figure(self, w) -> list[str]:
        """Evidence of the panels of a figure, or of one panel that is drawn by its name."""
        study.lookup(dict.fromkeys(FORMATS), w.format, "format", "figures")
        figures = views.drawable(self.of(w).spec["figures"])
        figure = study.lookup(figures, w.figure, "figure", w.paper)
        return self.tables(w, {panel["experiment"] for panel in views.panels_of(figure, w.figure)})

    def formats(self, w) -> tuple[str, ...]:
        """Formats in which a run's figures are drawn; a page shows the first."""
        return FORMATS[:1] if w.run in ("quick", "taste") else FORMATS

    def instance(self, w, experiment: str) -> str:
        """The instance file of an experiment: under an alternative its base run's where nothing differs."""
        loaded, (base, _, alternative) = self.of(w), w.run.partition("@")
        source = loaded.instance_of(experiment)
        alike = alternative and loaded.recipe(source).alike(self.load(w.paper, base).recipe(source))
        return f"<results>/{base if alike else w.run}/instances/{w.paper}/{source}.h5"

    def prepared(self, w, experiment: str) -> list[str]:
        """The prepared dataset that the instances of an experiment draw from, if they do."""
        return [f"data/prepared/{name}.h5" for name in [self.of(w).dataset(experiment)] if name]

    def solve_inputs(self, w) -> dict:
        """The instance of a run, and, under an alternative, the values that its base run was tuned to."""
        loaded = self.of(w)
        loaded.job(w.experiment, w.method)  # an unknown name is told first
        inputs = {"instance": self.instance(w, w.experiment)} if loaded.needs_instance(w.experiment) else {}
        if "@" in w.run and loaded.searches(w.experiment, w.method):
            base = SimpleNamespace(paper=w.paper, run=loaded.tuned_in)
            bundled = self.of(base).experiment(w.experiment).bundle
            if bundled or w.experiment in self.taken(w.paper, base.run):
                inputs["base"] = self.tables(base, [w.experiment])
            else:
                inputs["tuning"] = f"<results>/{base.run}/traces/{w.paper}/{w.experiment}/{w.method}.json"
        return inputs

    def unit_inputs(self, w) -> dict:
        """Traces of what runs alone; of what runs in the job, data and tuned values."""
        loaded, inputs = self.of(w), {"traces": [], "prepared": [], "base": []}
        for e in self.experiments(w):
            methods = loaded.experiment(e).run_here
            if not loaded.experiment(e).bundle:
                inputs["traces"] += [f"<results>/{w.run}/traces/{w.paper}/{e}/{m}.h5" for m in methods]
                continue
            if loaded.needs_instance(e):
                inputs["prepared"] += self.prepared(w, e)
            if "@" in w.run and any(loaded.searches(e, m) for m in methods):
                inputs["base"] += self.tables(SimpleNamespace(paper=w.paper, run=loaded.tuned_in), [e])
        return {name: list(dict.fromkeys(paths)) for name, paths in inputs.items()}

    # -- digests, for Snakemake's trigger `params`

    @cache  # noqa: B019
    def _job(self, paper, run, experiment, method):
        return hashes.digest(self.load(paper, run).job(experiment, method).plain())

    @cache  # noqa: B019
    def _recipe(self, paper, run, experiment):
        return hashes.digest(self.load(paper, run).recipe(experiment).plain())

    def job(self, w) -> str:
        """Digest of a job, which holds the hash of the code that it imports."""
        return self._job(w.paper, w.run, w.experiment, w.method)

    def recipe(self, w) -> str:
        """Digest of what an instance is made from but its data."""
        return self._recipe(w.paper, w.run, w.experiment)

    def unit(self, w) -> str:
        """Digest of all jobs of a unit, of its instances, and of the code of its tables."""
        loaded, names = self.of(w), self.experiments(w)
        jobs = [self._job(w.paper, w.run, e, m) for e in names for m in loaded.experiment(e).run_here]
        sources = sorted({loaded.instance_of(e) for e in names if loaded.needs_instance(e)})
        code = _code("referee.evidence.tidy")
        return hashes.digest([jobs, [self._recipe(w.paper, w.run, source) for source in sources], code])

    def _parts(self, w, keys, modules, folders=()):
        """Digest of parts of a paper's files, of where its tables are, and of code."""
        spec, code = self.of(w).spec, [_code(*modules), *map(_folder, folders)]
        return hashes.digest(
            [{key: spec.get(key) for key in keys}, self.tables(w), self.taken(w.paper, w.run), code]
        )

    def judged(self, w) -> str:
        """Digest of what verdicts are made of beside tables."""
        room = rooms.whole(w.paper, "claims")  # pandas with it, which a plan of one figure needs not
        claims = sorted(name for name in sys.modules if name == room or name.startswith(f"{room}."))
        return self._parts(w, JUDGED, ("referee.judge.products", *claims))

    def drawn(self, w) -> str:
        """The same of figures and tables."""
        return self._parts(w, DRAWN, ("referee.report.figures", "referee.evidence.tables"))

    def shown(self, w) -> str:
        """The same of pages."""
        folders = ("referee/report/templates", "referee/report/static")
        return self._parts(w, SHOWN, ("referee.report.rebuild",), folders)

    def overview(self, w) -> str:
        """The same of the pages over all papers."""
        return hashes.digest([_code("referee.report.index"), _folder("referee/report/templates")])

    def dataset(self, w) -> str:
        """Digest of a dataset's row of the catalog, and of the code that prepares it."""
        row, modules = catalog.dataset(w.dataset), ["referee.data.prepare"]
        if row.stand_in:
            modules.append(rooms.module(row.paper, "generators", row.stand_in.generator))
        return hashes.digest([study.dataset_row(w.dataset), _code(*modules)])

    def raw(self, w) -> list[str]:
        """Files of a dataset that are here: samples, and what was downloaded or supplied. They may change."""
        row = catalog.dataset(w.dataset)
        places = [downloads.raw_path(row, file, ".") for file in row.files]
        return [str(path) for path in places if path.is_file()]

    # -- needs

    def is_exclusive(self, w) -> int:
        """1 for jobs that must not share the memory; not under an alternative with a budget in counts."""
        loaded, budget = self.of(w), self.of(w).budget(w.experiment, w.method)
        if "@" in w.run and budget and not (budget.cpu_seconds or budget.wall_seconds):
            return 0
        return int(loaded.experiment(w.experiment).exclusive)

    def is_exclusive_unit(self, w) -> int:
        """The same of a unit."""
        return int(any(self.of(w).experiment(e).exclusive for e in self.own(w)))

    def memory_mb(self, w, attempt: int) -> int:
        """Memory that a job may use, from the size of its instances; more on a retry."""
        names = [w.experiment] if hasattr(w, "experiment") else self.own(w)
        return attempt * max([500, *(self.of(w).experiment(e).memory_mb for e in names)])

    def minutes(self, w, attempt: int) -> int:
        """Minutes that a job may take: twice what budgets say, more on a retry; a killed run goes on."""
        loaded = self.of(w)
        if hasattr(w, "method"):
            seconds = costs.bound(loaded, w.experiment, w.method)[0]
        else:
            runs = [(e, m) for e in self.own(w) for m in loaded.experiment(e).run_here]
            seconds = sum(costs.bound(loaded, *run)[0] for run in runs)
        return attempt * (10 + round(2 * seconds / 60))

    def group(self, w) -> str | None:
        """On a cluster the runs of an experiment are one job where together they take minutes."""
        loaded = self.of(w)
        total = sum(costs.bound(loaded, w.experiment, m)[0] for m in loaded.experiment(w.experiment).run_here)
        alone = total >= CHEAP or self.is_exclusive(w)
        return None if alone else f"{w.run}_{w.paper}_{w.experiment}".translate(str.maketrans("-.@", "___"))

    def is_timed(self) -> bool:
        """Whether claims are judged on seconds of the configured run: those of runs that are repeated."""
        every = [self.load(paper, self.config.run) for paper in self.papers]
        return any(loaded.repetitions(*pair) > 1 for loaded in every for pair in loaded.solves())

    @property
    def misnamed(self) -> str:
        """The pattern of words, and of paths below a run's folders, that no other rule makes."""
        below = rf"(?:{'|'.join(self.runs)})(?:@[\w.+-]+)?"
        return rf"[\w-]+|results/{below}/(?!(?:{'|'.join(KINDS)})/).+|reports/{below}/\w+/.+"

    def target(self, target: str, rules) -> str:
        """Raise: what is asked for is neither a rule nor a file that one makes."""
        top, _, path = target.partition("/")
        if top == "reports":
            raise study.StudyError(f"{target!r} is made with its folder: {'/'.join(target.split('/')[:3])}")
        if path:
            run, kind, *_ = path.split("/")
            raise study.StudyError(unknown("folder", kind, KINDS, f"{top}/{run}"))
        if re.fullmatch(r"[A-Z]+-[CT]\w*", target):
            again = f"projfree reproduce {target} --run {self.config.run}"
            raise study.StudyError(f"{target!r} is a claim: {again}")
        known = ["all", "claims", "alternatives", "data", *self.papers]
        near = nearest(target, known) or nearest(target, rules)
        raise study.StudyError(f"unknown target {target!r}.{near} Known are: {', '.join(known)}")
