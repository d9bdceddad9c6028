"""The study: what a paper's YAML means, and what is said when it is wrong."""

import copy
import json
import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from projfree.common import registry
from referee import study
from referee.common import rooms
from referee.study.code import modules_of
from referee.study.models.experiment import Experiment
from referee.study.resolution import merge

SMALL = yaml.safe_load("""
paper: small
prefix: S
title: t
authors: a
venue: v
year: 2000
summary: s
methods:
  fw: {solver: frank_wolfe, role: paper, params: {step_rule: short}}
  tuned: {solver: ncgs, search: {grid: [{max_lo: [1, 2]}]}}
defaults: {lmo_tol: 0.01, records: {ratio: 1.5}}
experiments:
  one:
    title: one
    generator: {name: completion, shape: [4, 4], rank: 1, radius: 1}
    problem: {name: matrix_completion, loss: sl0}
    set: {name: nuclear_ball, radius: 1}
    methods: [fw, tuned]
    budget: {cpu_seconds: 3, stop: {objective: 0.5}}
    seeds: 4
    metrics: [objective]
  two:
    title: two
    like: one
    instance_of: one
    generator: null
    methods: [fw, own, svrg]
    define: {own: {probe: rates, params: {solver: ncgs_vr}}}
figures:
  fig: {title: f, panels: [{experiment: one, x: cpu_seconds, y: objective}], deviations: [U1]}
alternatives: {methods: [fw]}
deviations:
- id: U1
  open: o
  chosen: c
  figures: [fig]
  alternatives: [{name: 2/(k+2), override: {methods: {fw: {params: {step_rule: open_loop}}}}}]
runs:
  quick: {experiments: {one: {budget: {cpu_seconds: null, iterations: 9}, generator: {rank: 2}}}}
""")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Load a spec as the file of a paper called small, which finds the probes of ncgs."""
    found = rooms.modules
    monkeypatch.setattr(rooms, "modules", lambda paper, part: found("ncgs", part))
    folder = tmp_path / "papers/small"
    folder.mkdir(parents=True)

    def load(spec, run="full", **options):
        (folder / "paper.yaml").write_text(yaml.safe_dump(spec))
        return study.load("small", run, tmp_path, **options)

    return load


def changed(path, value):
    """The small spec with one place set; `path` is dotted."""
    spec = copy.deepcopy(SMALL)
    place = spec
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        place = place[part]
    place[last] = value
    return spec


#: Parts whose keys are names of the paper, and parts of which modules or other parts say the keys.
NAMED = "methods", "experiments", "define", "figures"
OTHERS = "params", "generator", "problem", "set", "stop"


def mappings(value=SMALL, path=()):
    """The places of all mappings of the small spec whose keys are ours."""
    if path and path[-1] in (*OTHERS, "grid", "override", "runs"):
        return
    if isinstance(value, dict) and (not path or path[-1] not in NAMED):
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from mappings(part, (*path, str(key)))


@pytest.mark.parametrize("path", [".".join((*path, "zzz")) for path in mappings()])
def test_an_unknown_key_is_an_error_with_its_place(write, path):
    with pytest.raises(study.StudyError, match="papers/small/paper.yaml: .*unknown key 'zzz'") as error:
        write(changed(path, 1))
    *place, _ = path.split(".")
    assert all(part in str(error.value) for part in place if part != "defaults")


@pytest.mark.parametrize(
    "path, value, message",
    [
        ("expermients", {}, "paper.yaml: top level: unknown key 'expermients'. Did you mean 'experiments'?"),
        ("methods.fw.role", "hero", "fw.role: 'hero' should be 'paper', 'strong' or 'extra' (paper: as"),
        ("experiments.one.records", {"raito": 2}, "unknown key 'raito'. Did you mean 'ratio'?"),
        ("experiments.one.records", {"ratio": 1}, "records.ratio: 1 should be greater than 1 (Geometric"),
        ("experiments.one.seeds", 0, "experiments.one.seeds: 0 should be greater than or equal to 1"),
        ("experiments.one.methods", ["fw", "wf"], "experiment one: unknown method 'wf'. Known are: fw,"),
        ("experiments.two.like", "noe", "two: like: unknown experiment 'noe'. Did you mean 'one'?"),
        ("experiments.one.bundle", "yes", "experiments.one.bundle: 'yes' should be a valid boolean"),
        ("experiments.one.method_seeds", {"fw": 0}, "one.method_seeds.fw: 0 should be greater than"),
        ("experiments.one.method_seeds", {"wf": 2}, "experiment one: method_seeds: unknown method 'wf'"),
        ("experiments.one.method_budgets", {"wf": {}}, "experiment one: method_budgets: unknown method 'wf'"),
        ("methods.fw.problem", "sq", "methods.fw.problem: 'sq' should be a valid dictionary"),
        ("experiments", [1], "experiments: [1] should be a valid dictionary"),
        ("experiments.two.instance_of", "x", "experiment two: instance_of: unknown experiment 'x'"),
        ("figures.fig.panels.0.experiment", "x", "figure fig: unknown experiment 'x'. Known are: one, two"),
        ("figures.fig.panels.0.methods", ["x"], "figure fig: unknown method 'x'. Known are:"),
        ("figures.fig.deviations", ["U2"], "figure fig: unknown deviation 'U2'. Known are: U1"),
        ("methods.fw.solver", "frank_wofle", "fw: unknown solver 'frank_wofle'. Did you mean 'frank"),
        ("methods.tuned", {"label": "t"}, "methods.tuned: 'solver', or 'probe', is a required property"),
        ("experiments.two.define.own.probe", "rats", "own: unknown probe 'rats'. Did you mean 'rates'"),
        ("experiments.one.problem.name", "multi_taks", "unknown problem 'multi_taks'. Did you mean 'multi"),
        ("experiments.one.set.name", "simplx", "one: unknown set 'simplx'. Did you mean 'simplex'?"),
        ("experiments.one.penalty", {"name": "oscra"}, "unknown penalty 'oscra'. Did you mean 'oscar'?"),
        ("experiments.one.generator.name", "completoin", "unknown generator 'completoin'. Did you mean 'co"),
        ("experiments.one.set", {"radius": 1}, "experiments.one.set: 'name' is a required property"),
        ("runs.full", {"methods": {"fw": {"rol": 1}}}, "methods.fw: unknown key 'rol'. Did you mean 'role'?"),
        ("figures.fig.grid", {}, "figures.fig.grid: 'rows' is a required property"),
        ("figures.fig.panels", None, "figures.fig: "),
        ("disputed", {"S-C1": {"by": "a", "date": "2026-01-31", "text": "t"}}, "S-C1: 'link' is a"),
        ("tables", {"t": {"title": "t", "rows": [], "margni": 1}}, "tables.t: unknown key 'margni'. Did you"),
        ("alternatives.methods", ["wf"], "alternatives: unknown method 'wf'. Known are: fw, svrg, tuned"),
    ],
)  # fmt: skip
def test_a_wrong_value_or_name_is_an_error_with_its_place(write, path, value, message):
    with pytest.raises(study.StudyError) as error:
        write(changed(path, value))
    assert message in str(error.value)
    assert "papers/small" in str(error.value) or ": like:" in str(error.value)


@pytest.mark.parametrize("key", sorted(set(SMALL) - {"defaults", "alternatives", "deviations"}))
def test_a_missing_part_is_named(write, key):
    with pytest.raises(study.StudyError, match=f"'{key}' is a required property"):
        write({name: value for name, value in SMALL.items() if name != key})


@pytest.mark.parametrize(
    "ask, message",
    [
        (("smal", "full"), "papers: unknown paper 'smal'. Did you mean 'small'? Known are: small"),
        (("small", "quikc"), "small: unknown run 'quikc'. Did you mean 'quick'? Known are: full, quick"),
        (("small", "quick@U2-x"), "small: unknown alternative 'U2-x'"),
        (lambda loaded: loaded.job("x", "fw"), "unknown experiment 'x'. Known are: one, two"),
        (lambda loaded: loaded.job("one", "own"), "one: unknown method 'own'. Known are: fw, tuned"),
        (lambda _: study.dataset_row("covertpye", ROOT), "unknown dataset 'covertpye'. Did you mean 'covert"),
    ],
)  # fmt: skip
def test_what_is_unknown_lists_the_known(write, tmp_path, ask, message):
    loaded = write(SMALL)
    with pytest.raises(study.StudyError) as error:
        ask(loaded) if callable(ask) else study.load(*ask, tmp_path)
    assert message in str(error.value)


def test_a_run_merges_deeply_null_removes_and_like_takes_what_the_run_made(write):
    full, quick = write(SMALL), write(SMALL, "quick")
    assert full.experiment("one").budget.plain() == {"cpu_seconds": 3, "stop": {"objective": 0.5}}
    assert quick.experiment("one").budget.plain() == {"iterations": 9, "stop": {"objective": 0.5}}
    generator = full.experiment("one").plain()["generator"]
    assert quick.experiment("one").plain()["generator"] == {**generator, "rank": 2}
    two = quick.experiment("two").plain()
    assert two["title"] == "two" and two["problem"] == SMALL["experiments"]["one"]["problem"]
    assert two["budget"] == {"iterations": 9, "stop": {"objective": 0.5}}
    assert "generator" not in two and "like" not in two


def test_defaults_give_way_to_what_an_experiment_says(write):
    assert write(SMALL).experiment("one").plain()["records"] == {"ratio": 1.5}
    two = write(changed("experiments.one.records", {"ratio": 2})).experiment("two").plain()
    assert two["records"] == {"ratio": 2} and two["lmo_tol"] == 0.01


def test_a_job_is_plain_data_with_all_that_it_needs(write):
    loaded = write(SMALL)
    job = loaded.job("one", "tuned").plain()
    assert json.loads(json.dumps(job)) == job
    assert job["seeds"] == [0, 1, 2, 3] and job["search"]["grid"] == [{"max_lo": [1, 2]}]
    assert job["lmo_tol"] == 0.01 and len(job["code"]) == 64
    by_name = loaded.job("two", "svrg").plain()["solver"]
    assert by_name == {"name": "svrg", "params": {}}, "a solver's own name is a method with its defaults"


def template(**values):
    """The small spec with a template in the place of experiment one; two is like its first."""
    spec = copy.deepcopy(SMALL)
    one = {**spec["experiments"]["one"], "for": [[{"r": 1}, {"r": 3}]], "title": "rank {r}", **values}
    one["generator"]["rank"] = "{r}"
    spec["experiments"] = {"one-{r}": one, "two": {**spec["experiments"]["two"], "like": "one-1"}}
    spec["experiments"]["two"]["instance_of"] = spec["figures"]["fig"]["panels"][0]["experiment"] = "one-1"
    spec["runs"] = {"quick": {"experiments": {"one-{r}": {"for": [[{"r": 2}]], "seeds": 1}}}}
    return spec


def test_templates_of_experiments_are_written_out_before_anything_else(write):
    loaded, spec = write(template()), template()
    assert list(loaded.experiments) == ["one-1", "one-3", "two"]
    assert [loaded.experiment(name).title for name in ("one-3", "two")] == ["rank 3", "two"]
    assert loaded.job("one-3", "fw").plain()["generator"]["rank"] == 3
    assert loaded.job("two", "fw").plain()["problem"] == loaded.job("one-1", "fw").plain()["problem"]
    assert loaded.experiment("one-1").plain()["lmo_tol"] == 0.01
    spec["runs"]["quick"]["experiments"]["one-{r}"]["for"] = [[{"r": 1}]]
    quick = write(spec, "quick")
    assert list(quick.experiments) == ["one-1", "two"] and quick.experiment("one-1").seeds_of() == [0]
    with pytest.raises(study.StudyError) as error:
        write(template(metric=[], sedes=1))
    lines = str(error.value).splitlines()
    assert [line.partition(" unknown key ")[2][:8] for line in lines] == ["'metric'", "'sedes'."], lines


def test_single_methods_may_have_fewer_seeds_and_never_more_than_their_experiment(write):
    """A run with one seed for all need not repeat the table of those that have fewer."""

    def seeds(loaded, *methods):
        return [loaded.job("one", method).plain()["seeds"] for method in methods]

    spec = changed("experiments.one.method_seeds", {"tuned": 2})
    loaded = write(spec)
    assert seeds(loaded, "fw", "tuned") == [[0, 1, 2, 3], [0, 1]]
    assert loaded.recipe("one").seeds == [0, 1, 2, 3, study.TUNING_SEED]
    assert seeds(write(spec, seeds=1), "tuned") == [[0]]
    assert seeds(write(spec, seeds=3), "fw") == [[0, 1, 2]]
    spec = changed("experiments.one.method_seeds", {"fw": 3})
    spec["runs"]["quick"]["experiments"]["one"]["seeds"] = 1
    (name,) = study.alternatives(write(spec).spec)
    found = [seeds(write(spec, run), "fw") for run in ("full", "quick", f"full@{name}")]
    assert found == [[[0, 1, 2]], [[0]], [[0]]]


def test_parameters_of_an_experiment_are_defaults_of_its_solvers_and_win_over_its_probes(write):
    spec = changed("experiments.one.params", {"step_rule": "gap", "max_lo": 3})
    spec["experiments"]["two"]["params"] = {"solver": "svrg"}
    loaded = write(spec)
    assert loaded.job("one", "fw").plain()["solver"]["params"] == {"step_rule": "short", "max_lo": 3}
    assert loaded.job("one", "tuned").plain()["solver"]["params"] == {"step_rule": "gap", "max_lo": 3}
    assert loaded.job("two", "own").plain()["probe"]["params"]["solver"] == "svrg"


def test_a_method_may_change_the_problem_and_nothing_else_does(write):
    loaded = write(changed("methods.fw.problem", {"loss": "sq"}))
    assert loaded.job("one", "fw").plain()["problem"] == {"name": "matrix_completion", "loss": "sq"}
    assert loaded.job("one", "tuned").plain()["problem"]["loss"] == "sl0"
    assert loaded.recipe("one").problem.loss == "sl0", "instances are shared by all methods"
    assert loaded.experiment("one").plain()["problem"]["loss"] == "sl0"


@pytest.mark.parametrize("method", ["fw", "own"])
def test_a_job_runs_the_code_of_the_estimator_or_solver_it_names(write, method):
    codes = set()
    for estimator, solver in (("casvrg", "ncgs_vr"), ("sg", "svrg")):
        if method == "fw":
            spec = changed("methods.fw", {"solver": "nfwu", "params": {"estimator": estimator}})
            job, wanted = write(spec).job("one", "fw"), f"estimators.{estimator}"
        else:
            spec = changed("experiments.two.define.own.params.solver", solver)
            job, wanted = write(spec).job("two", "own"), solver
        assert f"projfree.solvers.{wanted}" in modules_of(job)
        codes.add(job.code)
    assert len(codes) == 2


def test_an_experiment_can_be_a_bundle_by_itself_or_by_patterns_of_names(write):
    assert write(changed("experiments.one.bundle", True)).units()["one"] == ["one"]
    assert not any(e.bundle for e in write(SMALL).experiments.values())
    spec = {**changed("experiments.one.bundle", True), "bundles": {"both": ["o*", "two"]}}
    assert write(spec).units()["both"] == ["one", "two"]
    assert write(spec).units(without=["one"])["both"] == ["two"]
    with pytest.raises(study.StudyError, match="paper.yaml: bundles.both: no experiment fits 'three'"):
        write({**SMALL, "bundles": {"both": ["three"]}})


def test_an_instance_holds_the_seeds_of_all_that_share_it_and_of_tuning(write):
    spec = changed("experiments.two.seeds", 6)
    assert write(spec).recipe("one").seeds == [0, 1, 2, 3, 4, 5, study.TUNING_SEED]
    assert write(SMALL).instance_of("two") == "one"


@pytest.mark.parametrize("limit, own", [(1, 4), (2, 3), (9, 1)])
def test_seeds_are_capped(limit, own):
    loaded = study.load("ncgs", "full", ROOT, seeds=limit)
    counts = {e: values.seeds for e, values in loaded.experiments.items()}
    full = study.load("ncgs", "full", ROOT).experiments
    assert counts == {e: min(limit, values.seeds) for e, values in full.items()}
    assert Experiment(title="t", methods=[], seeds=own).seeds_of() == list(range(own))


@given(
    st.recursive(
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3),
        lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=6,
    )
)
def test_merging_a_change_twice_is_merging_it_once_and_leaves_the_base(change):
    base = {"a": {"b": 1, "c": {"a": 2}}, "b": 3}
    before = copy.deepcopy(base)
    once = merge(base, change)
    assert merge(once, change) == once
    assert base == before


def written(spec):
    """The spec as its types have it, in text, so that 3 is not 3.0: a bundle has no name there."""
    bundles = {e: {"bundle": bool(v["bundle"])} for e, v in spec["experiments"].items() if "bundle" in v}
    experiments = {e: v | bundles.get(e, {}) for e, v in spec["experiments"].items()}
    kept = {key: value for key, value in spec.items() if key != "defaults"}
    return json.dumps({**kept, "experiments": experiments}, sort_keys=True)


@pytest.mark.parametrize("paper", study.papers(ROOT))
def test_every_paper_resolves_under_every_run_and_alternative(paper, still, monkeypatch):
    monkeypatch.chdir(ROOT)
    full = study.load(paper)
    alternatives = study.alternatives(full.spec)
    runs = ["full", *full.spec["runs"]]
    for run in [*runs, *(f"full@{name}" for name in alternatives)]:
        loaded = study.load(paper, run)
        assert loaded.solves(), run
        plain = json.dumps(loaded.model.plain(), sort_keys=True)
        assert plain == written(loaded.spec), "as types it says the same"
        for experiment, method in loaded.solves():
            job = loaded.job(experiment, method)
            known = rooms.modules(paper, "probes") if job.probe else registry.names("projfree.solvers")
            assert job.chosen.name.replace("-", "_") in known
        for name in loaded.experiments:
            if loaded.needs_instance(name):
                assert loaded.recipe(loaded.instance_of(name)).generator.name
        for dataset in loaded.datasets():
            assert study.dataset_row(dataset)


def test_an_alternative_is_its_override_on_half_the_budget(write):
    (name,) = study.alternatives(write(SMALL).spec)
    loaded = write(SMALL, f"full@{name}")
    assert name == "U1-2-k-2" and loaded.solves() == [("one", "fw")]
    job = loaded.job("one", "fw").plain()
    assert job["solver"]["params"] == {"step_rule": "open_loop"}
    assert job["seeds"] == [0] and job["budget"] == {"cpu_seconds": 1.5, "stop": {"objective": 0.5}}


def test_quick_needs_no_download_counts_instead_of_seconds_and_has_all_parts_of_full():
    full, quick = (study.load("ncgs", run, ROOT) for run in ("full", "quick"))
    for name in quick.datasets():
        assert re.search("sample|mini", name), name
    for name, values in quick.experiments.items():
        first = next(iter({**quick.methods, **values.define}.values()))
        if first.solver and values.budget:
            assert values.budget.cpu_seconds is None, name
    for part in ("figures", "tables", "deviations"):
        assert full.spec[part] == quick.spec[part]
    assert full.solves() == quick.solves()
    choices = [c for deviation in full.spec["deviations"] for c in deviation.get("alternatives", [])]
    runnable = [choice for choice in choices if choice.get("override")]
    assert len(study.alternatives(full.spec)) == len(runnable), "each has a name of its own"


def described(schema, path=""):
    """Every named property of a schema, with its own schema."""
    for part in ("properties", "$defs"):
        for name, value in schema.get(part, {}).items():
            if part == "properties":
                yield f"{path}.{name}", value
            yield from described(value, f"{path}.{name}")
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from described(schema[part], f"{path}[]")


@pytest.mark.parametrize("name", ["config", "paper", "datasets"])
def test_every_key_of_a_schema_is_described(name):
    schema = json.loads((ROOT / f"workflow/schemas/{name}.schema.json").read_text())
    found = dict(described(schema))
    assert len(found) >= 5
    refers = {path for path, value in found.items() if "$ref" in value}
    assert [path for path in sorted(set(found) - refers) if not found[path].get("description")] == []


def test_the_configuration_holds_every_key_with_its_default_and_its_readme_names_them():
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert config == study.Config().model_dump()
    assert [key for key in config if f"`{key}`" not in (ROOT / "config/README.md").read_text()] == []


def test_the_parts_of_a_product_are_code_of_its_jobs():
    loaded = study.load("ncgs", "full@U18-box-of-its-own", ROOT)
    products = [j for e, m in loaded.solves() if (j := loaded.job(e, m)).set and j.set.name == "product"]
    assert products
    for job in products:
        assert {"projfree.sets.product", "projfree.sets.nuclear_ball", "projfree.sets.box"} <= set(
            modules_of(job)
        )
