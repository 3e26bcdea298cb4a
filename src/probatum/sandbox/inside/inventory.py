"""What a loaded module shows to its users: its public names, and every text that documents one of them.

Runs inside the sandbox, standard library only, beside the program: what it finds can withhold VERIFIED and never earn
it. A text is taken by its real characters, whatever its class says. Raises `OverflowError` beyond its budget.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

Row = tuple[str, bool, bool, str, str]
_MOST_OBJECTS, _MOST_CHARACTERS, _DEEPEST = 20_000, 400_000, 12
_SAYS = ("documentation", "description", "doc", "help")
"""Attributes in which the standard library, pydantic, attrs, typer and FastAPI keep the documentation of one value."""
_BEHIND = ("__func__", "__wrapped__", "func", "fget", "fset", "fdel", "getter")
"""Where wrappers, bound methods, partial calls and properties keep what they lead to."""
_OF_C = (
    types.BuiltinFunctionType, types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType,
    types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType,
)  # fmt: skip
_HEAP_TYPE = 1 << 9


class _Unknown:
    """A name that an annotation uses and nothing binds at run time; it keeps what is in its brackets."""

    def __init__(self, inner: Any = ()) -> None:
        self.inner = inner

    def __getattr__(self, _name: str) -> _Unknown:
        return self

    def __call__(self, *_arguments: Any) -> _Unknown:
        return self

    def __getitem__(self, inner: Any) -> _Unknown:
        return _Unknown((*self.inner, inner))

    def __or__(self, other: Any) -> _Unknown:
        return self[other]

    __ror__ = __or__


class _Names(dict[str, Any]):
    """The names of annotations: those of a module, of ``typing``, and of anything else something unknown.

    ``followed`` is what was read already: an alias may contain itself.
    """

    def __init__(self, space: Mapping[str, Any]) -> None:
        super().__init__(space)
        self.followed: dict[str | int, object] = {}

    def __missing__(self, name: str) -> Any:
        builtin = getattr(sys.modules["builtins"], name, None)
        return builtin if builtin is not None else getattr(typing, name, _Unknown())


class Inventory:
    """Walks one module; ``names`` and ``texts`` are what it found."""

    def __init__(self, module: str, space: Mapping[str, Any], siblings: Iterable[str], wanted: Iterable[str]) -> None:
        self._module, self._space, self._wanted = module, space, set(wanted)
        self._ours = {module, *siblings}
        self._seen: dict[tuple[str, int], object] = {}
        self._characters = 0
        self._others: set[object] = set()
        self.names: list[Row] = []
        self.texts: dict[tuple[str, str, str], None] = {}
        for name in sorted({each for each in space if type(each) is str and each[:1] != "_"} | self._wanted):
            with self._guarded(name):
                self._name(name, space[name] if name in space else getattr(sys.modules[module], name, None))
        self._tests()

    @contextmanager
    def _guarded(self, path: str) -> Iterator[None]:
        try:
            yield
        except OverflowError:
            raise
        except Exception as error:  # noqa: BLE001  the program's own code may raise anything
            self._note(path, "", f"Its documentation cannot be read: {type(error).__name__}")

    def _name(self, name: str, value: Any) -> None:
        named = getattr(value, "__module__", self._module)
        named = named if type(named) is str else ""
        own = named == self._module or "__doc__" in getattr(value, "__dict__", {})
        called = callable(value) and type(value).__module__ not in ("types", "typing")
        self.names.append((name, called, own, named, self._place(getattr(value, "__func__", value))))
        self._visit(name, value)

    def _tests(self) -> None:
        """Note the texts of ``__test__``, which doctest runs whatever they are about."""
        tests = self._space.get("__test__")
        with self._guarded(""):
            for each in tests.values() if isinstance(tests, dict) else ():
                self._note("", "", each if isinstance(each, str) else each.__doc__)

    def _note(self, path: str, place: str, text: object) -> None:
        said = _real(text)
        if said.strip() and (path, place, said) not in self.texts:
            self._characters += len(said)
            self._require(self._characters <= _MOST_CHARACTERS)
            self.texts[path, place, said] = None

    def _require(self, met: bool) -> None:
        if not met:
            raise OverflowError("its documentation at run time is larger than the budget")

    def _place(self, value: object) -> str:
        """Return the qualified name under which the module holds a function or a class; empty where it does not."""
        name = getattr(value, "__qualname__", "")
        if type(name) is not str or getattr(value, "__module__", None) != self._module:
            return ""
        first, *parts = name.split(".")
        found = self._space.get(first)
        for part in parts:
            found = getattr(found, "__dict__", {}).get(part)
        return name if any(each is value for each in (found, *_behind(found))) else ""

    def _is_own(self, value: Any) -> bool:
        """Whether a function or a class is the program's: all that is not found where it says that it is from."""
        if type(value) is types.FunctionType:
            space = value.__globals__
            found = sys.modules.get(space.get("__name__", ""))
            return found is None or found.__name__ in self._ours or found.__dict__ is not space
        if value.__module__ in self._ours:
            return True
        found = sys.modules.get(value.__module__)
        for part in value.__qualname__.split("."):
            found = getattr(found, part, None)
        return bool(value.__flags__ & _HEAP_TYPE) and found is not value and "<locals>" not in value.__qualname__

    def _is_elsewhere(self, value: Any) -> bool:
        """Whether a function or a class is public in another file of the project: its documentation is of that file."""
        is_public = all(part[:1] != "_" for part in value.__qualname__.split("."))
        return is_public and value.__module__ != self._module and value.__module__ in self._ours

    def _is_judged(self, value: type) -> bool:
        """Whether a class is a unit of its own, here or in another file of the project."""
        place = self._place(value) if value.__module__ == self._module else value.__qualname__
        return bool(place) and all(part[:1] != "_" or part in self._wanted for part in place.split("."))

    def _visit(self, path: str, value: Any, *, in_class: bool = False) -> None:
        key = path.partition(".")[0], id(value)
        if key in self._seen or issubclass(type(value), types.ModuleType) or path.count(".") > _DEEPEST:
            return
        self._seen[key] = value
        self._require(len(self._seen) <= _MOST_OBJECTS)
        with self._guarded(path):
            if issubclass(type(value), type):
                if self._is_own(value) and not self._is_elsewhere(value):
                    self._class(path, value)
            elif type(value) is types.FunctionType:
                if self._is_own(value) and not self._is_elsewhere(value):
                    self._function(path, value)
            else:
                self._instance(path, value, in_class=in_class)
            for each in _behind(value):
                self._visit(path, each, in_class=in_class)

    def _function(self, path: str, value: types.FunctionType) -> None:
        place = self._place(value)
        if value.__globals__.get("__name__") not in self._ours and value.__doc__ in self._of_installed():
            return  # An installed package generates it, with the words that it has for all of its kind.
        self._note(path, place, value.__doc__)
        self._annotations(path, place, value, value.__globals__)
        for each in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
            self._said(path, place, each)

    def _of_installed(self) -> set[object]:
        """Return the documentation of the functions of other modules, once somebody asks."""
        if not self._others:
            spaces = [vars(each) for name, each in list(sys.modules.items()) if name not in self._ours]
            functions = (each for space in spaces for each in list(space.values()) if type(each) is types.FunctionType)
            self._others = {each.__doc__ for each in functions}
        return self._others

    def _class(self, path: str, value: type) -> None:
        for each in type.mro(value) if type(value) is type else value.__mro__:
            if each is not value and not (self._is_own(each) and not self._is_judged(each)):
                continue
            place, space = self._place(each), vars(each)
            self._note(path, place, space.get("__doc__"))
            self._annotations(path, place, each, {**vars(sys.modules.get(each.__module__, types)), **space})
            slots = space.get("__slots__")
            for text in slots.values() if isinstance(slots, dict) else ():
                self._note(path, place, text)
            for name, member in list(space.items()):
                if name[:1] != "_" or (name[:2] == name[-2:] == "__" and name != "__doc__"):
                    self._visit(f"{path}.{name}", member, in_class=True)
                    self._said(path, place, member)
        for name, member in dict(getattr(value, "__members__", {})).items():
            self._visit(f"{path}.{name}", member, in_class=True)
        self._note(path, self._place(value), value.__doc__ if self._is_own(type(value)) else None)
        self._visit(path, type(value))

    def _instance(self, path: str, value: Any, *, in_class: bool) -> None:
        kind, held = type(value), _held(value)
        is_own = self._is_own(kind)
        if is_own:
            self._visit(path, kind)
        origin, document = str(getattr(value, "__module__", "")), _document(value)
        is_found = any(each is value for each in vars(sys.modules.get(origin, _Unknown)).values())
        tells = "__doc__" in held or (in_class and kind not in _OF_C)
        # What is behind a wrapper, and where that comes from, is seen there.
        elsewhere = [_document(each) for each in (kind, *_behind(value))]
        if (is_own or origin == self._module or (tells and not is_found)) and document not in elsewhere:
            self._note(path, "", document)
        for name, inner in list(held.items()) if is_own or kind is types.SimpleNamespace else ():
            if name[:1] != "_":
                self._visit(f"{path}.{name}", inner)

    def _said(self, path: str, place: str, value: Any, *, is_metadata: bool = False) -> None:
        """Note what a default, a field or the metadata of an annotation says of itself."""
        if isinstance(value, str) and is_metadata:
            self._note(path, place, value)
        kind = type(value)
        if kind.__module__ == "builtins" or issubclass(kind, type):
            return
        with self._guarded(path):
            texts = [getattr(value, name, None) for name in _SAYS] if is_metadata or not self._is_own(kind) else []
            if is_metadata and self._is_own(kind):
                texts += _held(value).values()
                texts += [getattr(value, name, None) for name in getattr(kind, "__slots__", ())]
            # An attribute of a mapper, a field or a column may describe itself by its name alone.
            named = {path.rpartition(".")[2], *(getattr(value, each, None) for each in ("key", "name"))}
            for text in texts:
                self._note(path, place, text if isinstance(text, str) and text not in named else None)

    def _annotations(self, path: str, place: str, value: Any, space: Mapping[str, Any]) -> None:
        names = _Names(space)
        for each in list(_annotations_of(value).values()):
            self._type(path, place, each, names, 0)

    def _type(self, path: str, place: str, annotation: Any, names: _Names, depth: int) -> None:
        key = str.__str__(annotation) if isinstance(annotation, str) else id(annotation)
        if key in names.followed:
            return
        self._require(depth <= _DEEPEST)
        names.followed[key] = annotation
        if isinstance(annotation, str):
            self._written(path, place, str.__str__(annotation), names, depth)
            return
        if isinstance(annotation, list | tuple):
            inner: tuple[Any, ...] = tuple(annotation)
        elif type(annotation) is _Unknown:
            inner = annotation.inner
        elif issubclass(type(annotation), type) or getattr(annotation, "__origin__", None) is typing.Literal:
            return
        else:
            for each in getattr(annotation, "__metadata__", ()):
                self._said(path, place, each, is_metadata=True)
            if "__doc__" in _held(annotation) and not any(each is annotation for each in vars(typing).values()):
                self._note(path, place, annotation.__doc__)
            # What a name that nothing binds has in its brackets: from Python 3.14 on.
            among = getattr(annotation, "__extra_names__", None) or {}
            inner = (*(getattr(annotation, "__args__", None) or ()), *among.values())
            further = ("__origin__", "__value__", "__supertype__", "__bound__", "__forward_arg__")
            inner += tuple(getattr(annotation, name, None) for name in further)
        for each in inner:
            if each is not None:
                self._type(path, place, each, names, depth + 1)

    def _written(self, path: str, place: str, text: str, names: _Names, depth: int) -> None:
        """Follow an annotation in quotes; one that is no expression is words."""
        try:
            meant = eval(text, {"__builtins__": {}}, names)  # noqa: S307  what the program annotates itself with
        except Exception:  # noqa: BLE001  the program's own code may raise anything
            meant = False
        if isinstance(meant, bool):
            self._note(path, place, text)
        else:
            self._type(path, place, meant, names, depth + 1)


