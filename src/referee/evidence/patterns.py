"""Names in the tests of a claim: patterns that choose among experiments, and names that stand for others."""

from fnmatch import fnmatchcase

from ..ground.operands import parts


def expand(names, experiments) -> list[str]:
    """Experiments of a test: names stay as they are, shell patterns become all that match them.

    Raises
    ------
    ValueError
        For a pattern that nothing matches.
    """
    found = []
    for name in names:
        pattern = name not in experiments and any(char in name for char in "*?[")
        matching = [e for e in experiments if fnmatchcase(e, name)] if pattern else [name]
        if not matching:
            raise ValueError(f"no experiment matches {name!r}; known: {', '.join(experiments)}")
        found += matching
    return list(dict.fromkeys(found))


def swapped(value, names):
    """The value with every string in it replaced by `names`, once; keys stay.

    Parts of an operand (``a / b``, ``a@panel``) are names of their own; only a whole one can become
    a list.
    """
    if isinstance(value, dict):
        return {key: swapped(inner, names) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [swapped(inner, names) for inner in value]
    return _renamed(value, names) if isinstance(value, str) else value


def _renamed(text, names):
    found = [names.get(part, part) for part in parts(text)]
    return found[0] if len(found) == 1 else "".join(_single(part, text) for part in found)


def _single(name, text):
    if isinstance(name, list):
        raise ValueError(f"{text!r}: a part of it cannot become a list: {', '.join(name)}")
    return name
