"""A paper's room, and what all papers share: where its probes are found by name."""

from types import ModuleType

from projfree.ground import registry
from projfree.ground.names import unknown

from .closure import ROOTS

#: Part of a room → the package with those of that part that several papers use.
SHARED = {
    "probes": "referee.jobs.probes",
}


def every(paper: str, part: str) -> list[str]:
    """Dotted modules of all that a paper finds of a part: what all share, then its own room's."""
    packages = [SHARED[part]]
    if (ROOTS["referee.papers"] / paper / part / "__init__.py").is_file():
        packages.append(f"referee.papers.{paper}.{part}")
    return [f"{package}.{name}" for package in packages for name in registry.names(package)]


def modules(paper: str, part: str) -> dict[str, str]:
    """Name → dotted module of them; the room's own win."""
    return {module.rpartition(".")[2]: module for module in every(paper, part)}


def module(paper: str, part: str, name: str) -> str:
    """The dotted module of one of them; an unknown name is an error that lists the known."""
    known, wanted = modules(paper, part), str(name).replace("-", "_")
    if wanted not in known:
        raise ValueError(unknown(part.removesuffix("s"), name, known, paper))
    return known[wanted]


def load(paper: str, part: str, name: str) -> ModuleType:
    """That module, imported."""
    package, _, wanted = module(paper, part, name).rpartition(".")
    return registry.load(package, wanted)
