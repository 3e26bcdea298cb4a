"""Shows that Python code does not call out, where it keeps to a small subset of the language.

In the subset every name is bound in the code itself, is a pure built-in name, or is imported from a pure module; every
call goes to a function that is evident by its name, or to a pure method of a value whose type is evident; and no other
attribute is read, and none is set. Every value that arises is then a built-in value or a function written here, so
whatever is called implicitly is pure as well. Functions are taken to be given built-in values, of the types that they
are annotated with. Refuses, with its line, the first part that is outside: classes, ``with``, ``async``, decorators
but caches, attributes of unknown values, names that could be Python's own and the code's, calls of whatever is passed.
"""

from __future__ import annotations

import ast
import string
from typing import Final, NoReturn

from probatum.exact.claim import CannotDecideError
from probatum.exact.code.names import Names, imported
from probatum.exact.code.tables import (
    BUILTIN_NAMES,
    KEYWORDS,
    METHODS,
    MOST_ARGUMENTS,
    PURE_BUILTINS,
    PURE_IMPORTED,
    PURE_MODULES,
    TAKES_FUNCTION,
    words,
)
from probatum.exact.code.types import Types

_PLAIN: Final = words(
    "Module Expr Assign AnnAssign AugAssign For While If Return Pass Break Continue Delete Assert Raise Try "
    "ExceptHandler arguments Lambda BoolOp BinOp UnaryOp Compare IfExp keyword Constant JoinedStr FormattedValue "
    "Starred List Tuple Set Dict ListComp SetComp DictComp GeneratorExp comprehension Subscript Slice NamedExpr Yield "
    "YieldFrom Global Nonlocal Match match_case MatchValue MatchSingleton MatchSequence MatchMapping MatchStar MatchAs "
    "MatchOr Load Store Del And Or Add Sub Mult Div FloorDiv Mod Pow LShift RShift BitOr BitXor BitAnd Invert Not UAdd "
    "USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
)
"""The parts of the language that call nothing but what the types of their values do."""
_CACHES: Final = frozenset(("functools.cache", "functools.lru_cache", "functools.lru_cache()"))


