"""From a Python file or a contract in plain text to clauses that can be executed.

The file is parsed, never imported or evaluated. Every top-level function and class, and every method, gets a
`FunctionSpec`. Refuses text that Python cannot parse, with Python's own error.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from probatum.programs.examples.clauses import (
    BUILTIN_NAMES,
    Findings,
    Owner,
    described_of,
    settle,
    with_further_examples,
)
from probatum.programs.examples.contract_code import DECLARED
from probatum.programs.examples.disowned import DISOWNED, disown
from probatum.programs.examples.doctests import PROMPT, DoctestReader
from probatum.programs.examples.notations import CallReader
from probatum.programs.examples.other_names import keep_own
from probatum.programs.parsing.documents import Document, SourceText, docstring_of, plain_document
from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.further_texts import docstring_literal
from probatum.programs.parsing.heritage import FurtherTexts, Heritage, ProjectFile
from probatum.programs.parsing.places import COMMENT, ModuleText, comments_about, module_texts
from probatum.programs.parsing.scanning import TextScanner
from probatum.programs.parsing.sections import read_sections
from probatum.programs.parsing.signatures import (
    Definition,
    defined_names,
    fields_of,
    keeps_state,
    only_declares,
    parameters_of,
    return_claim_of,
    returns_nothing,
)
from probatum.programs.parsing.surface import (
    NameBinding,
    bound_names,
    definitions,
    exported,
    imported_packages,
    made_at_import,
    own_names,
)
from probatum.programs.requirements.code_conditions import CodeFacts, code_facts
from probatum.programs.requirements.restrictions import Restrictions, from_code, from_document, restricted
from probatum.programs.source import parsed
from probatum.programs.specification import (
    BoundName,
    Example,
    FunctionSpec,
    ModuleSpec,
    Parameter,
    ReturnClaim,
)
from probatum.programs.statements.cutting import Code, numbered, statements_of
from probatum.programs.statements.declared import type_names
from probatum.programs.statements.marks import Surface, code_of_example, declared_result


@dataclass(frozen=True, slots=True)
class _Surroundings:
    source: SourceText
    known: frozenset[str]
    shadowed: frozenset[str]
    keeps_state: bool
    facts: CodeFacts
    types: frozenset[str]
    texts: tuple[ModuleText, ...]
    module: str
    modules: frozenset[str]
    further: FurtherTexts


_BLANK = 1_000


def extract_module(source: str, module: str = "", importable: Iterable[str] = ()) -> ModuleSpec:
    """Read the specifications that a Python file carries.

    ``importable`` are the modules of its project that sessions in its documentation may import.
    Raises `SyntaxError` or `ValueError` for text that is not Python or is nested too deeply.
    """
    try:
        tree = parsed(source)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the file is nested too deeply to be parsed") from error
    return module_of(source, tree, module, importable)


def module_of(
    source: str,
    tree: ast.Module,
    module: str = "",
    importable: Iterable[str] = (),
    *,
    siblings: Iterable[tuple[str, bytes]] = (),
    is_package: bool = False,
    made: Iterable[str] = (),
) -> ModuleSpec:
    """Read the specifications that a Python file carries which is parsed already, see `extract_module`.

    ``made`` are names that no statement of it binds, since code that runs at import makes them.
    ``siblings`` are the files of its project by dotted name: a method without a docstring may inherit one from there.
    """
    made = tuple(made)
    defined = tuple(dict.fromkeys((*defined_names(tree.body), *made)))
    own = frozenset(node.name for node in definitions(tree.body))
    text = SourceText(source)
    facts = code_facts(tree)
    around = _Surroundings(
        source=text,
        known=BUILTIN_NAMES.union(defined),
        shadowed=own,
        keeps_state=keeps_state(tree),
        facts=facts,
        types=type_names(tree, facts.libraries),
        texts=module_texts(text, tree),
        module=module,
        modules=frozenset(importable),
        further=FurtherTexts(
            ProjectFile(tree, text, module if is_package else module.rpartition(".")[0], "docstring"),
            Heritage(dict(siblings)),
        ),
    )
    found: dict[str, FunctionSpec] = {}
    for node in definitions(tree.body):
        specs = _class_specs(around, node) if isinstance(node, ast.ClassDef) else [_function_spec(around, node)]
        for spec in specs:
            found.pop(spec.qualname, None)
            found[spec.qualname] = spec
    classes = [node for node in definitions(tree.body) if isinstance(node, ast.ClassDef) and node.name[:1] != "_"]
    bound = (
        *_bound_names(around, (*bound_names(tree, found, around.modules), *made_at_import(tree, made))),
        *(each for node in classes for each in _inner(around, node, node.name)),
    )
    names = own_names(tree, around.modules).union(made)
    shown, packages = _module_examples(around), imported_packages(tree, around.modules)
    return ModuleSpec(tuple(found.values()), defined, names, exported(tree), bound, shown, packages)


def _bound_names(around: _Surroundings, bound: Iterable[NameBinding]) -> Iterator[BoundName]:
    for each in bound:
        span = around.source.span(*around.source.node_range(each.node))
        spec = FunctionSpec(each.name, "name", span, not_judged=f"{each.name} is not judged: {each.reason}")
        described = Owner(each.name, each.name, (), around.known, around.types, shadowed=around.shadowed)
        for text in around.texts:
            if each.name in text.called:
                spec = _also_documented(around, spec, text.document, described, text.source, only_calls=True)
        yield BoundName(spec, each.leads_to, each.may_be_data, each.is_ours)


def _inner(around: _Surroundings, owner: ast.ClassDef, path: str) -> Iterator[BoundName]:
    """Yield the public classes in a class: their examples are run, and nothing of them is judged."""
    for node in definitions(owner.body):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            name, specs = f"{path}.{node.name}", _class_specs(around, node)
            spec = FunctionSpec(name, "name", specs[0].span, not_judged=f"{name} is not judged: a class in a class")
            for each in specs:
                spec = with_further_examples(spec, each.examples, each.unreadable)
            texts = tuple(text for each in specs for text in (each.document, *each.texts))
            statements = numbered(said for each in specs for said in each.statements)
            yield BoundName(replace(spec, statements=statements, texts=texts))
            yield from _inner(around, node, name)


def _module_examples(around: _Surroundings) -> tuple[Example, ...]:
    """Return the sessions of the texts at module level, whatever they are about."""
    # No text calls this name, and the readers look for calls of one.
    owner = Owner(
        "<module>", None, (), around.known, shadowed=around.shadowed, module=around.module, modules=around.modules
    )
    spec = FunctionSpec("", "module", around.source.span(0, 0))
    for text in around.texts:
        examples, _ = settle(text.document, _read(text.document, owner), text.source)
        spec = with_further_examples(spec, examples, ())
    return spec.examples


def extract_contract(text: str, function: FunctionSpec, defined: Iterable[str] = ()) -> FunctionSpec:
    """Return the function with the clauses that a contract in plain text adds; spans are of the contract.

    ``defined`` are the names of the module that it may use. What contradicts within the contract does not count.
    """
    return extract_text(text, function, defined, "contract")


def extract_text(text: str, function: FunctionSpec, defined: Iterable[str], source: str) -> FunctionSpec:
    """Return the function with the clauses that a text outside of the file adds, see `extract_contract`."""
    document = plain_document(text)
    described = described_of(function, BUILTIN_NAMES.union(defined))
    findings = _read(document, described, is_contract=source == "contract")
    examples, unreadable = settle(document, findings, source, len(function.examples) + 1)
    facts = CodeFacts(functions=frozenset(defined))
    found = from_document(document, described.parameters, facts.functions, facts, source)
    function = restricted(
        _stated(function, document, _code(document, findings, examples, found), described, source), found
    )
    return replace(
        function,
        examples=(*function.examples, *examples),
        unreadable=(*function.unreadable, *unreadable),
        further=f"{function.further}\n{text}",
    )


def _class_specs(around: _Surroundings, node: ast.ClassDef) -> list[FunctionSpec]:
    methods = [each for each in definitions(node.body) if not isinstance(each, ast.ClassDef)]
    maker = next((each for each in reversed(methods) if each.name == "__init__"), None)
    taken = parameters_of(around.source, maker)[1:] if maker is not None else fields_of(around.source, node)
    if maker is None and not taken and not node.decorator_list:
        taken = around.further.heritage.parameters(around.further.scope, node)
    described = _described(around, node, node.name, taken)
    whole = _spec(around, node, node.name, described, kind="class", parameters=taken)
    whole = replace(whole, only_declares=only_declares(node))
    plain = all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases) and not node.keywords
    makes_itself = plain and not node.decorator_list and all(each.may_be_left_out for each in taken)
    return [whole, *(_method_spec(around, node, each, makes_itself) for each in methods)]


def _method_spec(around: _Surroundings, owner: ast.ClassDef, node: Definition, makes_itself: bool) -> FunctionSpec:
    parameters = parameters_of(around.source, node)
    decorators = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
    taken = parameters if "staticmethod" in decorators else parameters[1:]
    if decorators & {"staticmethod", "classmethod"}:
        call: str | None = f"{owner.name}.{node.name}"
    else:
        call = f"{owner.name}().{node.name}" if makes_itself and not node.decorator_list else None
    described = _described(around, node, call, taken)
    kind = next((each for each in ("staticmethod", "classmethod") if each in decorators), "method")
    spec = _spec(around, node, f"{owner.name}.{node.name}", described, kind=kind, parameters=parameters, owner=owner)
    is_property = any(last_name(each).endswith("property") for each in node.decorator_list)
    return replace(spec, is_read=is_property and len(parameters) == 1)


def _function_spec(around: _Surroundings, node: Definition) -> FunctionSpec:
    parameters = parameters_of(around.source, node)
    described = _described(around, node, node.name, parameters)
    return _spec(around, node, node.name, described, kind="function", parameters=parameters)


def _described(
    around: _Surroundings, node: Definition | ast.ClassDef, call: str | None, taken: tuple[Parameter, ...]
) -> Owner:
    """Return what reading needs of a definition; ``call`` is how its examples call it."""
    claim = None if isinstance(node, ast.ClassDef) else return_claim_of(around.source, node)
    return Owner(
        node.name,
        call,
        taken,
        around.known,
        shadowed=around.shadowed,
        types=around.types,
        annotation=claim.annotation if claim is not None else None,
        returns_nothing=not isinstance(node, ast.ClassDef) and returns_nothing(node),
        keeps_state=around.keeps_state,
        module=around.module,
        modules=around.modules,
    )


def _spec(
    around: _Surroundings,
    node: Definition | ast.ClassDef,
    qualname: str,
    described: Owner,
    *,
    kind: str,
    parameters: tuple[Parameter, ...],
    owner: ast.ClassDef | None = None,
) -> FunctionSpec:
    source = around.source
    first = min((each.lineno for each in node.decorator_list), default=node.lineno)
    begin = source.node_range(node)[0]
    if first < node.lineno:
        decorator_begin = source.offset(first, 0)
        begin = decorator_begin + len(source.line(first)) - len(source.line(first).lstrip())
    spec = FunctionSpec(qualname, kind, source.span(begin, source.node_range(node)[1]), parameters)
    if not isinstance(node, ast.ClassDef):
        spec = replace(
            spec,
            returns=return_claim_of(source, node),
            is_async=isinstance(node, ast.AsyncFunctionDef),
        )
    literal = docstring_literal(node)
    if literal is not None:
        spec = _documented(around, spec, literal, described)
    for further in around.further.about(node, owner, is_documented=literal is not None):
        spec = _also_documented(around, spec, further.document, described, further.source)
        spec = replace(spec, texts=(*spec.texts, further.document.text))
    if not isinstance(node, ast.ClassDef):
        spec = restricted(spec, from_code(source, node, described.parameters, around.facts))
        comments = comments_about(source, node)
        if comments is not None:
            spec = _also_documented(around, spec, comments, described, COMMENT)
    if "." in qualname:
        return spec
    for text in around.texts:
        if text.behind == qualname:
            spec = _also_documented(around, spec, text.document, described, text.source)
        elif qualname in text.called:
            spec = _also_documented(around, spec, text.document, described, text.source, only_calls=True)
    return spec


def _documented(around: _Surroundings, spec: FunctionSpec, literal: ast.Constant, described: Owner) -> FunctionSpec:
    source = around.source
    value = str(literal.value)
    document = docstring_of(source, literal, value)
    findings = _read(document, described)
    examples, unreadable = settle(document, findings, "docstring")
    found = from_document(document, described.parameters, around.shadowed, around.facts, "docstring")
    spec = replace(
        _stated(spec, document, _code(document, findings, examples, found), described, "docstring"),
        # It takes away blank lines one by one, and each moves all others.
        document=inspect.cleandoc(value if value[:_BLANK].strip() else value.strip()),
        examples=examples,
        unreadable=unreadable,
    )
    return restricted(spec, found)


def _stated(spec: FunctionSpec, document: Document, code: Code, described: Owner, source: str) -> FunctionSpec:
    """Add the pieces of a document."""
    surface = Surface(described.parameters, described.annotation, described.types)
    cut = statements_of(document, surface, code, source)
    result = declared_result(document.text, read_sections(document, [e.name for e in described.parameters]), surface)
    if result is not None and spec.documented_result is None and spec.kind != "class":
        span, _ = document.place(result[0].begin, result[0].end)
        spec = replace(spec, documented_result=ReturnClaim(result[1], span))
    return replace(spec, statements=numbered((*spec.statements, *cut)))


def _code(document: Document, findings: Findings, examples: Sequence[Example], stated: Restrictions) -> Code:
    """Return where a document has code: examples that count, what they depend on, and conditions."""
    counting = {each.span for each in examples if each.notation not in {DISOWNED, DECLARED}}
    whole = (each for each in findings.examples if each.is_whole)
    shown = [each for each in whole if document.place(each.begin, each.end)[0] in counting]
    text = document.text
    parts = [part for each in shown for part in code_of_example(text, each.begin, each.end, each.expectation)]
    # Every example of a session has all steps before it.
    steps = dict.fromkeys(step for each in shown for step in each.steps)
    parts += [part for step in steps for part in code_of_example(text, *step)]
    return Code(parts, stated.places)


def _also_documented(
    around: _Surroundings,
    spec: FunctionSpec,
    document: Document,
    described: Owner,
    source: str,
    *,
    only_calls: bool = False,
) -> FunctionSpec:
    findings = _read(document, described)
    examples, unreadable = settle(document, findings, source)
    if only_calls:
        named = re.compile(rf"(?<![\w.]){re.escape(described.name)}\(")
        examples = tuple(each for each in examples if named.search(each.expression))
        unreadable = tuple(each for each in unreadable if named.search(each.text))
    else:
        found = from_document(document, described.parameters, around.shadowed, around.facts, source)
        spec = replace(restricted(spec, found), further=f"{spec.further}\n{document.text}")
        if source != COMMENT:
            spec = _stated(spec, document, _code(document, findings, examples, found), described, source)
    return with_further_examples(spec, examples, unreadable)


def _read(document: Document, described: Owner, *, is_contract: bool = False) -> Findings:
    findings = Findings()
    scanner = TextScanner(document.text, described.shadowed)
    calls = CallReader(scanner, described, findings)
    sessions = DoctestReader(scanner, described, findings, calls)
    at = 0
    while at < len(document.text):
        begin = scanner.skip_spaces(at)
        if document.text.startswith("\n", begin):
            after = begin + 1
        elif document.text.startswith(PROMPT, begin):
            after = sessions.read(begin)
        else:
            after = calls.read_line(begin)
        at = max(after, at + 1)
    keep_own(findings, described, document.text, is_contract=is_contract)
    disown(findings, document.text)
    return findings
