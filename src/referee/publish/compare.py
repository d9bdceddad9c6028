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


def differences(first, second, rtol: float = 0.0, common: bool = False) -> list[str]:
    """Differences between two traces, without clocks; empty if there are none.

    Parameters
    ----------
    rtol : float
        Relative difference of a metric that still counts as equal.
    common : bool
        Compare the records both have: runs that end by seconds need not end at the same one.
    """
    (_, left), (_, right) = _read(first), _read(second)
    if [t.group for t in left] != [t.group for t in right]:
        return [f"{' '.join(t.group for t in left)} against {' '.join(t.group for t in right)}"]
    return [line for a, b in zip(left, right, strict=True) for line in _seed_differences(a, b, rtol, common)]


def _seed_differences(a, b, rtol, common):
    """The first difference of each array of one seed, and of how it ended."""
    length = None
    if common:
        pairs = zip(a.iteration, b.iteration, strict=False)
        usual = min(len(a.iteration), len(b.iteration))
        length = next((i for i, (x, y) in enumerate(pairs) if x != y), usual)
        if length == 0:
            yield f"seed {a.seed}: no common record"
    else:
        if a.end_status != b.end_status:
            yield f"seed {a.seed}: ended {a.end_status} against {b.end_status}"
        for name in sorted(set(a.final) | set(b.final)):
            x, y = (np.asarray(trace.final.get(name, [])) for trace in (a, b))
            if x.shape != y.shape or not np.allclose(x, y, rtol=rtol, atol=0, equal_nan=True):
                yield f"seed {a.seed}: final/{name} differs"
    tables = [("", {"iteration": a.iteration}, {"iteration": b.iteration})]
    tables += [(f"{name}/", getattr(a, name), getattr(b, name)) for name in ("oracles", "metrics")]
    for prefix, left, right in tables:
        for name in sorted(set(left) | set(right)):
            x, y = (np.asarray(table.get(name, []), dtype=float)[:length] for table in (left, right))
            if x.shape != y.shape:
                yield f"seed {a.seed}: {prefix}{name} has {x.size} records against {y.size}"
                continue
            wrong = ~np.isclose(x, y, rtol=rtol, atol=0, equal_nan=True)
            if wrong.any():
                at = int(np.argmax(wrong))
                yield f"seed {a.seed}: {prefix}{name} at record {at}: {x[at]!r} against {y[at]!r}"
