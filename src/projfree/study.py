"""From YAML to jobs: the only reader of the configuration.

A run is ``quick``, ``full``, any other key under ``runs`` of a paper's file, or ``<run>@<alternative>``:
the same run under one alternative of the deviation register (``full@U1-max-lo-1``).
"""

import copy
import difflib
import fnmatch
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jsonschema

from .claim_views import answerable, claims_on
from .figure_grid import panels_of
from .ground import provenance, registry, rooms

__path__ = [str(Path(__file__).with_suffix(""))]
from .study import files, templates  # noqa: E402 - the folder beside this file

TUNING_SEED = 1000
SCHEMAS = Path("workflow/schemas")
#: Packages whose modules solvers load by a name that their own defaults may hold.
LOADED_BY_NAME = ("solvers.reduce",)
#: Solvers whose parameter `estimator` names a module.
BY_ESTIMATOR = ("projfree.solvers.nfwu", "projfree.solvers.estimator_frank_wolfe")


class StudyError(ValueError):
    """A configuration that does not fit; the message names the place and the known alternatives."""


@dataclass(frozen=True)
class Study:
    """One paper under one run, resolved.

    Attributes
    ----------
    paper, run : str
    spec : dict
        The paper's YAML with the run's overrides merged in: methods, experiments, figures, tables, claims,
        deviations.
    """

    paper: str
    run: str
    spec: dict

    @property
    def experiments(self) -> dict:
        """Experiments by name."""
        return self.spec["experiments"]

    def experiment(self, name: str) -> dict:
        """One experiment; an unknown name is an error that lists the known."""
        return lookup(self.experiments, name, "experiment", self.paper)

    def solves(self) -> list[tuple[str, str]]:
        """All (experiment, method) pairs, probes included: one trace each."""
        return [(e, m) for e, value in self.experiments.items() for m in value["methods"]]

    def bundles(self) -> dict[str, list[str]]:
        """Experiments that one job does, by the bundle's name."""
        found = {}
        for name, values in self.experiments.items():
            if values.get("bundle") and values["methods"]:
                found.setdefault(values["bundle"], []).append(name)
        return found

    def job(self, experiment: str, method: str) -> dict:
        """Everything one job needs, as plain data: for `projfree.jobs.job` or, with ``probe``, a probe."""
        values = self.experiment(experiment)
        if method not in values["methods"]:
            raise StudyError(unknown("method", method, values["methods"], f"experiment {experiment}"))
        chosen = lookup(methods_of(self.spec, experiment), method, "method", self.paper)
        job = {
            **{
                key: values[key]
                for key in ("problem", "set", "penalty", "metrics", "records", "lmo_tol", "generator")
                if key in values
            },
            "paper": self.paper,
            "run": self.run,
            "experiment": experiment,
            "method": method,
            "instance_of": self.instance_of(experiment),
            "seeds": self.seeds(experiment, method),
            "budget": self.budget(experiment, method),
        }
        if "probe" in chosen:
            job["probe"] = {
                "name": chosen["probe"],
                "params": _merge(chosen.get("params", {}), values.get("params", {})),
            }
        else:
            params = _merge(values.get("params", {}), chosen.get("params", {}))
            job["solver"] = {"name": chosen["solver"], "params": params}
        if "problem" in chosen:
            job["problem"] = _merge(job["problem"], chosen["problem"])
        if chosen.get("search"):
            criterion = {"criterion": values["criterion"]} if values.get("criterion") else {}
            job["search"] = {**chosen["search"], **criterion, "seed": TUNING_SEED}
        job["code"] = provenance.code_sha256(*self._modules(job))
        return job

    def budget(self, experiment: str, method: str) -> dict | None:
        """What ends a method's runs in an experiment; None for probes, which end by themselves."""
        values = self.experiment(experiment)
        return values.get("method_budgets", {}).get(method, values.get("budget"))

    def seeds(self, experiment: str, method: str) -> list[int]:
        """The seeds of a method's runs in an experiment."""
        return seeds(self.experiment(experiment), method)

    def instance_of(self, experiment: str) -> str:
        """The experiment whose instances this one shares."""
        return self.experiment(experiment).get("instance_of", experiment)

    def instance(self, experiment: str) -> dict:
        """Spec of the instance file: generator, problem (for the constants), seeds of all that share it."""
        values = self.experiment(experiment)
        sharing = [e for e in self.experiments if self.instance_of(e) == experiment]
        wanted = {seed for e in sharing for seed in seeds(self.experiments[e])}
        if any(self.searches(e, m) for e in sharing for m in self.experiments[e]["methods"]):
            wanted.add(TUNING_SEED)
        return {
            "paper": self.paper,
            "experiment": experiment,
            "instance_of": experiment,
            "generator": values["generator"],
            "problem": values["problem"],
            "seeds": sorted(wanted),
            "code": provenance.code_sha256(
                "projfree.jobs.build",
                f"projfree.data.generators.{_module(values['generator']['name'])}",
                f"projfree.problems.{_module(values['problem']['name'])}",
            ),
        }

    def needs_instance(self, experiment: str) -> bool:
        """Whether the experiment runs on instances (probes may make their own)."""
        return "generator" in self.experiment(self.instance_of(experiment))

    def searches(self, experiment: str, method: str) -> bool:
        """Whether the method is tuned (or piloted) in that experiment."""
        return bool(methods_of(self.spec, experiment)[method].get("search"))

    def dataset(self, experiment: str) -> str | None:
        """The prepared dataset that the experiment's generator draws from."""
        return self.experiment(self.instance_of(experiment)).get("dataset")

    def datasets(self) -> list[str]:
        """Prepared datasets that the run needs."""
        return sorted({self.dataset(e) for e in self.experiments} - {None})

    def _modules(self, job):
        modules = [_measured_by(job)]
        modules += ["projfree.jobs.probe" if "probe" in job else "projfree.jobs.job"]
        modules += ["projfree.jobs.tuning"] if "search" in job else []
        for key, package in (("problem", "problems"), ("set", "sets"), ("penalty", "penalties")):
            modules += [f"projfree.{package}.{_module(job[key]['name'])}"] if key in job else []
        if "probe" in job:
            modules += [f"projfree.solvers.{name}" for name in _named(job["probe"]["params"], "solver")]
        estimators = _named(job.get("probe", job.get("solver"))["params"], "estimator")
        if not estimators and set(BY_ESTIMATOR) & set(modules):  # their default is one of them
            estimators = registry.names("projfree.solvers.estimators")
        modules += [f"projfree.solvers.estimators.{name}" for name in estimators]
        modules += _served(modules)
        return modules + [m for package in LOADED_BY_NAME for m in _of_package(package, tuple(modules))]


