"""From the files to their meaning: changes, templates, defaults, `like`, bundles, plain solvers."""

import copy
import fnmatch

from projfree.ground import registry

from . import templates
from .validation import Place, StudyError, file_of, lookup


def merge(base, change):
    """Deep merge of dictionaries; anything else is replaced, and None removes a key."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return change
    merged = dict(base)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(base.get(key), dict):
            merged[key] = merge(base[key], value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def without_null(value):
    """The value without the keys of mappings that hold None."""
    if isinstance(value, dict):
        return {key: without_null(part) for key, part in value.items() if part is not None}
    return [without_null(part) for part in value] if isinstance(value, list) else value


def expanded(spec: dict, source) -> dict:
    """The spec with its templates written out; a run's are merged into those of their names first."""
    return {key: v if key == "runs" else _expanded(v, key, source) for key, v in spec.items()}


def _expanded(value, section, source):
    try:
        return templates.expand(value, section)
    except ValueError as error:
        raise StudyError(f"{file_of(source, section)}: {error}") from error


def with_defaults(spec: dict, source) -> dict:
    """Each experiment with the paper's defaults and, through `like`, another experiment's values."""
    experiments = {}
    for name, values in spec["experiments"].items():
        if values.get("like") is not None:
            where = Place(source, ("experiments", name), f"experiment {name}: like")
            parent = lookup(spec["experiments"], values["like"], "experiment", where)
            values = merge(parent, {k: v for k, v in values.items() if k != "like"})
        experiments[name] = merge(spec.get("defaults", {}), values)
    return {**spec, "experiments": experiments}


def with_plain_solvers(spec: dict) -> dict:
    """A listed method that nothing defines, and that is a solver's name, is that solver with its defaults."""
    experiments = spec["experiments"].values()
    listed = {m for v in experiments for m in v.get("methods", []) if m not in v.get("define", {})}
    plain = (listed - set(spec["methods"])) & set(registry.names("projfree.solvers"))
    return {
        **spec,
        "methods": {**spec["methods"], **{m: {"solver": m, "role": "extra"} for m in sorted(plain)}},
    }


def bundled(spec: dict, source) -> dict[str, str]:
    """The bundle of each bundled experiment: its own, or one of ``bundles`` whose patterns fit."""
    found = {name: name for name, values in spec["experiments"].items() if values.get("bundle")}
    for bundle, patterns in spec.get("bundles", {}).items():
        for pattern in patterns:
            fitting = fnmatch.filter(spec["experiments"], pattern)
            if not fitting:
                where = f"{file_of(source, 'bundles')}: bundles.{bundle}"
                raise StudyError(f"{where}: no experiment fits {pattern!r}")
            found |= dict.fromkeys(fitting, bundle)
    return found
