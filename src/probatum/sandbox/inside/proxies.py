"""What a file of tests and a predicate see in the place of a program that runs in a process of its own.

Runs inside the sandbox, standard library only. Every use of a proxy is a question to the judge, or it is refused by an
error of its own: what a proxy cannot do is never taken for a failure of the program. The program is asked what its
objects do, and never whether one of them is equal to what a test expects.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_USED = ["__next__", "__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__enter__", "__exit__"]
_OPERATORS = (
    *("__str__", "__format__", "__int__", "__float__", "__index__", "__abs__", "__neg__", "__invert__"),
    *("__reversed__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__matmul__"),
    *("__truediv__", "__rtruediv__", "__floordiv__", "__mod__", "__divmod__", "__pow__", "__round__"),
    *("__and__", "__or__", "__xor__", "__lshift__", "__rshift__"),
)


class Bearer(Protocol):
    """What puts the questions of proxies to the judge."""

    @property
    def is_testing(self) -> bool:
        """Whether a file of tests is run, and not a predicate."""

    def ask(self, target: str, arguments: tuple[Any, ...], keywords: dict[str, Any] | None = None) -> Any:
        """Have the judge do ``target`` in the program's process; return the value or raise the exception."""

    def member(self, path: str) -> Any:
        """Return what a dotted name of the program stands for."""

    def names_of_bases(self, kind: Any) -> list[str]:
        """Return the qualified names in the resolution order of a class of the program."""

    def refuse(self, what: str) -> NoReturn:
        """Say that this cannot be carried."""


class CandidateLostError(BaseException):
    """The program's process is gone: nothing that is evaluated here can come to a result any more."""


class NotCarriedError(CandidateLostError):
    """What a test asks of a proxy cannot be carried to the program's process; the test comes to no result."""


def _special(name: str) -> Callable[..., Any]:
    """Return a special method that asks the program's object, which may turn out not to have it."""

    def method(self: Remote, *arguments: Any) -> Any:
        try:
            return self._desk.ask(f".{name}", (self, *arguments))
        except AttributeError as error:
            # As everywhere in Python: an object without the method is of the wrong type.
            raise TypeError(str(error)) from error

    return method


def _operator(name: str) -> Callable[..., Any]:
    """Return a special method that only a test may use; an operator that is lacking is left to the other side."""

    def method(self: Remote, *others: Any) -> Any:
        if not self._desk.is_testing or (name in _ORDER and type(others[0]) is not Remote):
            # A value to compare with would tell the program what is expected.
            self._desk.refuse(f"{name} of an object of type {self._kind}")
        try:
            result = self._desk.ask(f".{name}", (self, *others))
        except AttributeError as error:
            if others and name != "__format__":
                return NotImplemented
            raise TypeError(str(error)) from error
        return NotImplemented if type(result) is Remote and result._kind == "NotImplementedType" else result

    return method


