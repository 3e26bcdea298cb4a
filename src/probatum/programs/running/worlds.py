"""Worlds with a known clock, known randomness and known surroundings, and which programs need to be run in several.

A world replaces what tells a program the time, draws numbers or says where it runs, before anything is imported.
Answers are compared between worlds that differ in one thing alone, never with the world outside. Whatever could read a
clock by an import, a package or code made from text counts as reading it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from probatum.programs.parsing.scanning import word_set
from probatum.programs.source import UNPARSABLE, Source, parsed
from probatum.sandbox import Program

_CLOCK = frozenset(
    {"time", "datetime", "calendar", "sched", "timeit", "email", "http", "logging", "pathlib", "sqlite3", "zoneinfo"}
)
_RANDOM = frozenset({"random", "secrets", "sqlite3", "uuid", "tempfile"})
_EITHER = frozenset({"os", "posix", "importlib", "ctypes", "builtins", "sys", "runpy", "pkgutil"})
# What asks for variables, folders, hosts, users, time zones or locales besides the modules of `_EITHER`.
_AROUND = _CLOCK | word_set(
    "argparse bz2 cmd codecs concurrent configparser curses dbm fcntl filecmp fileinput gc genericpath getpass"
    " gettext glob grp gzip inspect io linecache locale lzma mimetypes mmap multiprocessing netrc ntpath optparse"
    " pathlib platform plistlib posixpath pty pwd pydoc resource select shelve shutil signal site socket"
    " ssl subprocess sysconfig tarfile tempfile termios threading tokenize traceback tty unittest urllib wave"
    " webbrowser zipfile"
)
_RUNS_TEXT = frozenset({"eval", "exec", "__import__", "compile"})
_OPENS = "open"
_REBINDS = frozenset({"globals", "setattr", "vars", "open"})
# They count, keep or remember for whoever uses them.
_KEEPS = frozenset({"functools", "gc", "itertools", "pathlib", "shelve", "sqlite3", "tempfile", "threading", "weakref"})
_TELL_ADDRESSES = frozenset({"id", "hash", "repr", "ascii"})
_CATCH = frozenset({"BaseException", "Exception", "MemoryError", "__aexit__", "__exit__"})
_SETS = frozenset({"set", "frozenset"})
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{1,40}")
_MOST_VALUES = 6
_COMPARING_METHODS = frozenset({"startswith", "endswith", "fullmatch", "match", "get"})
_MOST_NAMES = 100
_LONGEST_VALUE = 40
# What tells how a function was called, by circumstance; those that refuse many calls are tried apart.
_TELL_CIRCUMSTANCES = {
    "thread": frozenset({"_thread", "asyncio", "contextvars", "logging", "multiprocessing", "threading"}),
    "error": frozenset({"inspect", "sys", "traceback"}),
    "logging": frozenset({"logging"}),
    "loop": frozenset({"asyncio"}),
    "decimal": frozenset({"decimal"}),
}
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
    databases: bool = False
    """Whether SQL could ask for the time or for chance."""
    state: bool = False
    """Whether a call could leave something behind for later ones."""
    endures: bool = False
    """Whether it could go on where it finds no more memory."""
    circumstances: tuple[str, ...] = ()
    """How else it may be called where it could notice that."""
    packages: tuple[str, ...] = ()
    """Installed packages that it imports."""
    loads_first: bool = False
    """Whether these are loaded before a world is put in place: some cannot be loaded in one."""
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
        databases=bool(foreign) or "sqlite3" in modules,
        state=either or bool(modules & _KEEPS) or any(each.keeps_state for each in told),
        endures=any(each.endures for each in told),
        circumstances=(
            *(each for each, tell in _TELL_CIRCUMSTANCES.items() if tell & modules),
            *(("main",) if any("__name__" in each.names for each in told) else ()),
        ),
        packages=tuple(sorted(foreign)),
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
    keeps_state: bool = False
    endures: bool = False


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
        any(map(_keeps_state, nodes)),
        any(map(_endures, nodes)),
    )


def _endures(node: ast.AST) -> bool:
    """True where an error for want of memory may be caught: by its name or a wider one, or by what leaves a block."""
    if isinstance(node, ast.ExceptHandler):
        return node.type is None
    if isinstance(node, ast.Try):
        return bool(node.finalbody)
    return getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))) in _CATCH


def _keeps_state(node: ast.AST) -> bool:
    """True where something outlives a call and can change: of a module, a class, a closure or a default."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return True
    if isinstance(node, ast.Name):
        return node.id in _REBINDS
    if isinstance(node, ast.Attribute):
        # What an object keeps of its own is gone with it.
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return isinstance(node.ctx, ast.Store) and not is_own
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [*node.args.defaults, *node.args.kw_defaults]
        return bool(node.decorator_list) or not all(each is None or _is_fixed(each) for each in defaults)
    if isinstance(node, ast.Module | ast.ClassDef):
        values = [each.value for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign)]
        return not all(each is None or _is_fixed(each) for each in values)
    return False


def _is_fixed(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_fixed, node.elts))
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return all(_is_fixed(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute | ast.Subscript | ast.Lambda)


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def in_world(source: Source, world: World, reads: Reads) -> Program:
    """Return the program in this world."""
    return _in(source, _pinned(world, reads))


def elsewhere_in_memory(source: Source, places: int, world: World, reads: Reads) -> Program:
    """Return the program with its objects at other addresses, in this world if it could read anything of it."""
    return _in(source, ("shift", {"places": places}), *([_pinned(world, reads)] if reads.anything else []))


def surrounded(source: Source, around: Surroundings, reads: Reads) -> Program:
    """Return the program in these surroundings, with the clock and the randomness of every process."""
    return _in(source, ("surround", _settings(around, reads)))


def called_elsewhere(source: Source, circumstances: Sequence[str], world: World, reads: Reads) -> Program:
    """Return the program that is called in these circumstances, in this world if it could read anything of it."""
    return _in(source, ("called", {"names": circumstances}), *([_pinned(world, reads)] if reads.anything else []))


def short_of_memory(source: Source) -> Program:
    """Return the program where it is noted whenever it finds no more memory."""
    return _in(source, ("watch_memory", {}))


def _pinned(world: World, reads: Reads) -> tuple[str, dict[str, object]]:
    settings: dict[str, object] = {"moment": world.moment, "step": world.step, "seed": world.seed}
    if reads.surroundings:
        settings["around"] = _settings(world.around, reads)
    if reads.loads_first:
        settings["loaded"] = list(reads.packages)
    return "pin", {**settings, "elapsed": not reads.waits, "databases": reads.databases}


def _settings(around: Surroundings, reads: Reads) -> dict[str, object]:
    return {"names": reads.names, **asdict(around)}


def _in(source: Source, *calls: tuple[str, dict[str, object]]) -> Program:
    return replace(source.program, world=json.dumps(calls))
