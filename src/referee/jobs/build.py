"""Make the instance file of an experiment: generated or drawn from a prepared dataset, constants computed."""

import hashlib
import json

import numpy as np

from projfree import problems
from projfree.common.atomic_io import atomic_h5
from projfree.common.hashes import digest

from ..data import generators
from ..data.prepared import load
from .instance import data_seeds


def build_instance(recipe, output, prepared=None) -> None:
    """Write one group a seed with the arrays of the problem and, as attribute, its constants.

    Parameters
    ----------
    recipe : referee.study.models.experiment.Recipe
    output : path
    prepared : path, optional
        Prepared dataset the generator draws from.
    """
    source = None if prepared is None else load(prepared)
    about, plain = source["attrs"] if source else {}, recipe.plain()
    with atomic_h5(output, {key: plain[key] for key in ("paper", "instance_of")}) as handle:
        handle.attrs["spec"] = json.dumps(plain)
        handle.attrs["stand_in"] = bool(about.get("stand_in", False))
        handle.attrs["stand_in_note"] = str(about.get("note", ""))
        handle.attrs["dataset_sha256"] = str(about.get("sha256", "generated"))
        handle.attrs["digest"] = digest([plain, handle.attrs["dataset_sha256"]])
        written = {}
        for seed in recipe.seeds:
            _write_seed(handle.create_group(f"seed-{seed}"), recipe, seed, source, written)


def _write_seed(group, recipe, seed, source, written):
    """Generate, write and forget one seed's arrays: peak memory is that of one instance.

    What an earlier seed has (all of real data) is written once and linked; `written` says where.
    """
    params = recipe.generator.plain()
    rng = np.random.Generator(np.random.PCG64DXSM(data_seeds(recipe, seed)))
    arrays = generators.generate(params.pop("name"), rng, source=source, paper=recipe.paper, **params)
    key = tuple((name, _content(array)) for name, array in arrays.items())
    for (name, content), array in zip(key, arrays.values(), strict=True):
        first = written.setdefault((name, content), f"{group.name}/{name}")
        group[name] = group.file.get(first, array)
    if key not in written:
        written[key] = json.dumps(problems.make(recipe.problem.plain(), arrays).constants)
    group.attrs["constants"] = written[key]


def _content(array):
    array = np.ascontiguousarray(array)
    return array.dtype.str, array.shape, hashlib.blake2b(array).digest()
