"""config/config.yaml: the run and its papers."""

from typing import Annotated

from pydantic import Field

from .base import Model


class Config(Model):
    """What to run."""

    run: str = Field(
        "full",
        pattern="^[a-z]+$",
        description="Which run: quick, full, or another key under `runs` of a paper's files.",
    )
    papers: list[str] | None = Field(
        [],
        description="Papers to replicate, by their names in papers; empty means all.",
    )
    seeds: Annotated[int, Field(ge=1)] | None = Field(
        None,
        description="At most so many seeds in every experiment; null means each experiment's own number.",
    )
    mirror: str | None = Field(
        None,
        description="Folder or http address that is tried before the official ones; the variable "
        "PROJFREE_MIRROR wins over it.",
    )
    offline: bool = Field(
        False,
        description="Never use the network: mirror folder, files placed by hand, shipped samples and "
        "stand-ins only.",
    )
