"""The record of a run for its page: seconds, data, who shared the machine."""

from pathlib import Path

from projfree.engine.lane import SHARED
from projfree.ground.hdf5 import open_h5

from ..ground import bounded
from . import costs


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
    """Number of runs in a folder's tables that had a core for themselves, in words; empty without any."""
    import pandas as pd  # slow to import, as the tables are

    from ..evidence.tidy import read_tidy, run_columns

    tables = [bounded.table(path, read_tidy) for path in sorted(Path(folder).glob("*.csv"))]
    runs = [
        table.drop_duplicates(run_columns(table))["others_on_core"]
        for table in tables
        if "others_on_core" in table
    ]
    if not runs:
        return ""
    told = pd.concat(runs)
    used = told.dropna()
    text = f"{len(used)} of {len(told)} timed runs had a core of their own"
    if len(used):
        shared = (used > SHARED).sum()
        text += f"; on {shared} of them others used more than {SHARED:.0%} of it (at most {used.max():.0%})"
    return text
