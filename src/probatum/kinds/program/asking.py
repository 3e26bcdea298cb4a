"""What a reader is told of a program: its documentation, signatures and types, and how a reading is written.

All words are documentation: docstrings, texts in annotations and behind attributes, inherited ones, what is added to
``__doc__``. Types come from a copy of the source without any function body, private definition and comment. Refuses to
tell how a program does what it says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import UsageError
from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.expressions import last_name, names_in
from probatum.programs.parsing.heritage import Heritage, ProjectFile
from probatum.programs.parsing.places import COMMENT
from probatum.programs.parsing.surface import definitions
from probatum.programs.source import Source, parsed
from probatum.programs.specification import FunctionSpec, Statement
from probatum.programs.statements.documented import of_function, signature_of
from probatum.programs.units import readable_units
from probatum.readings import vocabulary as words

_KEPT_DECORATORS: Final = frozenset(
    {"staticmethod", "classmethod", "property", "overload", "abstractmethod", "dataclass"}
)
_WORD: Final = re.compile(r"[^\W\d]\w*")
_ELLIPSIS: Final = ast.Expr(ast.Constant(...))
RULES: Final = (
    "You see documentation and signatures alone. Write what they say, never what a program probably does.",
    "Read each statement once, as one record for each function. Quote it verbatim in 'text'; several readings may quote"
    " parts of one sentence, and every word has to be in one: an 'and' left between two parts is 'narrative'. Where"
    " several entries or methods say the same, begin with the name of each: 'limit: …'.",
    "'result': an expression over the parameters (as they were before the call) and 'result' that holds after every"
    " legal call. Iterators are lists by then, coroutines are awaited.",
    "'effect': the same with NAME__after, which is an argument after the call; 'result is NAME__after' is true where"
    " the result is that object itself, and parts that are shared are one object likewise.",
    "'raises': an expression over the parameters; where it holds, the exception named in 'exception' is due.",
    "'requires': an expression over the parameters; a call outside of it is never held against a program.",
    "'session': a short program that uses the function or the class and ends in assert, for objects and for what needs"
    " several calls. Doubles are small classes, functions or lambdas that the session defines; 'tmp_path' is a fresh,"
    " empty folder (a pathlib.Path).",
    "'narrative': the words say nothing about behaviour; there is no clause.",
    "Leave 'clause' empty where a statement cannot be put into code: that is better than a guess.",
    "A clause is wrong if any program that does what the documentation says breaks it. Say less where the words leave"
    " something open; say all that they do not leave open.",
    "'helpers' are imports, pure functions and constants that clauses may use. 'reference' is a function 'expected'"
    " with the same parameters, only where the documentation determines the result; else it is empty.",
    "'inputs' are 8 to 15 legal calls as argument tuples, borders and the documented exceptions among them.",
    "Inputs, helpers and sessions may use what the program defines, and import the packages that it imports: a helper"
    " may make its objects. Clauses may name its classes. The inputs of a method begin with its object.",
    "Code computes and does nothing else: no attribute that begins with an underscore, no files, no clock, no chance.",
    f"Built-ins: {', '.join(sorted(words.BUILTINS - words.ERRORS))}, and exceptions.",
    f"Modules: {', '.join(sorted(words.MODULES))}; in sessions also"
    f" {', '.join(sorted(words.SESSION_MODULES - words.MODULES))}.",
)
_ANSWER: Final[JsonValue] = {
    "function": "its name as given here",
    "statements": [
        {
            "text": "the words, verbatim",
            "kind": "result, effect, raises, requires, session or narrative",
            "clause": "code",
            "exception": "of raises alone",
            "confidence": "0 to 1: how sure it is that the clause says what the words say",
        }
    ],
    "helpers": "import math",
    "reference": "",
    "inputs": ["(1, 'a')", "(2, 'b')"],
}


def asked_of(source: Source, name: str | None, contract: str | None = None) -> dict[str, JsonValue]:
    """Return as JSON what a reader needs of a function, or of everything public that a file documents.

    Raises UsageError where the file documents nothing, or does not define the name publicly.
    """
    tree = parsed(bare_source(source.text, name or ""))
    functions: list[JsonValue] = []
    for unit in readable_units(source.module, name, contract):
        own, *methods = of_function(unit.qualname, source.module.functions) or (unit,)
        public = [own, *(each for each in methods if _is_shown(each.qualname.rpartition(".")[2], ""))]
        if unit.words or any(each.document.strip() for each in public):
            functions.append(_function(public, unit.words, tree, list(_inherited(source, unit.qualname))))
    if not functions:
        raise UsageError("read.no_documentation", f"Nothing is documented in {name or 'the file'}.")
    return {"rules": list(RULES), "answer": _ANSWER, "functions": functions}


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


def _function(
    whole: Sequence[FunctionSpec], words: Sequence[Statement], tree: ast.Module, inherited: list[JsonValue]
) -> JsonValue:
    function, *methods = whole
    told: dict[str, JsonValue] = {
        "function": function.qualname,
        "signature": signature_of(function),
        "documentation": function.document,
        "examples": [shown.text for each in whole for shown in each.examples if shown.source != COMMENT],
        "statements": [_statement(each) for each in words],
    }
    if methods:
        told["methods"] = [{"signature": signature_of(each), "documentation": each.document} for each in methods]
    if inherited:
        told["inherited"] = inherited
    types = _types(whole, tree)
    return {**told, "types": list(types)} if types else told


def _statement(statement: Statement) -> JsonValue:
    place = "" if statement.source == "docstring" else statement.source
    about = {"about": statement.about, "of": statement.owner, "from": place}
    return {"text": statement.text, **{key: said for key, said in about.items() if said}}


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
