"""Worlds with a known clock, known randomness and known surroundings, and which programs need to be run in several.

A world is a line in front of a program that replaces what tells it the time, draws numbers or says where it runs.
Answers are compared between worlds that differ in one thing alone, never with the world outside. Whatever could read a
clock by an import, a package or code made from text counts as reading it.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from probatum.programs.source import UNPARSABLE, Source, parsed
from probatum.sandbox import Program

_CLOCK = frozenset({"time", "datetime", "calendar", "sched", "timeit", "email", "http", "logging", "zoneinfo"})
_RANDOM = frozenset({"random", "secrets", "uuid", "tempfile"})
_EITHER = frozenset({"os", "posix", "importlib", "ctypes", "builtins", "sys", "runpy", "pkgutil"})
# What asks for variables, folders, hosts, users, time zones or locales besides the modules of `_EITHER`.
_AROUND = _CLOCK | frozenset(
    {
        *("argparse", "cmd", "concurrent", "curses", "fileinput", "getpass", "gettext", "glob", "grp", "io", "locale"),
        *("mimetypes", "multiprocessing", "netrc", "optparse", "pathlib", "platform", "pwd", "pydoc", "resource"),
        *("shutil", "site", "socket", "ssl", "subprocess", "sysconfig", "tempfile", "unittest", "urllib", "webbrowser"),
    }
)
_RUNS_TEXT = frozenset({"eval", "exec", "__import__", "compile"})
_OPENS = "open"
_TELL_ADDRESSES = frozenset({"id", "hash", "repr", "ascii"})
_SETS = frozenset({"set", "frozenset"})
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{1,40}")
_MOST_VALUES = 6
_COMPARING_METHODS = frozenset({"startswith", "endswith", "fullmatch", "match", "get"})
_MOST_NAMES = 100
_LONGEST_VALUE = 40
_WAITS = frozenset({"asyncio", "threading", "concurrent", "queue", "multiprocessing", "subprocess", "select", "socket"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a program finds around it: each is the one of here, or another one."""

    value: str | None = None
    """Of every environment variable that the program asks for; None for those of the sandbox."""
    place: bool = False
    """Another folder, host, user, process and command line."""
    zone: bool = False
    """Another time zone, and other signs in numbers."""
    listing: bool = False
    """Folders listed from the other end."""


HERE = Surroundings()


@dataclass(frozen=True, slots=True)
class World:
    """A moment for the clock to start at (nanoseconds since 1970, None for now), its step, a seed, and surroundings."""

    moment: int | None
    step: int
    seed: int
    around: Surroundings = HERE


@dataclass(frozen=True, slots=True)
class Reads:
    """What a program could read from outside, as far as its text shows."""

    clock: bool = False
    randomness: bool = False
    waits: bool = False
    """Whether it may wait for something else to happen, for which clocks must go on."""
    surroundings: bool = False
    """Whether it could ask for variables, folders, hosts, users, time zones or locales."""
    identities: bool = False
    """Whether it names what tells the address of an object."""
    sets: bool = False
    """Whether it makes sets: the order of one may come from addresses."""
    names: tuple[str, ...] = ()
    """Texts in the program that look like names of variables."""
    values: tuple[str, ...] = ()
    """Texts that the program compares with, where it could read variables: a variable may have such a value."""

    @property
    def anything(self) -> bool:
        """Whether it could read anything from outside."""
        return self.clock or self.randomness or self.surroundings


def reads_of(source: Source) -> Reads:
    """Return what a program and the modules next to it could read from outside."""
    siblings = source.program.siblings
    own = {name.partition(".")[0] for name, _ in siblings}
    told = [_told(source.tree), *(_told_by(content) for _, content in siblings)]
    modules = {name for each in told for name in each.modules}
    foreign = modules - own - sys.stdlib_module_names
    either = bool(foreign or modules & _EITHER)
    around = either or bool(modules & _AROUND) or any(_OPENS in each.names for each in told)
    texts = [text for each in told for text in each.texts]
    compared = dict.fromkeys(text for each in told for text in each.compared if 0 < len(text) <= _LONGEST_VALUE)
    return Reads(
        clock=either or bool(modules & _CLOCK),
        randomness=either or bool(modules & _RANDOM),
        waits=bool(modules & _WAITS),
        surroundings=around,
        identities=any(_TELL_ADDRESSES & each.names for each in told),
        sets=any(each.makes_sets or _SETS & each.names for each in told),
        names=tuple(dict.fromkeys(filter(_VARIABLE.fullmatch, texts)))[:_MOST_NAMES] if around else (),
        values=tuple(text for text in compared if text.isprintable())[:_MOST_VALUES] if around else (),
    )


