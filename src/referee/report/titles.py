"""Titles of experiments (data and setting), which readers see instead of keys."""


def titled(label, titles):
    """The label of a panel, ``key · test · number``, with the title of its experiment."""
    key, *rest = label.split(" · ")
    return " · ".join([titles.get(key, key), *rest])


def in_titles(claim, titles):
    """The fields of a claim whose entries are named by experiment, in titles; panels keep their key too."""
    found = {"panels": [panel | {"title": titled(panel["panel"], titles)} for panel in claim["panels"]]}
    for key in ("measured", "repeatability", "occupation"):
        if isinstance(claim[key], dict):
            found[key] = {titled(name, titles): value for name, value in claim[key].items()}
    return found
