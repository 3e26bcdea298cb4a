"""The checks that were run, written as a pytest file that a project can keep.

Only checks that hold or fail stably are written. Refuses to invent an expected value: each one is the document's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from probatum.core.canonical import JsonValue
from probatum.core.tagged import untagged
from probatum.kinds.program.project import UNNAMED
from probatum.programs import CheckKind, CheckRecord, CheckState, FunctionRecord, value_of_input, value_text

_STABLE = frozenset({CheckState.HOLDS, CheckState.FAILS})
_ON_INPUTS = frozenset({CheckKind.PROPERTY, CheckKind.RAISES})
# On how many inputs a statement about all calls is written.
MOST_INPUTS = 5


def pytest_source(key: str, records: Sequence[FunctionRecord]) -> str:
    """Return the source of a pytest file for a module; an empty text where no check can be written."""
    module = key.removesuffix(".__init__")
    tests = [_test(record, check) for record in records for check in _writable(record)]
    if not tests or UNNAMED in module.split("."):
        return ""
    names = sorted({name for record in records for name in _names_used(record)})
    head = f'"""What the documentation of {module} says, as tests."""\n\nimport pytest\n\n'
    head += f"from {module} import {', '.join(names)}\n"
    return head + "".join(f"\n\n{test}" for test in tests)


def _writable(record: FunctionRecord) -> Iterator[CheckRecord]:
    """Yield the checks that can be written, statements about all calls on a few inputs each."""
    written: Counter[str] = Counter()
    for check in record.checks:
        if check.state not in _STABLE or not isinstance(check.expected, dict) or _form(check).get("after"):
            continue
        if check.kind in _ON_INPUTS:
            clause = check.id.partition(".")[0]
            written[clause] += 1
            if written[clause] <= MOST_INPUTS:
                yield check
        elif check.kind is CheckKind.EXAMPLE:
            yield check


def _form(check: CheckRecord) -> dict[str, JsonValue]:
    return check.inputs if isinstance(check.inputs, dict) else {}


def _names_used(record: FunctionRecord) -> Iterator[str]:
    yield record.qualname.partition(".")[0]
    for check in _writable(record):
        functions = _form(check).get("functions")
        yield from (str(name) for name in functions) if isinstance(functions, list) else ()


def _test(record: FunctionRecord, check: CheckRecord) -> str:
    name = re.sub(r"\W+", "_", f"test_{record.qualname}_{check.id}")
    if _form(check).get("form") == "judged":
        return "\n".join([f"def {name}():", *_condition(_form(check), check.reproduction)]) + "\n"
    has_steps = _form(check).get("form") == "statements"
    *setup, expression = check.reproduction.split("\n") if has_steps else [check.reproduction]
    lines = [f"def {name}():", *(f"    {line}" for line in setup), *_assertion(expression, check.expected)]
    return "\n".join(lines) + "\n"


def _condition(form: dict[str, JsonValue], call: str) -> list[str]:
    pairs = form["given"]
    assert isinstance(pairs, list)
    given = [f"{pair[0]}={value_text(value_of_input(pair[1]))}" for pair in pairs if isinstance(pair, list)]
    arguments = ", ".join([*given, f"result={call}"])
    return [f"    condition = {form['condition']}", f"    assert condition({arguments})"]


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
        return [f"    assert ({expression}) == {value_text(value)}"]
    if "repr" in expected:
        return [f"    assert repr({expression}) == {expected['repr']!r}"]
    return [f"    {expression}  # prints {expected.get('prints')!r}"]
