"""Downloads in a process of their own: killed in the middle, or watched for their memory."""

import itertools
import json
import multiprocessing
import os
import random
import resource
import signal
import ssl
import subprocess
import time
from pathlib import Path

from local_site import digest, get, head, quick, raw, row, serve
from outcomes import Outcome

from referee.data import fetch, fingerprint  # noqa: F401 - with SciPy, loaded once, before the forks
from referee.data.errors import DataError

BIG = 64 << 20
MOST = BIG // 4  # bytes that the process may grow by
BLOCK = bytes(1 << 20)


def self_signed(folder: Path) -> ssl.SSLContext:
    """A context for a server whose certificate nobody has signed, made by openssl."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    command = ["openssl", "req", *options, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def _project(folder: Path, url: str, known: dict) -> Path:
    (folder / "config").mkdir(parents=True)
    file = {"name": "a.bin", "addresses": [url]} | known
    text = json.dumps({"thing": row([file])})
    (folder / "config" / "datasets.yaml").write_text(text)
    return folder


def killed(servers, folder: Path, count: int, seed: int) -> tuple[Outcome, list[str]]:
    """SIGKILL at a random moment of a download that takes a quarter of a second; then it begins anew."""
    rng, start, wrongs = random.Random(f"{seed}/kill"), time.monotonic(), []
    for number in range(count):
        path, body = f"/kill/{number}", rng.randbytes(50_000)
        servers.plain.files[path], servers.plain.tricks[path] = body, [_slowly, serve]
        known = {"bytes": len(body), "sha256": digest(body)}
        root = _project(folder / f"kill{number}", servers.url(path), known)
        child = multiprocessing.get_context("fork").Process(target=_fetch, args=(root,))
        child.start()
        time.sleep(rng.random() * 0.6)
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        final = root / "data" / "raw" / "thing" / "a.bin"
        if final.exists() and final.read_bytes() != body:
            wrongs.append(f"kill {number}: a bad file under the final name")
        elif _fetch(root).read_bytes() != body:
            wrongs.append(f"kill {number}: a bad file was delivered")
    good, seconds = count - len(wrongs), time.monotonic() - start
    note = "the next download begins anew"
    return Outcome("download: process killed", count, good, 0, len(wrongs), seconds, note), wrongs


def _fetch(root: Path, **others) -> Path:
    return fetch.fetch(get(root), quick(root, **others))["a.bin"]


def _slowly(handler, body):
    head(handler, 200, {"Content-Length": str(len(body))})
    raw(handler, (body[place : place + 2000] for place in range(0, len(body), 2000)), 0.01)


def _flood(status, headers):
    """64 MB as the body of whatever answer; forty times as much where no length is announced."""

    def trick(handler, body):
        head(handler, status, headers)
        until = time.monotonic() + 5
        many = BIG // len(BLOCK) * (1 if "Content-Length" in headers else 40)
        raw(handler, itertools.takewhile(lambda _: time.monotonic() < until, [BLOCK] * many))

    return trick


FLOODS = {
    "the file": _flood(200, {"Content-Length": str(BIG)}),
    "a file without end": _flood(200, {}),
    "a refusal without end": _flood(403, {}),
    "a busy server without end": _flood(503, {}),
    "a redirect without end": _flood(302, {"Location": "/flood"}),
}


def memory(servers, folder: Path, count: int, seed: int) -> tuple[Outcome, list[str]]:
    """Growth of a process that fetches 64 MB, or is flooded."""
    start, wrongs = time.monotonic(), []
    context = multiprocessing.get_context("fork")
    for number, (what, trick) in enumerate(list(FLOODS.items())[:count]):
        servers.plain.tricks["/flood"] = [trick]
        root = _project(folder / f"flood{number}", servers.url("/flood"), {"bytes": BIG, "sha256": None})
        queue = context.Queue()
        child = context.Process(target=_grow, args=(root, queue))
        child.start()
        result, grown = queue.get(timeout=300)
        child.join()
        if result != ("right" if what == "the file" else "error") or grown > MOST:
            wrongs.append(f"{what}: {result}, {grown >> 20} MB more memory")
    note = f"64 MB and floods of 2.5 GB; growth by more than {MOST >> 20} MB is wrong"
    errors = count - 1 - max(len(wrongs) - 1, 0)
    counts = [count, int(not any(w.startswith("the file:") for w in wrongs)), errors, len(wrongs)]
    return Outcome("download: memory", *counts, time.monotonic() - start, note), wrongs


def _grow(root: Path, queue) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        path = _fetch(root, attempts=2)
        result = "right" if path.stat().st_size == BIG else "wrong size"
    except DataError:
        result = "error"
    queue.put((result, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024))
