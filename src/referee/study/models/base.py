"""Common to all models: nothing unknown, nothing coerced, nothing changed."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WrapValidator


class Model(BaseModel):
    """A part of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    def plain(self) -> dict:
        """The part as plain data, with given values and no defaults."""
        return self.model_dump(exclude_unset=True, by_alias=True)


class Named(Model):
    """A module by its name; all other keys are its parameters, and checked by it."""

    model_config = ConfigDict(extra="allow")

    name: str = Field(description="Its file, without the ending.")


def _as_given(value, check):
    check(value)
    return value


#: After a type of numbers: 3 stays 3, so that what is hashed does not depend on the model.
AsGiven = WrapValidator(_as_given)
Number = Annotated[float, AsGiven]
#: Parameters that the models know nothing of.
Params = dict[str, Any]
