"""Where the code of a statement may lead: by the names in it, and whether by other means than names.

Documentation and comments count where they show code. Refuses to follow computed names: they lead everywhere.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

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
        *("inspect.stack", "inspect.trace"),
        *("__globals__", "f_globals", "f_locals", "f_builtins", "__getattribute__", "getattr_static", "gc", "pydoc"),
        *("resolve_name", "pickle", "dill", "cloudpickle", "shelve", "copyreg", "marshal", "linecache", "traceback"),
        *("__file__", "__loader__", "__spec__", "f_lineno", "tb_lineno", "co_firstlineno", "iter_modules"),
        *("walk_packages", "__annotations__", "get_type_hints", "ForwardRef", "__class_getitem__", "__set_name__"),
        *("__mro_entries__",),
    }
)
"""Words that lead to definitions, or to lines, whose names do not stand beside them."""
_FRAMES: Final = "inspect"
"""A module of which two functions show frames; under another name it may be any of them."""
_BY_NAME: Final = frozenset({"getattr", "setattr", "delattr"})


def leads(node: ast.stmt, text: str) -> tuple[frozenset[str], bool]:
    """Return the words of a statement that may lead somewhere when it runs, and whether they may lead everywhere.

    Documentation and comments count where they show code.
    """
    documents = {id(e.value) for e in ast.walk(node) if isinstance(e, ast.Expr)}
    named, read, computed = set[str](), list[str](), 0
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id="re" | "regex"), attr="compile"):
                continue
            case ast.Attribute(value=ast.Name(id="inspect"), attr="stack" | "trace" as attribute):
                named.add(f"inspect.{attribute}")
            case ast.Name(id=name) | ast.Attribute(attr=name):
                named.add(name)
                computed += name in _BY_NAME
            case ast.Import() | ast.ImportFrom():
                read.append(ast.unparse(each))
                named.update(name for _, name in renamed_in(each))
            case ast.MatchClass(kwd_attrs=names):
                named.update(names)
            case ast.Call(func=ast.Name(id=name), args=[_, ast.Constant(value=str()), *_]) if name in _BY_NAME:
                computed -= 1
            case ast.Constant(value=str(value)) if id(each) in documents or value.strip().count(" "):
                read += [line for line in value.split("\n") if SHOWS.search(line)]
                read += _OF_PYTHON.findall(value)
            case ast.Constant(value=str(value)):
                read.append(value)
    comments = [line.partition("#")[2] for line in text.split("\n")]
    read += [each for each in comments if SHOWS.search(each)]
    strings = (e.value for e in ast.walk(node) if isinstance(e, ast.Constant) and id(e) not in documents)
    also = [*comments, *(each for each in strings if isinstance(each, str))]
    leading = named | {word for each in read for word in words_in(each)}
    shown = "\n".join(read)
    computed += len(re.findall(rf"\b(?:{'|'.join(_BY_NAME)})\b", shown)) - len(_NAMED_ATTRIBUTE.findall(shown))
    words = leading.union(word for each in also for word in words_in(each))
    return frozenset(words), computed > 0 or not leading.isdisjoint(BY_OTHER_MEANS)


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
