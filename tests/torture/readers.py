"""Damaged files for every reader.

Each case takes a small file in an official format (real lines where PROJFREE_MIRROR has them), mutates it,
packs text now and then, and reads it. Right is what a naive reading of the damaged text gives, row for row,
or an error of our own that names the file; wrong is any other exception, a crash, five seconds, a gigabyte,
or lost rows.
"""

import bz2
import collections
import faulthandler
import gzip
import multiprocessing
import os
import queue as queues
import random
import resource
import signal
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from containers import binaries
from mutations import mutate
from subjects import texts

from referee.data.errors import DataError, FormatError

BATCH = 500
SECONDS = 5  # of CPU: the machine may be busy
MEMORY = 1 << 30
WHOLE_FILE = ("holds no", "header says", "cannot be read", "is LIBSVM text")


class TooLong(BaseException):
    """No reader catches it."""


def _alarm(*_):
    raise TooLong


def strict_bz2(content: bytes) -> bytes:
    """All streams; ValueError where there is anything but whole ones."""
    text = b""
    while content:
        part = bz2.BZ2Decompressor()
        text += part.decompress(content)
        if not part.eof:
            raise ValueError("cut")
        content = part.unused_data
    return text


def plain(content: bytes) -> bytes:
    """The text of a file, however it is packed."""
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    return strict_bz2(content) if content[:3] == b"BZh" else content


def pack(rng, body: bytes) -> bytes:
    """The text as it is, or in one or two gzip or bzip2 streams, which are mutated now and then."""
    if rng.random() < 0.75:
        return body
    half, way = len(body) // 2, rng.choice([steady_gzip, bz2.compress])
    packed = rng.choice([way(body), way(body[:half]) + way(body[half:])])
    return mutate(rng, packed) if rng.random() < 0.5 else packed


def steady_gzip(body: bytes) -> bytes:
    """Gzip without the time, so that a seed gives the same bytes."""
    return gzip.compress(body, mtime=0)


def case(subject, seed, index: int, folder: Path) -> tuple[str, str]:
    """('right' | 'error' | 'wrong', why)."""
    rng = random.Random(f"{seed}/{index}")
    content = mutate(rng, subject.body)
    content = pack(rng, content) if subject.text else content
    path = folder / subject.file
    path.write_bytes(content)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        result = subject.read(path)
        signal.setitimer(signal.ITIMER_PROF, 0)
    except DataError as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return told(error, path, subject, content)
    except TooLong:
        return "wrong", f"more than {SECONDS} s"
    except Exception:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return "wrong", traceback.format_exc(limit=-4)
    try:
        fault = subject.judge(plain(content) if subject.text else content, result)
    except Exception as error:
        fault = f"read, but a naive reader cannot: {error!r}"
    return ("wrong", fault) if fault else ("right", "")


def told(error, path, subject, content) -> tuple[str, str]:
    """Whether an error names the file, and of plain text the line."""
    if path.name not in str(error) or len(str(error)) > 600:
        return "wrong", f"the error does not name the file, or says too much: {str(error)[:700]}"
    whole = any(text in str(error) for text in WHOLE_FILE)
    packed = content[:2] == b"\x1f\x8b" or content[:3] == b"BZh"
    if subject.text and isinstance(error, FormatError) and not (error.line or whole or packed):
        return "wrong", f"the error names no line: {error}"
    return "error", str(error)


def batch(subjects, seed, first: int, last: int, current, queue) -> None:
    """Cases first … last − 1 in a process of their own; results at its end, the running case always."""
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (space + MEMORY, space + MEMORY))
    signal.signal(signal.SIGPROF, _alarm)
    warnings.simplefilter("ignore")
    faulthandler.disable()  # a crash is reported by its case
    counts, wrongs = collections.Counter(), []
    disk = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        for index in range(first, last):
            current.value = index
            subject = subjects[index % len(subjects)]
            what, why = case(subject, seed, index, Path(folder))
            counts[subject.name, what] += 1
            if what == "wrong":
                wrongs.append((index, subject.name, why))
    queue.put((counts, wrongs))


def guarded(context, subjects, seed, first, last):
    """(counts, wrongs, next case) of a batch whose process may crash or hang."""
    current, queue = context.Value("q", first), context.Queue()
    child = context.Process(target=batch, args=(subjects, seed, first, last, current, queue))
    child.start()
    until = time.monotonic() + (last - first) + 60
    while True:
        living = child.is_alive()  # asked before the queue: what a process puts there it puts before its end
        try:
            counts, wrongs = queue.get(timeout=0.5)
            child.join()
            return counts, wrongs, last
        except queues.Empty:
            if living and time.monotonic() < until:
                continue
        child.kill()
        child.join()
        name = subjects[current.value % len(subjects)].name
        wrong = (current.value, name, f"the process ended with {child.exitcode}, or hung")
        return collections.Counter({(name, "wrong"): 1}), [wrong], current.value + 1


def torture(cases: int, seed: int):
    """How the cases of each format ended, and what was wrong."""
    subjects, context = texts() + binaries(), multiprocessing.get_context("fork")
    import sklearn.datasets  # noqa: F401 - once, before the forks

    counts, wrongs, first = collections.Counter(), [], 0
    while first < cases:
        more, bad, first = guarded(context, subjects, seed, first, min(first + BATCH, cases))
        counts += more
        wrongs += bad
    return counts, wrongs