class Remote:
    """An object that lives in the program's process; reading an attribute of it or calling it asks there."""

    _desk: Bearer
    _number: int
    _kind: str

    def __init__(self, desk: Bearer, number: int, kind: str) -> None:
        vars(self).update(_desk=desk, _number=number, _kind=kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.ask(f"?.{name}", (self,))

    def __setattr__(self, name: str, value: Any) -> None:
        self._desk.ask(".__setattr__", (self, name, value))

    def __delattr__(self, name: str) -> None:
        self._desk.ask(".__delattr__", (self, name))

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask(".__call__", (self, *arguments), keywords)

    def __iter__(self) -> Any:
        values, done = self._desk.ask("*", (self, True))
        yield from values
        while not done:
            values, done = self._desk.ask("*", (self,))
            yield from values

    def __bool__(self) -> bool:
        for name in ("__bool__", "__len__"):
            with contextlib.suppress(TypeError):
                return bool(_operator(name)(self))
        if not self._desk.is_testing:
            self._desk.refuse("whether an object of the program counts as true")
        return True

    def __eq__(self, other: object) -> bool:
        """Compare by value, here: the program is never asked whether something of its own is equal."""
        mine = self._desk.ask("=", (self,))
        theirs = self._desk.ask("=", (other,)) if type(other) is Remote else other
        if type(mine) is not Remote:
            return bool(mine == theirs)
        if type(theirs) is Remote and theirs._number == self._number:
            return True
        return self._desk.refuse(f"the comparison of objects of type {self._kind}")

    def __hash__(self) -> int:
        return int(self._desk.refuse(f"the hash of an object of type {self._kind}"))

    def __repr__(self) -> str:
        return str(_operator("__repr__")(self)) if self._desk.is_testing else f"<{self._kind} in the program's process>"


for _name in _USED:
    setattr(Remote, _name, _special(_name))
for _name in (*_ORDER, *_OPERATORS):
    setattr(Remote, _name, _operator(_name))


class Function:
    """A function or class of the program, by its dotted name."""

    _desk: Bearer
    _path: str

    def __init__(self, desk: Bearer, name: str, is_class: bool = False) -> None:
        vars(self).update(_desk=desk, _path=name, _is_class=is_class, __name__=name.rsplit(".", 1)[-1])

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask("+" + self._path if self._is_class else self._path, arguments, keywords)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.member(f"{self._path}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._desk.refuse(f"another value for {self._path}.{name}")

    __delattr__ = __setattr__  # type: ignore[assignment]  # refused alike

    def _refuse(self, *_: object) -> Any:
        self._desk.refuse(f"the members of {self._path}")

    __iter__ = __len__ = __getitem__ = __contains__ = _refuse

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        self._desk.refuse(f"a subclass of {self._path}")

    def __instancecheck__(self, value: object) -> bool:
        if type(value) is Remote:
            names = self._desk.names_of_bases(self._desk.ask("?.__class__", (value,)))
        elif type(value) is Record:
            names = [value._kind]
        else:
            return False
        found = any(name.endswith(f".{self._path}") for name in names)
        return found or (type(value) is Record and self._desk.refuse(f"whether {names[0]} is a {self._path}"))


class ProgramModule(types.ModuleType):
    """What ``import artifact`` gives in a test file: every name of it is asked for when it is used."""

    def __init__(self, desk: Bearer, names: list[str]) -> None:
        super().__init__("artifact")
        vars(self).update(_desk=desk, __all__=[name for name in names if not name.startswith("_")])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"{name} of the program, which is not here")
        return self._desk.member(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("__"):
            self._desk.refuse(f"another value for {name}")

    def __delattr__(self, name: str) -> None:
        self._desk.refuse(f"the removal of {name}")


class Record:
    """A dataclass, enum or named tuple of the program: its type's name and its fields, equal by both."""

    def __init__(self, desk: Bearer, kind: str, fields: dict[str, Any]) -> None:
        vars(self).update(_desk=desk, _kind=kind, _fields=fields)

    def __getattr__(self, name: str) -> Any:
        # Through the dictionary: a copy is asked for attributes before it has any.
        fields = self.__dict__.get("_fields", {})
        if name not in fields:
            if not name.startswith("__") and fields and self._desk.is_testing:
                self._desk.refuse(f"{self._kind}.{name}, of a value that travelled by its fields")
            raise AttributeError(name)
        return fields[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._desk.refuse(f"another value for {self._kind}.{name}")

    def _refuse(self, *_: object) -> Any:
        self._desk.refuse(f"an operation on {self._kind}, which travelled by its fields")

    __bool__ = __iter__ = __len__ = __getitem__ = __contains__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __sub__ = __mul__ = __or__ = __and__ = __neg__ = __abs__ = __int__ = __str__ = __format__ = _refuse

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and (self._kind, self._fields) == (other._kind, other._fields)

    def __hash__(self) -> int:
        return hash((self._kind, tuple(self._fields.items())))

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"
