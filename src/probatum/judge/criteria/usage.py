"""Criteria about what Python code uses: modules, built-in functions, recursion, loops, and what it does without.

Refuses to say that code does without something where it can reach names by text, and to take a word for a module.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from probatum.exact.code.names import imported
from probatum.judge.criteria.forms import Decide
from probatum.judge.criteria.reading import FoundCode, Function, OutputView, plain_name
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.readers.vocabulary import words_of

Told = Mapping[str, str]
NO_CODE: Final = "the output has no Python code that is certain to be meant"
_DYNAMIC: Final = words_of(
    "getattr setattr globals locals vars eval exec compile __import__ importlib builtins __builtins__ "
    "__dict__ __class__ __subclasses__ __globals__ pickle ctypes operator sys runpy subprocess system popen"
)
_NODES: Final[Mapping[str, tuple[type[ast.AST], ...]]] = {
    "lambda": (ast.Lambda,),
    "list comprehension": (ast.ListComp,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp),
    "generator expression": (ast.GeneratorExp,),
    "f string": (ast.JoinedStr,),
    "while loop": (ast.While,),
    "for loop": (ast.For, ast.AsyncFor),
    "loop": (ast.For, ast.AsyncFor, ast.While),
}
_PACKAGES: Final = words_of(
    "numpy pandas scipy sklearn requests httpx torch tensorflow matplotlib flask django fastapi sqlalchemy "
    "pydantic pytest attrs click rich yaml bs4 lxml PIL cv2 aiohttp boto3 networkx sympy"
)
_AROUND: Final = re.compile(r"^(?:the |an? )?(?:built-?in )?(?:python )?|(?: function| statement| keyword)s?$")
_BUILT_IN: Final = frozenset({"eval", "exec", "print", "input", "open"})


def of_code(decide: Callable[[FoundCode, Told], CriterionRuling]) -> Decide:
    """Return what decides a criterion about the Python code of an output."""

    @wraps(decide)
    def whole(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
        return unknown(NO_CODE) if view.code is None else decide(view.code, told)

    return whole


def judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    """Return a ruling that rests on the syntax of the output."""
    return ruled(holds, Basis.STRUCTURE, why, **evidence)


def names_in(node: ast.AST) -> set[str]:
    """Return every name and attribute that a piece of code uses."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def stored_in(node: ast.AST) -> set[str]:
    """Return every name that a piece of code assigns, or takes as an argument."""
    nodes = list(ast.walk(node))
    found = {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    return found | {each.arg for each in nodes if isinstance(each, ast.arg)}


def imports_of(tree: ast.AST) -> dict[str, set[str]]:
    """Return what is imported, with dots and without, and the names that each is bound to; a neighbour is empty."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        for alias, bound, qualified in imported(node) if isinstance(node, ast.Import | ast.ImportFrom) else ():
            steps = (alias.name if isinstance(node, ast.Import) else qualified).split(".")
            for end in range(1, len(steps) + 1):
                found.setdefault(".".join(steps[:end]), set()).add(bound)
    return found


def _dependencies(code: FoundCode, _told: Told) -> CriterionRuling:
    names = {each for each in imports_of(code.tree) if "." not in each}
    foreign = sorted(names - {""} - sys.stdlib_module_names)
    if foreign or "" in names:
        # A neighbour is no dependency for some, and one that may be missing is none that is needed.
        tried = {part for node in ast.walk(code.tree) if isinstance(node, ast.Try) for part in imports_of(node)}
        is_open = "" in names or set(foreign) <= tried
        return judged(None if is_open else False, f"the code imports {', '.join(foreign) or 'its neighbours'}"[:200])
    return judged(None if _reaches_by_text(code) else True, "every import is of the standard library")


def _no_imports(code: FoundCode, _told: Told) -> CriterionRuling:
    found = sorted(imports_of(code.tree))
    holds = None if not found and _reaches_by_text(code) else not found
    return judged(holds, f"the code imports {', '.join(found)[:150] or 'nothing'}")


def _reaches_by_text(code: FoundCode, besides: str = "") -> bool:
    return bool({*names_in(code.tree), *imports_of(code.tree)} & (_DYNAMIC - {besides}))


def _uses(code: FoundCode, told: Told) -> CriterionRuling:
    states: list[bool | None] = []
    for part in re.split(r",? or |, ", told["what"]) if "no" in told else [told["what"]]:
        written = _AROUND.sub("", part.strip("' ")).strip("' ")
        word = plain_name(written.removesuffix("()"))
        used = _recursion(code) if word in {"recursion", "recursive calls"} else _use_of(code, word, written, told)
        states.append(None if used is False and _reaches_by_text(code, word) else used)
    uses = True in states
    is_open = None in states or (uses and False in states)
    observed = f"the code {'uses' if uses else 'does not use'} {told['what'][:60]}"
    return judged(None if is_open else uses is ("no" not in told), observed)


def _use_of(code: FoundCode, word: str, written: str, told: Told) -> bool | None:
    nodes, names, imports = list(ast.walk(code.tree)), names_in(code.tree), imports_of(code.tree)
    if kinds := _NODES.get(word) or _NODES.get(word.removesuffix("s")):
        # A comprehension is a loop for some.
        is_like = ast.For in kinds and any(isinstance(node, ast.comprehension) for node in nodes)
        return any(isinstance(node, kinds) for node in nodes) or (None if is_like else False)
    name = written.removesuffix("()")
    is_import = "import" in told.get("verb", "").lower()
    if name in imports:
        return True if is_import or (imports[name] - stored_in(code.tree)) & names else None
    if "module" in told or is_import:
        # Another word, such as "heavy", is no module.
        return False if name in sys.stdlib_module_names or name in _PACKAGES or "'" in told["what"] else None
    if name not in _BUILT_IN and (name == written or not name.isidentifier()):
        return None
    called = any(isinstance(each, ast.Call) and getattr(each.func, "id", "") == name for each in nodes)
    bound = any(isinstance(each, Function | ast.ClassDef) and each.name == name for each in nodes)
    return None if bound or (not called and name in names) else called


def _recursion(code: FoundCode) -> bool | None:
    """Return whether a function calls itself; None where it may do so by a detour."""
    functions = code.functions()
    names = {each.name for each in functions}
    assigned = [each.value for each in ast.walk(code.tree) if isinstance(each, ast.Assign | ast.AnnAssign)]
    if len(names) < len(functions) or any(isinstance(each, ast.Lambda) for each in assigned):
        return None
    calls = ((each.name, node.func) for each in functions for node in ast.walk(each) if isinstance(node, ast.Call))
    if any(isinstance(called, ast.Name) and called.id == name for name, called in calls):
        return True
    used = {each.name: names_in(each) & names for each in functions}
    return None if any(used[name] for names in used.values() for name in names) else False


USAGE_DECIDERS: Final[Mapping[str, Decide]] = {
    "uses": of_code(_uses),
    "no_imports": of_code(_no_imports),
    "dependencies": of_code(_dependencies),
}
