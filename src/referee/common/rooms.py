"""The modules of a paper and the common ones: its probes and generators are found by name in them."""

from importlib import import_module
from types import ModuleType

from projfree.common import registry
from projfree.common.names import unknown

from .closure import ROOTS

#: Part of a room → the package with those of that part that several papers use.
SHARED = {"probes": "referee.jobs.probes", "generators": "referee.data.generators"}


def every(paper: str, part: str) -> list[str]:
    """Dotted modules of a part for a paper: the common ones, then its own."""
    packages = [SHARED[part]]
    if (ROOTS["referee.papers"] / paper / part / "__init__.py").is_file():
        packages.append(f"referee.papers.{paper}.{part}")
    return [f"{package}.{name}" for package in packages for name in registry.names(package)]


def modules(paper: str, part: str) -> dict[str, str]:
    """Name → dotted module of them; the paper's own win."""
    return {module.rpartition(".")[2]: module for module in every(paper, part)}


def module(paper: str, part: str, name: str) -> str:
    """The dotted module of one of them; an unknown name is an error that lists the known."""
    known, stem = modules(paper, part), str(name).replace("-", "_")
    if stem not in known:
        raise ValueError(unknown(part.removesuffix("s"), name, known, paper))
    return known[stem]


def load(paper: str, part: str, name: str) -> ModuleType:
    """That module, imported."""
    package, _, stem = module(paper, part, name).rpartition(".")
    return registry.load(package, stem)


def has(paper: str, part: str) -> bool:
    """Whether a paper has a part, as one module or as a package."""
    return _packed(paper, part).is_file() or (ROOTS["referee.papers"] / paper / f"{part}.py").is_file()


def _packed(paper, part):
    return ROOTS["referee.papers"] / paper / part / "__init__.py"


def whole(paper: str, part: str) -> str:
    """The dotted name of a part that is one module or a package of several, all of them imported."""
    name = f"referee.papers.{paper}.{part}"
    packed = _packed(paper, part).is_file()
    if not has(paper, part):
        raise ValueError(f"papers/{paper} has neither {part}.py nor {part}/__init__.py")
    import_module(name)
    for each in registry.names(name) if packed else ():
        registry.load(name, each)
    return name
