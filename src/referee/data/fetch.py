"""Get a dataset's raw files: shipped, placed by hand, from the mirror, or from the official addresses."""

import shutil
from pathlib import Path

from projfree.common.atomic_io import atomic_copy
from projfree.common.hashes import file_sha256
from referee.common.alone import alone
from referee.data.catalog import DataFile, Dataset, Source, file_of
from referee.data.errors import DataError, FormatError, IntegrityError, Unavailable
from referee.data.store import (
    BY_HAND,
    Settings,
    check_hash,
    check_size,
    publish,
    raw_path,
    record,
    recorded,
)
from referee.data.unpack import check_container, unpack

HTTP = ("http://", "https://")


def fetch(dataset: Dataset, settings: Settings) -> dict[str, Path]:
    """Path of each raw file by its name, fetched if absent and verified in any case.

    Raises IntegrityError for a wrong file in place (never replaced, it may be the user's), Unavailable when
    no source delivers; its text lists every source with its reason and the manual way.
    """
    return {file.name: _fetch_file(dataset, file, settings) for file in dataset.files}


def _fetch_file(dataset: Dataset, file: DataFile, settings: Settings) -> Path:
    target = raw_path(dataset, file, settings.root)
    if file.shipped:
        return _check_in_place(dataset, file, target, settings)
    with alone(target):
        if target.exists():
            return _check_in_place(dataset, file, target, settings)
        failures = []
        for label, source in _sources(file, settings):
            try:
                return _from_source(dataset, file, label, source, target, settings)
            except (Unavailable, IntegrityError) as error:
                failures.append((label, source.address, str(error)))
        raise _unavailable(dataset, file, target, failures, settings)


def _sources(file: DataFile, settings: Settings) -> list[tuple[str, Source]]:
    """Mirror first, then the addresses that need no login, in the catalog's order, each with a label."""
    online = [] if settings.offline else [(a.address, a) for a in file.addresses if not a.login]
    if not settings.mirror or (settings.offline and settings.mirror.startswith(HTTP)):
        return online
    address = f"{settings.mirror.rstrip('/')}/{file.mirror.address}"
    return [("mirror", file.mirror.model_copy(update={"address": address})), *online]


def _check_in_place(dataset: Dataset, file: DataFile, target: Path, settings: Settings) -> Path:
    """Verify a file that is already there; one seen for the first time is inspected and recorded."""
    if not target.exists():
        reason = "is shipped with the project but missing; restore it from the repository"
        raise IntegrityError(f"{target} {reason}")
    try:
        new = check_hash(dataset, file, target, settings.root)
        if new:
            inspect(dataset, target)
            record(settings.root, dataset, file, BY_HAND, new)
    except DataError as error:
        reason = f"is not the file of the catalog: {error}. Remove or replace it."
        raise IntegrityError(f"{target} {reason}") from None
    if not file.shipped:
        target.chmod(0o444)
    return target


def _from_source(dataset, file: DataFile, label: str, source: Source, target: Path, settings) -> Path:
    part = target.with_name(target.name + (".archive.part" if source.unpack else ".part"))
    content = target.with_name(target.name + ".part")
    try:
        _deliver(file, source, part, settings)
        if source.bytes is not None and part.stat().st_size != source.bytes:
            raise IntegrityError(f"{part.stat().st_size} bytes came, the catalog says {source.bytes}")
        if source.sha256 and (digest := file_sha256(part)) != source.sha256:
            told = f"the catalog says {source.sha256} for this address"
            raise IntegrityError(f"SHA-256 is {digest}, {told}")
        if source.unpack:
            unpack(part, content, source.unpack, source.member, file.max_bytes)
        accept(dataset, file, content, target, label, settings)
    finally:
        for left in (part, content):
            left.unlink(missing_ok=True)
    return target


def _deliver(file: DataFile, source: Source, part: Path, settings: Settings) -> None:
    """Bring what an address or the mirror folder has into `part`."""
    from referee.data.download import HEAD, check_head, download  # with requests

    if source.address.startswith(HTTP):
        own = None if source.unpack else file.bytes
        size = own if source.bytes is None else source.bytes
        return download(source.address, part, size, file.max_bytes, settings)
    path = Path(source.address)
    if not path.is_file():
        raise Unavailable("no such file in the mirror folder")
    check_size(path, file)
    try:
        shutil.copyfile(path, part)
        with open(part, "rb") as stream:
            check_head(stream.read(HEAD), path.name)
    except OSError as error:
        raise Unavailable(f"cannot be copied from the mirror folder: {error.strerror}") from None


