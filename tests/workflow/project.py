"""A small project of its own: a copy of this one whose only paper takes seconds."""

import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager

import compiled_copy
import snakemake_fork
import yaml
from child_processes import end_with_parent
from places import BIN, ROOT

from referee.study import files

PARTS = ("profiles", "workflow", "config", "papers", "src", "pyproject.toml", "data/samples")
FATE = ROOT / "tests/workflow/fate"
PROFILE = ("--profile", "workflow/profiles/default")
METHODS = ["fw", "ncgs-2", "ncgs-vr", "ncgs-vr-tuned"]
FIGURE = "results/quick/figures/ncgs/fig1-left.svg"
FIGURE_PARTS = {"title": "old title", "deviations": ["U8"], "claims": []}
EXPERIMENTS = yaml.safe_load("""
fig1-left: &all
  title: a
  problem: &problem {name: matrix_completion, loss: sl0, sigma: 1.0, weight: sum}
  set: &set {name: nuclear_ball, radius: 2}
  generator: {name: completion, shape: [20, 20], rank: 2, radius: 2, observe: 0.4}
  metrics: [sq_gradient_mapping, objective]
  methods: [fw, ncgs-2, ncgs-vr, ncgs-vr-tuned]
  budget: {iterations: 30}
side:
  title: probes that name a solver
  problem: *problem
  set: *set
  instance_of: fig1-left
  define:
    vr: {probe: rates, params: &rates {solver: ncgs_vr, horizons: [4], at: iterate, average: mean, radius: 2}}
    batch: {probe: rates, params: {<<: *rates, solver: ncgs, at: theta_md}}
  methods: [vr, batch]
long: {<<: *all, title: killed in its middle, methods: [fw], seeds: 3, budget: {iterations: 5000}}
capped: &fw {<<: *all, title: two seeds, methods: [fw], seeds: 2, budget: {iterations: 3}}
bundled: {<<: *all, title: all in one job, methods: [fw, ncgs-vr-tuned], budget: {iterations: 5}}
bundled-too: {<<: *fw, title: in the same job and on the same instance, instance_of: bundled, seeds: 1}
wrong: {<<: *all, title: fails, methods: [fw-wrong], budget: {iterations: 3}}
""")
DEVIATIONS = yaml.safe_load("""
- id: U8
  open: o
  chosen: c
  figures: [fig1-left]
  alternatives:
  - {name: short step, override: {methods: {fw: {params: {step_rule: short}}}}, methods: [fw]}
  - {name: rank 3, override: {experiments: {fig1-left: {generator: {rank: 3}}}}, methods: [fw]}
""")
CLAIMS = '''"""The claim of the tiny paper."""

from referee.judge import at_most, claim


@claim("C1", refused=[{"by": 0.0}])
def c1(evidence, *, by=1.0):
    """The objective ends below its start.

    §1: “it falls”
    """
    return at_most(evidence["capped"], "fw", "objective", 1e9 * by, stat="last")
'''


def tiny(paper):
    """The paper with a few small experiments instead of its own; methods and their parameters stay."""
    methods = {name: paper["methods"][name] for name in METHODS}
    methods["ncgs-vr-tuned"] = {**methods["ncgs-vr-tuned"], "search": {"grid": [{"step_factor": [1, 3]}]}}
    methods["fw-wrong"] = {"solver": "frank_wolfe", "role": "extra", "params": {"step_rule": "wrong"}}
    return {
        **{key: paper[key] for key in ("paper", "prefix", "title", "authors", "venue", "year", "summary")},
        "methods": methods,
        "experiments": EXPERIMENTS,
        "figures": {"fig1-left": {**paper["figures"]["fig1-left"], **FIGURE_PARTS}},
        "tables": {},
        "deviations": DEVIATIONS,
        "runs": {"quick": {"bundles": {"pair": ["bundled*"]}}},
    }


class Project:
    """A folder with the copy, and Snakemake in it."""

    def __init__(self, folder, own_sources=True):
        self.folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "src" if own_sources else ROOT / "src"),
            "PROJFREE_CACHE": str((folder if own_sources else ROOT) / ".cache"),
            "PATH": f"{BIN}:{os.environ['PATH']}",
        }

    @classmethod
    def copy(cls, folder, own_sources=True):
        """Copy the parts of the project that run; sources that are not its own need not be compiled again."""
        ignore = shutil.ignore_patterns("__pycache__")
        for part in PARTS:
            source, target = ROOT / part, folder / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if part == "src" and not own_sources:
                target.symlink_to(source)
            elif source.is_dir():
                shutil.copytree(source, target, ignore=ignore)
            else:
                shutil.copy(source, target)
        if own_sources:
            compiled_copy.bring(folder)
        return cls(folder, own_sources)

    @classmethod
    def create(cls, folder, own_sources=True):
        """The same, with the tiny paper in place of all others."""
        project = cls.copy(folder, own_sources)
        papers = folder / "papers"
        paper = files.read_paper(papers / "ncgs")
        for path in [*papers.glob("[!n]*"), papers / "nfwu", *papers.glob("ncgs/*")]:
            if path.name not in ("__init__.py", "probes", "statistics"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (papers / "ncgs/paper.yaml").write_text(yaml.safe_dump(tiny(paper)))
        (papers / "ncgs/claims.py").write_text(CLAIMS)
        return project

    def edit(self, name, change):
        """Replace a file's text by `change` of it."""
        path = self.folder / name
        path.write_text(change(path.read_text()))

    @contextmanager
    def edited(self, name, change):
        """The same, undone afterwards."""
        before = (self.folder / name).read_text()
        self.edit(name, change)
        try:
            yield
        finally:
            (self.folder / name).write_text(before)

    def call(self, *command, check=True):
        """Run a command in the folder; the result holds all output as `stdout`."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            preexec_fn=end_with_parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0 or not check, done.stdout
        return done

    def forked(self, *arguments, cwd=None, check=True):
        """The command `snakemake` in the folder, without its imports; what it says as `stdout`."""
        done = snakemake_fork.snakemake(*arguments, cwd=cwd or self.folder, env=self.environment)
        assert done.returncode == 0 or not check, done.stdout
        return done

    def snakemake(self, *targets, options=(), config=(), check=True):
        """Run the workflow's quick run as `make quick` does."""
        values = ("run=quick", *config)
        return self.forked(
            *PROFILE, "--cores", "2", *options, "--config", *values, "--", *targets, check=check
        )

    def planned(self, *targets, config=()):
        """What a dry run would do, by the messages of the jobs."""
        done = self.snakemake(*targets, options=("--dry-run",), config=config)
        return set(re.findall(r"^ *Job \d+: (.*)$", done.stdout, re.M))  # indented in a group

    def struck_when(self, path, *targets, fate=signal.SIGKILL) -> str:
        """Start the workflow; all its processes get a signal as soon as a file, of a pattern, is there.

        With the fate 0 the disk is full for such a file. What is said is returned.
        """
        struck = {
            "FATAL": path,
            "FATE": str(int(fate)),
            "PYTHONPATH": f"{FATE}:{self.environment['PYTHONPATH']}",
        }
        done = subprocess.run(
            ["snakemake", *PROFILE, "--config", "run=quick", "--", *targets],
            cwd=self.folder,
            env={**self.environment, **struck},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        assert done.returncode == (-fate if fate == signal.SIGKILL else 1), done.stdout
        return done.stdout
