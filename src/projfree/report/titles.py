"""What a reader sees in place of an experiment's key: its title, which says data and setting."""

import re
from collections import Counter


def titles_of(experiments):
    """Key → title; with the key behind it where several have the same title, the key alone without one.

    Parameters
    ----------
    experiments : dict
        Key → its entry in the paper's configuration.
    """
    said = {key: (entry or {}).get("title") or key for key, entry in experiments.items()}
    times = Counter(said.values())
    return {key: title if times[title] == 1 else f"{title} ({key})" for key, title in said.items()}


def titled(label, titles):
    """The label of a panel, ``key · test · number``, with the title of its experiment."""
    key, *rest = label.split(" · ")
    return " · ".join([titles.get(key, key), *rest])


def in_titles(claim, experiments, titles):
    """The fields of a claim that name experiments, in titles; its panels keep their key beside them."""
    found = {key: retold(claim[key], experiments, titles) for key in ("sentence", "note")}
    found["panels"] = [panel | {"title": titled(panel["panel"], titles)} for panel in claim["panels"]]
    for key in ("measured", "repeatability", "occupation"):
        if isinstance(claim[key], dict):
            found[key] = {titled(name, titles): value for name, value in claim[key].items()}
    return found


def retold(words, experiments, titles):
    """Sentences of the judge with titles for keys: “On key (title)”, and where keys are listed.

    What is said next of the same experiment begins with “There”.
    """
    if not titles or not isinstance(words, str):
        return words
    one = "|".join(re.escape(key) for key in sorted(titles, key=len, reverse=True))
    said = "|".join(re.escape(f" ({(entry or {}).get('title')})") for entry in experiments.values())
    listed = rf"(?P<keys>(?:{one})(?:(?: and |, )(?:{one}))*)(?:{said})?(?=[ ,;.:)]|$)"
    last = None, 0

    def replaced(found):
        nonlocal last
        place, keys = found["place"], re.split(" and |, ", found["keys"])
        between = words[last[1] : found.start()]
        if place == "On":
            again = keys == last[0] and " In " not in between
            last = keys, found.end()
            if again:
                return "There"
        return f"{place} " + " and ".join(f"“{titles[key]}”" for key in keys)

    return re.sub(rf"\b(?P<place>[Oo]n|STAND-IN:) {listed}", replaced, words)
