"""The record of a run for its page: seconds, data, who shared the machine, whose the traces are."""

import json
from pathlib import Path

from ..engine.lane import SHARED
from ..ground.hdf5 import open_h5
from . import costs, signing


def durations(folder, paper) -> dict:
    """Wall seconds, jobs and peak memory of each rule of a run, from the workflow's benchmark files."""
    return {
        rule: {
            "jobs": len(jobs),
            "seconds": round(float(jobs.seconds.sum()), 1),
            "peak_mb": float(jobs.peak_mb.max()),
        }
        for rule, jobs in costs.measured(folder, paper).groupby("rule")
    }


def data_hashes(folder) -> dict:
    """SHA-256 of the raw data behind each instance of a run."""
    hashes = {}
    for path in sorted(Path(folder).glob("*.h5")):
        with open_h5(path) as handle:
            stand_in = " (stand-in)" if handle.attrs["stand_in"] else ""
            hashes[path.stem] = f"{handle.attrs['dataset_sha256']}{stand_in}"
    return hashes


def sharing(folder) -> str:
    """How many of a paper's timed runs had a core for themselves, in words; empty without any."""
    seen = []
    for path in sorted(Path(folder).glob("*/*.h5")):
        with open_h5(path) as handle:
            seen += [json.loads(seed.attrs.get("lane", "null")) for seed in handle.values()]
    told = [lane for lane in seen if lane]
    if not told:
        return ""
    unpinned = sum(lane["core"] is None for lane in told)
    used = [lane["others_on_core"] for lane in told if lane["others_on_core"] is not None]
    text = f"{len(told) - unpinned} of {len(told)} timed runs had a core of their own"
    if used:
        shared = sum(share > SHARED for share in used)
        text += f"; on {shared} of them others used more than {SHARED:.0%} of it (at most {max(used):.0%})"
    return text


def authors(folder) -> str:
    """Whose the traces of a paper are, by their signatures, in words; empty without any."""
    return signing.told(sorted(Path(folder).glob("*/*.h5")), signing.known_signers())
