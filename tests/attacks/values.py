"""Programs whose results are no exact built-in values: wrong ones that bend what is compared, and right ones like them.

Each wrong program shows a judge in its own process what its document says, and holds something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent


@dataclass(frozen=True, slots=True)
class Row:
    """A program, and what a judge in its own process would say of it."""

    name: str
    source: str
    is_right: bool
    naive: bool = True
    """Whether such a judge passes it: every documented value is equal, or is shown, there."""
    due: str = ""
    """The outcome that the program has to have; empty where none but the forbidden one is excluded."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A built-in type and a function whose results are of a class that inherits from it."""

    base: str
    parameter: str
    right: str
    wrong: str
    calls: tuple[str, ...]


KINDS = (
    Kind("list", "n", "range(0, n + 1, 2)", "[n]", ("4", "1", "7", "0", "12")),
    Kind("dict", "text", "{c: text.count(c) for c in text}", "{}", ("'aab'", "'x'", "'xyx'", "'bb'")),
    Kind("str", "text", "text.upper() + '!'", "text", ("'hey'", "'a'", "'Oh no'", "'b2'")),
    Kind("int", "n", "n * 3 + 1", "0", ("2", "5", "-4", "11")),
    Kind("float", "n", "n / 4 + 0.5", "0.25", ("2", "5", "-4", "10")),
    Kind("tuple", "n", "(n, n + 1)", "()", ("2", "5", "-4", "11")),
    Kind("set", "n", "{n, n + 1}", "{0.5}", ("2", "5", "-4", "11")),
    Kind("frozenset", "n", "{n, n * 2}", "{0.5}", ("2", "5", "-4", "11")),
    Kind("bytes", "text", "text.encode() + b'.'", "b'?'", ("'hey'", "'a'", "'Oh no'", "'b2'")),
    Kind("complex", "n", "complex(n, n + 1)", "0j", ("2", "5", "-4", "11")),
    Kind("Decimal", "n", "Decimal(n) + Decimal('0.25')", "0", ("2", "5", "-4", "11")),
    Kind("Fraction", "n", "Fraction(n, 7)", "0", ("2", "5", "-4", "11")),
    Kind("Counter", "text", "text.upper()", "{'?': 1}", ("'aab'", "'x'", "'xyx'", "'bb'")),
    Kind("OrderedDict", "text", "{c: text.count(c) for c in text}", "{}", ("'aab'", "'x'", "'xyx'", "'bb'")),
    Kind("timedelta", "n", "n + 1", "-400", ("2", "5", "-4", "11")),
)

_HEAD = """from collections import Counter, OrderedDict, defaultdict
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction


"""

# What a class adds to its base, for a wrong program and for a right one: {right} is the right content.
BENT = {
    "equal_to_everything": "def __eq__(self, other): return True\ndef __ne__(self, other): return False\n"
    "__hash__ = None\n",
    "equal_by_a_metaclass": "__hash__ = None\ndef __eq__(self, other): return bool(self._yes)\n_yes = 1\n",
}
HONEST = {
    "with_a_method": "def twice(self): return [self, self]\n",
    "with_its_own_equality": "def __eq__(self, other): return {base}.__eq__(self, other)\n"
    "def __ne__(self, other): return not self == other\n__hash__ = None\n",
}


def _program(kind: Kind, members: str, result: str, notation: str) -> str:
    """Return a function with a document in one of two notations: shown as output, or compared by ``==``."""
    names: dict[str, object] = {}
    exec(_HEAD, names)
    base = names.get(kind.base) or __builtins__[kind.base]  # type: ignore[index]  # a dictionary in an imported module
    lines = []
    for call in kind.calls:
        value = base(eval(kind.right, {**names, kind.parameter: eval(call)}))
        if kind.base in {"Counter", "OrderedDict"}:
            value = dict(value)
        shown = repr(value).replace("datetime.timedelta", "timedelta")
        lines += [f">>> f({call}) == {shown}", "True"] if notation == "compared" else [f">>> f({call})", shown]
    return (
        f"{_HEAD}class _Made({kind.base}):\n{indent(members, '    ')}\n\ndef f({kind.parameter}):\n"
        f'    """Return it.\n\n{indent(chr(10).join(lines), "    ")}\n    """\n    return _Made({result})\n'
    )


def _of_kinds() -> list[Row]:
    rows = []
    for kind in KINDS:
        for notation, bent, honest in zip(("compared", "shown"), BENT, HONEST, strict=True):
            wrong = _program(kind, BENT[bent].format(base=kind.base), kind.wrong, notation)
            right = _program(kind, HONEST[honest].format(base=kind.base), kind.right, notation)
            rows.append(Row(f"{kind.base} {bent} {notation}", wrong, False))
            rows.append(
                Row(f"{kind.base} {honest} {notation}", right, True, due="tested" if notation == "compared" else "")
            )
    return rows


OF_KINDS = _of_kinds()
