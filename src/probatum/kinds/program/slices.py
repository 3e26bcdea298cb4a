"""What the verdict about one definition of a file depends on: its own text, and all that it may reach.

A slice holds the definition, every statement outside of definitions in the file and in the modules that it imports, and
every definition whose name stands anywhere in what is held already, in code, text or comment; with a class also its
subclasses. Whatever reaches definitions by other means than their names holds everything. So a slice is too large now
and then, and never too small: while it stays the same, a verdict about the definition does, wherever it moved.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.kinds.program.proof import module_key
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.source import module_or_none
from probatum.readings.recorded import json_of
from probatum.verification.files import Slice

_WORD: Final = re.compile(r"[^\W\d]\w*")
_NAMED_ATTRIBUTE: Final = re.compile(r"\b[gs]etattr\(\s*[\w.]+,\s*[\"']")
_BY_OTHER_MEANS: Final = frozenset(
    {
        *("eval", "exec", "compile", "globals", "locals", "vars", "dir", "__dict__", "__subclasses__", "__import__"),
        *("import_module", "reload", "attrgetter", "methodcaller", "currentframe", "_getframe", "getmembers"),
        *("get_objects", "get_referrers", "settrace", "setprofile", "find_spec", "run_module"),
    }
)
"""Words that lead to definitions whose names do not stand beside them."""
_KEEPS_NOTHING: Final = frozenset(
    {
        *("property", "staticmethod", "classmethod", "cache", "lru_cache", "cached_property", "dataclass", "wraps"),
        *("overload", "final", "override", "abstractmethod", "total_ordering", "contextmanager", "singledispatch"),
    }
)
"""Decorators that enter what they decorate nowhere."""
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class _Segment:
    """One statement on the top level of a module."""

    text: str
    line: int
    # Of a definition its name; empty for any other statement.
    name: str = ""
    words: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()
    is_class: bool = False
    is_always_held: bool = True
    reaches_all: bool = False
    # By what name something imported is called here, and its own.
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def is_public_function(self) -> bool:
        return bool(self.name) and not self.is_class and not self.name.startswith("_")


@lru_cache(maxsize=4096)
def _segments(content: bytes) -> tuple[_Segment, ...] | None:
    """Return what a module consists of, None where it is not Python."""
    tree = module_or_none(content)
    if tree is None:
        return None
    lines = content.decode("utf-8-sig", "replace").splitlines()
    return tuple(_segment(node, lines) for node in tree.body)


def _segment(node: ast.stmt, lines: Sequence[str]) -> _Segment:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    start = min([node.lineno, *(each.lineno for each in decorators)])
    text = "\n".join(lines[start - 1 : node.end_lineno])
    if isinstance(node, ast.Import | ast.ImportFrom):
        renamed = [(each.asname, each.name.rpartition(".")[2]) for each in node.names if each.asname]
        return _Segment(text, start, renamed=tuple(renamed))
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
        return _Segment(text, start)
    words = frozenset(_WORD.findall(text))
    plain_access = len(_NAMED_ATTRIBUTE.findall(text))
    computed = sum(len(re.findall(rf"\b{name}\b", text)) for name in ("getattr", "setattr")) > plain_access
    reaches_all = not words.isdisjoint(_BY_OTHER_MEANS) or computed or {"sys", "modules"} <= words
    if not isinstance(node, _DEFINITIONS):
        return _Segment(text, start, words=words, reaches_all=reaches_all)
    kept = [each for each in decorators if not _KEEPS_NOTHING.intersection(_WORD.findall(ast.unparse(each)))]
    is_hook = node.name.startswith("__") and node.name.endswith("__")
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    named = frozenset(word for base in bases for word in _WORD.findall(ast.unparse(base)))
    return _Segment(
        text, start, node.name, words, named, isinstance(node, ast.ClassDef), bool(kept) or is_hook, reaches_all
    )


class _Project:
    """The segments of a file and of the modules that it imports."""

    def __init__(self, request: ProgramRequest) -> None:
        own = module_key(request.module, request.name)
        modules = {own: _segments(request.content), **{name: _segments(each) for name, each in request.siblings}}
        self.own = modules[own]
        self.is_read = all(each is not None for each in modules.values())
        self._all = [(module, each) for module, segments in modules.items() for each in segments or ()]
        self._named: dict[str, list[tuple[str, _Segment]]] = defaultdict(list)
        self._extending: dict[str, list[tuple[str, _Segment]]] = defaultdict(list)
        self._renamed: dict[str, set[str]] = defaultdict(set)
        for module, each in self._all:
            if each.name:
                self._named[each.name].append((module, each))
            for base in each.bases:
                self._extending[base].append((module, each))
            for known_as, name in each.renamed:
                self._renamed[known_as].add(name)
        self._always, self._reaches_all = self._closed([pair for pair in self._all if pair[1].is_always_held])

    def held(self, *segments: _Segment) -> list[tuple[str, _Segment]]:
        """Return everything that these segments of the file may reach, in order."""
        module = next(iter(self._all))[0] if self._all else ""
        held, reaches_all = self._closed([(module, each) for each in segments], self._always)
        if reaches_all or self._reaches_all:
            return self._all
        return [pair for pair in self._all if pair in held]

    def _closed(
        self, waiting: list[tuple[str, _Segment]], known: frozenset[tuple[str, _Segment]] = frozenset()
    ) -> tuple[frozenset[tuple[str, _Segment]], bool]:
        held, words = set(known), set[str]()
        reaches_all = False
        while waiting:
            pair = waiting.pop()
            if pair in held:
                continue
            held.add(pair)
            segment = pair[1]
            reaches_all = reaches_all or segment.reaches_all
            waiting += self._extending.get(segment.name, ()) if segment.is_class else ()
            fresh = [word for word in segment.words if word not in words]
            while fresh:
                word = fresh.pop()
                words.add(word)
                waiting += self._named.get(word, ())
                fresh += [each for each in self._renamed.get(word, ()) if each not in words]
        return frozenset(held), reaches_all


def slices_of(request: ProgramRequest, about: bytes, *, is_compared: bool = False) -> tuple[Slice, ...]:
    """Return a slice for every definition of a program, and one without a name for what no definition makes.

    ``about`` is what else verdicts depend on, such as options and versions. There is none for what is not Python.
    Where slices are compared with those of another version, which other definitions there are makes no difference.
    """
    project = _Project(request)
    if project.own is None or not project.is_read:
        return ()
    facts = _facts(request, about)
    definitions = [each for each in project.own if each.name]
    # What a file says beside its functions is told with the first of them that is judged.
    classes = [each for each in definitions if each.is_class]
    names = "" if is_compared else ",".join(each.name for each in definitions)
    may_be_first = True
    found = [Slice("", _digest(facts, [("", each) for each in project.own], request, None, names), ())]
    by_name: dict[str, list[_Segment]] = defaultdict(list)
    for each in definitions:
        by_name[each.name].append(each)
    for name, segments in by_name.items():
        further = classes if may_be_first else ()
        held = project.held(*segments, *further)
        own = [each for _, each in held if each in project.own]
        known = {each.name for each in own}
        digest = _digest(facts, held, request, None if may_be_first else known, names if may_be_first else "")
        lines = tuple((each.line, each.text.count("\n") + 1) for each in own)
        found.append(Slice(name, digest, lines))
        may_be_first = may_be_first and not any(each.is_public_function for each in segments)
    return tuple(found)


def _digest(
    facts: bytes,
    held: Iterable[tuple[str, _Segment]],
    request: ProgramRequest,
    known: set[str] | None,
    names: str,
) -> str:
    digest = hashlib.sha256(facts)
    for part in (*_texts(held), *_readings(request, known), names):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


def _texts(held: Iterable[tuple[str, _Segment]]) -> Iterator[str]:
    for module, segment in held:
        yield from (module, segment.name, segment.text)


def _readings(request: ProgramRequest, known: set[str] | None) -> Iterator[str]:
    """Yield the readings of what is held; of everything for None."""
    for record in request.readings:
        if known is None or record.function.partition(".")[0] in known:
            yield canonical_bytes(json_of(record)).decode()


def _facts(request: ProgramRequest, about: bytes) -> bytes:
    """Return the digest of everything beside texts and readings that a verdict depends on."""
    digest = hashlib.sha256(about)
    told = (
        *(request.name, request.module, request.level.value, f"{request.min_strength!r}", request.evidence.value),
        *(request.readings_policy, request.acceptance, repr(request.not_counted), str(request.allow_unchecked)),
        *(request.left_out, request.repeated_with, request.function or "", request.installed_in, request.suggest),
        *((path, hashlib.sha256(content).hexdigest()) for path, content in request.files),
    )
    digest.update(repr(told).encode("utf-8", "surrogatepass"))
    return digest.digest()
