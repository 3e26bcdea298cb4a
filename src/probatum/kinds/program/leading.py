"""Where the code of a statement may lead: by the names in it, and whether by other means than names.

Documentation and comments count where they show code. Refuses to follow computed names: they lead everywhere.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from probatum.programs.parsing.expressions import last_name

_WORD: Final = re.compile(r"[^\W\d]\w*")
SHOWS: Final = re.compile(r"[()=]|>>>|\.\.\.")
_OF_PYTHON: Final = re.compile(r"__\w+__")
_NAMED_ATTRIBUTE: Final = re.compile(r"\b(?:get|set|del)attr\(\s*[\w.]+,\s*(?:\"\w+\"|'\w+')\s*[,)]")
BY_OTHER_MEANS: Final = frozenset(
    {
        *("eval", "exec", "compile", "globals", "locals", "vars", "dir", "__dict__", "__subclasses__", "__import__"),
        *("import_module", "reload", "attrgetter", "methodcaller", "currentframe", "_getframe", "getmembers"),
        *("get_objects", "get_referrers", "settrace", "setprofile", "find_spec", "run_module", "modules"),
        *("getsource", "getsourcelines", "findsource", "getcomments", "getclosurevars", "getsourcefile"),
        *("getouterframes", "getinnerframes", "getframeinfo", "getmembers_static", "getfile", "co_filename"),
        *("inspect.stack", "inspect.trace", "getabsfile", "get_annotations", "eval_str", "lineno", "findCaller"),
        *("EntryPoint", "entry_points", "dictConfig", "fileConfig", "get_field", "resolve_dotted_attribute"),
        *("get_data", "spec_from_file_location"),
        *("__globals__", "f_globals", "f_locals", "f_builtins", "__getattribute__", "getattr_static", "gc", "pydoc"),
        *("resolve_name", "pickle", "dill", "cloudpickle", "shelve", "copyreg", "marshal", "linecache", "traceback"),
        *("__file__", "__loader__", "__spec__", "f_lineno", "tb_lineno", "co_firstlineno", "iter_modules"),
        *("walk_packages", "__annotations__", "get_type_hints", "ForwardRef", "__class_getitem__", "__set_name__"),
        *("__mro_entries__", "__annotate__"),
    }
)
"""Words that lead to definitions, or to lines, whose names do not stand beside them."""
_FRAMES: Final = "inspect"
"""A module of which two functions show frames; under another name it may be any of them."""
_KEYWORDS: Final = frozenset({"eval_str"})
_BY_NAME: Final = frozenset({"getattr", "setattr", "delattr"})


def leads(node: ast.stmt, text: str) -> tuple[frozenset[str], bool]:
    """Return the words of a statement that may lead somewhere when it runs, and whether they may lead everywhere.

    Documentation and comments count where they show code.
    """
    code = _CodeNames()
    code.visit(node)
    comments = [line.partition("#")[2] for line in text.split("\n")]
    read = [*code.read, *(each for each in comments if SHOWS.search(each))]
    leading = code.named | {word for each in read for word in words_in(each)}
    shown = "\n".join(read)
    computed = len(re.findall(rf"\b(?:{'|'.join(_BY_NAME)})\b", shown)) - len(_NAMED_ATTRIBUTE.findall(shown))
    words = leading.union(code.also, (word for each in (*comments, *code.texts) for word in words_in(each)))
    mangled = {f"_{owner.lstrip('_')}{each}" for owner in code.classes for each in words if each.startswith("__")}
    return frozenset(words | mangled), code.computed + max(computed, 0) > 0 or not leading.isdisjoint(BY_OTHER_MEANS)


class _CodeNames(ast.NodeVisitor):
    """What the code of a statement names and says."""

    def __init__(self) -> None:
        self.named = set[str]()
        # Names that lead to definitions, and nowhere else.
        self.also = set[str]()
        self.classes = set[str]()
        # What may be read as code, and all that is no documentation.
        self.read = list[str]()
        self.texts = list[str]()
        # How many attributes are found by names that do not stand beside them.
        self.computed = 0

    def visit_Attribute(self, node: ast.Attribute) -> None:
        match node:
            case ast.Attribute(value=ast.Name(id="re" | "regex" as name), attr="compile"):
                self.also |= {"compile", name}
                return
            case ast.Attribute(value=ast.Constant() | ast.JoinedStr()):
                pass
            case ast.Attribute(value=ast.Name(id="inspect" as name), attr=attribute):
                self.named |= {attribute, f"{name}.{attribute}"}
                return
            case ast.Attribute(attr="parent" | "parents") if _is_own_path(node.value):
                return
            case ast.Attribute(attr="inspect"):
                self._name(f"{_FRAMES}.stack")
            case _:
                self._name(node.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        # Whoever has the module has all of it.
        self._name(f"{_FRAMES}.stack" if node.id == _FRAMES else node.id)

    def visit_Call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[_, ast.Constant(value=str()), *_]) if name in _BY_NAME:
                self.computed -= 1
            case ast.Call(func=called, args=[given]) if last_name(called) == "dirname" and _is_own_path(given):
                return
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.named |= {node.arg or ""} & _KEYWORDS
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.read.append(ast.unparse(node))
        self.named |= {name for _, name in renamed_in(node)}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.visit_Import(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        self.named |= set(node.kwd_attrs)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.add(node.name)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self._prose(node.value.value)
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.texts.append(node.value)
            if " " in node.value.strip():
                self._prose(node.value)
            else:
                self.read.append(node.value)

    def _name(self, name: str) -> None:
        self.named.add(name)
        self.computed += name in _BY_NAME

    def _prose(self, text: str) -> None:
        self.read += _OF_PYTHON.findall(text)
        depth = 0
        for line in text.split("\n"):
            if depth or SHOWS.search(line):
                self.read.append(line)
            # What is open goes on in the next line, up to an empty one.
            opened = sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            depth = max(depth + opened, 0) if line.strip() else 0


def _is_own_path(node: ast.expr) -> bool:
    """Return whether an expression is the path of the file that it stands in, which leads to no definition."""
    match node:
        case ast.Name(id="__file__"):
            return True
        case ast.Call(func=called, args=[inner], keywords=[]) if last_name(called) in {"Path", "abspath", "realpath"}:
            return _is_own_path(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="resolve" | "absolute"), args=[], keywords=[]):
            return _is_own_path(inner)
    return False


def words_in(text: str) -> Iterator[str]:
    """Yield the names in a text."""
    # Python takes letters that look otherwise for the same.
    yield from _WORD.findall(text if text.isascii() else f"{text} {unicodedata.normalize('NFKC', text)}")


def renamed_in(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield by what names something imported is called, with its own, or that of what leads everywhere."""
    source = set(words_in(node.module or "")) if isinstance(node, ast.ImportFrom) else set[str]()
    for each in node.names:
        known_as = each.asname or each.name.partition(".")[0]
        told = {*source, *each.name.split("."), *(f"{module}.{each.name}" for module in source)}
        named = told & (BY_OTHER_MEANS | _BY_NAME | ({_FRAMES} if each.asname else set()))
        if named and known_as not in BY_OTHER_MEANS:
            yield known_as, min(BY_OTHER_MEANS)
        if each.asname:
            yield each.asname, each.name.rpartition(".")[2]
