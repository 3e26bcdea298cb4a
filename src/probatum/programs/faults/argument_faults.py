"""Faulty copies that do to their arguments what no documentation means: empty them after the call, or give one back.

They are planted for readings about effects alone: where nothing speaks of the arguments, no check has to notice them.
Refuses to change what the function itself does.
"""

from __future__ import annotations

from probatum.programs.faults.planting import Mutant
from probatum.programs.source import Source, encoded

_AROUND = """

def _probatum_around(function):
    from functools import wraps
    @wraps(function)
    def around(*args, **kwargs):
        given = (*args, *kwargs.values())
{body}
    return around

{name} = _probatum_around({name})
"""
_EMPTYING = """\
        try:
            return function(*args, **kwargs)
        finally:
            for each in given:
                getattr(each, "clear", int)()"""
_SHARING = """\
        result = function(*args, **kwargs)
        return next((each for each in given if type(each) is type(result)), result)"""
_FAULTS = (("emptied", "it empties its arguments", _EMPTYING), ("shared", "it returns an argument itself", _SHARING))


def argument_faults(source: Source, qualname: str) -> tuple[Mutant, ...]:
    """Return copies of the program whose function ``qualname`` empties what it is given, or returns it."""
    return tuple(
        Mutant(
            f"a{number}", f"argument_{kind}", 0, 0, sentence, encoded(source, source.text + _wrapped(body, qualname))
        )
        for number, (kind, sentence, body) in enumerate(_FAULTS, 1)
    )


def _wrapped(body: str, name: str) -> str:
    return _AROUND.format(body=body, name=name)
