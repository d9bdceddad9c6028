"""The study: what the configuration means, and the only package that reads it.

`load` gives a paper under a run as a `Study`. What stands here comes from the modules named below when it is
asked for, so that a module which needs only one of them (the grids of figures) depends on no other.
"""

import importlib

_HOME = {
    "study": ("Study", "load", "runs", "dataset_row", "TUNING_SEED"),
    "files": ("papers",),
    "register": ("alternatives",),
    "views": ("shown_in",),
    "validation": ("StudyError", "lookup", "validate"),
    "models.dataset": ("Config",),
    "models.experiment": ("Job",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name):
    if name not in _MODULE:
        raise AttributeError(f"{__name__} has no {name}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULE[name]}"), name)
