"""Local state of each dataset (real, partly rebuilt, stand-in, absent), and how to get the real data."""

import json
from dataclasses import dataclass
from pathlib import Path

from projfree.common.atomic_io import read_h5
from referee.data.catalog import Dataset
from referee.data.errors import short
from referee.data.store import Settings, raw_path


def state(dataset: Dataset, settings: Settings) -> str:
    """One of 'ready', 'ready (mirror)', 'fetchable', 'stand-in', 'needs a file from you'."""
    if not dataset.files:
        return "stand-in"
    if all(raw_path(dataset, f, settings.root).is_file() for f in dataset.files):
        return "ready"
    mirror = settings.mirror
    if mirror and all((Path(mirror) / f.mirror.address).is_file() for f in dataset.files):
        return "ready (mirror)"
    if not settings.offline and _addressed(dataset):
        return "fetchable"
    return "stand-in" if dataset.stand_in else "needs a file from you"


def _addressed(dataset):
    return all(any(not a.login for a in f.addresses) for f in dataset.files)


@dataclass(frozen=True)
class Finding:
    """The state of a dataset on this machine.

    Attributes
    ----------
    kind : str
        'real', 'real in part' (the catalog has a caveat), 'STAND-IN', 'generated' (nothing else is meant),
        'not here' (it can be fetched) or 'ABSENT'.
    remarks : dict of str to str
        ``note``: the catalog's caveat; ``facts``: published facts against those of a prepared stand-in;
        ``cure``: the command that makes it real; ``get``: how a person comes by a file that has no address.
    """

    dataset: Dataset
    kind: str
    remarks: dict[str, str]


def examine(dataset: Dataset, settings: Settings) -> Finding:
    """Look at raw file, mirror and prepared file of a dataset."""
    prepared = _prepared(settings.root / "data" / "prepared" / f"{dataset.name}.h5")
    kind = _kind(dataset, prepared, at_hand := state(dataset, settings))
    remarks = {"note": dataset.caveat}
    if kind in ("STAND-IN", "not here", "ABSENT"):
        remarks |= {"facts": _facts(dataset, prepared) if prepared else "", "cure": _cure(dataset, at_hand)}
        remarks |= {"get": "" if _addressed(dataset) else dataset.obtain}
    return Finding(dataset, kind, {word: " ".join(text.split()) for word, text in remarks.items() if text})


def _kind(dataset, prepared, at_hand):
    if not dataset.files:
        return "generated"
    if prepared and prepared["stand_in"]:
        return "STAND-IN"
    if prepared or at_hand.startswith("ready"):
        return "real in part" if dataset.caveat else "real"
    return {"fetchable": "not here", "stand-in": "STAND-IN"}.get(at_hand, "ABSENT")


def _prepared(path):
    """Whether the prepared file holds a stand-in, and its fingerprint; None where there is none."""
    if not path.is_file():
        return None
    with read_h5(path) as file:
        attrs = file.attrs
        return {"stand_in": bool(attrs["stand_in"]), "fingerprint": json.loads(attrs["fingerprint"])}


def _facts(dataset, prepared):
    here = _plain(prepared["fingerprint"])
    published = {k: v for k, v in _plain(dataset.fingerprint.plain()).items() if v is not None}
    shared = [key for key in published if key in here and key != "column_sums"]
    wrong = [key for key in shared if not _equal(here[key], published[key])]
    differences = [f"{key} {short(here[key])} for {short(published[key])}" for key in wrong]
    right = [key for key in shared if key not in wrong]
    return "; ".join(filter(None, [f"{', '.join(right)} as published" if right else "", *differences]))


def _plain(fingerprint):
    """A fingerprint whose labels are words, as JSON makes them."""
    labels = fingerprint.get("labels")
    return {**fingerprint, "labels": labels and {str(label): rows for label, rows in labels.items()}}


def _equal(value, published):
    return value == published or (isinstance(published, list) and value in published)


def _cure(dataset, at_hand):
    """The command; `prepare` follows by itself in the next run, but not over a stand-in that is there."""
    again = f"projfree data prepare {dataset.name} --no-stand-in"
    if at_hand.startswith("ready"):
        return again
    if _addressed(dataset):
        return f"projfree data fetch {dataset.name} && {again}"
    files = " ".join(f.name for f in dataset.files)
    return f"projfree data add {dataset.name} {files} && {again}"
