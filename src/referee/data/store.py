"""Paths of raw files, the check that a file is the right one, and its final name."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import file_sha256
from projfree.common.owned import ANY
from referee.common.alone import alone
from referee.common.bounded import read_json
from referee.common.project import project_root
from referee.data.catalog import DataFile, Dataset
from referee.data.errors import IntegrityError

BY_HAND = "placed by hand"


@dataclass(frozen=True)
class Settings:
    """Settings: folders, addresses and time limits (in seconds).

    An attempt ends when `window` seconds bring fewer than `least` bytes; between two attempts at most
    `max_wait` pass, whatever a server asks for.
    """

    root: Path = field(default_factory=project_root)
    mirror: str | None = None
    offline: bool = False
    attempts: int = 4
    backoff: float = 1.0
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    window: float = 90.0
    least: int = 1 << 16
    max_wait: float = 60.0
    progress: bool = False


def settings(root=None, mirror=None, offline=None, **others) -> Settings:
    """Settings from arguments, else the variables PROJFREE_MIRROR and PROJFREE_OFFLINE, else the defaults."""
    if mirror is None:
        mirror = os.environ.get("PROJFREE_MIRROR") or None
    if offline is None:
        offline = os.environ.get("PROJFREE_OFFLINE", "").lower() not in ("", "0", "false", "no")
    return Settings(Path(root or project_root()), str(mirror) if mirror else None, bool(offline), **others)


def raw_path(dataset: Dataset, file: DataFile, root: Path) -> Path:
    """Path of the raw file, present or not."""
    if file.shipped:
        own = Path(root) / file.shipped
        return own if own.is_file() else project_root() / file.shipped
    return Path(root) / "data" / "raw" / dataset.name / file.name


def _record_path(root: Path) -> Path:
    return Path(root) / "data" / "downloads.lock.json"


def recorded(root: Path, dataset: Dataset, file: DataFile) -> dict[str, str]:
    """Source → SHA-256 that this source first gave, for files whose hash the catalog cannot know."""
    return _records(root).get(f"{dataset.name}/{file.name}", {})


def _records(root: Path) -> dict:
    path = _record_path(root)
    try:
        return {**read_json(path)} if path.exists() else {}
    except (ValueError, TypeError) as error:
        raise IntegrityError(f"{path} is damaged ({error}); restore it, or delete it to trust anew") from None


def record(root: Path, dataset: Dataset, file: DataFile, source: str, digest: str) -> None:
    """Remember the first hash of a source, atomically and safe against other processes."""
    path = _record_path(root)
    with alone(path):
        table = _records(root)
        table.setdefault(f"{dataset.name}/{file.name}", {})[source] = digest
        atomic_write(path, json.dumps(table, indent=1, sort_keys=True) + "\n", ANY)  # with all it had


def publish(temporary: Path, final: Path) -> None:
    """Give a finished file its name: on disk first, then one atomic rename."""
    with open(temporary, "rb") as stream:
        os.fsync(stream.fileno())
    os.replace(temporary, final)
    folder = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_size(path: Path, file: DataFile) -> None:
    """Raise IntegrityError for a fifo or a device, which may never end, and for more bytes than the limit."""
    if not path.is_file():
        raise IntegrityError(f"{path}: not a regular file")
    if path.stat().st_size > file.max_bytes:
        raise IntegrityError(f"{path}: {path.stat().st_size} bytes, more than the limit of {file.max_bytes}")


def check_hash(
    dataset: Dataset, file: DataFile, path: Path, root: Path, source: str | None = None
) -> str | None:
    """Judge a file by its hash.

    Returns None when the hash is a pinned or recorded one, the digest when nothing is known to compare it
    with (to be inspected and recorded). Of the records all count, with `source` only what this source once
    gave. Raises IntegrityError for any other hash.
    """
    check_size(path, file)
    digest = file_sha256(path)
    if digest in file.pinned:
        return None
    known = recorded(root, dataset, file)
    expected = {file.sha256} if file.sha256 else {d for s, d in known.items() if source in (None, s)}
    if not expected:
        return digest
    if digest in expected:
        return None
    said = f"SHA-256 is {digest}, expected {' or '.join(sorted(expected))}"
    if file.sha256:
        raise IntegrityError(f"{said} (catalog)")
    raise IntegrityError(
        f"{said} (first seen; delete its entry in {_record_path(root)} if the file rightly changed)"
    )
