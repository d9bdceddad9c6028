"""Make the instance file of an experiment: generated or drawn from a prepared dataset, constants computed."""

import json

import numpy as np

from ..data import generators
from ..provenance import digest
from .instance import data_seeds, make_problem
from .trace import atomic_h5


def build_instance(spec: dict, output, prepared=None) -> None:
    """Write one group a seed with the arrays of the problem and, as attribute, its constants.

    Parameters
    ----------
    spec : dict
        ``paper, experiment, instance_of, generator {name, **params}, problem, seeds``.
    output : path
    prepared : path, optional
        Prepared dataset the generator draws from.
    """
    source = None if prepared is None else _source(prepared)
    about = source["attrs"] if source else {}
    with atomic_h5(output) as handle:
        handle.attrs["spec"] = json.dumps(spec)
        handle.attrs["stand_in"] = bool(about.get("stand_in", False))
        handle.attrs["stand_in_note"] = str(about.get("note", ""))
        handle.attrs["dataset_sha256"] = str(about.get("sha256", "generated"))
        handle.attrs["digest"] = digest([spec, handle.attrs["dataset_sha256"]])
        for seed in spec["seeds"]:
            _write_seed(handle.create_group(f"seed-{seed}"), spec, seed, source)


def _source(prepared):
    from ..data import prepare  # takes a while to load, and most instances are generated

    return prepare.load(prepared)


def _write_seed(group, spec, seed, source):
    """Generate, write and forget one seed's arrays: peak memory is that of one instance."""
    params = dict(spec["generator"])
    rng = np.random.Generator(np.random.PCG64DXSM(data_seeds(spec, seed)))
    arrays = generators.generate(params.pop("name"), rng, source=source, **params)
    for name, array in arrays.items():
        group[name] = array
    group.attrs["constants"] = json.dumps(make_problem(spec, arrays).constants)
