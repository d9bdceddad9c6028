"""The error for an unknown name: at most five near names, and the command that lists all."""

from collections.abc import Iterable
from difflib import get_close_matches

from projfree.common import names

#: So many known names are listed; of more, so many are named that are as near as `CLOSE` at least.
FEW, NEAR, CLOSE = 12, 5, 0.7


def unknown(kind: str, name: object, known: Iterable, where: object, lists: str) -> str:
    """The message: ``ncgs: unknown experiment 'fig1-lef'. Did you mean 'fig1-left'? All are in papers/ncgs``.

    Parameters
    ----------
    kind : str
        The kind of the name: "claim", "dataset".
    name : object
        The unknown name.
    known : iterable
        All known names.
    where : object
        The file, paper or command that it was looked up in; may be empty.
    lists : str
        Words for the command or file that lists all.
    """
    known = sorted(set(map(str, known)))
    if len(known) <= FEW:
        return names.unknown(kind, name, known, where)
    near = [repr(one) for one in get_close_matches(str(name), known, n=NEAR, cutoff=CLOSE)]
    close = ", ".join(near[:-1]) + " or " * (len(near) > 1) + "".join(near[-1:])
    ask = f" Did you mean {close}?" if near else ""
    return f"{where}{': ' if where else ''}unknown {kind} {name!r}.{ask} {lists}"