def load(paper: str, run: str = "full", root=".", seeds: int | None = None) -> Study:
    """Read, validate and resolve ``config/papers/<paper>/`` for a run.

    Raises
    ------
    StudyError
        For a file that does not fit the schema, or a name that nothing defines.
    """
    path = Path(root) / files.PAPERS / paper
    if not path.is_dir():
        raise StudyError(unknown("paper", paper, papers(root), "config/papers"))
    try:
        spec = given = copy.deepcopy(files.read_paper(path))
    except files.FileError as error:
        raise StudyError(error) from error
    validate(_expanded(spec, path), Path(root) / SCHEMAS / "paper.schema.json", path)
    base, _, alternative = run.partition("@")
    spec = _merge(spec, lookup({"full": {}, **spec.get("runs", {})}, base, "run", paper))
    spec = _with_plain_solvers(_with_bundles(_with_defaults(_expanded(spec, path)), path))
    if base != "full":
        whole = _with_defaults(_expanded(given, path))["experiments"]
        spec["claims"] = [answerable(c, spec["experiments"], whole) for c in spec.get("claims", [])]
    if alternative:
        spec = apply_alternative(spec, alternative)
    if seeds:
        for values in spec["experiments"].values():
            values["seeds"] = min(seeds, values.get("seeds", 1))
    check_names(spec, path)
    return Study(paper, run, spec)


def papers(root=".") -> list[str]:
    """Papers that have a folder."""
    return files.papers(root)


def dataset_row(name: str, root=".") -> dict:
    """The catalog's row of a dataset."""
    path = Path(root) / "config" / "datasets.yaml"
    return lookup(files.read(path), name, "dataset", path)


def generator_modules() -> list[str]:
    """Modules that generate data; they are found by folder, so no import names them."""
    return [f"projfree.data.generators.{name}" for name in registry.names("projfree.data.generators")]


def seeds(experiment: dict, method: str | None = None) -> list[int]:
    """Seeds 0 … k−1 of an experiment, or of one of its methods that has fewer."""
    count = experiment.get("seeds", 1)
    return list(range(min(count, experiment.get("method_seeds", {}).get(method, count))))


def methods_of(spec: dict, experiment: str) -> dict:
    """The paper's methods, and those that only this experiment defines."""
    return {**spec["methods"], **spec["experiments"][experiment].get("define", {})}


