"""A paper's room, and what all papers share: where its probes and its kinds of claims are found by name."""

from .. import registry
from ..provenance import PACKAGE

#: Part of a room → the package with those of that part that several papers use.
SHARED = {"kinds": "projfree.evidence.kinds"}


def every(paper: str, part: str) -> list[str]:
    """Dotted modules of all that a paper finds of a part: what all share, then its own room's."""
    packages = [SHARED[part]]
    if (PACKAGE / "papers" / paper / part / "__init__.py").is_file():
        packages.append(f"projfree.papers.{paper}.{part}")
    return [f"{package}.{name}" for package in packages for name in registry.names(package)]
