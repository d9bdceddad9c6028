"""What a name that nothing has is answered with: its place, the nearest known one, and all of them."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: object, known: Iterable) -> str:
    """`` Did you mean 'objective'?``, or nothing where no known name is near."""
    close = get_close_matches(str(name), list(map(str, known)), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(kind: str, name: object, known: Iterable, where: object = "") -> str:
    """The message: ``figures.yaml: unknown metric 'objectve'. Did you mean 'objective'? Known are: …``."""
    known, place = sorted(set(map(str, known))), f"{where}: " if where else ""
    return f"{place}unknown {kind} {name!r}.{nearest(name, known)} Known are: {', '.join(known) or 'none'}"


def require(names: Iterable, known: Iterable, kind: str, where: object = "") -> None:
    """Raise `ValueError` for the first of the names that is not known."""
    for name in names:
        if name not in known:
            raise ValueError(unknown(kind, name, known, where))