class Subset:
    """One reading of some code; `uses` lists what it calls and imports, and under which name that is pure."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.types = Types(names)
        self.uses: dict[tuple[int, int], str] = {}
        self._callees: set[ast.expr] = set()
        """What is called or passed on to be called, as far as it is an attribute or evident."""
        self._bases = {each.value for each in ast.walk(names.tree) if isinstance(each, ast.Attribute)}

    def require(self) -> None:
        """Raise CannotDecideError where the code is not evidently within the subset."""
        for name in self.names.bound:
            if name.startswith("__"):
                self._leave(self.names.tree, f"the special name {name[:40]!r} is bound")
        for node in ast.walk(self.names.tree):
            match node:
                case ast.Import() | ast.ImportFrom():
                    self._import(node)
                case ast.FunctionDef():
                    self._function(node)
                case ast.arg() | ast.alias():
                    pass
                case ast.Call():
                    self._call(node)
                case ast.Attribute():
                    if node not in self._callees:
                        self._constant(node)
                case ast.Name():
                    self._name(node)
                case _ if type(node).__name__ not in _PLAIN or getattr(node, "type_params", None):
                    self._leave(node, f"it has a part that is not analysed, {type(node).__name__}")

    def callee(self, func: ast.expr) -> str:
        """Return under which name a call is pure: ``local``, or the name in a table; empty where it is not evident."""
        match func:
            case ast.Lambda():
                return "local"
            case ast.Name():
                binding = self.names.only(func)
                if binding is None:
                    is_pure = self.names.is_builtin(func) and func.id in PURE_BUILTINS
                    return f"builtins.{func.id}" if is_pure else ""
                is_lambda = binding.sort == "value" and not binding.path and isinstance(binding.node, ast.Lambda)
                if binding.sort == "function" or is_lambda:
                    return "" if isinstance(binding.node, ast.AsyncFunctionDef) else "local"
                return binding.qualified if binding.qualified in PURE_IMPORTED else ""
            case ast.Attribute(value=ast.Name() as module) if self._is_module(module):
                spelled = f"{self.names.qualified(module)}.{func.attr}"
                return spelled if spelled in PURE_IMPORTED else ""
            case ast.Attribute(value=value, attr=attr):
                kind = self.types.base(value)
                return f"{kind}.{attr}" if attr in METHODS.get(kind, {}) else ""
            case _:
                return ""

    def _is_module(self, name: ast.Name) -> bool:
        binding = self.names.only(name)
        return binding is not None and binding.sort == "import" and binding.qualified in PURE_MODULES

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias, _, qualified in imported(node):
            known = PURE_IMPORTED if isinstance(node, ast.ImportFrom) else PURE_MODULES
            if qualified not in known or (isinstance(node, ast.Import) and "." in alias.name):
                self._leave(node, "it imports what is not known to be pure")
            self._use(alias, qualified)

    def _function(self, node: ast.FunctionDef) -> None:
        if getattr(node, "type_params", None):
            self._leave(node, "a function has parameters for types")
        for each in node.decorator_list:
            if self.names.qualified(each) not in _CACHES:
                self._leave(each, "a function has a decorator")

    def _call(self, node: ast.Call) -> None:
        spelled = self.callee(node.func)
        if not spelled:
            self._leave(node, "it calls what is not evidently pure")
        self._use(node.func, spelled)
        self._callees.add(node.func)
        if spelled == "local":
            return
        known = KEYWORDS.get(spelled, "").split()
        for keyword in node.keywords:
            if keyword.arg is None or (keyword.arg not in known and spelled != "builtins.dict"):
                self._leave(node, "it gives a built-in function a keyword that is not analysed")
            if keyword.arg == "key":
                self._require_function(keyword.value, is_alone=True)
        if len(node.args) > MOST_ARGUMENTS.get(spelled, len(node.args)):
            self._leave(node, "it gives a built-in function more than is analysed")
        place = TAKES_FUNCTION.get(spelled)
        bounded = spelled in MOST_ARGUMENTS or place is not None
        if bounded and any(isinstance(each, ast.Starred) for each in node.args):
            self._leave(node, "it spreads arguments over a function that calls one of them")
        if place is not None and len(node.args) > place:
            is_alone = spelled != "functools.reduce" and len(node.args) <= 2
            self._require_function(node.args[place], is_alone=is_alone)
        if spelled == "functools.lru_cache" and not all(isinstance(each, ast.Constant) for each in node.args):
            self._leave(node, "it makes a cache of a function that is not evident")
        if spelled == "str.format":
            self._format(node)

    def _require_function(self, node: ast.expr, *, is_alone: bool) -> None:
        if isinstance(node, ast.Constant) and node.value is None:
            return
        spelled = self.callee(node)
        # Some call nothing as long as they are given one value alone.
        if not spelled or spelled in TAKES_FUNCTION or (spelled in MOST_ARGUMENTS and not is_alone):
            self._leave(node, "it passes on a function that is not evident")
        if isinstance(node, ast.Attribute):
            self._use(node, spelled)
            self._callees.add(node)

    def _format(self, node: ast.Call) -> None:
        """A template can read attributes, so it is a literal one without any."""
        template = node.func.value if isinstance(node.func, ast.Attribute) else None
        if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
            self._leave(node, "it formats by a template that is not written there")
        try:
            fields = list(string.Formatter().parse(template.value))
        except ValueError:
            self._leave(node, "it formats by a template that cannot be read")
        for _, name, specification, _ in fields:
            if any(sign in (name or "") for sign in ".[") or "{" in (specification or ""):
                self._leave(node, "it formats by a template that reads attributes")

    def _constant(self, node: ast.Attribute) -> None:
        """What is read without being called is something of a pure module."""
        is_read = isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and self._is_module(node.value)
        spelled = self.names.qualified(node) if is_read else ""
        if spelled not in PURE_IMPORTED:
            self._leave(node, "it reads or sets an attribute")
        self._use(node, spelled)

    def _name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            return
        bindings = self.names.bindings(node)
        is_own = node.id in BUILTIN_NAMES
        is_unclear = bindings is None and node.id in self.names.bound
        if is_unclear or ((bindings is None or is_own) and node.id not in PURE_BUILTINS):
            self._leave(node, "it uses a name that is not known to be pure")
        if bindings is None:
            self._use(node, f"builtins.{node.id}")
        # A module as a value could be asked for anything; `math.pi` and its like are read before their parts.
        elif any(each.sort == "import" and each.qualified in PURE_MODULES for each in bindings):
            self._module_value(node)

    def _module_value(self, node: ast.Name) -> None:
        if self.names.only(node) is None or node not in self._bases:
            self._leave(node, "it uses a module as a value")

    def _use(self, node: ast.expr | ast.alias, spelled: str) -> None:
        place = (node.end_lineno or 0, node.end_col_offset or 0)
        self.uses[place] = spelled

    def _leave(self, node: ast.AST, problem: str) -> NoReturn:
        line = getattr(node, "lineno", 0)
        detail = f"Nothing is proved: {problem}{f', in line {line}' if line else ''}."
        raise CannotDecideError("code.outside_subset", detail, {"line": line} if line else {})
