"""`python tests/torture/readers.py --cases 20000 --seed 0 --json OUT.json`: damaged files for every reader.

Each case takes a small file in an official format (real lines where PROJFREE_MIRROR has them), mutates it,
packs text now and then, and reads it. Right is what a naive reading of the damaged text gives, row for row,
or an error of our own that names the file; wrong is any other exception, a crash, five seconds, a gigabyte,
or lost rows.
"""

import argparse
import bz2
import collections
import faulthandler
import gzip
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from containers import binaries
from mutations import mutate
from outcomes import Outcome, save
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
    with tempfile.TemporaryDirectory(dir=_memory_disk()) as folder:
        for index in range(first, last):
            current.value = index
            subject = subjects[index % len(subjects)]
            start = time.monotonic()
            what, why = case(subject, seed, index, Path(folder))
            counts[subject.name, what] += 1
            counts[subject.name, "seconds"] += time.monotonic() - start
            if what == "wrong":
                wrongs.append((index, subject.name, why))
    queue.put((counts, wrongs))


def _memory_disk():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def guarded(context, subjects, seed, first, last):
    """(counts, wrongs, next case) of a batch whose process may crash or hang."""
    current, queue = context.Value("q", first), context.Queue()
    child = context.Process(target=batch, args=(subjects, seed, first, last, current, queue))
    child.start()
    try:
        counts, wrongs = _result(child, queue, (last - first) * 1.0 + 60)
        child.join()
        return counts, wrongs, last
    except TimeoutError:
        child.kill()
        child.join()
        name = subjects[current.value % len(subjects)].name
        wrong = (current.value, name, f"the process ended with {child.exitcode}, or hung")
        return collections.Counter({(name, "wrong"): 1}), [wrong], current.value + 1


def _result(child, queue, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not queue.empty() or child.is_alive():
            try:
                return queue.get(timeout=0.5)
            except Exception:
                continue
        elif queue.empty():
            break
    raise TimeoutError


def torture(cases: int, seed: int, minutes: float = float("inf")):
    """Run cases until they or the minutes are over; an outcome for each format, and what was wrong."""
    subjects, context = texts() + binaries(), multiprocessing.get_context("fork")
    import sklearn.datasets  # noqa: F401 - once, before the forks

    counts, wrongs, first, start = collections.Counter(), [], 0, time.monotonic()
    while first < cases and time.monotonic() - start < 60 * minutes:
        more, bad, first = guarded(context, subjects, seed, first, min(first + BATCH, cases))
        counts += more
        wrongs += bad
    outcomes = []
    for name in sorted({subject.name for subject in subjects}):
        numbers = [counts[name, what] for what in ("right", "error", "wrong")]
        note = "right: as a naive reading of the damaged file has it"
        outcomes.append(Outcome(f"reader: {name}", sum(numbers), *numbers, counts[name, "seconds"], note))
    return outcomes, wrongs


def main(arguments=None) -> int:
    """Run, print, save; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000, help="long form: 1000000")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end then, whatever --cases says")
    parser.add_argument("--json", type=Path, help="where to save the outcomes")
    options = parser.parse_args(arguments)
    outcomes, wrongs = torture(options.cases, options.seed, options.minutes)
    for o in outcomes:
        numbers = f"{o.cases:7} cases {o.resumed:7} right {o.clear_errors:7} errors {o.wrong:4} wrong"
        print(f"{o.condition:40} {numbers} {o.seconds:7.1f} s")
    for index, name, why in wrongs[:60]:
        print(f"case {index} ({name}): {why}", file=sys.stderr)
    if options.json:
        save(options.json, outcomes)
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main())
