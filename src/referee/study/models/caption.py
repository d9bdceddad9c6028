"""What the paper states of the instance behind a figure or a table."""

from typing import Any

from pydantic import Field

from .base import Model


class Caption(Model):
    """What the paper states of the instance behind a figure or a table; a test compares it with ours."""

    of: list[str] = Field(description="Figures and tables that it is said of, by stem.")
    place: str = Field(description="Where the paper states it.")
    quote: str = Field(description="The statement, in the paper's words.")
    experiments: list[str] = Field(description="Experiments that it is about: patterns of their names.")
    states: dict[str, Any] = Field(
        description="Value by place in an experiment, for example `generator.rank`; a dataset's are those of "
        "its fingerprint in datasets.yaml."
    )
    unlike: dict[str, str] = Field(
        {}, description="Places where we do otherwise, with the reason and the register's id."
    )
