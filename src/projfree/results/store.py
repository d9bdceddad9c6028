"""A folder of finished traces and tuning tables, each under the SHA-256 of what it was made from.

``<store>/<first 2>/<key>/`` holds the file (``trace.h5`` or ``tuning.json``) and ``origin.json``: what the
key was made from, and the SHA-256 of the file. An entry is a folder since a folder gets its name,
with all that is in it, in one rename, which fails where there is one already: of two writers the first wins,
and no entry is ever half there. Entries are never changed.
"""

import hashlib
import json
import os
import shutil
import sys
import uuid
from pathlib import Path

from ..ground import sealed
from ..ground.hashes import digest
from ..ground.outside import read_bytes, read_json
from . import origin
from .signing import marked

FILES = {"trace": "trace.h5", "tuning": "tuning.json"}


class Corrupted(Exception):
    """An entry whose content is not what was put in."""


class Store:
    """The entries of one folder; the folder is made when something is put in."""

    def __init__(self, folder):
        self.folder = Path(folder).expanduser()

    def place(self, key: str) -> Path:
        """The folder of an entry."""
        return self.folder / key[:2] / key

    def origins(self):
        """What each entry was made from; entries that cannot be read are left out."""
        for path in sorted(self.folder.glob("[0-9a-f][0-9a-f]/*/origin.json")):
            try:
                yield read_json(path)["origin"]
            except (OSError, ValueError, KeyError):
                continue

    def fetch(self, made_from: dict, output: Path) -> str | None:
        """Copy an entry to `output`, verified, in one rename; a line about it, or None if there is none.

        An entry that is not what was put in is set aside, and told on stderr.
        """
        entry = self.place(digest(made_from))
        try:
            if not entry.is_dir():
                return None
            about, content = _verified(entry, made_from)
        except Corrupted as error:
            aside = entry.with_name(f"{entry.name}.corrupted-{uuid.uuid4().hex[:8]}")
            warn(f"{entry}: not used ({error}); {_set_aside(entry, aside)}")
            return None
        except OSError as error:
            warn(f"{entry}: not used, it cannot be read ({error})")
            return None
        _write(content, output, entry.name)
        commit = about["git_commit"][:12]
        return f"from the store: {entry.name[:12]}, made at {about['created']}, commit {commit}"

    def put(self, source: Path, made_from: dict) -> bool:
        """Put a finished file in; False if it is there already.

        Raises
        ------
        Unusable
            If the file was not made from that, or must not be shared.
        OSError
            If the store cannot be written.
        """
        content = read_bytes(source)  # once: what is judged is what is kept
        attrs = origin.attributes_of(content, source)
        found = origin.shareable_of(attrs, source)
        if digest(found) != digest(made_from):
            place, *_ = origin.differences(found, made_from)[0]
            raise origin.Unusable(f"{source}: {place} changed while it was made")
        entry = self.place(digest(made_from))
        if entry.is_dir():
            return False
        part = entry.with_name(f".{entry.name}.{uuid.uuid4().hex}.part")
        try:
            part.mkdir(parents=True)
            _to_disk(part / FILES[made_from["kind"]], content)
            _to_disk(part / "origin.json", _about(made_from, attrs, content))
            return _named(part, entry)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def configured() -> Store | None:
    """The store that the variable PROJFREE_STORE names, if any."""
    folder = os.environ.get("PROJFREE_STORE")
    return Store(folder) if folder else None


def warn(text: str) -> None:
    """A warning about the store: no reason for a job to fail."""
    print(f"store: {text}", file=sys.stderr)


def _about(made_from, attrs, content) -> bytes:
    about = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "created": str(attrs.get("created", "unknown time")),
        "git_commit": str(attrs["git_commit"]),
        "origin": made_from,
    }
    return (json.dumps(about, indent=1, sort_keys=True) + "\n").encode()


def _verified(entry, made_from) -> tuple[dict, bytes]:
    """What an entry says of itself, and its file, which must be what it says and was asked for."""
    try:
        about, file = read_json(entry / "origin.json"), entry / FILES[made_from["kind"]]
        content = read_bytes(file)
        if hashlib.sha256(content).hexdigest() != about["sha256"]:
            raise Corrupted("its file is not the one that was put in")
        if digest(about["origin"]) != digest(made_from):
            raise Corrupted("its origin.json is that of another entry")
        found = origin.origin(made_from["kind"], origin.attributes_of(content, file))
        if digest(found) != digest(made_from):
            raise Corrupted("its file is that of another entry")
        return {name: str(about[name]) for name in ("created", "git_commit")}, content
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Corrupted(f"{type(error).__name__}: {error}") from error


def _set_aside(entry, aside) -> str:
    try:
        entry.rename(aside)
    except OSError as error:
        return f"it cannot be set aside ({error})"
    return f"moved to {aside.name}"


def _write(content: bytes, output: Path, key: str) -> None:
    """Write a copy that says where it comes from."""
    sealed.atomic_write(output, marked(content, output.suffix, "from_store", key))


def _to_disk(path, content):
    with open(path, "xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _named(part, entry) -> bool:
    """Give an entry its name; False if another writer was first."""
    try:
        part.rename(entry)
    except OSError:
        if entry.is_dir():
            return False
        raise
    return True
