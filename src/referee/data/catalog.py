"""The catalog: `config/datasets.yaml`, one validated row per dataset."""

from collections.abc import Collection
from pathlib import Path

from projfree.common.names import unknown
from referee.common.project import project_root
from referee.data.errors import CatalogError
from referee.study import files
from referee.study.models.dataset import DataFile, Dataset, Datasets, Source
from referee.study.validation import StudyError, validate

__all__ = ["DataFile", "Dataset", "Source", "dataset", "datasets", "file_of", "load"]

#: Those of `formats`, by name, so that looking at the catalog loads none of them.
READERS = ("covertype", "sensorless", "libsvm", "ratings", "batches", "edges", "faces", "fisher", "matlab")
READERS += ("regression",)


def load(root: Path | str | None = None) -> dict[str, Dataset]:
    """All datasets of `<root>/config/datasets.yaml` by name, validated; CatalogError if it is invalid."""
    path = Path(root or project_root()) / files.CATALOG
    try:
        rows = validate(Datasets, files.read(path), path).root
    except FileNotFoundError:
        raise CatalogError(f"no catalog at {path}; is '{path.parents[1]}' the project's folder?") from None
    except files.FileError as error:
        raise CatalogError(f"{path} is not YAML: {error}") from None
    except StudyError as error:
        raise CatalogError(f"{path} is not a valid catalog:\n{error}") from None
    for name, row in rows.items():
        if row.reader not in (None, *READERS):
            raise CatalogError(unknown("reader", row.reader, READERS, f"{path}: {name}.reader"))
    return {name: Dataset(name=name, **row.plain()) for name, row in rows.items()}


def dataset(name: str, root: Path | str | None = None) -> Dataset:
    """The row of one dataset; an unknown name gives an error that lists the known ones."""
    return datasets([name], root)[0]


def datasets(names: Collection[str], root: Path | str | None = None) -> list[Dataset]:
    """The same of several, which are read once."""
    rows = load(root)
    for name in names:
        if name not in rows:
            raise CatalogError(unknown("dataset", name, rows, "", "List them with: projfree data"))
    return [rows[name] for name in names]


def file_of(dataset: Dataset, name: str) -> DataFile:
    """The file of that name; an error lists the known ones."""
    files = {file.name: file for file in dataset.files}
    if name not in files:
        raise CatalogError(unknown("file", name, files, f"dataset {dataset.name}"))
    return files[name]
