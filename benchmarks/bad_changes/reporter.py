"""A pytest plugin for trials: how each test ended, where it failed, and what its failing assertion computed.

It runs in the Python of the project that is measured, so it imports nothing but pytest. With ``TRIAL_CALLS`` it also
writes down the calls of the functions of one file whose arguments can be written out. Refuses to guess: what cannot be
written out as a literal is left out.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from types import FrameType, TracebackType

import pytest

_LONGEST = 2_000
_MOST_CALLS = 40
_ENDS: dict[str, dict[str, object]] = {}
_UNCOLLECTED: list[str] = []
_CALLS: dict[str, list[list[str]]] = {}


def literal(value: object) -> str:
    """Return a value as Python writes it, empty where that does not give the value back."""
    try:
        text = repr(value)
        same = len(text) <= _LONGEST and ast.literal_eval(text) == value
    except Exception:  # noqa: BLE001  # values of any project
        return ""
    return text if same else ""


def _frames(traceback: TracebackType | None, root: Path) -> Iterator[tuple[FrameType, str, int]]:
    while traceback is not None:
        path = Path(traceback.tb_frame.f_code.co_filename)
        if path.is_relative_to(root) and "test" in str(path.relative_to(root)):
            yield traceback.tb_frame, path.relative_to(root).as_posix(), traceback.tb_lineno
        traceback = traceback.tb_next


def _statement(frame: FrameType, line: int) -> ast.stmt | None:
    try:
        tree = ast.parse(Path(frame.f_code.co_filename).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    around = [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]
    around = [each for each in around if each.lineno <= line <= (each.end_lineno or each.lineno)]
    return min(around, key=lambda each: (each.end_lineno or 0) - each.lineno, default=None)


def _value(node: ast.expr, frame: FrameType) -> str:
    try:
        return literal(eval(compile(ast.Expression(node), "<again>", "eval"), frame.f_globals, frame.f_locals))
    except Exception:  # noqa: BLE001  # expressions of any project
        return ""


def _sides(statement: ast.stmt | None) -> tuple[ast.expr, ast.expr | None, str] | None:
    """Return what an assertion computes, what it expects, and which side that is; None for other statements."""
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])):
            return left, right, "right"
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call)):
            return call, None, "False"
        case ast.Assert(test=ast.Call() as call):
            return call, None, "True"
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual" | "assertEquals"), args=[left, right, *_])):
            if isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
                return right, left, "left"
            return left, right, "right"
        case _:
            return None


def _failure(traceback: TracebackType | None, root: Path) -> dict[str, object]:
    frames = list(_frames(traceback, root))
    told: dict[str, object] = {"frames": [[path, line] for _, path, line in frames]}
    if not frames:
        return told
    frame, _, line = frames[-1]
    sides = _sides(_statement(frame, line))
    if sides is None:
        return told
    computed, expected, side = sides
    told["computed"], told["side"] = _value(computed, frame), side
    if isinstance(computed, ast.Call) and isinstance(computed.func, ast.Name | ast.Attribute):
        args = [_value(each, frame) for each in computed.args]
        named = {str(each.arg): _value(each.value, frame) for each in computed.keywords}
        wanted = side if expected is None else _value(expected, frame)
        if all(args) and all(named.values()) and wanted:
            told["called"] = [ast.unparse(computed.func), args, named, wanted]
    return told


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down how a test ended; its worst part counts."""
    report = yield
    end = _ENDS.setdefault(item.nodeid, {"outcome": "passed"})
    if report.outcome != "passed" and end["outcome"] == "passed":
        end["outcome"] = report.outcome
        if report.outcome == "failed" and call.excinfo is not None:
            end["is_assertion"] = isinstance(call.excinfo.value, AssertionError)
            end.update(_failure(call.excinfo.tb, Path(item.config.rootpath)))
            params = getattr(getattr(item, "callspec", None), "params", {})
            end["params"] = {name: literal(value) for name, value in params.items()}
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a test, and write down calls of the functions of one file where that is asked."""
    watched = os.environ.get("TRIAL_CALLS", "")

    def seen(frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        if event != "call" or code.co_filename != watched or code.co_flags & 0x0C or "." in code.co_qualname:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = [literal(frame.f_locals.get(name)) for name in names]
        known = _CALLS.setdefault(code.co_name, [])
        if all(values) and values not in known and len(known) < _MOST_CALLS:
            known.append(values)

    if watched:
        sys.setprofile(seen)
    try:
        return (yield)
    finally:
        if watched:
            sys.setprofile(None)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Write down what cannot be collected."""
    if report.failed:
        _UNCOLLECTED.append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write everything to the file that is asked for."""
    told = {"tests": _ENDS, "uncollected": _UNCOLLECTED, "calls": _CALLS}
    Path(os.environ["TRIAL_REPORT"]).write_text(json.dumps(told), encoding="utf-8")
