"""Checkpoints: everything a run needs to go on as if it had never stopped, in one atomic HDF5 file."""

import dataclasses
import importlib
import json
from pathlib import Path

import numpy as np

from ..common.atomic_io import atomic_h5, read_h5
from ..common.owned import ANY
from ..trace.format import SeedTrace, read_seed, write_seed
from .clock import Clock

PLAIN = (bool, int, float, str)
#: Tables of numbers that oracles keep, see `Oracles.tables`.
TABLES = ("counts", "seconds", "tally")


class CheckpointError(Exception):
    """A checkpoint that cannot be used; the message says why."""


def save(path, key: str, state, rngs: dict, clock: Clock, tables: dict, trace: SeedTrace):
    """Write a checkpoint; `key` names the code and parameters that may continue it."""
    with atomic_h5(path, ANY) as handle:
        handle.attrs["key"] = key
        states = {name: rng.bit_generator.state for name, rng in rngs.items()}
        handle.attrs["rngs"] = json.dumps(states, default=int)
        handle.attrs["clock"] = json.dumps([clock.cpu, clock.wall])
        for name in TABLES:
            handle.attrs[name] = json.dumps(tables[name])
        write_seed(handle.create_group("trace"), trace)
        _encode(handle, "state", state)


def load(path, key: str, rngs: dict, clock: Clock, tables: dict, problem, seed: int):
    """Restore generators, clock and tables in place; return (state, trace), or None if there is none.

    A checkpoint of other code or parameters, of another seed, or one that cannot be read, is set aside, not
    used.
    """
    path = Path(path)
    if not path.exists():
        return None
    try:
        stored = _read(path, key, rngs, problem, seed)
    except (OSError, KeyError, ValueError, TypeError, AttributeError, ImportError, CheckpointError) as error:
        aside = path.with_suffix(".unusable.h5")
        path.replace(aside)
        raise CheckpointError(f"{path}: not used ({error}); moved to {aside.name}") from error
    for name, rng in rngs.items():
        rng.bit_generator.state = stored["rngs"][name]
    clock.cpu, clock.wall = stored["clock"]
    for name in TABLES:
        tables[name].update(stored[name])
    return stored["state"], stored["trace"]


def _read(path, key, rngs, problem, seed) -> dict:
    """All that a checkpoint holds, read whole and tried on copies before anything is restored."""
    with read_h5(path) as handle:
        if handle.attrs["key"] != key:
            raise CheckpointError("it belongs to other code or parameters")
        plain = {name: json.loads(handle.attrs[name]) for name in ("rngs", "clock", *TABLES)}
        for name, rng in rngs.items():
            type(rng.bit_generator)(0).state = plain["rngs"][name]
        cpu, wall = plain["clock"]
        plain["clock"] = float(cpu), float(wall)
        trace = read_seed(handle["trace"])
        if trace.seed != seed:
            raise CheckpointError(f"it belongs to seed {trace.seed}, not {seed}")
        return {**plain, "state": _decode(handle["state"], problem), "trace": trace}


def _encode(parent, name, value):
    """Write arrays, numbers, None, lists, dataclasses and objects with `to_arrays` under one name."""
    if isinstance(value, np.ndarray):
        parent[name] = value
        parent[name].attrs["kind"] = "array"
        return
    group = parent.create_group(name)
    if value is None or isinstance(value, (*PLAIN, np.integer, np.floating)):
        group.attrs.update(kind="plain", value=json.dumps(value.item() if hasattr(value, "item") else value))
    elif isinstance(value, (list, tuple)):
        group.attrs.update(kind="list", length=len(value))
        for i, item in enumerate(value):
            _encode(group, str(i), item)
    elif hasattr(value, "to_arrays"):
        group.attrs.update(kind="arrays", type=_type_name(value))
        for key, item in value.to_arrays().items():
            _encode(group, key, item)
    elif dataclasses.is_dataclass(value):
        group.attrs.update(kind="dataclass", type=_type_name(value))
        for entry in dataclasses.fields(value):
            _encode(group, entry.name, getattr(value, entry.name))
    else:
        raise TypeError(f"state holds {type(value).__name__} in {name!r}, which cannot be checkpointed")


def _decode(item, problem):
    kind = item.attrs["kind"]
    if kind == "array":
        return item[()]
    if kind == "plain":
        return json.loads(item.attrs["value"])
    if kind == "list":
        return [_decode(item[str(i)], problem) for i in range(item.attrs["length"])]
    cls = _type_from(item.attrs["type"])
    parts = {name: _decode(item[name], problem) for name in item}
    return cls.from_arrays(problem.pattern, parts) if kind == "arrays" else cls(**parts)


def _type_name(value):
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _type_from(name):
    module, _, cls = name.partition(":")
    if not module.startswith("projfree."):
        raise CheckpointError(f"unknown type {name}")
    return getattr(importlib.import_module(module), cls)
