"""From the files to their meaning: changes, templates, defaults, `like`, bundles, plain solvers.

Templates: one entry of a paper's files for a whole grid of them.

``"fig{k}-p{p}": {for: [[{k: 1, r: 5}, {k: 2, r: 10}], [{p: 10}, {p: 50}]], generator: {rank: "{r}"}}``
is four experiments: one for each combination of an entry of every list, with its values instead of the braces
in all strings. A string that is nothing but one name in braces becomes the value itself. The same holds for
every entry of a mapping and every item of a list (figures, panels, rows, claims, tests, …), also inside a
template, which gives its names to those inside. Braces outside of templates are left alone.
"""

import copy
import fnmatch
import re
from itertools import product

from projfree.common import registry

from .validation import Place, StudyError, file_of, lookup

NAME = re.compile(r"\{(\w+)\}")


def expand(value, place="", given=None):
    """The value with every template in it written out, in order.

    Parameters
    ----------
    value
        A value of YAML. The result shares no mapping and no list with it.
    place : str
        Where it stands, for errors.
    given : dict, optional
        What the template around it puts in place of names in braces.

    Raises
    ------
    ValueError
        For a name in braces that no list gives, two entries of one name, or a `for` of another shape.
    """
    if isinstance(value, list):
        return [body for at, item in enumerate(value) for _, body in _written_out(at, item, place, given)]
    if not isinstance(value, dict):
        return _filled(value, place, given)
    found = {}
    for key, entry in value.items():
        for name, body in _written_out(key, entry, place, given):
            if name in found:
                where = f"two entries of {place} are called" if place else "two entries are called"
                raise ValueError(f"{where} {name!r}; the template is {key!r}")
            found[name] = body
    return found


def _written_out(key, entry, place, given):
    """(key, value) of all that an entry or item stands for: itself where it has no `for`."""
    place = f"{place}.{key}" if place else str(key)
    if not isinstance(entry, dict) or "for" not in entry:
        yield _filled(key, place, given), expand(entry, place, given)
        return
    body = {name: value for name, value in entry.items() if name != "for"}
    for chosen in product(*_lists(expand(entry["for"], place, given), place)):
        own = {**(given or {}), **{name: value for part in chosen for name, value in part.items()}}
        yield str(_filled(key, place, own)), expand(body, place, own)


def _lists(lists, place):
    """`for` is a list of lists of mappings."""
    entries = [e for part in lists for e in part] if _all(lists, list) else [None]
    if not _all(entries, dict):
        raise ValueError(f"template {place!r}: for must be lists of mappings, [[{{p: 1}}, {{p: 2}}]]")
    return lists


def _all(values, kind):
    """Whether it is a list of that kind, not empty."""
    return isinstance(values, list) and bool(values) and all(isinstance(v, kind) for v in values)


def _filled(value, place, given):
    """A scalar with every name in braces replaced, inside a template."""
    if not given or not isinstance(value, str) or "{" not in value:
        return value
    unknown = sorted(set(NAME.findall(value)) - set(given))
    if unknown:
        raise ValueError(f"template {place!r}: {{{unknown[0]}}} is not given; given are {', '.join(given)}")
    whole = NAME.fullmatch(value)
    return given[whole[1]] if whole else NAME.sub(lambda match: str(given[match[1]]), value)


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
        return expand(value, section)
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
