"""The exceptions that a documentation names, whenever they are due."""

from __future__ import annotations

import re

from probatum.programs.specification import FunctionSpec

CONSTRUCTING = frozenset({"__init__", "__post_init__", "__new__"})
"""The methods whose words are about the call that makes an object."""
_NAME = re.compile(r"[A-Z]\w*")


def named_exceptions(function: FunctionSpec) -> frozenset[str]:
    """Return what the documentation may name exceptions by."""
    announced = (each.type_name.rpartition(".")[2] for each in function.raises)
    made = (f"{each.about} {each.text}" for each in function.statements if each.owner in CONSTRUCTING)
    named = frozenset(announced).union(_NAME.findall("\n".join((function.document, function.further, *made))))
    # Every exception is one of these: a document that mentions them names none.
    return named - {"Exception", "BaseException"}
