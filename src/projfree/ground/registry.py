"""Find modules by folder: one file is one solver, set, problem or probe, and no list has to be edited."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from types import ModuleType

from .names import unknown


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
    package, wanted = _imported(package), str(name).replace("-", "_")
    loaded = sys.modules.get(f"{package.__name__}.{wanted}")
    if loaded and not hasattr(loaded, "__path__") and not wanted.startswith("_"):
        return loaded  # without a look at the folder, which is looked at for every metric of every run
    if wanted not in names(package):
        raise ValueError(unknown("name", name, names(package), package.__name__.rpartition(".")[2]))
    return importlib.import_module(f"{package.__name__}.{wanted}")


def named(package: ModuleType | str, name: str) -> str:
    """The module that is called `name` as a class is, ``NuclearBall`` for ``nuclear_ball``.

    Raises
    ------
    AttributeError
        For an unknown name, with the nearest and all known ones: a package answers with it for its parts.
    """
    known = {called(module): module for module in names(package)}
    if name not in known:
        raise AttributeError(unknown("name", name, known, _imported(package).__name__))
    return known[name]


def called(name: str) -> str:
    """``NuclearBall`` for ``nuclear_ball``."""
    return "".join(word.capitalize() for word in name.split("_"))


def _imported(package):
    return importlib.import_module(package) if isinstance(package, str) else package
