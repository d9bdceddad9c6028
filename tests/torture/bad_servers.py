"""Downloads from bad servers.

Each case draws a file, what the catalog knows of it, one to three addresses (and at times a mirror), and for
each address the faults of its answers, one after the other; then it fetches. Right is the right file under
its name and nothing beside it, or an error of our own that names every address and its reason, within the
time limit, with nothing under the file's name, after which honest servers give the right file.
"""

import collections
import gzip
import json
import random
import re
import shutil
import socket
import ssl
import subprocess
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from faults import KINDS, NEEDS_HASH
from local_site import Site, digest, get, quick, row, serve

from referee.data import fetch
from referee.data.catalog import Dataset
from referee.data.errors import DataError

AT_ONCE = 16
TIMES = {"backoff": 0.002, "connect_timeout": 5.0, "read_timeout": 0.6, "window": 1.5, "max_wait": 0.02}
PATIENT = TIMES | {"connect_timeout": 20.0, "read_timeout": 20.0, "window": 40.0}
SLACK = 60.0  # seconds beyond what the settings allow: the machine may be busy
ADDRESSES = {"https that is http": "s", "TLS not to be trusted": "tls", "port closed": "dead"}
ALL = [*KINDS, *ADDRESSES]


@dataclass
class Case:
    """A drawn case; of `twins` two threads fetch at once."""

    kind: str
    name: str
    body: bytes
    root: Path
    dataset: Dataset | None
    urls: list[str]
    mirror: str | None
    attempts: int
    twins: bool


class Servers:
    """An http site, one whose certificate nobody knows, and a port where nobody listens."""

    def __init__(self, folder: Path):
        self.plain, self.secret = Site(), Site(tls=self_signed(folder))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.dead = f"http://127.0.0.1:{free.getsockname()[1]}"

    def url(self, path: str, where: str = "") -> str:
        plain = self.plain.url(path)
        others = {"s": plain.replace("http:", "https:"), "tls": self.secret.url(path)}
        return (others | {"dead": self.dead + path}).get(where, plain)

    def close(self) -> None:
        self.plain.close()
        self.secret.close()


def self_signed(folder: Path) -> ssl.SSLContext:
    """A context for a server whose certificate nobody has signed, made by openssl."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    command = ["openssl", "req", *options, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def draw(servers: Servers, folder: Path, seed, index: int) -> Case:
    """The case of that number, its tricks set at the server and its catalog written."""
    rng = random.Random(f"{seed}/{index}")
    kind, known = ALL[index % len(ALL)], rng.choice(["all", "all", "hash", "nothing"])
    text = "".join(f"{rng.random()}\n" for _ in range(rng.randint(5, 400))).encode()
    packed = gzip.compress(text, mtime=0)
    unpack = known != "nothing" and rng.random() < 0.15
    name, body = ("a.txt", text) if known != "nothing" and rng.random() < 0.3 else ("a.gz", packed)
    if unpack:
        name, body, served = "a.txt", text, packed
    else:
        served = body
    faults = [k for k in KINDS if known != "nothing" or k not in NEEDS_HASH]
    urls = []
    for number in range(rng.randint(1, 3)):
        path = f"/{index}/{number}/{'a.gz' if unpack else name}"
        servers.plain.files[path] = servers.plain.files[f"/elsewhere{path}"] = served
        first = kind if number == 0 else rng.choice(ALL)
        chosen = [first] * (first in faults) + rng.choices(faults, k=rng.randint(0, 2))
        servers.plain.tricks[path] = [*(KINDS[k](rng) for k in chosen), *[serve] * (rng.random() < 0.8)]
        servers.plain.tricks[path] = servers.plain.tricks[path] or [serve]
        urls.append(servers.url(path, ADDRESSES.get(first, "")))
    mirror = urls.pop(0) if len(urls) > 1 and not unpack and rng.random() < 0.3 else None
    root = folder / str(index)
    case = Case(kind, name, body, root, None, urls, mirror, rng.randint(1, 4), rng.random() < 0.05)
    write_catalog(case, known, unpack)
    return case


def write_catalog(case: Case, known: str, unpack: bool) -> None:
    """The row of the case's file."""
    sources = [{"address": url} | ({"unpack": "gzip"} if unpack else {}) for url in case.urls]
    file = {"name": case.name, "addresses": sources}
    file |= {"sha256": digest(case.body)} if known != "nothing" else {}
    file |= {"bytes": len(case.body)} if known == "all" else {}
    if case.mirror:
        file["mirror"] = case.mirror.split("/", 3)[3]
    case.dataset = get(project(case.root, file))


