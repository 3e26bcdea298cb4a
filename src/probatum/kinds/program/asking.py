"""What a reader is told of a program: a card for each function or class, with the sentences that nobody has read.

All words are documentation: docstrings, texts in annotations and behind attributes, inherited ones, what is added to
``__doc__``. A sentence has an id with a digest of its words, by which it is answered. Types come from a copy of the
source without any function body, private definition and comment. Refuses to tell how a program does what it says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.digest import digest_of
from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.expressions import last_name, names_in
from probatum.programs.parsing.heritage import Heritage, ProjectFile
from probatum.programs.parsing.places import COMMENT
from probatum.programs.parsing.surface import definitions
from probatum.programs.source import Source, parsed
from probatum.programs.specification import FunctionSpec, Statement, StatementState
from probatum.programs.statements.documented import of_function, signature_of
from probatum.programs.statements.judged import CountedQuote, Evidence, judged_statements
from probatum.readings.coverage import quotes_of
from probatum.readings.values import ReadingRecord, Standing

_KEPT_DECORATORS: Final = frozenset(
    {"staticmethod", "classmethod", "property", "overload", "abstractmethod", "dataclass"}
)
_WORD: Final = re.compile(r"[^\W\d]\w*")
_ELLIPSIS: Final = ast.Expr(ast.Constant(...))


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a card."""

    id: str
    text: str
    """The words that a reading of it quotes."""
    about: str
    """The name of the entry that it is in; may be empty."""
    owner: str
    """The method that it documents, of a class; else empty."""
    state: StatementState

    @property
    def place(self) -> str:
        """The id of the statement that it is, or is left over of."""
        own = self.id.rpartition("-")[0]
        whole, _, number = own.rpartition(".")
        return whole if number.isdigit() else own

    @property
    def shown(self) -> str:
        """The words, after the name of their entry where they have one."""
        return f"{self.about}: {self.text}" if self.about else self.text


def sentences_of(unit: FunctionSpec, records: Sequence[ReadingRecord]) -> tuple[Sentence, ...]:
    """Return what the documentation of a unit says, each sentence with whether code or a reading of it says it.

    Of a sentence of which a reading quotes a part, the rest is a sentence of its own.
    """
    conditions = frozenset(each.id for each in unit.properties)
    rows = judged_statements(unit, Evidence(conditions, tuple(_quotes(unit, records))))
    words = {each.id for each in unit.words}
    kept = (each for each in rows if each.statement.id in words or each.state is StatementState.OPEN)
    return tuple(_sentence(each.statement, each.state) for each in kept)


def whole_sentences(unit: FunctionSpec) -> tuple[Sentence, ...]:
    """Return every sentence of the documentation of a unit, whoever has read it."""
    return tuple(_sentence(each, StatementState.OPEN) for each in unit.words)


def _sentence(statement: Statement, state: StatementState) -> Sentence:
    about, text = statement.about, statement.text
    digest = digest_of(f"{about}\0{text}".encode("utf-8", "surrogatepass")).removeprefix("sha256:")[:4]
    return Sentence(f"{statement.id}-{digest}", text, about, statement.owner, state)


def _quotes(unit: FunctionSpec, records: Sequence[ReadingRecord]) -> Iterator[CountedQuote]:
    for record in records:
        for each, quote in quotes_of(record, unit.qualname) if record.is_about(unit.qualname) else ():
            if each.standing is not Standing.REJECTED:
                yield CountedQuote(quote, counts=True)


def card_of(unit: FunctionSpec, source: Source, records: Sequence[ReadingRecord]) -> dict[str, JsonValue]:
    """Return what a reader needs to say what the open sentences of a unit mean; empty where none is open."""
    sentences = sentences_of(unit, records)
    open_ones = [each for each in sentences if each.state is StatementState.OPEN]
    if not open_ones:
        return {}
    own, *methods = of_function(unit.qualname, source.module.functions) or (unit,)
    public = [own, *(each for each in methods if _is_shown(each.qualname.rpartition(".")[2], ""))]
    card: dict[str, JsonValue] = {"sig": signature_of(unit).removeprefix("def ")}
    if shown := _method_signatures(unit.qualname, public[1:]):
        card["methods"] = list[JsonValue](shown)
    card["say"] = {each.id: each.shown for each in open_ones}
    if by_code := [each.shown for each in sentences if each.state is StatementState.CODE]:
        card["in_code"] = list[JsonValue](by_code)
    examples = (shown.text for each in public for shown in each.examples if shown.source != COMMENT)
    if told := ["\n".join(line.strip() for line in text.splitlines()) for text in examples]:
        card["examples"] = list[JsonValue](told)
    if inherited := list(_inherited(source, unit.qualname)):
        card["inherited"] = inherited
    return card


def _method_signatures(name: str, methods: Sequence[FunctionSpec]) -> list[str]:
    """Return how the methods of a class are called: without what Python passes itself, and without the constructor."""
    found = []
    for each in methods:
        own = each.qualname.removeprefix(f"{name}.")
        taken = signature_of(each).replace(f"def {each.qualname}(", f"{own}(", 1)
        if each.kind in {"method", "classmethod"} and each.parameters:
            first = each.parameters[0].name
            taken = taken.replace(f"({first}, ", "(", 1).replace(f"({first})", "()", 1)
        found += [f"{'@property ' * each.is_read}{taken}"] if own != "__init__" else []
    return found


