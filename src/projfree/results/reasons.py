"""Why a verdict of one run is another than that of another run, as far as their entries say."""

from pathlib import PurePosixPath

from ..evidence.wording import STAMP


def reasons(first: dict, second: dict) -> list[str]:
    """What two entries of one claim were judged on that differs, in words.

    Parameters
    ----------
    first, second : dict
        Entries of claims.json.

    Returns
    -------
    list of str
        Data, methods, panels, seeds, the rule, why the second cannot be tested; else the numbers alone.
    """
    found = [reason for told in (_data, _runs, _seeds, _rule) for reason in told(first, second)]
    return found or ["numbers"]


def _data(*entries):
    stamped = [STAMP.strip().lower() in entry["note"].lower() for entry in entries]
    if stamped[0] != stamped[1]:
        yield "data: a stand-in, then none" if stamped[0] else "data: then a stand-in"


def _runs(*entries):
    traces = [[PurePosixPath(trace) for trace in entry["traces"]] for entry in entries]
    for word, key in (("panels", lambda path: path.parent.name), ("methods", lambda path: path.stem)):
        yield from _told(word, *(set(map(key, side)) for side in traces))


def _told(word, first, second):
    parts = [
        f"{sign}{name}"
        for sign, names in (("−", first - second), ("+", second - first))
        for name in sorted(names)
    ]
    if parts:
        yield f"{word}: {' '.join(parts)}"


def _seeds(first, second):
    if len(first["seeds"]) != len(second["seeds"]):
        yield f"seeds: {len(first['seeds'])}, then {len(second['seeds'])}"


def _rule(first, second):
    """Other thresholds, an earlier way of judging, cells that say nothing."""
    if first["threshold"] != second["threshold"]:
        yield "threshold"
    if ("cells" in first) != ("cells" in second):
        yield "another way of judging"
    if second["verdict"] == "not_testable":
        yield from list((second.get("cells") or {}).get("reasons", {}))[:1]
