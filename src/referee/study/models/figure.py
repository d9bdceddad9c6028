"""Figures, and the instances behind them as the paper states them."""

from typing import Annotated, Any, Literal

from pydantic import Field, WrapSerializer, WrapValidator, model_validator
from pydantic_core import PydanticCustomError

from .base import AsGiven, Model, Number

Positive = Annotated[float, Field(gt=0), AsGiven]


class Reference(Model):
    """A black line with a label: vertical, horizontal, or a column."""

    label: str = Field(description="Name in the legend.")
    y: Number | None = Field(None, description="A horizontal line.")
    x: Number | None = Field(None, description="A vertical line, in the units drawn.")
    column: str | None = Field(None, description="The median of this column, for example a bound.")

    @model_validator(mode="after")
    def _one_place(self):
        if len({"x", "y", "column"} & self.model_fields_set) != 1:
            raise PydanticCustomError("one_of", "a line has one of 'x', 'y' and 'column'")
        return self


class InPaper(Model):
    """What is known of the same panel in the paper."""

    ticks: Annotated[list[Number], Field(min_length=2)] | None = Field(
        None, description="Ticks of its horizontal axis, in the units drawn; the first and the last end it."
    )
    order: str | None = Field(
        None,
        description="Methods as its text orders their curves, the best first: `a < b, c = d; e < f`. A comma "
        "leaves the order open, a semicolon begins another comparison.",
    )


class Panel(Model):
    """Options of a panel."""

    name: str | None = Field(
        None, pattern=r"^[\w-]+$", description="Name by which it can be drawn alone; in a grid, part of it."
    )
    experiment: str | None = Field(None, description="Whose traces.")
    title: str | None = Field(None, description="Title of the panel; the experiment's by default.")
    methods: list[str] | None = Field(None, description="Curves, or rows of series; all methods by default.")
    draw: Literal["curves", "points"] = Field(
        "curves",
        description="curves: over the course of the runs; points: median and quartiles at each distinct x.",
    )
    x: str = Field(
        "cpu_seconds",
        description="cpu_seconds, wall_seconds, iteration, an oracle count, a sum of them (IFO+SSO), or that "
        "over n (IFO/n, (IFO+SSO)/n). For points any column.",
    )
    x_divide: Positive = Field(1, description="Divisor of x, for example the iterations of an epoch.")
    x_label: str | None = Field(None, description="Label of the horizontal axis; that of x by default.")
    x_scale: Literal["linear", "log"] | None = Field(
        None, description="Scale of the horizontal axis; log for oracle counts by default."
    )
    x_max: Number | None = Field(None, description="Right end of the axis, in the units drawn.")
    components: Annotated[int, Field(ge=1)] | None = Field(None, description="The n of axes over n.")
    y: str | None = Field(None, description="A metric.")
    series: Annotated[dict[str, str], Field(min_length=1)] | None = Field(
        None, description="Instead of y: columns, each a curve with this label. Needs y_label."
    )
    y_label: str | None = Field(None, description="Label of the vertical axis; that of y by default.")
    y_scale: Literal["linear", "log"] | None = Field(
        None, description="Scale of the vertical axis; log for excess, else linear, by default."
    )
    excess: bool = Field(False, description="Draw y minus the best value of the panel's methods.")
    running: Literal["best", "current"] = Field("current", description="Running best, or the current value.")
    reference: list[Reference] = Field([], description="Black lines with a label.")
    paper: InPaper | None = Field(None, description="What is known of the same panel in the paper.")
    also: list[str] | None = Field(None, description="Companions of this panel, instead of the figure's.")

    @property
    def scale_of_y(self) -> str:
        """Scale of the vertical axis."""
        return self.y_scale or ("log" if self.excess else "linear")


class Drawn(Panel):
    """A panel as it is drawn."""

    experiment: str = Field(description="Whose traces.")
    x: str = Field(description=Panel.model_fields["x"].description)


class Side(Panel):
    """Options common to the panels of a row or a column."""

    name: str = Field(pattern=r"^[\w-]+$", description="Part of the names of its panels.")


class Grid(Model):
    """One small panel for each row and column, called <figure>-<row>-<column>."""

    rows: list[Side] = Field(min_length=1, description="Options that the panels of a row have.")
    columns: list[Side] = Field(
        min_length=1, description="Options that the panels of a column have; they win over the row's."
    )
    cells: Panel | None = Field(None, description="Options of all panels; row and column win.")
    share_y: bool = Field(True, description="One vertical axis for the panels of a row.")


class Figure(Model):
    """Panels, or a grid of them."""

    title: str = Field(description="Heading.")
    extra: bool = Field(False, description="Not a figure of the paper.")
    panels: list[Drawn] | None = Field(None, description="Panels, one below the other.")
    grid: Grid | None = Field(
        None,
        description="Instead of panels: one small panel for each row and column, called "
        "<figure>-<row>-<column>; it can be drawn by that name.",
    )
    also: list[str] = Field(
        ["IFO", "LO"], description="Companions over these oracle counts; points have none unless they ask."
    )
    paper_says: str | None = Field(None, description="The paper's sentence about this figure.")
    caption: str | None = Field(None, description="A note on how to read it.")
    deviations: list[str] = Field([], description="Entries of the register that touch it.")
    claims: list[str] = Field([], description="Claims judged on it.")

    @property
    def every_panel(self) -> list[Panel]:
        """Its panels; of a grid those of row times column, as the column says, then the row, then all."""
        if self.grid is None:
            return self.panels
        sides = [(row, column) for row in self.grid.rows for column in self.grid.columns]
        shared = self.grid.cells.plain() if self.grid.cells else {}
        return [Panel(**shared | row.plain() | column.plain()) for row, column in sides]

    @model_validator(mode="after")
    def _one_of_both(self):
        if (self.panels is None) == (self.grid is None):
            raise PydanticCustomError("one_of", "a figure has 'panels' or a 'grid', one of both")
        return self


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
    unlike: dict[str, str] = Field({}, description="Differences from it, each with the reason.")


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
    cost: str | None = Field(None, description="Count, or a sum of counts, whose order in 1/ε is measured.")
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
    criteria: dict[str, str] = Field({}, description="Metrics of measured orders, with their words.")
    last: int = Field(3, description="Number of last points that make a slope.")
    margin: Number = Field(0.25, description="By how much a slope may exceed the stated order.")
    columns: dict[str, Column] = Field(
        {}, description="Further cells of every row, by heading; see `columns` of a row."
    )