def _real(text: object) -> str:
    """Return a text by its characters, whatever its class says; words that say so where it is none."""
    if text is None:
        return ""
    kind = type(text)
    return str.__str__(text) if issubclass(kind, str) else f"Its __doc__ is no text, but {kind.__name__}"


def _document(value: object) -> str:
    return _real(getattr(value, "__doc__", None))


def _held(value: Any) -> dict[str, Any]:
    """Return what an object itself holds by name."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def _behind(value: Any) -> list[Any]:
    """Return what a wrapper, a bound method, a partial call or a property keeps inside."""
    if issubclass(type(value), type):
        return []
    # What an object makes up for any name that it is asked for leads nowhere, time and again.
    known = {*_held(value), *(name for kind in type.mro(type(value)) for name in vars(kind))}
    return [each for name in _BEHIND if name in known and callable(each := getattr(value, name, None))]


def _annotations_of(value: Any) -> Mapping[str, Any]:
    if sys.version_info >= (3, 14):
        import annotationlib

        # Computed when asked for; what nothing binds by then stays the text of a name.
        return annotationlib.get_annotations(value, format=annotationlib.Format.FORWARDREF)
    found = vars(value).get("__annotations__") if isinstance(value, type) else value.__annotations__
    return found if isinstance(found, dict) else {}
