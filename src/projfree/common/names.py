"""The error for an unknown name: its place, the nearest known names, and where all are listed."""

from collections.abc import Iterable
from difflib import get_close_matches

#: An error names so many known names; where there are more and something lists them, the nearest few.
ROOM, NEAR, CLOSE = 12, 5, 0.7


def nearest(name: object, known: Iterable) -> str:
    """`` Did you mean 'objective'?``, or nothing if no known name is near."""
    close = get_close_matches(str(name), list(map(str, known)), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(kind: str, name: object, known: Iterable, where: object = "", lists: str = "") -> str:
    """The message: ``figures.yaml: unknown metric 'objectve'. Did you mean 'objective'? Known are: …``.

    If more than `ROOM` names are known and words say what `lists` them, it has the nearest and these words:
    ``ncgs: unknown experiment 'fig1-lef'. Did you mean 'fig1-left'? All are in papers/ncgs``.
    """
    known, place = sorted(set(map(str, known))), f"{where}: " if where else ""
    head = f"{place}unknown {kind} {name!r}."
    if not lists or len(known) <= ROOM:
        return f"{head}{nearest(name, known)} Known are: {', '.join(known) or 'none'}"
    near = [repr(one) for one in get_close_matches(str(name), known, n=NEAR, cutoff=CLOSE)]
    close = ", ".join(near[:-1]) + " or " * (len(near) > 1) + "".join(near[-1:])
    return f"{head}{f' Did you mean {close}?' if close else ''} {lists}"


def require(names: Iterable, known: Iterable, kind: str, where: object = "", lists: str = "") -> None:
    """Raise `ValueError` for the first of the names that is not known; the message is that of `unknown`."""
    for name in names:
        if name not in known:
            raise ValueError(unknown(kind, name, known, where, lists))
