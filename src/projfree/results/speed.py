"""How fast a machine is, to compare costs of runs: the CPU seconds of a fixed load."""

import json
from functools import cache
from time import process_time

from ..ground import provenance
from ..ground.outside import read_json
from ..ground.root import cache_folder
from ..ground.sealed import atomic_write


@cache
def measured(repetitions: int = 40) -> float:
    """CPU seconds of a fixed load (products, sorting, gathering), the least of several on this machine."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(0)
    A, x = rng.standard_normal((400, 400)), rng.standard_normal(500_000)
    places, found = rng.integers(x.size, size=x.size), []
    with threadpool_limits(1):  # as in a run
        for _ in range(repetitions):
            began = process_time()
            for _ in range(5):
                A @ A
            np.sort(x)
            x[places].sum()
            sum(i * i for i in range(200_000))
            found.append(process_time() - began)
    return min(found)


def kept() -> float:
    """What was measured once on a machine with this processor, kept in the cache beside compiled code."""
    path, machine = cache_folder() / "speed.json", provenance.cpu_model()
    try:
        known = read_json(path)
    except (OSError, ValueError):
        known = {}
    if machine not in known:
        known[machine] = measured()
        atomic_write(path, json.dumps(known))
    return known[machine]
