"""Tables: stated orders beside measured slopes, numbers, words."""

from typing import Any

from pydantic import Field

from .base import Model, Number


class Row(Model):
    """A line of a table; a cost gives one line a criterion."""

    algorithm: str | None = Field(None, description="First word of the line.")
    oracle: str | None = Field(None, description="What is counted.")
    stated: str | None = Field(None, description="The complexity as the paper states it.")
    order: Number | None = Field(None, description="Its order, as a number.")
    experiment: str | None = Field(None, description="Whose records.")
    method: str | None = Field(None, description="Whose records there.")
    cost: str | None = Field(
        None, description="Count whose order in 1/ε is measured; a sum such as IFO+SSO may stand here."
    )
    own: str | None = Field(None, description="The criterion for which the order is stated.")
    x: str | None = Field(None, description="With y, in place of cost: slope of log y in log x.")
    y: str | None = Field(None, description="See x.")
    last: int | None = Field(None, description="As for the table.")
    margin: Number | None = Field(None, description="As for the table.")
    criteria: dict[str, Any] | None = Field(None, description="As for the table.")
    metric: str | None = Field(None, description="Metric of the cells that name none.")
    columns: dict[str, Any] | None = Field(
        None,
        description="Heading → a number, words, or {metric, at: {column: value}, experiment, method}: a "
        "median over the seeds.",
    )


class Table(Model):
    """A table; see referee.evidence.tables."""

    title: str = Field(description="Heading.")
    caption: str | None = Field(None, description="What to know to read it.")
    paper_says: str | None = Field(None, description="The paper's sentence about it.")
    rows: list[Row] = Field(description="Lines; a cost gives one line a criterion.")
    criteria: dict[str, Any] = Field(
        {}, description="Metrics against which orders are measured, with their words."
    )
    last: int = Field(3, description="Number of last points that make a slope.")
    margin: Number = Field(0.25, description="By how much a slope may exceed the stated order.")
    columns: dict[str, Any] = Field(
        {}, description="Further cells of every row, by heading; see `columns` of a row."
    )