def accept(dataset, file: DataFile, part: Path, target: Path, source: str, settings: Settings) -> None:
    """Judge a complete file by hash, an unknown hash by size and content; then give it its final name."""
    new = check_hash(dataset, file, part, settings.root, source)
    if new:
        if file.bytes is not None and part.stat().st_size != file.bytes:
            size = part.stat().st_size
            raise IntegrityError(f"{target.name}: the file has {size} bytes, the catalog says {file.bytes}")
        inspect(dataset, part)
        record(settings.root, dataset, file, source, new)
    part.chmod(0o444)
    publish(part, target)


def inspect(dataset: Dataset, path: Path) -> None:
    """Judge a file of unknown hash by its content: whole container, right format, catalogued fingerprint."""
    from referee.data import fingerprint  # with readers of all formats, and SciPy

    check_container(path)
    if dataset.reader and len(dataset.files) == 1:  # parts are judged together when they are prepared
        try:
            fingerprint.check_file(dataset, path)
        except FormatError as error:
            raise IntegrityError(f"not in the official format: line {error.line}: {error.reason}") from None


def add(dataset: Dataset, path: Path, settings: Settings, name: str | None = None) -> Path:
    """Copy a user's file to its place among the raw files, verified like a download; returns its new path."""
    chosen = name or (dataset.files[0].name if len(dataset.files) == 1 else path.name)
    file = file_of(dataset, chosen)
    if file.shipped:
        raise DataError(f"{dataset.name}/{file.name} is shipped with the project; there is nothing to add")
    check_size(path, file)
    target = raw_path(dataset, file, settings.root)
    with alone(target):
        if target.exists() and file_sha256(target) != file_sha256(path):
            raise IntegrityError(f"{target} is there already, and another file: remove it first")
        part = target.with_name(target.name + ".add.part")
        try:
            atomic_copy(path, part)
            accept(dataset, file, part, target, BY_HAND, settings)
        finally:
            part.unlink(missing_ok=True)
    return target


def verify(dataset: Dataset, settings: Settings) -> dict[str, str]:
    """State of each raw file: 'verified', 'absent', 'unknown hash' or its fault."""
    states = {}
    for file in dataset.files:
        path = raw_path(dataset, file, settings.root)
        try:
            new = check_hash(dataset, file, path, settings.root) if path.exists() else None
            states[file.name] = "absent" if not path.exists() else "not seen before" if new else "verified"
        except IntegrityError as error:
            states[file.name] = f"WRONG: {error}"
    return states


def source_of(dataset: Dataset, file: DataFile, path: Path, root: Path) -> tuple[str, str]:
    """(where this copy comes from, its SHA-256), as far as catalog and records can tell."""
    digest = file_sha256(path)
    by_hash = {d: s for s, d in recorded(root, dataset, file).items()} | file.pinned
    origin = by_hash.get(digest, BY_HAND)
    if origin == "official" and file.addresses:
        origin = file.addresses[0].address
    return f"shipped: {file.shipped}" if file.shipped else origin, digest


def _unavailable(dataset: Dataset, file: DataFile, target: Path, failures, settings: Settings) -> Unavailable:
    """The whole story for the user: the tries, why they failed, and how to do it by hand; and it in brief."""
    lines = [f"{dataset.name}/{file.name} cannot be had."]
    lines += [f"  tried {address}\n    {reason}" for _, address, reason in failures] or ["  no source to try"]
    if settings.offline:
        lines += [f"  not tried (offline): {a.address}" for a in file.addresses if not a.login]
    lines += [f"  needs a login: {a.address} {a.note}".rstrip() for a in file.addresses if a.login]
    if dataset.obtain:
        lines.append(f"  {' '.join(dataset.obtain.split())}")
    lines.append(f"By hand: projfree data add {dataset.name} FILE, or place the file at {target}")
    tried = [f"{label}: {reason}" for label, _, reason in failures] + ["offline"] * settings.offline
    brief = f"{file.name} could not be had ({'; '.join(tried) or 'no source'})"
    return Unavailable("\n".join(lines), brief)