def alternatives(spec: dict) -> dict[str, dict]:
    """Alternatives of the deviation register that can be run, by id ``<deviation>-<name in ASCII>``.

    Each has ``deviation, name, override, experiments, methods``; by default the experiments of the
    deviation's figures, and the methods, that the paper's ``alternatives`` section names.
    """
    found, shared = {}, spec.get("alternatives", {})
    for deviation in spec.get("deviations", []):
        stems = [stem for stem in deviation.get("figures", []) if stem in spec["figures"]]
        touched = {panel["experiment"] for stem in stems for panel in panels_of(spec["figures"][stem], stem)}
        defaults = {
            "experiments": sorted(touched & set(shared.get("experiments", touched))),
            "methods": shared.get("methods", list(spec["methods"])),
        }
        for choice in deviation.get("alternatives", []):
            if choice.get("override"):
                slug = re.sub(r"[^A-Za-z0-9.]+", "-", choice["name"]).strip("-.")
                name = f"{deviation['id']}-{slug}"
                if name in found:
                    raise StudyError(
                        f"two alternatives are called {name}; give them names that differ in ASCII"
                    )
                found[name] = {**defaults, **choice, "deviation": deviation["id"]}
    return found


def apply_alternative(spec: dict, name: str) -> dict:
    """The spec under one alternative: its override merged, its panels only, one seed, half the budgets."""
    choice = lookup(alternatives(spec), name, "alternative", spec["paper"])
    spec = _merge(spec, choice["override"])
    wanted = {e: dict(v) for e, v in spec["experiments"].items() if e in choice["experiments"]}
    left_out = {m for v in wanted.values() for m in v["methods"]} - set(choice["methods"])
    for values in wanted.values():
        values["seeds"] = 1
        values["methods"] = [m for m in values["methods"] if m in choice["methods"]]
        values["budget"] = {k: _half(k, v) for k, v in values.get("budget", {}).items()}
    for source in [v["instance_of"] for v in wanted.values() if "instance_of" in v]:
        wanted.setdefault(source, {**spec["experiments"][source], "methods": []})
    left_out |= set(spec["experiments"]) - set(wanted)
    claims = [claims_on(claim, wanted, left_out) for claim in spec.get("claims", [])]
    claims = [claim for claim in claims if claim]
    return {**spec, "experiments": wanted, "claims": claims, "figures": {}, "tables": {}, "alternatives": {}}


def check_names(spec: dict, path) -> None:
    """Every name a part of the file uses must be defined by another part."""
    experiments = spec["experiments"]
    for name, values in experiments.items():
        for method in values["methods"]:
            _known(methods_of(spec, name), method, "method", f"{path}: experiment {name}")
        for key in ("method_seeds", "method_budgets"):
            for method in values.get(key, {}):
                _known(methods_of(spec, name), method, "method", f"{path}: experiment {name}: {key}")
        if "instance_of" in values:
            _known(
                experiments, values["instance_of"], "experiment", f"{path}: experiment {name}: instance_of"
            )
    for stem, figure in spec.get("figures", {}).items():
        for panel in panels_of(figure, stem):
            _known(experiments, panel["experiment"], "experiment", f"{path}: figure {stem}")
            for method in panel.get("methods", []):
                _known(methods_of(spec, panel["experiment"]), method, "method", f"{path}: figure {stem}")
    shared = spec.get("alternatives", {})
    for name in shared.get("experiments", []):
        _known(experiments, name, "experiment", f"{path}: alternatives")
    for name in shared.get("methods", []):
        _known(spec["methods"], name, "method", f"{path}: alternatives")
    identifiers = {deviation["id"] for deviation in spec.get("deviations", [])}
    for stem, figure in spec.get("figures", {}).items():
        for deviation in figure.get("deviations", []):
            _known(identifiers, deviation, "deviation", f"{path}: figure {stem}")


def validate(value, schema_path, source) -> None:
    """Check a value against a JSON schema; the error names the place and the known keys."""
    schema = files.read(schema_path)
    errors = sorted(
        jsonschema.Draft202012Validator(schema).iter_errors(value), key=lambda e: list(map(str, e.path))
    )
    if errors:
        raise StudyError("\n".join(f"{source}: {_explain(error)}" for error in errors[:5]))


def unknown(kind: str, name: str, known, where: str) -> str:
    """The message about a name that nothing defines."""
    known = sorted(known)
    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"{where}: unknown {kind} {name!r}.{hint} Known are: {', '.join(known) or 'none'}"


def lookup(table: dict, name: str, kind: str, where: str):
    """An entry of a table; an unknown name is an error that lists the known."""
    if name not in table:
        raise StudyError(unknown(kind, name, table, where))
    return table[name]