def project(folder: Path, file: dict) -> Path:
    """A folder whose catalog has this one file."""
    (folder / "config").mkdir(parents=True)
    (folder / "config" / "datasets.yaml").write_text(json.dumps({"thing": row([file])}))
    return folder


def run(case: Case, servers: Servers) -> tuple[str, str]:
    """('right' | 'error' | 'wrong', what was wrong or the error's text)."""
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(judge, [case] * (1 + case.twins)))
    worst = max(results, key=lambda result: ["right", "error", "wrong"].index(result[0]))
    if worst[0] != "wrong" and (poison := after(case, servers)):
        worst = ("wrong", f"{poison}, after: {worst[1]}")
    shutil.rmtree(case.root, ignore_errors=True)
    return worst


def fetched(case: Case, times: dict) -> Path:
    """Fetch as a user's run would."""
    base = {"mirror": case.mirror and "/".join(case.mirror.split("/", 3)[:3])}
    settings = quick(case.root, attempts=case.attempts, least=256, **base, **times)
    return fetch.fetch(case.dataset, settings)[case.name]


def judge(case: Case, times=None) -> tuple[str, str]:
    """Fetch once."""
    start = time.monotonic()
    final = case.root / "data" / "raw" / "thing" / case.name
    try:
        path = fetched(case, times or TIMES)
        result = ("right", "") if path.read_bytes() == case.body else ("wrong", "a bad file was delivered")
        if result[0] == "right" and not case.twins and list(final.parent.glob("*.part*")):
            result = ("wrong", "a part was left beside the file")
    except DataError as error:
        fault = error_fault(str(error), case) or ("a file under the final name" if final.exists() else "")
        result = ("wrong", f"{fault}: {error}") if fault else ("error", str(error))
    except Exception:
        return "wrong", traceback.format_exc()
    took, limit = time.monotonic() - start, time_limit(case, times or TIMES)
    return ("wrong", f"{took:.1f} s, the limit is {limit:.1f} s") if took > limit else result


def time_limit(case: Case, times: dict) -> float:
    """Seconds that the settings allow: each attempt ends with its window, or brings bytes."""
    attempt = times["connect_timeout"] + 3 * times["window"] + times["max_wait"]
    return (2 if case.twins else 1) * len(addresses(case)) * case.attempts * attempt + SLACK


def error_fault(text: str, case: Case) -> str:
    """What the error lacks: every address, each with a reason in our words."""
    for url in addresses(case):
        if not re.search(re.escape(url) + r"\n    \S.{8,}", text):
            return f"the error does not say why {url} failed"
    return "the error shows a traceback" if re.search(r"Traceback|object at 0x", text) else ""


def after(case: Case, servers: Servers) -> str:
    """Whether what the case left behind spoils a later try: '' if honest servers then give the right file."""
    paths = ["/" + url.split("/", 3)[3] for url in addresses(case)]
    for path in paths:
        servers.plain.tricks[path] = [serve]
    honest = any(url.startswith(servers.plain.url("")) for url in case.urls)
    result = judge(case, PATIENT) if honest else ("right", "")
    for path in paths:
        for table in (servers.plain.tricks, servers.plain.files):
            table.pop(path, None)
        servers.plain.files.pop(f"/elsewhere{path}", None)
    return "" if result[0] == "right" else f"honest servers do not help: {result}"


def addresses(case: Case) -> list[str]:
    """All that may be asked."""
    return [*case.urls, *([case.mirror] if case.mirror else [])]


def torture(cases: int, seed: int, folder: Path):
    """How cases of each kind of fault ended, and what was wrong."""
    servers, wrongs, counts = Servers(folder), [], collections.Counter()

    def one(index):
        case = draw(servers, folder, seed, index)
        result, why = run(case, servers)
        counts[case.kind, result] += 1
        if result == "wrong":
            wrongs.append(f"case {index} ({case.kind}): {why}")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(cases)))
    servers.close()
    return counts, wrongs
