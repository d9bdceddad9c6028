"""One file over HTTP into a `.part` next to its target: bounded tries from the start, no trust in servers."""

import contextlib
import os
import re
import shutil
import socket
import threading
import time
from pathlib import Path
from urllib.parse import urljoin

import requests
import urllib3
from requests.adapters import HTTPAdapter
from tqdm import tqdm

from referee.data.errors import Interrupted, Unavailable
from referee.data.store import Settings

BLOCK = 1 << 18
HEAD = 64
MOST_REDIRECTS = 20
HEADERS = {"Accept-Encoding": "identity", "User-Agent": "projfree"}
RETRY_STATUS = {408, 425, 429, 500, 502, 503, 504}
MAGIC = {".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".bz2": b"BZh", ".zip": b"PK", ".h5": b"\x89HDF"}
PAGES = ("text/html", "application/xhtml")


def download(url: str, part: Path, size: int | None, limit: int, settings: Settings) -> None:
    """Bring the file at an address completely into `part`; it has `size` bytes, if known, or at most `limit`.

    Raises Unavailable with the last reason after `settings.attempts` tries. The content is not judged here
    beyond its kind: hash and fingerprint are the caller's, and so is removing the part.
    """
    for attempt in range(settings.attempts):
        address = url
        try:
            with Watch(settings) as watch, _network_errors(), _Session(watch) as session:
                timeout = (settings.connect_timeout, settings.read_timeout)
                for _ in range(MOST_REDIRECTS):
                    with session.get(address, headers=HEADERS, stream=True, timeout=timeout) as response:
                        if not response.is_redirect:
                            return _receive(response, watch, url, part, size, limit, settings.progress)
                        location = response.headers["Location"].encode("latin-1").decode("utf-8", "replace")
                        address = urljoin(address, location)
                raise Unavailable("redirects in a circle")
        except Interrupted as error:
            reason, wait = str(error), error.wait
        if attempt + 1 < settings.attempts:
            time.sleep(min(max(wait, settings.backoff * 2**attempt), settings.max_wait))
    raise Unavailable(f"{reason} (after {settings.attempts} attempts)")


def _receive(response, watch, url, part: Path, size, limit, progress: bool) -> None:
    """Write the body of an answer to `part`, as far as status, kind and announced size are right."""
    status, headers = f"status {response.status_code} {response.reason}", response.headers
    if response.status_code in RETRY_STATUS:
        raise Interrupted(status, float(_whole(headers.get("Retry-After", "")) or 0))
    if response.status_code != 200:
        raise Unavailable(status)
    kind = headers.get("Content-Type", "").lower()
    if kind.startswith(PAGES):  # no data file, whatever its status says
        raise Unavailable(f"the server sent a web page ({kind}) instead of the file")
    coding = headers.get("Content-Encoding", "identity").lower()
    compressed = Path(url.split("?")[0]).suffix in (".gz", ".tgz")
    if coding != "identity" and not (compressed and coding in ("gzip", "x-gzip")):
        raise Unavailable(f"the server changed the file on the way (Content-Encoding {coding})")
    total = _whole(headers.get("Content-Length", ""))
    if total is not None:
        if size not in (None, total):
            raise Unavailable(f"the server announces {total} bytes, the catalog says {size}")
        if total > limit:
            raise Unavailable(f"the server announces {total} bytes, more than the limit of {limit}")
        if total > (free := shutil.disk_usage(part.parent).free):
            raise Unavailable(f"{total} bytes to come, {free} free on the disk")
    came, head, most = 0, b"", limit if size is None else size
    shown = {"desc": part.name.removesuffix(".part"), "disable": None if progress else True}
    with open(part, "wb") as out, tqdm(total=total, unit="B", unit_scale=True, **shown) as bar:
        # read1 hands over what has arrived, undecoded: the watch must not wait for a whole block
        while block := response.raw.read1(BLOCK, decode_content=False):
            if came < HEAD:  # the first block may be a single byte
                check_head(head := head + block[:HEAD], url)
            came += len(block)
            if came > most:
                raise Unavailable(f"more than {most} bytes came")
            out.write(block)
            watch.came += len(block)
            bar.update(len(block))
        out.flush()
        os.fsync(out.fileno())
    expected = size if total is None else total
    if expected not in (None, came):
        raise Interrupted(f"cut after {came} of {expected} bytes")


def _whole(text: str) -> int | None:
    """The number that a header gives; None for anything else, also for one of absurd length."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else None


def check_head(head: bytes, name: str) -> None:
    """Refuse a web page, and a compressed file or archive that does not begin like one."""
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise Unavailable("the content is a web page, not the file")
    suffix = Path(name.split("?")[0]).suffix
    magic = MAGIC.get(suffix)
    if magic and not head.startswith(magic[: len(head)]):
        raise Unavailable(f"the content does not begin like a {suffix} file")


class Watch:
    """Cuts the connections of an attempt once `window` seconds bring fewer than `least` bytes (of settings).

    A time limit on single reads cannot do this: one byte now and then, in a header or in the body, meets it
    for ever.
    """

    def __init__(self, settings: Settings):
        self.window, self.least = settings.window, settings.least
        self.came, self.expired = 0, False
        self._sockets, self._done, self._lock = [], threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def add(self, connection: socket.socket) -> None:
        """Watch over a connection; a duplicate handle stays valid when TLS takes over the original."""
        with self._lock:
            self._sockets.append(connection.dup())
        if self.expired:
            self._cut()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._done.set()
        self._thread.join()
        for connection in self._sockets:
            connection.close()
        if self.expired:  # the cut connection may look like a body that ends, or like any network error
            raise Interrupted(f"fewer than {self.least} bytes in {self.window:g} seconds") from None

    def _run(self):
        before = 0
        while not self._done.wait(self.window):
            if self.came - before < self.least:
                self.expired = True
                return self._cut()
            before = self.came

    def _cut(self):
        with self._lock:
            for connection in self._sockets:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class _Session(requests.Session):
    """Hands every new connection to a watch, and leaves redirects alone.

    requests would read the body of each redirect into memory, however long it is.
    """

    def __init__(self, watch):
        super().__init__()
        for scheme in ("http://", "https://"):
            self.mount(scheme, _Adapter(watch))

    def get_redirect_target(self, resp):
        return None


class _Adapter(HTTPAdapter):
    """Connections that are handed to a watch."""

    def __init__(self, watch: Watch):
        self.watch = watch
        super().__init__()

    def get_connection_with_tls_context(self, *args, **options):
        pool = super().get_connection_with_tls_context(*args, **options)
        watch, plain = self.watch, type(pool).ConnectionCls

        class Watched(plain):
            def _new_conn(self):
                connection = super()._new_conn()
                watch.add(connection)
                return connection

        pool.ConnectionCls = Watched
        return pool


@contextlib.contextmanager
def _network_errors():
    """Translate what requests, urllib3, a malformed header and a full disk raise."""
    try:
        yield
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
        raise Unavailable(f"not an address: {_brief(error)}") from None
    except (requests.Timeout, urllib3.exceptions.ReadTimeoutError):
        raise Interrupted("no data within the time limit") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ConnectionError, TimeoutError) as error:
        raise Interrupted(f"connection failed: {_brief(error)}") from None
    except OSError as error:
        raise Unavailable(f"cannot be received: {error.strerror or error}") from None
    except ValueError as error:  # urllib.parse about a redirect's target
        raise Unavailable(f"the server sent a malformed answer: {_brief(error)}") from None


def _brief(error: Exception) -> str:
    """The innermost reason, without the pool and object names around it."""
    cause = getattr(error.args[0], "reason", error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^>]*>|\s+", " ", str(cause)).split("): ", 1)[-1][:160].strip()
