"""Every probe of every paper gives finite rows, the same ones again."""

import re

import numpy as np
import probed
import pytest
from places import PAPERS

from referee.common import rooms

TINY = {paper: probed.tiny(paper) for paper in PAPERS}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_probe_has_tiny_parameters_or_a_test_of_its_own(paper):
    tests = "".join(path.read_text() for path in (probed.ROOMS / paper).rglob("test_*.py"))
    tiny, probes = set(TINY[paper].params if TINY[paper] else ()), set(rooms.modules(paper, "probes"))
    assert [name for name in probes - tiny if not re.search(rf"\b{name}\b", tests)] == []
    assert tiny <= probes


@pytest.mark.parametrize("paper, name", [(p, name) for p in PAPERS if TINY[p] for name in TINY[p].params])
def test_rows_are_finite_and_repeat(paper, name, tmp_path):
    traces, again = (TINY[paper].measured(tmp_path, name) for _ in range(2))
    assert [trace.seed for trace in traces] == [0, 1]
    for trace, same in zip(traces, again, strict=True):
        assert len(trace.iteration) >= 2 and trace.end_status == "iterations"
        assert trace.metrics.keys() == same.metrics.keys() and trace.oracles == same.oracles
        for metric, values in trace.metrics.items():
            assert np.isfinite(values).all(), metric
            assert values == same.metrics[metric] or metric.startswith(("seconds_", "memory_")), metric
        assert np.all(np.diff(trace.cpu_seconds) >= 0)
