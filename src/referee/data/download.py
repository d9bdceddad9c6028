"""One file over HTTP into a `.part` next to its target: bounded tries from the start, no trust in servers."""

import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from referee.data.errors import Interrupted, Unavailable
from referee.data.store import Settings

BLOCK = 1 << 18
HEAD = 64
RETRY_STATUS = {408, 425, 429, 500, 502, 503, 504}
MAGIC = {".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".bz2": b"BZh", ".zip": b"PK", ".h5": b"\x89HDF"}
PAGES = ("text/html", "application/xhtml")


@dataclass(frozen=True)
class Target:
    """A file to fetch: its address and size; `limit` bounds an unknown size (None)."""

    url: str
    part: Path
    bytes: int | None
    limit: int


def download(target: Target, settings: Settings) -> None:
    """Bring `target.url` completely into `target.part`.

    Raises Unavailable with the last reason after `settings.attempts` tries. The content is not judged here
    beyond its kind: hash and fingerprint are the caller's, and so is removing the part.
    """
    from referee.data.connection import answer  # with requests, which a look at the catalog does without

    for attempt in range(settings.attempts):
        try:
            with answer(target.url, settings) as (response, watch):
                return _receive(response, watch, target, settings.progress)
        except Interrupted as error:
            reason, wait = str(error), error.wait
        if attempt + 1 < settings.attempts:
            time.sleep(min(max(wait, settings.backoff * 2**attempt), settings.max_wait))
    raise Unavailable(f"{reason} (after {settings.attempts} attempts)")


def _receive(response, watch, target: Target, progress: bool) -> None:
    _check_status(response)
    _check_kind(response, target)
    total = _whole(response.headers.get("Content-Length", ""))
    _check_size(total, target)
    limit = target.limit if target.bytes is None else target.bytes
    name, hidden = target.part.name.removesuffix(".part"), None if progress else True
    size, head = 0, b""
    with (
        open(target.part, "wb") as out,
        tqdm(total=total, unit="B", unit_scale=True, desc=name, disable=hidden) as bar,
    ):
        # read1 hands over what has arrived, undecoded: the watch must not wait for a whole block
        while block := response.raw.read1(BLOCK, decode_content=False):
            if size < HEAD:  # the first block may be a single byte
                check_head(head := head + block[:HEAD], target.url)
            size += len(block)
            if size > limit:
                raise Unavailable(f"more than {limit} bytes came")
            out.write(block)
            watch.feed(len(block))
            bar.update(len(block))
        out.flush()
        os.fsync(out.fileno())
    expected = target.bytes if total is None else total
    if expected not in (None, size):
        raise Interrupted(f"cut after {size} of {expected} bytes")


def _whole(text: str) -> int | None:
    """The number that a header gives; None for anything else, also for one of absurd length."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else None


def _check_status(response) -> None:
    status = response.status_code
    if status in RETRY_STATUS:
        wait = _whole(response.headers.get("Retry-After", ""))
        raise Interrupted(f"status {status} {response.reason}", float(wait or 0))
    if status != 200:
        raise Unavailable(f"status {status} {response.reason}")


def _check_kind(response, target: Target) -> None:
    """A web page is not a data file, whatever its status says."""
    kind = response.headers.get("Content-Type", "").lower()
    if kind.startswith(PAGES):
        raise Unavailable(f"the server sent a web page ({kind}) instead of the file")
    coding = response.headers.get("Content-Encoding", "identity").lower()
    compressed = Path(target.url.split("?")[0]).suffix in (".gz", ".tgz")
    if coding != "identity" and not (compressed and coding in ("gzip", "x-gzip")):
        raise Unavailable(f"the server changed the file on the way (Content-Encoding {coding})")


def _check_size(total: int | None, target: Target) -> None:
    """Judge the announced size by what is known and by the space there is."""
    if total is None:
        return
    if target.bytes not in (None, total):
        raise Unavailable(f"the server announces {total} bytes, the catalog says {target.bytes}")
    if total > target.limit:
        raise Unavailable(f"the server announces {total} bytes, more than the limit of {target.limit}")
    free = shutil.disk_usage(target.part.parent).free
    if total > free:
        raise Unavailable(f"{total} bytes to come, {free} free on the disk")


def check_head(head: bytes, name: str) -> None:
    """Refuse a web page, and a compressed file or archive that does not begin like one."""
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise Unavailable("the content is a web page, not the file")
    suffix = Path(name.split("?")[0]).suffix
    magic = MAGIC.get(suffix)
    if magic and not head.startswith(magic[: len(head)]):
        raise Unavailable(f"the content does not begin like a {suffix} file")