def _known(table, name, kind, where):
    if name not in table:
        raise StudyError(unknown(kind, name, table, where))


def _explain(error):
    place = ".".join(map(str, error.absolute_path)) or "top level"
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        extra = [key for key in error.instance if key not in known]
        return f"{place}: " + "; ".join(unknown("key", key, known, place) for key in extra)
    about = error.schema.get("description")
    return f"{place}: {error.message}" + (f" ({about})" if about else "")


def _merge(base, change):
    """Deep merge of dictionaries; anything else is replaced, and None removes a key."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return change
    merged = dict(base)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = (
                _merge(base.get(key), value) if isinstance(base.get(key), dict) else copy.deepcopy(value)
            )
    return merged


def _expanded(spec, source):
    """The spec with its templates written out; a run's are merged first, into those of their names."""
    try:
        return {k: v if k == "runs" else templates.expand(v, k) for k, v in spec.items()}
    except ValueError as error:
        raise StudyError(f"{source}: {error}") from error


def _with_defaults(spec):
    """Each experiment with the paper's defaults and, through `like`, another experiment's values."""
    experiments = {}
    for name, values in spec["experiments"].items():
        parent = values.get("like")
        if parent is not None:
            _known(spec["experiments"], parent, "experiment", f"experiment {name}: like")
            values = _merge(spec["experiments"][parent], {k: v for k, v in values.items() if k != "like"})
        experiments[name] = _merge(spec.get("defaults", {}), values)
    return {**spec, "experiments": experiments}


def _with_bundles(spec, source):
    """Bundled experiments with their bundle's name: their own, or one of ``bundles`` whose patterns fit."""
    named = {}
    for bundle, patterns in spec.get("bundles", {}).items():
        for pattern in patterns:
            fitting = fnmatch.filter(spec["experiments"], pattern)
            if not fitting:
                raise StudyError(f"{source}: bundles.{bundle}: no experiment fits {pattern!r}")
            named |= dict.fromkeys(fitting, bundle)
    own = {name: name for name, values in spec["experiments"].items() if values.get("bundle")}
    bundled = {
        name: {**spec["experiments"][name], "bundle": bundle} for name, bundle in {**own, **named}.items()
    }
    return {**spec, "experiments": {**spec["experiments"], **bundled}}


def _with_plain_solvers(spec):
    """A listed method that nothing defines, and that is a solver's name, is that solver with its defaults."""
    listed = {m for v in spec["experiments"].values() for m in v["methods"] if m not in v.get("define", {})}
    plain = (listed - set(spec["methods"])) & set(registry.names("projfree.solvers"))
    return {
        **spec,
        "methods": {**spec["methods"], **{m: {"solver": m, "role": "extra"} for m in sorted(plain)}},
    }


def _half(name, limit):
    return limit / 2 if name.endswith("seconds") else limit if name == "stop" else max(1, round(limit / 2))


def _module(name):
    return name.replace("-", "_")


def _measured_by(job):
    """The module of the job's probe or solver."""
    if "probe" in job:
        return rooms.module(job["paper"], "probes", job["probe"]["name"])
    return f"projfree.solvers.{_module(job['solver']['name'])}"


def _named(params, key):
    """Modules that parameters name: strings under keys called `key`, or `key` + "s", at any depth."""
    if isinstance(params, list):
        return [name for value in params for name in _named(value, key)]
    if not isinstance(params, dict):
        return []
    found = [name for name in (params.get(key), *_listed(params.get(f"{key}s"))) if isinstance(name, str)]
    return [_module(name) for name in found] + [m for value in params.values() for m in _named(value, key)]


def _served(modules):
    """Oracles and metrics of the families that the modules name: the engine loads them by name."""
    folder = provenance.PACKAGE / "families"
    named = {path.stem for path in provenance.import_closure(*modules) if path.parent == folder}
    families = [registry.load("projfree.families", name).FAMILY for name in sorted(named - {"__init__"})]
    return [f"projfree.engine.{kind}.{getattr(f, kind)}" for f in families for kind in ("oracles", "metrics")]


@cache
def _of_package(package, modules: tuple):
    """All modules of a package that the modules load from by name: parameters need not name the default."""
    door = provenance.PACKAGE.joinpath(*package.split("."), "__init__.py")
    if door not in provenance.import_closure(*modules):
        return []
    return [f"projfree.{package}.{name}" for name in registry.names(f"projfree.{package}")]


def _listed(value):
    return value if isinstance(value, list) else []
