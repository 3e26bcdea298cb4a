"""What a CSV file must satisfy; refuses what it does not know: a misspelt key would be a rule that nobody keeps."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne

from probatum.core.shape import Shape, shown

# How a value is written, what that is called, and what makes something of it that compares.
TYPES = {
    "text": (re.compile(r"(?s:.*)"), "text", str),
    "whole": (re.compile(r"[+-]?[0-9]+"), "a whole number", Decimal),
    "number": (re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?"), "a number", Decimal),
    "date": (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"), "a date", date.fromisoformat),
    "flag": (re.compile(r"true|false"), "true or false", str),
}
COMPARE = {"<": lt, "<=": le, "=": eq, "!=": ne, ">=": ge, ">": gt}
COLUMN = {"required": False, "choices": [], "least": None, "most": None}


@dataclass(frozen=True, slots=True)
class Column:
    """One column; the limits of text are about its length."""

    name: str
    type: str
    required: bool
    choices: tuple[str, ...]
    least: float | None
    most: float | None

    def __post_init__(self):
        if self.type not in TYPES or (self.type in {"date", "flag"} and (self.least, self.most) != (None, None)):
            raise ValueError(f"expected a type of {', '.join(TYPES)}; dates and flags have no limits")
        for each in self.choices:
            self.read(each)

    def demands(self, text):
        """Return whether this text could break what is demanded."""
        asked = self.type != "text" or self.choices or self.least is not None or self.most is not None
        return self.required or bool(text and asked)

    def read(self, text):
        """Return a value that compares with others of its type, None for no value; raises ValueError."""
        if not text and not self.required:
            return None
        form, what, made_by = TYPES[self.type]
        if not text or not form.fullmatch(text):
            raise ValueError(f"expected {what}, got {shown(text)}")
        value = made_by(text)
        size = Decimal(len(text)) if self.type == "text" else value
        least, most = (size if each is None else Decimal(str(each)) for each in (self.least, self.most))
        if not least <= size <= most or (self.choices and text not in self.choices):
            raise ValueError(f"expected {what} within limits and choices, got {shown(text)}")
        return value


@dataclass(frozen=True, slots=True)
class Contract:
    columns: tuple[Column, ...]
    unique: tuple[str, ...]
    rules: tuple[tuple[str, ...], ...]

    def __post_init__(self):
        types = {each.name: TYPES[each.type][2] for each in self.columns}
        if not 0 < len(types) == len(self.columns) <= 1000 or len(self.rules) > 20:
            raise ValueError("expected 1 to 1000 columns, each name once, and at most 20 rules")
        for each in (*self.rules, *((name, "=", name) for name in self.unique)):
            ends = {types.get(name) for name in each[::2]}
            if len(each) != 3 or len(ends) > 1 or None in ends or each[1] not in COMPARE:
                raise ValueError(f"expected [column, comparison, column of such a type], got {list(each)}"[:300])

    def demands(self):
        """Return what is demanded of values, each by its name."""
        columns = [f"column {each.name}" for each in self.columns if each.demands("any")]
        rules = ["rule " + " ".join(each) for each in self.rules]
        return list(dict.fromkeys([*columns, *(f"unique {name}" for name in self.unique), *rules]))


def contract_of(content):
    """Return the contract that JSON holds; raises ValueError, with the place, where it holds none."""
    whole = Shape({"unique": [], "rules": [], **Shape(content).raw_object()})
    columns = [{**COLUMN, **each.raw_object()} for each in whole.items("columns")]
    return Shape({**whole.raw_object(), "columns": columns}).into(Contract)
