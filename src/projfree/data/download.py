"""One file over HTTP into a `.part` beside its target: bounded retries, resume, no trust in servers."""

import contextlib
import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import requests
import urllib3
from tqdm import tqdm

from projfree.data.errors import Unavailable
from projfree.data.store import Settings

BLOCK = 1 << 18
MAX_WAIT = 60.0
RETRY_STATUS = {408, 425, 429, 500, 502, 503, 504}
MAGIC = {".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".bz2": b"BZh", ".zip": b"PK", ".h5": b"\x89HDF"}
PAGES = ("text/html", "application/xhtml")


class Refused(Exception):
    """The address will not deliver: no use in asking again."""


class Interrupted(Exception):
    """The address may deliver when asked again; what came so far is kept."""

    def __init__(self, reason: str, wait: float = 0.0):
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True)
class Target:
    """What is to be fetched where: bytes None where unknown, then `limit` bounds them."""

    url: str
    part: Path
    bytes: int | None
    limit: int


def download(target: Target, settings: Settings) -> None:
    """Bring `target.url` completely into `target.part`.

    Raises Unavailable with the last reason after `settings.attempts` tries. The content is not judged here
    beyond its kind: hash and fingerprint are the caller's.
    """
    for attempt in range(settings.attempts):
        try:
            return _attempt(target, settings)
        except Refused as error:
            discard(target.part)
            raise Unavailable(str(error)) from None
        except Interrupted as error:
            reason, wait = str(error), error.wait
        if attempt + 1 < settings.attempts:
            time.sleep(min(max(wait, settings.backoff * 2**attempt), MAX_WAIT))
    raise Unavailable(f"{reason} (after {settings.attempts} attempts)")


def discard(part: Path) -> None:
    """Remove a partial file and what was noted about it."""
    part.unlink(missing_ok=True)
    _note_path(part).unlink(missing_ok=True)


def _attempt(target: Target, settings: Settings) -> None:
    note = _resumable(target)
    offset = target.part.stat().st_size if note else 0
    headers = {"Accept-Encoding": "identity", "User-Agent": "projfree"}
    if offset:
        headers |= {"Range": f"bytes={offset}-"} | ({"If-Range": note["tag"]} if note["tag"] else {})
    timeout = (settings.connect_timeout, settings.read_timeout)
    with (
        _network_errors(),
        requests.get(target.url, headers=headers, stream=True, timeout=timeout) as response,
    ):
        _check_status(response, target)
        _check_kind(response, target)
        offset = _start(response, offset, note, target)
        total = _announced(response, offset, target)
        _write_note(target, response, total)
        _receive(response, target, offset, total, settings.progress)


@contextlib.contextmanager
def _network_errors():
    """Translate what requests and urllib3 raise into Refused and Interrupted."""
    try:
        yield
    except requests.TooManyRedirects:
        raise Refused("redirects in a circle") from None
    except (
        requests.exceptions.InvalidURL,
        requests.exceptions.MissingSchema,
        requests.exceptions.InvalidSchema,
    ) as e:
        raise Refused(f"not an address: {e}") from None
    except (requests.Timeout, urllib3.exceptions.ReadTimeoutError):
        raise Interrupted("no data within the time limit") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ConnectionError, TimeoutError) as error:
        raise Interrupted(f"connection failed: {_brief(error)}") from None


def _brief(error: Exception) -> str:
    """The innermost reason, without the pool and object names around it."""
    cause = getattr(error.args[0], "reason", error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^>]*>|\s+", " ", str(cause)).split("): ", 1)[-1][:160].strip()


def _check_status(response, target: Target) -> None:
    status = response.status_code
    if status == 416:
        discard(target.part)
        raise Interrupted("the server refused to resume (416); starting anew")
    if status in RETRY_STATUS:
        wait = response.headers.get("Retry-After", "")
        raise Interrupted(f"status {status} {response.reason}", float(wait) if wait.isdigit() else 0.0)
    if status not in (200, 206):
        raise Refused(f"status {status} {response.reason}")


