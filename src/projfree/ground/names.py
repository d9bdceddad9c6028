"""What a name that nothing has is answered with: the known ones and the nearest."""

from difflib import get_close_matches


def nearest(name, known) -> str:
    """``; did you mean 'objective'?``, or nothing where no known name is near."""
    close = get_close_matches(str(name), list(map(str, known)), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown(what: str, name, known) -> str:
    """The message about it: ``unknown metric 'objectve'; known: objective, rank; did you mean …?``"""
    return f"unknown {what} {name!r}; known: {', '.join(map(str, known)) or 'none'}{nearest(name, known)}"


def require(names, known, what: str) -> None:
    """Raise `ValueError` for the first of the names that is not known."""
    for name in names:
        if name not in known:
            raise ValueError(unknown(what, name, known))
