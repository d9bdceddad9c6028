"""The catalog of datasets, as it stands in the file."""

from pathlib import Path

from . import files
from .validation import lookup

CATALOG = Path("config/datasets.yaml")


def dataset_row(name: str, root=".") -> dict:
    """The catalog's row of a dataset."""
    path = Path(root) / CATALOG
    return lookup(files.read(path), name, "dataset", path)
