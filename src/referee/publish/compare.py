"""Look at a trace, and compare two in all but clocks."""

import json

import numpy as np

from projfree.trace.format import read_trace

from ..common.bounded import check_size


def describe(path) -> str:
    """A trace in words: its job, and the last record of every seed."""
    attrs, seeds = _read(path)
    lines = [
        f"{attrs['paper']} {attrs['experiment']} {attrs['method']} ({attrs['run']})",
        f"solver {attrs['solver']} {attrs['params']}",
        f"created {attrs['created']} at commit {attrs['git_commit'][:12]}"
        + (", STAND-IN data" if attrs["stand_in"] else ""),
    ]
    for trace in seeds:
        counts = {name: values[-1] for name, values in trace.oracles.items() if values[-1]}
        lane, core = trace.attrs.get("lane") or {}, ""
        if lane.get("others_on_core") is not None:
            core = f" (core {lane['core']}, {lane['others_on_core']:.0%} of it used by others)"
        metrics = {name: float(f"{values[-1]:.6g}") for name, values in trace.metrics.items()}
        lines.append(
            f"{trace.group.replace('-', ' ')}: {trace.end_status} after {trace.iteration[-1]} iterations, "
            f"{trace.cpu_seconds[-1]:.2f} CPU s{core}, {json.dumps(counts)}, {json.dumps(metrics)}"
            + (f" ({trace.message})" if trace.message else "")
        )
    return "\n".join(lines)


def _read(path):
    """A trace, which may be anyone's: the checksum of an endless file would take as long."""
    check_size(path)
    return read_trace(path)


def differences(first, second) -> list[str]:
    """Differences between two traces, without clocks; empty if there are none; of each array the first."""
    (_, left), (_, right) = _read(first), _read(second)
    if [t.group for t in left] != [t.group for t in right]:
        return [f"{' '.join(t.group for t in left)} against {' '.join(t.group for t in right)}"]
    lines = []
    for a, b in zip(left, right, strict=True):
        if a.end_status != b.end_status:
            lines.append(f"seed {a.seed}: ended {a.end_status} against {b.end_status}")
        for name in sorted(set(a.final) | set(b.final)):
            x, y = (np.asarray(trace.final.get(name, [])) for trace in (a, b))
            if not np.array_equal(x, y, equal_nan=True):
                lines.append(f"seed {a.seed}: final/{name} differs")
        tables = [("", {"iteration": a.iteration}, {"iteration": b.iteration})]
        tables += [(f"{name}/", getattr(a, name), getattr(b, name)) for name in ("oracles", "metrics")]
        for prefix, ours, theirs in tables:
            for name in sorted(set(ours) | set(theirs)):
                x, y = (np.asarray(table.get(name, []), dtype=float) for table in (ours, theirs))
                if x.shape != y.shape:
                    lines.append(f"seed {a.seed}: {prefix}{name} has {x.size} records against {y.size}")
                elif (wrong := ~((x == y) | (np.isnan(x) & np.isnan(y)))).any():
                    at, where = int(np.argmax(wrong)), f"seed {a.seed}: {prefix}{name}"
                    lines.append(f"{where} at record {at}: {x[at]!r} against {y[at]!r}")
    return lines
