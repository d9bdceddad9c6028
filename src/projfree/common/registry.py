"""Find modules by folder: one file is one solver, set, problem or probe, and no list has to be edited."""

import functools
import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable
from types import ModuleType

from .names import unknown

#: Called with each module that is loaded by its name.
listeners: list[Callable[[ModuleType], None]] = []


def names(package: ModuleType | str) -> tuple[str, ...]:
    """Names of the modules in a package's folder, sorted; folders and those with a leading ``_`` left out."""
    if isinstance(package, str):  # its modules are found without importing it
        folder = importlib.util.find_spec(package).submodule_search_locations
    else:
        folder = package.__path__
    modules = pkgutil.iter_modules(folder)
    return tuple(sorted(m.name for m in modules if not (m.ispkg or m.name.startswith("_"))))


def load(package: ModuleType | str, name: str) -> ModuleType:
    """The module of a package (or of a package's dotted name) called `name`; ``-`` and ``_`` mean the same.

    Raises
    ------
    ValueError
        For an unknown name, with the nearest and all known ones.
    """
    package = importlib.import_module(package) if isinstance(package, str) else package
    stem = str(name).replace("-", "_")
    module = sys.modules.get(f"{package.__name__}.{stem}")
    # What is loaded is returned without a look at its folder: every metric of every run asks for one.
    if not module or hasattr(module, "__path__") or stem.startswith("_"):
        if stem not in names(package):
            raise ValueError(unknown("name", name, names(package), package.__name__.rpartition(".")[2]))
        module = importlib.import_module(f"{package.__name__}.{stem}")
    for tell in listeners:
        tell(module)
    return module


def named(package: ModuleType | str, name: str) -> str:
    """The module that is called `name` as a class is, ``NuclearBall`` for ``nuclear_ball``.

    Raises
    ------
    AttributeError
        For an unknown name, with the nearest and all known ones: a package answers with it for its parts.
    """
    module, place = uncalled(name), package if isinstance(package, str) else package.__name__
    if f"{place}.{module}" in sys.modules and called(module) == name:
        return module  # without a look at the folder, as `load` does it
    known = {called(module): module for module in names(package)}
    if name not in known:
        raise AttributeError(unknown("name", name, known, place))
    return known[name]


def called(name: str) -> str:
    """``NuclearBall`` for ``nuclear_ball``."""
    return "".join(word.capitalize() for word in name.split("_"))


def contents(package: str, *own: str) -> list[str]:
    """Names for tab completion of a package: its modules as classes are called, and its `own` functions."""
    return sorted([*own, *map(called, names(package))])


@functools.lru_cache
def uncalled(name: str) -> str:
    """``nuclear_ball`` for ``NuclearBall``."""
    return re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
