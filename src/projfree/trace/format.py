"""HDF5 traces: one file holds all seeds of one (experiment, method); contract in docs/design.md."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

import h5py
import numpy as np

from ..common.atomic_io import atomic_h5, read_h5
from ..common.owned import SEALED
from .check import check_trace
from .counts import COUNTS
from .runs import group_of

#: Attributes that say what a trace is of: one of another run or method is never replaced.
WORK = ("paper", "run", "experiment", "method")


@dataclass
class SeedTrace:
    """The records of one run of a seed, as growing lists.

    Attributes
    ----------
    repetition : int, above 0 for a run that was made again for its seconds
    iteration, cpu_seconds, wall_seconds : list
    oracles, timers, metrics : dict of lists, cumulative counts, CPU seconds inside each oracle, values
    end_status : str, one of `trace.check.STATUSES`
    final : dict of arrays, the last iterate (``x`` dense, or factors ``U, w, V``)
    """

    seed: int
    repetition: int = 0
    iteration: list = field(default_factory=list)
    cpu_seconds: list = field(default_factory=list)
    wall_seconds: list = field(default_factory=list)
    oracles: dict = field(default_factory=dict)
    timers: dict = field(default_factory=dict)
    metrics: dict = field(default_factory=dict)
    end_status: str = ""
    message: str = ""
    final: dict = field(default_factory=dict)
    attrs: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        return group_of(self.seed, self.repetition)

    def append(self, iteration, cpu, wall, counts, timers, metrics):
        """Add one record; `counts`, `timers`, `metrics` map names to numbers. A metric not given is NaN."""
        self.cpu_seconds.append(cpu)
        self.wall_seconds.append(wall)
        for table, values in ((self.oracles, counts), (self.timers, timers)):
            for name, value in values.items():
                table.setdefault(name, []).append(value)
        for name in dict.fromkeys([*self.metrics, *metrics]):
            column = self.metrics.setdefault(name, [np.nan] * len(self.iteration))
            column.append(metrics.get(name, np.nan))
        self.iteration.append(iteration)


def write_seed(group: h5py.Group, trace: SeedTrace) -> None:
    """Write one seed's records into its group."""
    group.attrs.update(seed=trace.seed, end_status=trace.end_status, message=trace.message)
    if trace.repetition:
        group.attrs["repetition"] = trace.repetition
    for name, value in trace.attrs.items():
        group.attrs[name] = json.dumps(value)
    group["iteration"] = np.asarray(trace.iteration, dtype=np.int64)
    for name in ("cpu_seconds", "wall_seconds"):
        group[name] = np.asarray(getattr(trace, name), dtype=np.float64)
    zeros = [0] * len(trace.iteration)
    for name in COUNTS:
        group[f"oracles/{name}"] = np.asarray(trace.oracles.get(name, zeros), dtype=np.int64)
    for table in ("timers", "metrics"):
        for name, values in getattr(trace, table).items():
            group[f"{table}/{name}"] = np.asarray(values, dtype=np.float64)
    for name, value in trace.final.items():
        group[f"final/{name}"] = value


def read_seed(group: h5py.Group) -> SeedTrace:
    """Read one seed's group back, the last iterate included."""

    def table(name):
        return {key: values[()].tolist() for key, values in group.get(name, {}).items()}

    known = ("seed", "repetition", "end_status", "message")
    return SeedTrace(
        seed=int(group.attrs["seed"]),
        repetition=int(group.attrs.get("repetition", 0)),
        iteration=group["iteration"][()].tolist(),
        cpu_seconds=group["cpu_seconds"][()].tolist(),
        wall_seconds=group["wall_seconds"][()].tolist(),
        oracles=table("oracles"),
        timers=table("timers"),
        metrics=table("metrics"),
        end_status=str(group.attrs["end_status"]),
        message=str(group.attrs["message"]),
        final={key: value[()] for key, value in group.get("final", {}).items()},
        attrs={key: json.loads(value) for key, value in group.attrs.items() if key not in known},
    )


def write_trace(path, attrs: dict, seeds: list[SeedTrace]) -> None:
    """Write a whole trace file under its final name in one rename."""
    with atomic_h5(path, {name: attrs[name] for name in WORK if name in attrs} or SEALED) as handle:
        for name, value in attrs.items():
            handle.attrs[name] = value if isinstance(value, (str, bool, int, float)) else json.dumps(value)
        handle.attrs["created"] = datetime.now(UTC).isoformat(timespec="seconds")
        for trace in seeds:
            write_seed(handle.create_group(trace.group), trace)


def read_trace(path) -> tuple[dict, list[SeedTrace]]:
    """Attributes and seeds of a trace file, seeds in order; raises as `check_trace`."""
    with read_h5(path) as handle:
        check_trace(handle, path)
        seeds = [read_seed(handle[name]) for name in handle if name.startswith("seed-")]
        return dict(handle.attrs), sorted(seeds, key=lambda trace: (trace.seed, trace.repetition))