def types_of(source: Source, units: Sequence[FunctionSpec]) -> dict[str, JsonValue]:
    """Return what cards of a file have in common: the types that their signatures name, and the file's exceptions."""
    tree = parsed(bare_source(source.text))
    whole = [each for unit in units for each in of_function(unit.qualname, source.module.functions) or (unit,)]
    told: dict[str, JsonValue] = {}
    if types := _types(whole, tree):
        told["types"] = list(types)
    if errors := [node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_error(node)]:
        told["errors"] = list[JsonValue](errors)
    return told


def _is_error(node: ast.ClassDef) -> bool:
    return any(last_name(each).endswith(("Error", "Exception", "Warning")) for each in node.bases)


def bare_source(text: str, wanted: str = "") -> str:
    """Return a program without function bodies, comments and private definitions, but for the one that is wanted."""
    tree = parsed(text)
    tree.body = list(_bare(tree.body, wanted.partition(".")[0], at_top=True))
    return ast.unparse(tree)


def _bare(body: Sequence[ast.stmt], wanted: str, *, at_top: bool) -> Iterator[ast.stmt]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if _is_shown(node.name, wanted):
                node.decorator_list = [each for each in node.decorator_list if _is_plain(each)]
                document = [each for each in node.body[:1] if _is_text(each)]
                inner = _bare(node.body[len(document) :], "", at_top=False) if isinstance(node, ast.ClassDef) else ()
                node.body = [*document, *inner] or [_ELLIPSIS]
                yield node
            case ast.If() | ast.Try() | ast.With():
                # What stands under a condition is defined as well.
                parts = [node.body, *(getattr(node, name, []) for name in ("orelse", "finalbody"))]
                for part in parts:
                    yield from _bare(part, wanted, at_top=at_top)
            case ast.Assign(targets=[ast.Name(id=name)]) if _is_shown(name, wanted) or (at_top and name == "__all__"):
                yield node
            case ast.AnnAssign(target=ast.Name(id=name)) if _is_shown(name, wanted):
                yield node
            case ast.Expr(value=ast.Constant(value=str())) | ast.Import() | ast.ImportFrom() if at_top:
                yield node


def _is_shown(name: str, wanted: str) -> bool:
    is_special = name.startswith("__") and name.endswith("__")
    return not name.startswith("_") or name == wanted or is_special


def _is_plain(decorator: ast.expr) -> bool:
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return last_name(named) in _KEPT_DECORATORS


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _inherited(source: Source, qualname: str) -> Iterator[JsonValue]:
    """Yield the public methods that a class has from base classes in files of its project, each once."""
    owner = next((e for e in definitions(source.tree.body) if isinstance(e, ast.ClassDef) and e.name == qualname), None)
    program = source.program
    heritage, package = Heritage(dict(program.siblings)), program.key.rpartition(".")[0]
    scope = ProjectFile(source.tree, SourceText(source.text), package, "")
    known = {each.name for each in definitions(owner.body)} if owner is not None else set()
    for _, base, node in heritage.methods(scope, owner) if owner is not None else ():
        if node.name not in known and _is_shown(node.name, ""):
            known.add(node.name)
            returned = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
            signature = f"def {base.name}.{node.name}({ast.unparse(node.args)}){returned}"
            yield {"signature": signature, "documentation": ast.get_docstring(node) or ""}


def _types(whole: Sequence[FunctionSpec], tree: ast.Module) -> tuple[str, ...]:
    """Return the source of the types of the file that signatures name, and of those that these name: fields alone."""
    definitions = dict(_definitions(tree))
    own = {each.qualname for each in whole}
    waiting = [signature_of(each) for each in whole]
    found: dict[str, str] = {}
    while waiting:
        for name in _WORD.findall(waiting.pop()):
            if name in definitions and name not in found and name not in own:
                found[name] = definitions[name]
                waiting.append(found[name])
    return tuple(found[name] for name in sorted(found))


def _definitions(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name, _fields(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _says_itself(value):
                yield name, ast.unparse(node)


def _fields(node: ast.ClassDef) -> str:
    """Return the source of a class without its methods."""
    body = [each for each in node.body if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    for each in body:
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None and not _says_itself(each.value):
            each.value = ast.Constant(...)
        if isinstance(each, ast.AnnAssign) and not _says_itself(each.annotation):
            each.annotation = ast.Constant(...)
    bases = [each for each in node.bases if _says_itself(each)]
    bare = ast.ClassDef(node.name, bases, node.keywords, body or [_ELLIPSIS], node.decorator_list)
    return ast.unparse(bare)


def _says_itself(value: ast.expr) -> bool:
    """True for an expression that names nothing private and holds no code to be run later."""
    private = any(name.startswith("_") for name in names_in(value))
    return not private and not any(isinstance(each, ast.Lambda) for each in ast.walk(value))
