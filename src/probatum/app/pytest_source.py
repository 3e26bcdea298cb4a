"""The checks that were run, written as a pytest file that a project can keep.

Only checks that hold or fail stably are written. Refuses to invent an expected value: each one is the document's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probatum.core.canonical import JsonValue, untagged
from probatum.programs.record import CheckRecord, CheckState, FunctionRecord

_STABLE = frozenset({CheckState.HOLDS, CheckState.FAILS})


def pytest_source(file_name: str, records: Sequence[FunctionRecord]) -> str:
    """Return the source of a pytest file; an empty text where no check can be written."""
    stem = file_name.rsplit("/", 1)[-1].removesuffix(".py")
    tests = [_test(record, check) for record in records for check in record.checks if _is_writable(check)]
    if not tests or not stem.isidentifier():
        return ""
    names = sorted({record.qualname.partition(".")[0] for record in records})
    head = f'"""The documented examples of {stem}, as tests."""\n\nimport pytest\n\n'
    head += f"from {stem} import {', '.join(names)}\n"
    return head + "".join(f"\n\n{test}" for test in tests)


def _is_writable(check: CheckRecord) -> bool:
    return check.kind == "example" and check.state in _STABLE and isinstance(check.expected, dict)


def _test(record: FunctionRecord, check: CheckRecord) -> str:
    name = re.sub(r"\W+", "_", f"test_{record.qualname}_{check.id}")
    *setup, expression = check.reproduction.split("\n") if _has_steps(check) else [check.reproduction]
    lines = [f"def {name}():", *(f"    {line}" for line in setup), *_assertion(expression, check.expected)]
    return "\n".join(lines) + "\n"


def _has_steps(check: CheckRecord) -> bool:
    return isinstance(check.inputs, dict) and check.inputs.get("form") == "statements"


def _assertion(expression: str, expected: JsonValue) -> list[str]:
    assert isinstance(expected, dict)
    if "raises" in expected:
        return [f"    with pytest.raises({expected['raises']}):", f"        {expression}"]
    if "value" in expected:
        value = untagged(expected["value"])
        if value is None or isinstance(value, bool):
            return [f"    assert ({expression}) is {value!r}"]
        if isinstance(value, float):
            return [f"    assert ({expression}) == pytest.approx({value!r})"]
        return [f"    assert ({expression}) == {value!r}"]
    if "repr" in expected:
        return [f"    assert repr({expression}) == {expected['repr']!r}"]
    return [f"    {expression}  # prints {expected.get('prints')!r}"]
