"""What the verdict about one definition of a file depends on: its own text, and all that it may reach.

A slice holds the definition with the comments above it, every statement outside of definitions in the file and in the
modules that it imports, every definition that does more than to bind its name when it is read, and every definition
whose name stands in what is held already, in its code, or where its documentation shows code; of what is judged also in
its prose. With a class come its subclasses, with a name what shows it in an example. Whatever reaches definitions by
other means than their names holds everything.
So a slice is too large now and then, and never too small: while it stays the same, a verdict about the definition does,
wherever it moved.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.kinds.program.at_import import AtImport, Definition, bound_in
from probatum.kinds.program.leading import BY_OTHER_MEANS, SHOWS, leads, renamed_in, words_in
from probatum.kinds.program.proof import module_key, program_of
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.parsing.expressions import last_name
from probatum.programs.running.forging import means_of_forging
from probatum.programs.source import decoded, module_or_none
from probatum.readings.recorded import json_of
from probatum.verification.files import Slice

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_EXPORTS: Final = "__all__"
_LEFT_OUT: Final = "probatum: ignore"
"""What is left out is not judged, so that nobody says where it keeps the module from being read."""


@dataclass(frozen=True, slots=True, eq=False)
class _Segment:
    """One statement on the top level of a module, with the comments that touch it from above."""

    text: str
    line: int
    # Of a definition its name; empty for any other statement.
    name: str = ""
    words: frozenset[str] = frozenset()
    # Every word, also of what it says in plain words.
    prose: frozenset[str] = frozenset()
    # Every name in what a class extends; of these the classes of the program, or those that may note who does.
    extends: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()
    is_class: bool = False
    is_always_held: bool = True
    reaches_all: bool = False
    # What makes a definition do something when it is read, unless it is Python's own.
    trusts: frozenset[str] = frozenset()
    # What a statement gives another meaning to.
    binds: frozenset[str] = frozenset()
    # What its texts and comments may show in examples.
    shows: frozenset[str] = frozenset()
    # Calls with plain values, by what is called: they are tried as inputs.
    calls: tuple[tuple[str, str], ...] = ()
    raises: frozenset[str] = frozenset()
    # By what name something imported is called here, and its own.
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def is_function(self) -> bool:
        return bool(self.name) and not self.is_class


@lru_cache(maxsize=4096)
def _segments(content: bytes) -> tuple[_Segment, ...] | None:
    """Return what a module consists of, None where it is not Python."""
    tree = module_or_none(content)
    try:
        text = decoded(content)[1]
    except (SyntaxError, ValueError, LookupError):
        return None
    if tree is None:
        return None
    lines = _LINE_END.split(text)
    found, before = list[_Segment](), ""
    end = 0
    for node in tree.body:
        found.append(_segment(node, lines, f"{before} {node.lineno - end}"))
        before, end = found[-1].name, node.end_lineno or node.lineno
    return tuple(found)


def _segment(node: ast.stmt, lines: Sequence[str], behind: str) -> _Segment:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    first = min([node.lineno, *(each.lineno for each in decorators)])
    # Comments document what they touch from above.
    first -= sum(1 for _ in takewhile(_is_comment, reversed(lines[: first - 1])))
    text = "\n".join(lines[first - 1 : node.end_lineno])
    if isinstance(node, ast.Import | ast.ImportFrom):
        return _Segment(text, first, renamed=tuple(renamed_in(node)), binds=bound_in(node))
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if any(isinstance(each, ast.Name) and each.id == _EXPORTS for each in targets):
        return _Segment(text, first, binds=frozenset({_EXPORTS}), shows=frozenset(words_in(text)))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        # A text documents what it stands behind.
        text = f"{behind}\n{text}"
    strings = [e.value for e in ast.walk(node) if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    told = [*strings, *(line.partition("#")[2] for line in text.split("\n"))]
    words, reaches_all = leads(node, text)
    prose = frozenset(word for each in told for word in words_in(each))
    found = _Segment(text, first, words=words, prose=prose, reaches_all=reaches_all)
    raised = (e.exc for e in ast.walk(node) if isinstance(e, ast.Raise) and e.exc is not None)
    raises = frozenset(word for each in raised for word in words_in(ast.unparse(each).partition("(")[0]))
    found = replace(found, raises=raises, calls=tuple(_plain_calls(node)))
    return _defined(found, node, told) if isinstance(node, _DEFINITIONS) else replace(found, binds=bound_in(node))


def _defined(found: _Segment, node: Definition, told: Sequence[str]) -> _Segment:
    does = AtImport(node)
    shown = (line for each in told for line in each.split("\n") if SHOWS.search(line))
    is_hook = node.name.startswith("__") and node.name.endswith("__")
    return replace(
        found,
        name=node.name,
        extends=does.extends,
        bases=does.bases,
        is_class=isinstance(node, ast.ClassDef),
        is_always_held=does.acts or is_hook or _LEFT_OUT in found.text,
        trusts=does.trusts,
        shows=frozenset(word for each in shown for word in words_in(each)),
    )


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _plain_calls(node: ast.stmt) -> Iterator[tuple[str, str]]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and (name := last_name(each.func)):
            given = (*each.args, *(keyword.value for keyword in each.keywords))
            inner = [part for value in given for part in ast.walk(value)]
            if not any(isinstance(part, ast.Name | ast.Attribute | ast.Starred) for part in inner):
                yield name, ast.unparse(each)


class _Project:
    """The segments of a file and of the modules that it imports."""

    def __init__(self, request: ProgramRequest) -> None:
        own = module_key(request.module, request.name)
        modules = {own: _segments(request.content), **{name: _segments(each) for name, each in request.siblings}}
        self.own = modules[own]
        self.is_read = all(each is not None for each in modules.values())
        self.all = [(module, each) for module, segments in modules.items() for each in segments or ()]
        self._named: dict[str, list[tuple[str, _Segment]]] = defaultdict(list)
        self._extending: dict[str, list[tuple[str, _Segment]]] = defaultdict(list)
        self._renamed: dict[str, set[str]] = defaultdict(set)
        self._shown: dict[str, list[tuple[str, _Segment]]] = defaultdict(list)
        self._calls: dict[str, list[str]] = defaultdict(list)
        # Other names for something: examples that use them are about the same.
        self._also: dict[str, set[str]] = defaultdict(set)
        for pair in self.all:
            self._enter(pair, is_own=pair[0] == own)
        bound = frozenset(self._named).union(*(each.binds for _, each in self.all))
        always = [pair for pair in self.all if self._is_always_held(pair[1], bound)]
        self._always, self._reaches_all = self._closed(always)

    def _enter(self, pair: tuple[str, _Segment], *, is_own: bool) -> None:
        segment = pair[1]
        if segment.name:
            self._named[segment.name].append(pair)
        for base in segment.extends:
            self._extending[base].append(pair)
        for known_as, name in segment.renamed:
            self._renamed[known_as].add(name)
        for name, call in segment.calls:
            self._calls[name].append(call)
        for word in segment.shows if is_own else ():
            self._shown[word].append(pair)
        for word in segment.words if segment.binds and is_own else ():
            self._also[word] |= segment.binds

    def _is_always_held(self, segment: _Segment, bound: frozenset[str]) -> bool:
        """Whether a segment does something when it is read, or may: a class from elsewhere may note who extends it."""
        return segment.is_always_held or not bound.isdisjoint(segment.trusts) or not segment.bases <= set(self._named)

    def held(self, *segments: _Segment) -> list[tuple[str, _Segment]] | None:
        """Return everything that these segments of the file may reach, in order; None for all there is."""
        module = self.all[0][0] if self.all else ""
        held, reaches_all = self._closed([(module, each) for each in segments], self._always)
        return None if reaches_all or self._reaches_all else [pair for pair in self.all if pair in held]

    def tried(self, names: Iterable[str]) -> list[str]:
        """Return the calls with plain values that the project writes of these."""
        return [
            call
            for name in sorted({each for name in names for each in self._called(name)})
            for call in self._calls.get(name, ())
        ]

    def _called(self, name: str) -> set[str]:
        """Return a name, and by which others it may be called."""
        found, waiting = set[str](), [name]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self._also.get(each, ())
        return found

    def _closed(
        self, waiting: list[tuple[str, _Segment]], known: frozenset[tuple[str, _Segment]] | None = None
    ) -> tuple[frozenset[tuple[str, _Segment]], bool]:
        asked, words = set(waiting), set[str]()
        # The documentation of what is asked about is read, and with a class that of its family.
        with_family = any(each.is_class for _, each in asked)
        held = {pair for pair in known or () if pair not in asked and not (with_family and pair[1].is_class)}
        reaches_all = False
        while waiting:
            pair = waiting.pop()
            if pair in held:
                continue
            held.add(pair)
            segment = pair[1]
            reaches_all = reaches_all or segment.reaches_all
            waiting += self._extending.get(segment.name, ()) if segment.is_class else ()
            if segment.name:
                waiting += [shown for name in self._called(segment.name) for shown in self._shown.get(name, ())]
            is_read = known is not None and (pair in asked or (with_family and segment.is_class))
            said = segment.words | segment.prose if is_read else segment.words
            fresh = [word for word in said if word not in words]
            while fresh:
                word = fresh.pop()
                words.add(word)
                waiting += self._named.get(word, ())
                further = self._renamed.get(word, set())
                reaches_all = reaches_all or not BY_OTHER_MEANS.isdisjoint(further)
                fresh += [each for each in further if each not in words]
        return frozenset(held.union(known or ())), reaches_all


def slices_of(request: ProgramRequest, about: bytes, *, is_compared: bool = False) -> tuple[Slice, ...]:
    """Return a slice for every definition of a program, and one without a name for what no definition makes.

    ``about`` is what else verdicts depend on, such as options and versions. There is none for what is not Python.
    Where slices are compared with those of another version, which other definitions there are makes no difference.
    """
    project = _Project(request)
    if project.own is None or not project.is_read:
        return ()
    facts = _facts(request, about, frozenset().union(*(each.raises for each in project.own)))
    definitions = [each for each in project.own if each.name]
    # What a file says beside its functions is told with the first of them that is judged.
    classes = [each for each in definitions if each.is_class]
    exports = [each.shows for each in project.own if _EXPORTS in each.binds]
    names = "" if is_compared else ",".join(each.name for each in definitions)
    may_be_first = True
    everything = [names, *project.tried(each.name for each in definitions)]
    outside = [(module, each) for module, each in project.all if each in project.own and not each.name]
    found = [
        Slice("", _digest(facts, project.all, request, None, everything), _digest(b"", outside, request, set(), ()), ())
    ]
    by_name: dict[str, list[_Segment]] = defaultdict(list)
    for each in definitions:
        by_name[each.name].append(each)
    for name, segments in by_name.items():
        further = classes if may_be_first else ()
        held = project.held(*segments, *further)
        own = [each for _, each in held or project.all if each in project.own]
        known = {each.name for each in own}
        told = [names if may_be_first else "", *project.tried([name])]
        if held is None:
            told += _contents(request)
        digest = _digest(facts, held or project.all, request, None if may_be_first else known, told)
        lines = tuple((each.line, each.text.count("\n") + 1) for each in own)
        alone = [("", each) for each in segments]
        found.append(Slice(name, digest, _digest(b"", alone, request, {name}, ()), lines))
        is_judged = not name.startswith("_") and all(name in each for each in exports)
        may_be_first = may_be_first and not (is_judged and any(each.is_function for each in segments))
    return tuple(found)


def _contents(request: ProgramRequest) -> Iterator[str]:
    """Yield the whole text of a program and of its modules: what reaches everything may also look at lines."""
    for content in (request.content, *(each for _, each in request.siblings)):
        yield hashlib.sha256(content).hexdigest()


def _digest(
    facts: bytes,
    held: Iterable[tuple[str, _Segment]],
    request: ProgramRequest,
    known: set[str] | None,
    told: Iterable[str],
) -> str:
    digest = hashlib.sha256(facts + b"".join(_text_digest(module, segment) for module, segment in held))
    for part in (*_readings(request, known), *told):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


@lru_cache(maxsize=16384)
def _text_digest(module: str, segment: _Segment) -> bytes:
    return hashlib.sha256(repr((module, segment.name, segment.text)).encode("utf-8", "surrogatepass")).digest()


def _readings(request: ProgramRequest, known: set[str] | None) -> Iterator[str]:
    """Yield the readings of what is held; of everything for None."""
    for record in request.readings:
        if known is None or record.function.partition(".")[0] in known:
            yield canonical_bytes(json_of(record)).decode()


def _facts(request: ProgramRequest, about: bytes, raised: Iterable[str]) -> bytes:
    """Return the digest of everything beside texts and readings that a verdict depends on."""
    digest = hashlib.sha256(about)
    # Decided over whole files: whether what runs beside the program counts, and which exceptions are meant.
    means = means_of_forging(program_of(request), request.tree)[:1]
    told = (
        *(request.name, request.module, request.level.value, f"{request.min_strength!r}", request.evidence.value),
        *(request.readings_policy, request.acceptance, repr(request.not_counted), str(request.allow_unchecked)),
        *(request.left_out, request.repeated_with, request.function or "", request.installed_in),
        *((path, hashlib.sha256(content).hexdigest()) for path, content in request.files),
        *([re.sub(r"\d+", "", each) for each in means], sorted(raised), [name for name, _ in request.siblings]),
    )
    digest.update(repr(told).encode("utf-8", "surrogatepass"))
    return digest.digest()
