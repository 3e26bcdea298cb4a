"""What a loaded program shows: the public names of its module, whether they can be called, and their ``__doc__``.

Code that runs at import may add names and rewrite ``__doc__``; no syntax shows that. Asked of the candidate once a
program. What it answers can withhold VERIFIED and never earns it. Refuses nothing: a name that cannot be looked at is
one without documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probatum.programs.running.execute import PROGRAM_LIMITS, LoadFailure, loaded
from probatum.sandbox import Program, Reply, Returned, Sandbox

_ASKED = """
def _probatum_shown(wanted):
    import builtins as b, sys, types
    space = sys.modules[__name__].__dict__ if __name__ in sys.modules else b.globals()
    def text(value):
        try:
            found = value.__doc__
            if b.type(found) is not b.str or found == b.type(value).__doc__:
                return ''
            return found
        except b.Exception:
            return ''
    def place(value):
        value = b.getattr(value, '__func__', value)
        name = b.getattr(value, '__qualname__', '')
        if b.type(name) is not b.str or b.getattr(value, '__module__', None) != __name__:
            return ''
        found = space.get(name.split('.')[0])
        for part in name.split('.')[1:]:
            found = b.getattr(found, '__dict__', {}).get(part)
            found = b.getattr(found, '__func__', found)
        return name if found is value else ''
    rows = []
    for name in b.sorted({*(n for n in space if b.type(n) is b.str and n[:1] != '_'), *wanted}):
        try:
            value = space[name] if name in space else b.getattr(sys.modules[__name__], name)
            module = b.getattr(value, '__module__', __name__)
            module = module if b.type(module) is b.str else ''
            own = module == __name__ or '__doc__' in b.getattr(value, '__dict__', {})
            called = b.callable(value) and b.type(value).__module__ not in ('types', 'typing')
            rows.append((name, called, own, module, place(value), text(value)))
            if b.isinstance(value, b.type) and own:
                for part, inner in b.list(value.__dict__.items()):
                    inner = b.getattr(inner, '__func__', inner)
                    rows.append((name + '.' + part, True, True, module, '', text(inner)))
        except b.Exception:
            rows.append((name, True, True, '', '', ''))
    return rows
"""


@dataclass(frozen=True, slots=True)
class ShownName:
    """One name as the loaded module has it."""

    name: str
    """``f``, ``C`` or ``C.method``."""
    is_callable: bool
    is_own: bool
    """Whether its object says that this module made it, or says nothing about that."""
    module: str
    """The module that its object names."""
    same_as: str
    """The qualified name under which the module holds the same object; empty where it does not."""
    document: str
    """Its ``__doc__``, where that is not its type's."""


def shown_names(
    sandbox: Sandbox, program: Program, wanted: Iterable[str]
) -> Mapping[str, ShownName] | Reply | LoadFailure:
    """Return what the module shows by name, the private names that are ``wanted`` included; or what came instead."""
    with loaded(sandbox, program, PROGRAM_LIMITS) as candidate:
        if isinstance(candidate, LoadFailure):
            return candidate
        asked = f"_probatum_shown({sorted(wanted)!r})"
        reply = candidate.statements(_ASKED, asked, anew=True)
    if not isinstance(reply, Returned):
        return reply
    rows = [_shown(row) for row in reply.value] if isinstance(reply.value, list) else []
    return {each.name: each for each in rows if each is not None}


def _shown(row: object) -> ShownName | None:
    match row:
        case (str(name), bool(is_callable), bool(is_own), str(module), str(same_as), str(document)):
            return ShownName(name, is_callable, is_own, module, same_as, document)
    return None