def _ends_in(function: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(function, ast.Attribute) and function.attr in names


@dataclass(frozen=True, slots=True)
class _Told:
    """What one text names: modules that it imports, texts in it, those that it may compare with, and names."""

    modules: frozenset[str]
    texts: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    makes_sets: bool = False


@lru_cache(maxsize=256)
def _told_by(content: bytes) -> _Told:
    try:
        return _told(parsed(content))
    except UNPARSABLE:
        return _Told(frozenset({"builtins"}))


# Of the module that is being judged: each of its functions asks.
@lru_cache(maxsize=2)
def _told(tree: ast.Module) -> _Told:
    # `builtins` stands for code made from text.
    names: set[str] = set()
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Name) and node.id in _RUNS_TEXT:
            names.add("builtins")
    comparing: list[ast.AST] = [node for node in nodes if isinstance(node, ast.Compare | ast.MatchValue)]
    comparing += [node for node in nodes if isinstance(node, ast.Dict | ast.Set | ast.Tuple | ast.List)]
    comparing += [node for node in nodes if isinstance(node, ast.Call) and _ends_in(node.func, _COMPARING_METHODS)]
    return _Told(
        frozenset(names - {"__future__"}),
        tuple(_texts(nodes)),
        tuple(text for node in comparing for text in _texts(ast.walk(node))),
        frozenset(node.id for node in nodes if isinstance(node, ast.Name)),
        any(isinstance(node, ast.Set | ast.SetComp) for node in nodes),
    )


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def in_world(source: Source, world: World, reads: Reads) -> Program:
    """Return the program with the line in front that makes it run in this world."""
    return _beginning_with(source, _pinned(world, reads))


def elsewhere_in_memory(source: Source, places: int, world: World, reads: Reads) -> Program:
    """Return the program with its objects at other addresses, in this world if it could read anything of it."""
    pinned = [_pinned(world, reads)] if reads.anything else []
    return _beginning_with(source, f"shift({places})", *pinned)


def _pinned(world: World, reads: Reads) -> str:
    settings: dict[str, object] = {"elapsed": not reads.waits}
    if reads.surroundings:
        settings["around"] = {"names": reads.names, **asdict(world.around)}
    given = ", ".join([repr(world.moment), repr(world.step), repr(world.seed), f"**{settings!r}"])
    return f"pin({given})"


def _beginning_with(source: Source, *calls: str) -> Program:
    # Docstring and imports from the future must stay in front.
    lines = [f'__import__("_probatum_inside.pinned", fromlist=["pin"]).{call}' for call in calls]
    text = io.IncrementalNewlineDecoder(None, translate=True).decode(source.text, final=True)
    return replace(source.program, source=_with_first(text, source.tree, lines).encode(source.encoding))


def _with_first(text: str, tree: ast.Module, lines: list[str]) -> str:
    first = next((statement for statement in tree.body if not _is_preamble(statement)), None)
    rows = text.split("\n")
    if first is None:
        return "\n".join([text, *lines, ""])
    decorators = getattr(first, "decorator_list", [])
    start = min([first.lineno, *(decorator.lineno for decorator in decorators)])
    row = rows[start - 1].encode()
    at = first.col_offset if start == first.lineno else 0
    glue = "; " if row[:at].strip() else "\n"
    rows[start - 1] = (row[:at] + "".join(line + glue for line in lines).encode() + row[at:]).decode()
    return "\n".join(rows)


def _is_preamble(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")