def _check_kind(response, target: Target) -> None:
    """A web page is not a data file, whatever its status says."""
    kind = response.headers.get("Content-Type", "").lower()
    if kind.startswith(PAGES):
        raise Refused(f"the server sent a web page ({kind}) instead of the file")
    coding = response.headers.get("Content-Encoding", "identity").lower()
    compressed = Path(target.url.split("?")[0]).suffix in (".gz", ".tgz")
    if coding != "identity" and not (compressed and coding in ("gzip", "x-gzip")):
        raise Refused(f"the server changed the file on the way (Content-Encoding {coding})")


def _start(response, offset: int, note: dict | None, target: Target) -> int:
    """Where the received bytes belong: `offset` if the server continues there, 0 if it starts anew."""
    if response.status_code == 200:
        return 0
    answer = response.headers.get("Content-Range", "")
    given = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+|\*)", answer.strip())
    if (
        offset
        and given
        and int(given[1]) == offset
        and (given[3] == "*" or note["total"] in (None, int(given[3])))
    ):
        return offset
    discard(target.part)
    raise Interrupted(f"a request from byte {offset} was answered with the range '{answer}'; starting anew")


def _announced(response, offset: int, target: Target) -> int | None:
    """Total size that the server announces, judged against what is known; None if it announces none."""
    length = response.headers.get("Content-Length", "")
    total = offset + int(length) if length.isdigit() else None
    if total is not None and target.bytes is not None and total != target.bytes:
        raise Refused(f"the server announces {total} bytes, the catalog says {target.bytes}")
    if (total or 0) > target.limit:
        raise Refused(f"the server announces {total} bytes, more than the limit of {target.limit}")
    free = shutil.disk_usage(target.part.parent).free
    if total is not None and total - offset > free:
        raise Refused(f"{total - offset} bytes to come, {free} free on the disk")
    return total


def _receive(response, target: Target, offset: int, total: int | None, progress: bool) -> None:
    limit = target.bytes if target.bytes is not None else target.limit
    name = target.part.name.removesuffix(".part")
    bar = tqdm(
        total=total, initial=offset, unit="B", unit_scale=True, desc=name, disable=None if progress else True
    )
    with open(target.part, "r+b" if offset else "wb") as out, bar:
        out.seek(offset)
        out.truncate()
        size = offset
        # read1 hands over what has arrived, undecoded: a cut later must not cost the bytes before it
        while block := response.raw.read1(BLOCK, decode_content=False):
            if size == 0:
                check_head(block, target.url)
            size += len(block)
            if size > limit:
                raise Refused(f"more than {limit} bytes came")
            out.write(block)
            bar.update(len(block))
        out.flush()
        os.fsync(out.fileno())
    if total is not None and size != total:
        raise Interrupted(f"cut after {size} of {total} bytes")
    if target.bytes is not None and size != target.bytes:
        raise Interrupted(f"{size} bytes came, the catalog says {target.bytes}")


def check_head(head: bytes, name: str) -> None:
    """Refuse a web page, and a compressed file or archive that does not begin like one."""
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise Refused("the content is a web page, not the file")
    magic = MAGIC.get(Path(name.split("?")[0]).suffix)
    if magic and not head.startswith(magic[: len(head)]):
        raise Refused(f"the content does not begin like a {Path(name.split('?')[0]).suffix} file")


def _note_path(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _write_note(target: Target, response, total: int | None) -> None:
    """Note what a resumed download must match: the address, its version tag and the total size."""
    etag = response.headers.get("ETag", "")
    tag = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified")
    _note_path(target.part).write_text(json.dumps({"url": target.url, "tag": tag, "total": total}))


def _resumable(target: Target) -> dict | None:
    """What was noted about an earlier, partial download of the same address; None to start anew."""
    try:
        note = json.loads(_note_path(target.part).read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    same = note.get("url") == target.url and target.part.exists()
    size = target.part.stat().st_size if same else 0
    # a part that already has all bytes is fetched anew: its end may be the damage
    return note if same and 0 < size < (note.get("total") or target.limit) else None
