"""A tool's arguments: their schema, and what is refused of them.

The SDK ignores arguments that a tool does not know; here they are refused, like every other that is not as the
schema says (CONTRACT section 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST = 65_536
"""Characters of one text, where a parameter does not say less: what is longer is refused unread."""
MOST_TEXTS = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool.

    Attributes:
        name: its name.
        says: what it is, for the model.
        kind: a text, a number, several texts, or texts by their names.
        required: whether it must be given.
        least, most: bounds of a number; `most` of a text: its characters.
    """

    name: str
    says: str
    kind: Literal["text", "number", "texts", "named texts", "yes or no"] = "text"
    required: bool = False
    least: int = 0
    most: int = LONGEST

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        text: dict[str, Any] = {"type": "string", "maxLength": self.most}
        bounds: dict[str, dict[str, Any]] = {
            "text": text,
            "number": {"type": "integer", "minimum": self.least, "maximum": self.most},
            "texts": {"type": "array", "items": text, "maxItems": MOST_TEXTS},
            "named texts": {"type": "object", "additionalProperties": text, "maxProperties": MOST_TEXTS},
            "yes or no": {"type": "boolean"},
        }
        return {"description": self.says} | bounds[self.kind]

    def check(self, value: Any) -> None:
        """Refuses a value that the schema does not allow.

        Raises:
            InputInvalid: it is another kind of value, or over a bound.
        """
        if self.kind == "text":
            self._text(value)
        elif self.kind == "number":
            if not isinstance(value, int) or isinstance(value, bool):
                raise InputInvalid(f"{self.name} is a whole number")
            if not self.least <= value <= self.most:
                raise InputInvalid(f"{self.name} is {self.least} to {self.most}")
        elif self.kind == "yes or no":
            if not isinstance(value, bool):
                raise InputInvalid(f"{self.name} is true or false")
        else:
            several = isinstance(value, list) if self.kind == "texts" else isinstance(value, dict)
            if not several:
                kind = "a list of texts" if self.kind == "texts" else "an object whose values are texts"
                raise InputInvalid(f"{self.name} is {kind}")
            if len(value) > MOST_TEXTS:
                raise InputInvalid(f"{self.name} holds more than {MOST_TEXTS} texts; give fewer")
            for each in value if self.kind == "texts" else [*value, *value.values()]:
                self._text(each)

    def _text(self, value: Any) -> None:
        if not isinstance(value, str):
            raise InputInvalid(f"{self.name} is a text")
        if len(value) > self.most:
            raise InputInvalid(f"{self.name} has {len(value):,} characters; give at most {self.most:,}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputInvalid(f"{self.name} holds half of a character; give whole ones") from None


def schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {each.name: each.schema() for each in parameters},
        "required": [each.name for each in parameters if each.required],
        "additionalProperties": False,
    }


def checked(parameters: Sequence[Parameter], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments, if they are as the schema says; a null counts as not given.

    Raises:
        InputInvalid: an unknown one, a missing one, or one that is not as the schema says.
    """
    values = {name: value for name, value in (given or {}).items() if value is not None}
    known = {each.name: each for each in parameters}
    for name in values:
        if name not in known:
            raise InputInvalid(f"there is no argument {name[:80]!r}; there are {', '.join(known) or 'none'}")
    for each in parameters:
        if each.name in values:
            each.check(values[each.name])
        elif each.required:
            raise InputInvalid(f"the argument {each.name} is missing")
    return values
