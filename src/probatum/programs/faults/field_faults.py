"""Faulty copies in which a class lacks one of its fields, members or constants.

They are the mutants of a class that has no code, or only stores what it is given, and tell whether a session is about
the fields of a class at all. Where it has more they would blur the measure: every use of it would notice most of them.
"""

from __future__ import annotations

import ast

from probatum.programs.faults.planting import Mutant
from probatum.programs.parsing.documents import SourceText
from probatum.programs.source import Source, encoded

_GIVES = (ast.AnnAssign, ast.Assign)


def field_faults(source: Source, qualname: str) -> tuple[Mutant, ...]:
    """Return copies of the program in which the class ``qualname`` lacks a field; of anything else there are none."""
    text = SourceText(source.text)
    owners = [each for each in source.tree.body if isinstance(each, ast.ClassDef) and each.name == qualname]
    made = [each for owner in owners for each in owner.body if getattr(each, "name", "") == "__init__"]
    bodies = [*(each.body for each in owners), *(each.body for each in made if isinstance(each, ast.FunctionDef))]
    mutants = []
    for number, field in enumerate((each for body in bodies for each in body if isinstance(each, _GIVES)), 1):
        begin, end = text.node_range(field)
        changed = encoded(source, f"{text.text[:begin]}pass{text.text[end:]}")
        place = (field.lineno, field.col_offset)
        mutants.append(Mutant(f"f{number}", "statement_removed", *place, f"line {field.lineno} is left out", changed))
    return tuple(mutants)
