"""The exceptions that a documentation names, whenever they are due."""

from __future__ import annotations

import re

from probatum.programs.specification import FunctionSpec

_NAME = re.compile(r"[A-Z]\w*")


def named_exceptions(function: FunctionSpec) -> frozenset[str]:
    """Return what the documentation may name exceptions by."""
    announced = (each.type_name.rpartition(".")[2] for each in function.raises)
    named = frozenset(announced).union(_NAME.findall(f"{function.document}\n{function.further}"))
    # Every exception is one of these: a document that mentions them names none.
    return named - {"Exception", "BaseException"}
