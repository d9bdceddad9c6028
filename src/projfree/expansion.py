"""Templates of experiments: one entry of a paper's file for a whole grid of panels.

``"fig{k}-p{p}": {for: [[{k: 1, r: 5}, {k: 2, r: 10}], [{p: 10}, {p: 50}]], generator: {rank: "{r}"}}``
is four experiments: one for each combination of an entry of every list, with its values put in place of the
braces in all strings. A string that is nothing but one name in braces becomes the value itself.
"""

import re
from itertools import product

NAME = re.compile(r"\{(\w+)\}")


def expand(experiments: dict) -> dict:
    """Experiments with every template replaced by what it stands for, in order.

    Raises
    ------
    ValueError
        For a name in braces that no list gives, or two experiments of one name.
    """
    found = {}
    for name, values in experiments.items():
        if not isinstance(values, dict) or "for" not in values:
            found[name] = values
            continue
        body = {key: value for key, value in values.items() if key != "for"}
        for chosen in product(*values["for"]):
            given = {key: value for part in chosen for key, value in part.items()}
            filled = str(_filled(name, given, name))
            if filled in found:
                raise ValueError(f"two experiments are called {filled!r}; the template is {name!r}")
            found[filled] = _filled(body, given, name)
    return found


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
