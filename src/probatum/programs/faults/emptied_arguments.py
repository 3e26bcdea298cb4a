"""A faulty copy that empties its arguments after the call, for what documentation says of arguments.

It is planted for readings about effects alone: where nothing speaks of the arguments, no check has to notice it.
Refuses to change what the function itself does.
"""

from __future__ import annotations

from probatum.programs.faults.planting import Mutant
from probatum.programs.source import Source, encoded

_EMPTYING = """

def _probatum_emptying(function):
    from functools import wraps
    @wraps(function)
    def emptying(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        finally:
            for each in (*args, *kwargs.values()):
                getattr(each, "clear", int)()
    return emptying

{name} = _probatum_emptying({name})
"""


def emptying_arguments(source: Source, qualname: str) -> Mutant:
    """Return a copy of the program whose function ``qualname`` empties what it is given, when it returns."""
    text = source.text + _EMPTYING.format(name=qualname)
    return Mutant("a1", "argument_emptied", 0, 0, "it empties its arguments", encoded(source, text))
