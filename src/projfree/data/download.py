"""One file over HTTP into a `.part` beside its target: bounded retries, resume, no trust in servers."""

import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from projfree.data.errors import Interrupted, Refused, Unavailable
from projfree.data.store import Settings

BLOCK = 1 << 18
HEAD = 64
RETRY_STATUS = {408, 425, 429, 500, 502, 503, 504}
MAGIC = {".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".bz2": b"BZh", ".zip": b"PK", ".h5": b"\x89HDF"}
PAGES = ("text/html", "application/xhtml")


@dataclass(frozen=True)
class Target:
    """What is to be fetched where: bytes None where unknown, then `limit` bounds them.

    `hashed`: a known hash will judge the content. Without one a partial file is continued only where the
    server tells versions of its file apart.
    """

    url: str
    part: Path
    bytes: int | None
    limit: int
    hashed: bool = True


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
            time.sleep(min(max(wait, settings.backoff * 2**attempt), settings.max_wait))
    raise Unavailable(f"{reason} (after {settings.attempts} attempts)")


def discard(part: Path) -> None:
    """Remove a partial file and what was noted about it."""
    part.unlink(missing_ok=True)
    _note_path(part).unlink(missing_ok=True)


def _attempt(target: Target, settings: Settings) -> None:
    from projfree.data.connection import answer  # with requests, which a look at the catalog does without

    note = _resumable(target)
    offset = target.part.stat().st_size if note else 0
    headers = {}
    if offset:
        headers = {"Range": f"bytes={offset}-"} | ({"If-Range": note["tag"]} if note["tag"] else {})
    with answer(target.url, headers, settings) as (response, watch):
        _check_status(response, target)
        _check_kind(response, target)
        offset, total = _start(response, offset, note, target)
        _check_size(total, offset, target)
        _write_note(target, response, total)
        _receive(response, watch, target, offset, total, settings.progress)


def _whole(text: str) -> int | None:
    """The number that a header gives; None for anything else, also for one of absurd length."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else None


def _check_status(response, target: Target) -> None:
    status = response.status_code
    if status == 416:
        discard(target.part)
        raise Interrupted("the server refused to resume (416); starting anew")
    if status in RETRY_STATUS:
        wait = _whole(response.headers.get("Retry-After", ""))
        raise Interrupted(f"status {status} {response.reason}", float(wait or 0))
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


def _start(response, offset: int, note: dict | None, target: Target) -> tuple[int, int | None]:
    """Where the received bytes belong, and the size of the whole file as far as the server tells.

    That is `offset` if the server continues there the file that was noted, else 0.
    """
    if response.status_code == 200:
        discard(target.part)  # before a note on the new version: a kill in between must not join the two
        return 0, _whole(response.headers.get("Content-Length", ""))
    given = response.headers.get("Content-Range", "").strip()
    match = re.fullmatch(r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18}|\*)", given)
    total = _whole(match[2]) if match else None
    if offset and match and int(match[1]) == offset:
        if _tag(response) not in (None, note["tag"]):
            given += " of another version"
        elif None in (total, note["total"]) or total == note["total"]:
            return offset, total or note["total"]
    discard(target.part)
    raise Interrupted(f"a request from byte {offset} was answered with the range '{given}'; starting anew")


def _check_size(total: int | None, offset: int, target: Target) -> None:
    """Judge the announced size by what is known and by the space there is."""
    if total is not None and target.bytes is not None and total != target.bytes:
        raise Refused(f"the server announces {total} bytes, the catalog says {target.bytes}")
    if (total or 0) > target.limit:
        raise Refused(f"the server announces {total} bytes, more than the limit of {target.limit}")
    free = shutil.disk_usage(target.part.parent).free
    if total is not None and total - offset > free:
        raise Refused(f"{total - offset} bytes to come, {free} free on the disk")


def _receive(response, watch, target: Target, offset: int, total: int | None, progress: bool) -> None:
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
            watch.feed(len(block))
            bar.update(len(block))
        out.flush()
        os.fsync(out.fileno())
    if total is not None and size != total:
        raise Interrupted(f"cut after {size} of {total} bytes")
    if target.bytes is not None and size != target.bytes:
        raise Interrupted(f"{size} bytes came, the catalog says {target.bytes}")
    with open(target.part, "rb") as whole:  # the first block may have been a single byte
        check_head(whole.read(HEAD), target.url)


def check_head(head: bytes, name: str) -> None:
    """Refuse a web page, and a compressed file or archive that does not begin like one."""
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise Refused("the content is a web page, not the file")
    magic = MAGIC.get(Path(name.split("?")[0]).suffix)
    if magic and not head.startswith(magic[: len(head)]):
        raise Refused(f"the content does not begin like a {Path(name.split('?')[0]).suffix} file")


def _note_path(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _tag(response) -> str | None:
    """What tells this version of the file from others: its strong entity tag, else its date."""
    etag = response.headers.get("ETag", "")
    return etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified")


def _write_note(target: Target, response, total: int | None) -> None:
    """Note what a resumed download must match: the address, its version tag and the total size."""
    note = {"url": target.url, "tag": _tag(response), "total": total}
    _note_path(target.part).write_text(json.dumps(note))


def _resumable(target: Target) -> dict | None:
    """What was noted about an earlier, partial download of the same address; None to start anew."""
    try:
        note = json.loads(_note_path(target.part).read_text())
        same = note["url"] == target.url and target.part.exists() and (target.hashed or note["tag"])
        size = target.part.stat().st_size if same else 0
        # a part that already has all bytes is fetched anew: its end may be the damage
        return note if same and 0 < size < (note["total"] or target.limit) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):  # none, or a damaged one
        return None
