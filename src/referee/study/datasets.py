"""The catalog of datasets, as in the file."""

from pathlib import Path

from ..common.project import project_root
from . import files
from .validation import lookup

CATALOG = Path("config/datasets.yaml")


def dataset_row(name: str, root=None) -> dict:
    """The catalog's row of a dataset."""
    path = Path(root or project_root()) / CATALOG
    return lookup(files.read(path), name, "dataset", path)
