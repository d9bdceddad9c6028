"""`python data/samples/covertype_sample.py RAW OUTPUT`: a stratified draw of official lines, reproducible."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np

from projfree.common.atomic_io import atomic_write
from referee.data.lines import line_blocks

ROWS = 4000
LEAST = 250
SEED = 20180710


def sizes(counts: np.ndarray, rows: int = ROWS, least: int = LEAST) -> np.ndarray:
    """Rows per class: `least` each, the rest in proportion to `counts` (rounded down)."""
    rest = rows - least * len(counts)
    return np.minimum(least + (rest * counts / counts.sum()).astype(int), counts)


def make_sample(raw: Path, output: Path, rows: int = ROWS, least: int = LEAST, seed: int = SEED) -> int:
    """Write a stratified sample of the official lines, in their order, as gzip; returns the rows written."""
    lines = [line for _, block in line_blocks(raw) for line in block.splitlines() if line]
    labels = np.array([int(line.rsplit(b",", 1)[1]) for line in lines])
    classes, counts = np.unique(labels, return_counts=True)
    rng = np.random.Generator(np.random.PCG64DXSM(seed))
    draws = [
        rng.choice(np.flatnonzero(labels == c), size, replace=False)
        for c, size in zip(classes, sizes(counts, rows, least), strict=True)
    ]
    chosen = np.sort(np.concatenate(draws))
    text = b"".join(lines[i] + b"\n" for i in chosen)
    _write_gzip(output, text)
    return len(chosen)


def _write_gzip(output: Path, text: bytes) -> None:
    """Gzip without name and time, so that the same text gives the same file."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=buffer, mtime=0) as pack:
        pack.write(text)
    atomic_write(output, buffer.getvalue())


if __name__ == "__main__":
    print(make_sample(Path(sys.argv[1]), Path(sys.argv[2])), "rows")
