"""The shape of the code: short files and functions, frozen values, a docstring for every module, honest names.

What lies between the aim and the gate needs a reason here; nothing passes the gate.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.house.sources import ROOT, package_modules, repository_files

FILE_AIM, FILE_GATE = 400, 500
FUNCTION_AIM, FUNCTION_GATE = 60, 80
LARGEST_FILE = 512 * 1024

LONGER_THAN_THE_AIM: Mapping[str, str] = {}
"""``path`` or ``path:function`` to the reason why it is longer than its aim."""

NOT_FROZEN: Mapping[str, str] = {
    "probatum.app.asking:LinesReport": "counts the lines of one stream as they are answered",
    "probatum.app.checking:RunReport": "counts the files of one run as they are answered",
    "probatum.app.kept:KeptAnswers": "holds what is to be kept until it is written",
    "probatum.app.standing:RunStanding": "collects the parts of one run as they are answered",
    "probatum.workers.frames:FrameReader": "what was received so far",
    "probatum.workers.pool:PoolJob": "bookkeeping of a running pool, changed while it works",
    "probatum.workers.pool:_Worker": "bookkeeping of a running pool, changed while it works",
    "probatum.programs.examples.clauses:Findings": "collects what one document yields while it is read",
    "probatum.programs.faults.work_limit:_Splicer": "collects the insertions into one source while it is read",
}
"""``module:Class`` to the reason why this dataclass is not frozen with slots."""

EMPTY_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common|stuff)(_|$)")
LEFT_FOR_LATER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
IGNORED_TYPE = re.compile(r"#\s*type:\s*ignore")
EXPLAINED_IGNORE = re.compile(r"#\s*type:\s*ignore\[[a-z-]+(,\s*[a-z-]+)*\]\s*#\s*\w+")

_PYTHON = tuple(path for path in repository_files(".py") if "tests" not in path.relative_to(ROOT).parts)


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_class_is_defined_under_a_name_twice() -> None:
    """One word, one meaning, private classes too; a package may export a class under another name as well."""
    places: dict[str, list[str]] = {}
    for module in package_modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{module.shown}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_files_and_functions_are_short() -> None:
    too_long = {}
    for path in _PYTHON:
        text = path.read_text(encoding="utf-8")
        lengths = {_shown(path): (text.count("\n") + 1, FILE_AIM, FILE_GATE)}
        for function in _functions(ast.parse(text)):
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            lengths[f"{_shown(path)}:{function.name}"] = (length, FUNCTION_AIM, FUNCTION_GATE)
        for name, (length, aim, gate) in lengths.items():
            if length > gate or (length > aim and name not in LONGER_THAN_THE_AIM):
                too_long[name] = length
    assert not too_long


def test_modules_say_what_they_are_for() -> None:
    documents = {_shown(path): ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for path in _PYTHON}
    assert [name for name, document in documents.items() if len(document.split()) < 3] == []


def _is_frozen(decorator: ast.expr) -> bool:
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    chosen = {keyword.arg: ast.unparse(keyword.value) for keyword in keywords}
    return (chosen.get("frozen"), chosen.get("slots")) == ("True", "True")


def _dataclass_decorators(node: ast.ClassDef) -> Iterator[ast.expr]:
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called).rsplit(".", 1)[-1] == "dataclass":
            yield decorator


def test_dataclasses_are_frozen_with_slots() -> None:
    loose = [
        f"{module.name}:{node.name}"
        for module in package_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        for decorator in _dataclass_decorators(node)
        if not _is_frozen(decorator)
    ]
    assert [name for name in loose if name not in NOT_FROZEN] == []


def test_modules_are_named_after_what_they_do() -> None:
    names = [_shown(path) for path in repository_files(".py")]
    steps = {name: [part.removesuffix(".py") for part in name.split("/")] for name in names}
    assert [name for name, parts in steps.items() if any(EMPTY_NAMES.search(part) for part in parts)] == []


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_no_code_is_left_for_later_and_every_ignored_type_says_why() -> None:
    found = []
    for path in repository_files(".py", ".pyi"):
        for line, comment in _comments(path.read_text(encoding="utf-8")):
            if LEFT_FOR_LATER.search(comment):
                found.append(f"{_shown(path)}:{line} {comment}")
            if IGNORED_TYPE.search(comment) and not EXPLAINED_IGNORE.search(comment):
                found.append(f"{_shown(path)}:{line} {comment}; wanted: # type: ignore[code]  # why")
    assert not found


def test_no_document_is_left_for_later() -> None:
    found = [
        f"{_shown(path)}:{number}"
        for path in repository_files(".md", ".toml", ".sh")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if LEFT_FOR_LATER.search(line)
    ]
    assert not found


def test_no_file_is_large() -> None:
    large = [_shown(path) for path in repository_files() if path.stat().st_size > LARGEST_FILE]
    assert not large, "what a run has left behind does not belong in the repository"


def test_reasons_still_have_their_cause() -> None:
    named = {name.partition(":")[0] for name in LONGER_THAN_THE_AIM}
    assert all((ROOT / name).is_file() for name in named)
    modules = {module.name for module in package_modules()}
    assert {name.partition(":")[0] for name in NOT_FROZEN} <= modules
