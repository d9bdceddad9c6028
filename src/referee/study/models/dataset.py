"""config/config.yaml: the run and its papers. config/datasets.yaml: a row a dataset; unknown is null."""

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel, model_validator
from pydantic_core import PydanticCustomError

from .base import Model, Params


class Config(Model):
    """What to run."""

    run: str = Field(
        "full", pattern="^[a-z]+$", description="Which run: quick, full, or another of the papers' `runs`."
    )
    papers: list[str] | None = Field([], description="Papers to replicate, by name; empty means all.")
    seeds: Annotated[int, Field(ge=1)] | None = Field(
        None, description="At most so many seeds in every experiment; null: its own number."
    )
    mirror: str | None = Field(
        None, description="Folder or http address that is tried first; PROJFREE_MIRROR wins over it."
    )
    offline: bool = Field(
        False,
        strict=False,  # on the command line it is a word
        description="Never use the network: mirror folder, files placed by hand, shipped samples and "
        "stand-ins only.",
    )
    published: bool = Field(
        False,
        strict=False,
        description="Take published tables where they are of just the jobs that the run asks for, instead of "
        "computing them; pages and verdicts say so.",
    )
    alternatives: bool = Field(
        False, strict=False, description="Pages show the verdicts under alternatives, which are run."
    )


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Size = Annotated[int, Field(ge=1)]
Pair = Annotated[list[int], Field(min_length=2, max_length=2)]


class Source(Model):
    """One place that may deliver a file: a URL (for a mirror, the path inside it), or more said of it."""

    address: str = Field(min_length=1, description="URL, or path inside a mirror.")
    bytes: Size | None = Field(None, description="Size of what this source delivers.")
    sha256: Sha256 | None = Field(None, description="Hash of what this source delivers.")
    unpack: Literal["gzip", "bz2", "zip", "tar"] | None = Field(
        None, description="How the delivered bytes become the file; null: they are the file."
    )
    member: str | None = Field(None, description="The member wanted, of a zip or tar archive.")
    login: bool = Field(False, description="Needs a login: never fetched, shown with its note.")
    note: str = Field("", description="A warning about this source.")

    @model_validator(mode="before")
    @classmethod
    def _of_address(cls, given):
        return {"address": given} if isinstance(given, str) else given

    @classmethod
    def __get_pydantic_json_schema__(cls, core, handler):
        """A lone string is its address."""
        long = handler.resolve_ref_schema(handler(core))
        return {"anyOf": [{"type": "string", "minLength": 1}, long]}


class DataFile(Model):
    """One raw file of a dataset."""

    name: str = Field(pattern="^[A-Za-z0-9][A-Za-z0-9._+-]*$", description="Its name in data/raw/<dataset>/.")
    addresses: list[Source] = Field(description="Tried in this order, official ones first.")
    bytes: Size | None = Field(description="Size of the official file.")
    sha256: Sha256 | None = Field(
        description="Hash of the official file; null: the first one seen is recorded."
    )
    mirror: Source = Field(None, description="Path inside a mirror; default <dataset>/<name>.")
    shipped: str | None = Field(None, description="Path in this repository, for a sample that ships with it.")
    max_bytes: Size = Field(16 * 2**30, description="Never accept more than this, downloaded or unpacked.")

    @property
    def pinned(self) -> dict[str, str]:
        """Known SHA-256 of the file itself → where that copy comes from."""
        copies = [s for s in (self.mirror, *self.addresses) if s.sha256 and not s.unpack]
        official = {self.sha256: "official"} if self.sha256 else {}
        return {
            s.sha256: f"mirror: {s.address}" if s is self.mirror else s.address for s in copies
        } | official


class Fingerprint(Model):
    """Required properties of the content; null is not checked."""

    shape: Annotated[list[Size], Field(min_length=2, max_length=2)] | None = Field(
        description="Rows and columns."
    )
    nnz: Annotated[int, Field(ge=0)] | None = Field(description="Non-zeros; the number of ratings or edges.")
    classes: int | list[int] | None = Field(
        None, description="Number of distinct labels; several if sources differ."
    )
    class_sizes: Pair | None = Field(None, description="Smallest and largest class.")
    labels: dict[Any, Any] | None = Field(description="Label → number of rows; rating → how many.")
    used: Pair | None = Field(None, description="Rows and columns with an entry, of ratings and graphs.")
    held_out: int | None = Field(None, description="Ratings that the dataset itself holds out.")
    column_sums: Sha256 | None = Field(description="Digest of the column sums, see referee.data.fingerprint.")


class StandIn(Model):
    """Synthetic data for a file that is unavailable; stamped as such everywhere."""

    generator: str = Field(description="A file of src/referee/data/generators, or of its first paper's.")
    params: Params = Field(description="Parameters of the generator.")
    seed: Annotated[int, Field(ge=0)] = Field(description="Seed of the generator.")


class Row(Model):
    """A dataset as the catalog has it, under its name."""

    title: str = Field(description="Full name.")
    version: str = Field(description="Version or date of the official file.")
    files: list[DataFile] = Field(
        description="The reader reads the first; of several, their folder. Empty for data that is only "
        "generated: its stand_in."
    )
    licence: str = Field(description="Licence of the data, as its source states it.")
    redistributable: bool = Field(description="Whether a sample may ship with this repository.")
    citation: str = Field(description="The citation that its source requires.")
    used_by: list[Annotated[str, Field(pattern="^[a-z]+$")]] = Field(description="Papers that use it.")
    obtain: str = Field("", description="How a person gets the file if the addresses do not deliver it.")
    caveat: str = Field("", description="Unofficial or missing parts of the file; shown next to results.")
    reader: str | None = Field(description="A reader of referee.data.formats; null: none yet.")
    reader_params: Params = Field({}, description="Parameters of the reader.")
    reader_issue: str | None = Field(None, description="Why there is no reader yet.")
    fingerprint: Fingerprint = Field(description="Required properties of the content; null is not checked.")
    stand_in: StandIn | None = Field(
        None, description="Synthetic data for a file that is unavailable; stamped as such everywhere."
    )

    @property
    def paper(self) -> str:
        """The first paper that uses it, whose folder may have the generator of its stand-in."""
        return self.used_by[0] if self.used_by else ""

    @model_validator(mode="after")
    def _something_to_read(self):
        if not self.files and not self.stand_in:
            raise PydanticCustomError("empty", "files: none, and no stand_in either")
        return self


class Datasets(RootModel[dict[Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$")], Row]]):
    """One row per dataset, by name. What nobody here can know is null, never invented."""


class Dataset(Row):
    """A row with its name."""

    name: str

    @model_validator(mode="before")
    @classmethod
    def _mirrors(cls, given):
        """The place of each file in a mirror, where the row names none."""
        files = [{"mirror": f"{given['name']}/{file['name']}", **file} for file in given["files"]]
        return {**given, "files": files}
