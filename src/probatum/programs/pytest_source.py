"""The checks that were run, written as a pytest file that a project can keep.

Only checks that hold or fail stably are written. Refuses to invent an expected value: each one is the document's.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from textwrap import indent

from probatum.core.canonical import JsonValue
from probatum.core.tagged import untagged
from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.signatures import defined_names
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.projects.project import UNNAMED
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord
from probatum.programs.running.checks import value_of_input
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import ModuleSpec

_STABLE = frozenset({CheckState.HOLDS, CheckState.FAILS})
# On how many inputs a statement about all calls is written.
MOST_INPUTS = 5
_VALUES = {
    "Decimal": "decimal",
    "Fraction": "fractions",
    **dict.fromkeys(("Counter", "OrderedDict", "defaultdict", "deque"), "collections"),
}


# The order of a set, and addresses: another run writes something else.
_CHANCE = re.compile(r"\{[^{}:]*,|0x[0-9A-Fa-f]")


def is_importable(key: str) -> bool:
    """True for the dotted name of a module that a test can import by a statement."""
    return not any(part == UNNAMED or iskeyword(part) for part in key.split("."))


def pytest_source(key: str, records: Sequence[FunctionRecord], module: ModuleSpec) -> str:
    """Return the source of a pytest file for a module; an empty text where no check can be written."""
    name = key.removesuffix(".__init__")
    written = [_test(record, check, name, module) for record in records for check in _writable(record)]
    tests = [test for test in written if module_or_none(test) is not None]
    if not tests:
        return ""
    body = "".join(f"\n\n{test}" for test in tests)
    used = free_names(ast.parse(body))
    own = sorted(used.intersection(module.defined))
    others = sorted(used.difference(own) & sys.stdlib_module_names)
    values = [f"from {home} import {each}\n" for each, home in _VALUES.items() if each in used.difference(own)]
    imports = "".join([*(f"import {each}\n" for each in others), *values]) + (
        "import datetime as dt\n" if "dt" in used else ""
    )
    imports += "\n" if imports else ""
    head = f'"""What the documentation of {name} says, as tests."""\n\n{imports}import pytest\n\n'
    return head + (f"from {name} import {', '.join(own)}\n" if own else "") + body


def named_source(qualname: str, check: CheckRecord, module: ModuleSpec) -> tuple[str, str]:
    """Return the name and the source of one check as a test of ``artifact``; no source where it cannot be written."""
    record = FunctionRecord(qualname, check.line, (check,))
    return _test_name(qualname, check), pytest_source(UNNAMED, [record], module)


def _test_name(qualname: str, check: CheckRecord) -> str:
    return re.sub(r"\W+", "_", f"test_{qualname}_{check.id}")


def _writable(record: FunctionRecord) -> Iterator[CheckRecord]:
    """Yield the checks that can be written, statements about all calls on a few inputs each."""
    written: Counter[str] = Counter()
    for check in record.checks:
        if check.state not in _STABLE or not isinstance(check.expected, dict) or _form(check).get("after"):
            continue
        if check.kind is CheckKind.PROPERTY:
            clause = check.id.partition(".")[0]
            written[clause] += 1
            if written[clause] <= MOST_INPUTS:
                yield check
        elif check.kind is CheckKind.EXAMPLE:
            yield check


def _form(check: CheckRecord) -> dict[str, JsonValue]:
    return check.inputs if isinstance(check.inputs, dict) else {}


def _test(record: FunctionRecord, check: CheckRecord, module_name: str, module: ModuleSpec) -> str:
    """Return one test; a text that is not Python where it cannot be written."""
    name = _test_name(record.qualname, check)
    form, expected = _form(check), check.expected
    assert isinstance(expected, dict)
    if form.get("form") == "judged":
        return "\n".join([f"def {name}():", *_condition(form, check.reproduction)]) + "\n"
    setup = form["setup"] if form.get("form") == "statements" else []
    assert isinstance(setup, list)
    expression = str(form["expression"]) if form.get("form") == "statements" else check.reproduction
    steps = [_on_any_margin(str(step)) for step in setup]
    bound = set(defined_names(ast.parse("\n".join(steps)).body)).intersection(module.defined)
    if bound:
        steps.insert(0, f"from {module_name} import {', '.join(sorted(bound))}")
    steps += _assertion(_waited_for(expression, module), expected, module)
    arguments = "capsys" if "prints" in expected else ""
    return f"def {name}({arguments}):\n{indent(chr(10).join(steps), '    ')}\n"


def _on_any_margin(step: str) -> str:
    return ast.unparse(ast.parse(step)) if "\\\n" in step or '"""' in step or "'''" in step else step


def _waited_for(expression: str, module: ModuleSpec) -> str:
    tree = expression_of(expression)
    if isinstance(tree, ast.Await):
        return f"asyncio.run({ast.unparse(tree.value)})"
    coroutines = {spec.qualname for spec in module.functions if spec.is_async}
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) in coroutines:
        return f"asyncio.run({expression})"
    return expression


def _condition(form: dict[str, JsonValue], call: str) -> list[str]:
    pairs = form["given"]
    assert isinstance(pairs, list)
    given = [f"{pair[0]}={value_text(value_of_input(pair[1]))}" for pair in pairs if isinstance(pair, list)]
    arguments = ", ".join([*given, f"result={call}"])
    return [f"    condition = {form['condition']}", f"    assert condition({arguments})"]


def _assertion(expression: str, expected: dict[str, JsonValue], module: ModuleSpec) -> list[str]:
    statements = executed_by(expression) or expression
    if "raises" in expected:
        name = str(expected["raises"])
        if name in BUILTIN_NAMES or name in module.defined:
            return [f"with pytest.raises({name}):", indent(statements, "    ")]
        caught = ["with pytest.raises(Exception) as caught:", indent(statements, "    ")]
        return [*caught, f"assert {name!r} in [each.__name__ for each in caught.type.__mro__]"]
    if _CHANCE.search(str(expected.get("prints", expected.get("repr", "")))):
        return ["assert"]
    if "prints" in expected:
        shown = [line.rstrip() for line in str(expected["prints"]).strip("\n").splitlines()]
        printed = 'capsys.readouterr().out.strip("\\n").splitlines()'
        return ["capsys.readouterr()", statements, f"assert [line.rstrip() for line in {printed}] == {shown!r}"]
    if "repr" in expected:
        return [f"assert repr({expression}) == {expected['repr']!r}"]
    value = untagged(expected["value"])
    if value is None or isinstance(value, bool):
        return [f"assert ({expression}) is {value!r}"]
    if isinstance(value, float):
        return [f"assert ({expression}) == pytest.approx(float({str(value)!r}), nan_ok=True)"]
    return [f"assert ({expression}) == {_written(value)}"]


def _written(value: object) -> str:
    text = value_text(value)
    tree = expression_of(text)
    names = names_in(tree) if tree is not None else set()
    # Not a number equals nothing, not even itself in a list.
    return "" if "nan" in names or tree is None else ast.unparse(_Named().visit(tree)) if names else text


class _Named(ast.NodeTransformer):
    """Gives the names in the text of a value a meaning that does not depend on what the program calls so."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "inf":
            return ast.Call(ast.Name("float"), [ast.Constant("inf")], [])
        return ast.Name("dt") if node.id == "datetime" else node
