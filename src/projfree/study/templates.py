"""Templates of experiments: one entry of a paper's file for a whole grid of panels.

``"fig{k}-p{p}": {for: [[{k: 1, r: 5}, {k: 2, r: 10}], [{p: 10}, {p: 50}]], generator: {rank: "{r}"}}``
is four experiments: one for each combination of an entry of every list, with its values put in place of the
braces in all strings. A string that is nothing but one name in braces becomes the value itself.
"""

import re
from itertools import product

NAME = re.compile(r"\{(\w+)\}")


def expand(experiments, place="experiments"):
    """Experiments with every template replaced by what it stands for, in order; other parts stay as they are.

    Raises
    ------
    ValueError
        For a name in braces that no list gives, two experiments of one name, or a `for` of another shape.
    """
    if place != "experiments" or not isinstance(experiments, dict):
        return experiments
    found = {}
    for template, values in experiments.items():
        for name, body in _written_out(template, values):
            if name in found:
                raise ValueError(f"two experiments are called {name!r}; the template is {template!r}")
            found[name] = body
    return found


def _written_out(template, values):
    """(name, values) of each experiment that an entry stands for: itself where it has no `for`."""
    if not isinstance(values, dict) or "for" not in values:
        yield template, values
        return
    _check_lists(values["for"], template)
    body = {key: value for key, value in values.items() if key != "for"}
    for chosen in product(*values["for"]):
        given = {key: value for part in chosen for key, value in part.items()}
        yield str(_filled(template, given, template)), _filled(body, given, template)


def _check_lists(lists, template):
    """`for` is a list of lists of mappings."""
    entries = [e for part in lists for e in part] if _all(lists, list) else [None]
    if not _all(entries, dict):
        raise ValueError(f"template {template!r}: for must be lists of mappings, [[{{p: 1}}, {{p: 2}}]]")


def _all(values, kind):
    """Whether it is a list of that kind, not empty."""
    return isinstance(values, list) and bool(values) and all(isinstance(v, kind) for v in values)


def _filled(value, given, template):
    """The value with every name in braces replaced."""
    if isinstance(value, dict):
        return {_filled(k, given, template): _filled(v, given, template) for k, v in value.items()}
    if isinstance(value, list):
        return [_filled(item, given, template) for item in value]
    if not isinstance(value, str):
        return value
    unknown = sorted(set(NAME.findall(value)) - set(given))
    if unknown:
        raise ValueError(
            f"template {template!r}: {{{unknown[0]}}} is not given; given are {', '.join(given)}"
        )
    whole = NAME.fullmatch(value)
    return given[whole[1]] if whole else NAME.sub(lambda match: str(given[match[1]]), value)
