"""The catalog: `config/datasets.yaml`, one validated row per dataset."""

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import jsonschema
import yaml
from jsonschema.exceptions import best_match

from projfree.data.errors import CatalogError

PROJECT = Path(__file__).resolve().parents[3]
SCHEMA = PROJECT / "workflow" / "schemas" / "datasets.schema.json"


@dataclass(frozen=True)
class Source:
    """One place that may deliver a file.

    `address` is a URL, or for a mirror the path inside it. `unpack` tells how the delivered bytes become
    the file (None: they are the file); `bytes` and `sha256` are of the delivered bytes.
    """

    address: str
    bytes: int | None = None
    sha256: str | None = None
    unpack: str | None = None
    member: str | None = None
    login: bool = False
    note: str = ""


@dataclass(frozen=True)
class DataFile:
    """One raw file of a dataset; `bytes` and `sha256` of the official file, None where unknowable."""

    name: str
    bytes: int | None
    sha256: str | None
    addresses: tuple[Source, ...]
    mirror: Source
    shipped: str | None = None
    max_bytes: int = 16 * 2**30

    @property
    def pinned(self) -> dict[str, str]:
        """Known SHA-256 of the file itself → where that copy comes from."""
        copies = [s for s in (self.mirror, *self.addresses) if s.sha256 and not s.unpack]
        official = {self.sha256: "official"} if self.sha256 else {}
        return {
            s.sha256: f"mirror: {s.address}" if s is self.mirror else s.address for s in copies
        } | official


@dataclass(frozen=True)
class Dataset:
    """One row of the catalog; the fields are described in `workflow/schemas/datasets.schema.json`."""

    name: str
    title: str
    version: str
    files: tuple[DataFile, ...]
    licence: str
    redistributable: bool
    citation: str
    used_by: tuple[str, ...]
    obtain: str
    reader: str | None
    reader_params: dict
    reader_issue: str | None
    fingerprint: dict
    stand_in: dict | None

    def file(self, name: str) -> DataFile:
        """The file of that name; an error lists the known ones."""
        for file in self.files:
            if file.name == name:
                return file
        known = ", ".join(f.name for f in self.files)
        raise CatalogError(f"dataset {self.name} has no file '{name}'; its files are: {known}")


def _source(entry) -> Source:
    return Source(entry) if isinstance(entry, str) else Source(**entry)


def _file(dataset: str, entry: dict) -> DataFile:
    mirror = entry.get("mirror", f"{dataset}/{entry['name']}")
    return DataFile(
        name=entry["name"],
        bytes=entry["bytes"],
        sha256=entry["sha256"],
        addresses=tuple(_source(a) for a in entry["addresses"]),
        mirror=_source(mirror),
        shipped=entry.get("shipped"),
        max_bytes=entry.get("max_bytes", DataFile.max_bytes),
    )


def _dataset(name: str, row: dict) -> Dataset:
    optional = {"obtain": "", "reader_params": {}, "reader_issue": None, "stand_in": None}
    fields = optional | row
    files = tuple(_file(name, entry) for entry in row["files"])
    return Dataset(**fields | {"name": name, "files": files, "used_by": tuple(row["used_by"])})


def suggest(word: str, known) -> str:
    """', did you mean …? known: …' for an unknown word."""
    close = get_close_matches(str(word), list(known), n=1, cutoff=0.5)
    hint = f" (did you mean '{close[0]}'?)" if close else ""
    return f"{hint}; known: {', '.join(known)}"


def _explain(error: jsonschema.ValidationError) -> str:
    where = " → ".join(str(part) for part in error.absolute_path) or "the file"
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        extra = [key for key in error.instance if key not in known]
        return f"{where}: unknown key '{extra[0]}'{suggest(extra[0], known)}"
    if error.context:
        return _explain(best_match(error.context))
    return f"{where}: {error.message}"


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


def validate(rows, path) -> None:
    """Raise CatalogError naming every place where `rows` breaks the schema."""
    errors = sorted(_validator().iter_errors(rows), key=lambda e: [str(p) for p in e.absolute_path])
    if errors:
        lines = "\n  ".join(_explain(e) for e in errors)
        raise CatalogError(f"{path} is not a valid catalog:\n  {lines}")


def load(root: Path | str = PROJECT) -> dict[str, Dataset]:
    """All datasets of `<root>/config/datasets.yaml` by name, validated; CatalogError if it is invalid."""
    path = Path(root) / "config" / "datasets.yaml"
    try:
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CatalogError(f"no catalog at {path}; is '{root}' the project's folder?") from None
    except yaml.YAMLError as error:
        raise CatalogError(f"{path} is not YAML: {error}") from None
    validate(rows, path)
    datasets = {name: _dataset(name, row) for name, row in rows.items()}
    empty = [name for name, d in datasets.items() if not d.files and not d.stand_in]
    if empty:
        raise CatalogError(
            f"{path} is not a valid catalog:\n  {empty[0]} → files: none, and no stand_in either"
        )
    return datasets


def dataset(name: str, root: Path | str = PROJECT) -> Dataset:
    """The row of one dataset; an unknown name gives an error that lists the known ones."""
    rows = load(root)
    if name not in rows:
        raise CatalogError(f"unknown dataset '{name}'{suggest(name, rows)}")
    return rows[name]
