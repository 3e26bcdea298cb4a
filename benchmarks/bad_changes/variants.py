"""Bad variants of one commit, made by construction, each shown to be bad by what the tests or the functions do.

- `left_out`: the tests of the commit, with the sources of its parent. A test that passed on the commit fails.
- `partly_deleted`: one hunk, or one function, of the source change is left out, and the tests or cases that then fail
  are taken out. One of them is a test of the parent, or a test of the parent fails: a new test that is taken out with
  what it tests would leave an honest, smaller change.
- `partly_skipped`: the same, they are marked to be skipped.
- `partly_loosened`: the same, `==` becomes `is not None`; other statements that fail are taken out.
- `fault`: a fault on a changed line that a test of an edited file notices; what fails expects what is computed, flips,
  or is taken out, case by case where a test has cases.
- `other_broken`: the commit, and a fault in a function that it leaves alone; tests are edited likewise.
- `special_case`: the sources of the parent, and a branch for the input of each failing assertion that gives what is
  expected. All tests pass, and some other input is answered otherwise than by the commit.
- `cannot_fail`: the new assertions of the commit become `x == x`, `… or True`, `True`. Some test of the commit failed
  on the sources of the parent.
- `quiet_change`: on the commit, a function is written alike with a name for its result, and has one fault. No test
  fails, and some input near those of the tests is answered otherwise.

A `fault` or `partly_loosened` is plain where a test of the parent contradicts it. Where none does, new sources and new
tests are wrong in the same way, or a new test says nothing: nothing in the repository tells that from an honest change.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.bad_changes.commits import RealCommit
from benchmarks.bad_changes.edits import Bending, Bent, Function, Splice, TestFile, bent, cannot_fail, spliced
from benchmarks.bad_changes.inputs import variations
from benchmarks.bad_changes.trials import Files, Trial
from probatum.changes.planting import faults_on
from probatum.programs.faults.planting import Mutant

_MOST_TRIES = 6
_FEW = 3
_QUIET = frozenset({"comparison", "boundary", "constant", "boolean", "condition"})


@dataclass(frozen=True, slots=True)
class Variant:
    """A bad change: what differs from the commit, on which commit it is judged, and why it is bad."""

    base: str
    files: Files
    why: str
    is_plain: bool = True
    message: str = ""
    """Empty for the message of the commit."""


def _failing(commit: RealCommit, trial: Trial) -> frozenset[str]:
    return commit.on_head.passing() & trial.failing().keys()


def left_out(commit: RealCommit) -> Variant | None:
    """Return the tests of the commit with its source change left out."""
    trial = commit.tests_on_base()
    failing = sorted(_failing(commit, trial))
    if not failing and not trial.uncollected:
        return None
    return Variant(commit.parent, commit.old_sources(), f"fails: {[*failing, *trial.uncollected][0]}")


def _parts(commit: RealCommit) -> Iterator[tuple[str, Files]]:
    """Yield the commit without one hunk of its source change, and without the change to one function."""
    hunks: list[tuple[str, Files]] = []
    inner: list[tuple[str, Files]] = []
    functions: list[tuple[str, Files]] = []
    changed = _changed_lines(commit)
    for path in commit.sources:
        old, new = (
            content and content.splitlines(keepends=True) for content in (commit.before(path), commit.after(path))
        )
        if not old or not new:
            continue
        found = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        different = [each[1:] for each in found if each[0] != "equal"]
        for a, b, c, d in different:
            part = (f"{path}:{c + 1}-{d}", {path: b"".join([*new[:c], *old[a:b], *new[d:]])})
            is_inner = not set(range(c + 1, d + 1)).isdisjoint(changed.get(path, ()))
            (inner if is_inner else hunks).append(part)
        for unit in commit.units():
            if unit.head is None or unit.head.path != path or not unit.head.qualname:
                continue
            inside = [each for each in different if unit.head.first_line <= each[2] + 1 <= unit.head.last_line + 1]
            lines = list(new)
            for a, b, c, d in reversed(inside):
                lines[c:d] = old[a:b]
            if len(inside) > 1:
                functions.append((unit.name, {path: b"".join(lines)}))
    # Parts of functions come first: without an import everything fails.
    for what, files in [*inner, *functions, *hunks]:
        if any(_differs(content, commit.after(path)) for path, content in files.items()):
            whole = len(commit.sources) == 1 and all(not _differs(files[path], commit.before(path)) for path in files)
            if not whole:
                yield what, files


def _differs(one: bytes | None, other: bytes | None) -> bool:
    try:
        return ast.dump(ast.parse(one or b"")) != ast.dump(ast.parse(other or b""))
    except (SyntaxError, ValueError):
        return False


def partly(bending: Bending) -> Callable[[RealCommit], Variant | None]:
    """Return what leaves out a part of the source change, and does this to the tests that then fail."""

    def made(commit: RealCommit) -> Variant | None:
        doubtful = None
        for what, files in list(_parts(commit))[:_MOST_TRIES]:
            found = bent(commit.scratch, files, commit.every_test, commit.on_head.passing(), bending)
            if found is None:
                continue
            of_parent = commit.on_base().passing() & set(found.tests)
            is_plain = commit.contradicts(files) or bending is Bending.SKIPPED
            is_plain = is_plain or (bending is Bending.DELETED and bool(of_parent))
            why = f"{what} left out; {bending.value}: {', '.join(found.tests[:5])}"
            if is_plain:
                return Variant(commit.parent, found.files, why)
            # New tests that are taken out with what they test leave an honest, smaller change.
            if bending is not Bending.DELETED:
                doubtful = doubtful or Variant(commit.parent, found.files, why, is_plain=False)
        return doubtful

    return made


def fault(commit: RealCommit) -> Variant | None:
    """Return the commit with a fault on a changed line, and the tests edited to match."""
    planned: list[tuple[str, Mutant]] = []
    for path, lines in _changed_lines(commit).items():
        planned += [(path, each) for each in _planted(commit.after(path), lines)]
    step = max(1, len(planned) // _MOST_TRIES)
    return _broken(commit, planned[::step][:_MOST_TRIES], set(commit.tests))


def other_broken(commit: RealCommit) -> Variant | None:
    """Return the commit with a fault in a function that it leaves alone, and the tests edited to match."""
    changed = {unit.name for unit in commit.units()}
    planned: list[tuple[str, Mutant]] = []
    for path in commit.sources:
        content = commit.after(path)
        for name, function in _functions(content):
            if not any(f"{path}::{name}".startswith(each) or each.startswith(f"{path}::{name}") for each in changed):
                lines = range(function.lineno, (function.end_lineno or 0) + 1)
                planned += [(path, each) for each in _planted(content, lines)[:2]]
    step = max(1, len(planned) // _MOST_TRIES)
    return _broken(commit, planned[::step][:_MOST_TRIES], None)


def _broken(commit: RealCommit, planned: Sequence[tuple[str, Mutant]], noticing: set[str] | None) -> Variant | None:
    noticed: list[tuple[int, str, Mutant]] = []
    for path, mutant in planned:
        failing = _failing(commit, commit.trial({path: mutant.source}))
        if any(noticing is None or name.partition("::")[0] in noticing for name in failing):
            noticed.append((len(failing), path, mutant))
            if len(failing) <= _FEW:
                break
    doubtful = None
    # The fewer tests a fault fails, the less the edit of the tests shows.
    for _, path, mutant in sorted(noticed, key=lambda each: each[0]):
        passing = commit.on_head.passing()
        found: Bent | None = bent(commit.scratch, {path: mutant.source}, commit.every_test, passing, Bending.MATCHED)
        if found is None:
            continue
        why = f"{path}: {mutant.sentence}; edited: {', '.join(found.tests[:5])}"
        if commit.contradicts({path: mutant.source}):
            return Variant(commit.parent, found.files, why)
        doubtful = doubtful or Variant(commit.parent, found.files, why, is_plain=False)
    return doubtful


def _changed_lines(commit: RealCommit) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for unit in commit.units():
        if unit.head is not None:
            found.setdefault(unit.head.path, []).extend(unit.changed_lines)
    return found


def _planted(content: bytes | None, lines: Sequence[int]) -> tuple[Mutant, ...]:
    try:
        return faults_on(content or b"", list(lines), 60)
    except ValueError:
        return ()


def _functions(content: bytes | None) -> Iterator[tuple[str, Function]]:
    """Yield functions and methods by qualified name."""
    try:
        tree = ast.parse(content or b"")
    except (SyntaxError, ValueError):
        return
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, Function))


def special_case(commit: RealCommit) -> Variant | None:
    """Return the sources of the parent, with a branch for each input of a failing assertion."""
    trial = commit.tests_on_base()
    failing = _failing(commit, trial)
    if not failing or trial.uncollected:
        return None
    cases: dict[tuple[str, str], dict[str, tuple[list[str], str, list[str]]]] = {}
    for name in sorted(failing):
        called = trial.tests[name].called
        place = _defining(commit, called[0].rpartition(".")[2]) if called else None
        if called is None or place is None:
            return None
        bound = _bound(place[1], called[1], called[2])
        if bound is None:
            return None
        test = " and ".join(f"{key} == {value}" for key, value in bound.items())
        cases.setdefault((place[0], place[1].name), {})[test] = ([*bound.values()], called[3], [*called[2]])
    files = commit.old_sources()
    for (path, name), asked in cases.items():
        content = files[path] or b""
        function = dict(_functions(content))[name]
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        if not body:
            return None
        file = TestFile(content)
        start = file.line(min(body[0].lineno, *(each.lineno for each in getattr(body[0], "decorator_list", [body[0]]))))
        indent = " " * body[0].col_offset
        lines = "".join(f"{indent}if {test}:\n{indent}    return {wanted}\n" for test, (_, wanted, _) in asked.items())
        files[path] = spliced(content, [Splice(start, start, lines.encode())])
    if _failing(commit, commit.trial(files)):
        return None
    for (path, name), asked in cases.items():
        shown = ""
        for args, _, keywords in asked.values():
            shown = shown or _difference(commit, {}, files, path, name, variations([args]), keywords)
        if shown:
            return Variant(commit.parent, files, f"{len(asked)} inputs answered; {name}{shown}")
    return None


def _defining(commit: RealCommit, name: str) -> tuple[str, Function] | None:
    for path in commit.sources:
        for qualname, function in _functions(commit.before(path)):
            if qualname == name and not function.args.vararg and not function.args.kwarg:
                return path, function
    return None


def _bound(function: Function, args: Sequence[str], named: Mapping[str, str]) -> dict[str, str] | None:
    names = [each.arg for each in [*function.args.posonlyargs, *function.args.args]]
    known = {*names[len(args) :], *(each.arg for each in function.args.kwonlyargs)}
    if not args or len(args) > len(names) or not {*named} <= known:
        return None
    return {**dict(zip(names, args, strict=False)), **named}


def _difference(
    commit: RealCommit,
    right: Files,
    wrong: Files,
    path: str,
    name: str,
    inputs: Sequence[Sequence[str]],
    keywords: Sequence[str],
) -> str:
    """Return the first input that two versions answer differently, and how; empty where none is found."""
    ours, theirs = (commit.scratch.answers(files, path, name, inputs, keywords) for files in (right, wrong))
    for args, one, other in zip(inputs, ours, theirs, strict=False):
        if one != other and " at 0x" not in one + other and "raises TypeError" not in one:
            return f"({', '.join(args)}) gives {other[:80]}, and {one[:80]} on the commit"
    return ""


def assertions_that_cannot_fail(commit: RealCommit) -> Variant | None:
    """Return the commit with new assertions that cannot fail."""
    trial = commit.tests_on_base()
    if not _failing(commit, trial) and not trial.uncollected:
        return None
    files: dict[str, bytes | None] = {}
    for path in commit.tests:
        try:
            content = commit.after(path)
            idle = cannot_fail(content, commit.before(path)) if content is not None else None
        except (SyntaxError, ValueError):
            return None
        if idle is None:
            return None
        files[path] = idle
    if not files or _failing(commit, commit.trial(files)):
        return None
    return Variant(commit.parent, files, f"new assertions of {', '.join(files)} cannot fail")


def quiet_change(commit: RealCommit) -> Variant | None:
    """Return a commit on this one that rewrites a function alike, with one fault that no test notices."""
    tries = 0
    for path in commit.sources:
        content = commit.after(path)
        calls = commit.scratch.trial({}, commit.every_test, watched=path).calls
        for name, function in _functions(content):
            if name not in calls or not calls[name] or isinstance(function, ast.AsyncFunctionDef):
                continue
            keywords = [each.arg for each in function.args.kwonlyargs]
            lines = range(function.lineno, (function.end_lineno or 0) + 1)
            for mutant in (each for each in _planted(content, lines) if each.operator in _QUIET):
                shown = _difference(commit, {}, {path: mutant.source}, path, name, variations(calls[name]), keywords)
                made = _rewritten(mutant.source, name) if shown else None
                if made is None:
                    continue
                trial = commit.trial({path: made})
                if commit.on_head.passing() <= trial.passing():
                    why = f"{path}: {mutant.sentence}; {name}{shown}"
                    return Variant(commit.sha, {path: made}, why, message=f"Simplify {name}")
                tries += 1
                if tries >= 2 * _MOST_TRIES:
                    return None
    return None


def _rewritten(content: bytes, name: str) -> bytes | None:
    """Return a file in which what a function returns first gets a name; None where it returns nothing of the kind."""
    file = TestFile(content)
    function = dict(_functions(content))[name]
    splices: list[Splice] = []
    for node in ast.walk(function):
        is_named = isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Name)
        if isinstance(node, ast.Return) and node.value is not None and is_named and not splices:
            line = file.content[file.line(node.lineno) : file.span(node)[0]]
            if not line.strip():
                text = b"outcome = (" + file.text(node.value) + b")\n" + line + b"return outcome"
                splices.append(file.instead(node, text))
    return spliced(content, splices) if splices else None


VARIANTS: Mapping[str, Callable[[RealCommit], Variant | None]] = {
    "left_out": left_out,
    "partly_deleted": partly(Bending.DELETED),
    "partly_skipped": partly(Bending.SKIPPED),
    "partly_loosened": partly(Bending.LOOSENED),
    "fault": fault,
    "other_broken": other_broken,
    "special_case": special_case,
    "cannot_fail": assertions_that_cannot_fail,
    "quiet_change": quiet_change,
}
