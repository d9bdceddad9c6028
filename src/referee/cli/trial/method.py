"""A method from a user's file: a class `Solver` as in `solvers`, or a generator function ``method``."""

import importlib.util
import inspect
from dataclasses import dataclass
from pathlib import Path

from projfree.ground.hashes import file_sha256
from projfree.ground.parameters import call
from projfree.ground.sealed import atomic_write

#: Of a file to begin with; ``{name}`` is what it is called.
TEMPLATE = Path(__file__).with_name("my_method.py.j2").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Method:
    """What a file defines: its name, what makes a solver of parameters, the hash of the file."""

    name: str
    maker: object
    sha256: str

    def make(self, params: dict):
        """A solver with its parameters, checked as far as they have annotations."""
        if isinstance(self.maker, type):
            return call(self.maker, params)
        known = dict(list(inspect.signature(self.maker).parameters.items())[2:])
        return Walk(self.maker, call(_named(known), params))


@dataclass
class Steps:
    """Where a generator stands."""

    generator: object
    x: object
    t: int = 0  # steps
    converged: bool = False

    @property
    def iterate(self):
        """What it yielded last."""
        return self.x


@dataclass(frozen=True)
class Walk:
    """A generator function as a solver: each step runs it to its next yield; its end is convergence."""

    function: object
    params: dict

    def start(self, oracles, rng):
        """To the first yield."""
        generator = self.function(oracles, rng, **self.params)
        return Steps(generator, next(generator))

    def step(self, oracles, s, rng):
        """To the next yield."""
        try:
            s.x, s.t = next(s.generator), s.t + 1
        except StopIteration:
            s.converged = True
        return s


def read(path) -> Method:
    """The method of a Python file.

    Raises
    ------
    ValueError
        For a file that has neither `Solver` (with `start` and `step`) nor a generator function `method`.
    """
    path = Path(path)
    spec = importlib.util.spec_from_file_location(f"tried_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    maker = getattr(module, "Solver", None) or getattr(module, "method", None)
    walks = inspect.isgeneratorfunction(maker)
    if not (walks or (isinstance(maker, type) and hasattr(maker, "start") and hasattr(maker, "step"))):
        raise ValueError(
            f"{path}: has neither a class `Solver` with `start` and `step` nor a generator function "
            "`method`; projfree try --new writes a template"
        )
    return Method(path.stem.replace("_", "-"), maker, file_sha256(path))


def write_template(path) -> None:
    """Write a method to begin with; what is there is left alone."""
    path = Path(path)
    if path.exists():
        raise ValueError(f"{path} is there already")
    atomic_write(path, TEMPLATE.format(name=path.name))


def _named(known):
    """A function of these parameters that gives them back: names are checked against it."""

    def given(**params):
        return params

    parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in known.values()]
    given.__signature__ = inspect.Signature(parameters)
    given.__annotations__ = {name: p.annotation for name, p in known.items() if p.annotation is not p.empty}
    return given
