"""The error for an unknown name: its place, the nearest known names, and where all are listed."""

from collections.abc import Iterable
from difflib import get_close_matches

#: How many known names an error has room for, and how many near ones it tells where there are more.
ROOM, NEAR = 40, 5


def nearest(name: object, known: Iterable) -> str:
    """`` Did you mean 'objective'?``, or nothing if no known name is near."""
    close = get_close_matches(str(name), list(map(str, known)), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(kind: str, name: object, known: Iterable, where: object = "", lists: str = "") -> str:
    """The message: ``figures.yaml: unknown metric 'objectve'. Did you mean 'objective'? Known are: …``.

    If more than `ROOM` names are known and a command `lists` them, it names the nearest five and the command:
    ``reproduce: unknown claim 'C9'. Did you mean 'X-C9' or 'X-C19'? All of them: projfree …``.
    """
    known, place = sorted(set(map(str, known))), f"{where}: " if where else ""
    head = f"{place}unknown {kind} {name!r}."
    if not lists or len(known) <= ROOM:
        return f"{head}{nearest(name, known)} Known are: {', '.join(known) or 'none'}"
    close = " or ".join(map(repr, get_close_matches(str(name), known, n=NEAR)))
    return f"{head}{f' Did you mean {close}?' if close else ''} All of them: {lists}"


def require(names: Iterable, known: Iterable, kind: str, where: object = "", lists: str = "") -> None:
    """Raise `ValueError` for the first of the names that is not known; the message is that of `unknown`."""
    for name in names:
        if name not in known:
            raise ValueError(unknown(kind, name, known, where, lists))
