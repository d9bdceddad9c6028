"""Tables: stated orders next to measured slopes, numbers, words."""

from typing import Annotated

from pydantic import Field, WrapSerializer, WrapValidator

from .base import Model, Number


class Cell(Model):
    """What is read for a column: a median over the seeds. A number, or words, stand there themselves."""

    metric: str | None = Field(None, description="A metric; the row's by default.")
    at: dict[str, Number] = Field(
        {}, description="Column → value of the records that are read; the last ones by default."
    )
    experiment: str | None = Field(None, description="Whose records; the row's by default.")
    method: str | None = Field(None, description="Whose records there; the row's by default.")

    @classmethod
    def __get_pydantic_json_schema__(cls, core, handler):
        """A number, or words, stand alone."""
        return {"anyOf": [handler.resolve_ref_schema(handler(core)), {"type": ["string", "number", "null"]}]}


def _if_read(value, of_cell):
    """The same, but for what is read."""
    return of_cell(value) if isinstance(value, dict | Cell) else value


Column = Annotated[Cell, WrapValidator(_if_read), WrapSerializer(_if_read)]


class Row(Model):
    """A line of a table; a cost gives one line a criterion."""

    algorithm: str | None = Field(None, description="First word of the line.")
    oracle: str | None = Field(None, description="The oracle that is counted.")
    stated: str | None = Field(None, description="The complexity as the paper states it.")
    order: Number | None = Field(None, description="Its order, as a number.")
    experiment: str | None = Field(None, description="Whose records.")
    method: str | None = Field(None, description="Whose records there.")
    cost: str | None = Field(
        None, description="Count whose order in 1/ε is measured; a sum such as IFO+SSO may stand here."
    )
    own: str | None = Field(None, description="The criterion for which the order is stated.")
    x: str | None = Field(None, description="With y, instead of cost: slope of log y in log x.")
    y: str | None = Field(None, description="See x.")
    last: int | None = Field(None, description="As for the table.")
    margin: Number | None = Field(None, description="As for the table.")
    criteria: dict[str, str] | None = Field(None, description="As for the table.")
    metric: str | None = Field(None, description="Metric of the cells that name none.")
    columns: dict[str, Column] = Field(
        {},
        description="Heading → a number, words, or {metric, at: {column: value}, experiment, method}: a "
        "median over the seeds.",
    )

    def within(self, table: "Table") -> "Row":
        """The row with the options that the table gives for all rows."""
        shared = {key: getattr(table, key) for key in ("last", "margin", "criteria")}
        return self.model_copy(update={k: v for k, v in shared.items() if getattr(self, k) is None})


class Table(Model):
    """A table; see referee.evidence.tables."""

    title: str = Field(description="Heading.")
    caption: str | None = Field(None, description="A note on how to read it.")
    paper_says: str | None = Field(None, description="The paper's sentence about it.")
    rows: list[Row] = Field(description="Lines; a cost gives one line a criterion.")
    criteria: dict[str, str] = Field(
        {}, description="Metrics against which orders are measured, with their words."
    )
    last: int = Field(3, description="Number of last points that make a slope.")
    margin: Number = Field(0.25, description="By how much a slope may exceed the stated order.")
    columns: dict[str, Column] = Field(
        {}, description="Further cells of every row, by heading; see `columns` of a row."
    )
