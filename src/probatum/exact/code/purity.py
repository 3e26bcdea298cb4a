"""Shows that Python code of the subset is pure: no effects, and equal arguments give equal results each time.

Arguments are numbers, text, and lists, tuples and dictionaries of them; time and memory are taken to suffice. Refuses
output, changes of anything that a function has not made itself, and what depends on the order of sets, on addresses in
memory, or on what an earlier call left behind. It is asked of code that `code_subset` has let through.
"""

from __future__ import annotations

import ast
from typing import Final, NoReturn

from probatum.exact.claim import CannotDecideError
from probatum.exact.code.names import Binding, NameScope
from probatum.exact.code.subset import Subset
from probatum.exact.code.tables import METHODS, TAKES_FUNCTION, words

_UNSTABLE: Final = words(
    "builtins.id builtins.hash builtins.iter builtins.next builtins.frozenset builtins.print builtins.format "
    "str.format functools.cache functools.lru_cache heapq.heapify heapq.heappop heapq.heappush bisect.insort"
)
"""What gives or does something else each time, changes its arguments, or follows the settings of a process."""
_UNSTABLE_PARTS: Final = ("set.", "itertools.", "decimal.")
_PLAIN_VALUES: Final = ("builtins.", "math.", "string.", "typing.", "collections.abc.", "__future__.")
"""What is written alike in every process, where it is printed."""
_LAZY: Final = words(
    "builtins.map builtins.filter builtins.zip builtins.enumerate builtins.reversed dict.keys dict.items dict.values"
)
_READERS: Final = words(
    "builtins.list builtins.tuple builtins.dict builtins.sorted builtins.sum builtins.min builtins.max builtins.any "
    "builtins.all builtins.len str.join"
)
_UNCHANGING: Final = words("str bytes tuple int float bool")
_FRESH: Final = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.BinOp)
_MAKES: Final = words(
    "builtins.list builtins.dict builtins.sorted collections.deque collections.Counter collections.defaultdict "
    "list.copy dict.copy str.split"
)
_SINGLE: Final = (None, True, False, ...)


class Purity:
    """What can be shown beyond the subset."""

    def __init__(self, subset: Subset) -> None:
        self._subset = subset
        self._names = subset.names
        self._tree = subset.names.tree
        self._parent = {child: node for node in ast.walk(self._tree) for child in ast.iter_child_nodes(node)}

    def require(self) -> None:
        """Raise CannotDecideError where the code is not evidently pure."""
        for node in ast.walk(self._tree):
            match node:
                case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom():
                    self._leave(node, "state is kept between calls")
                case ast.FunctionDef(decorator_list=[_, *_]):
                    self._leave(node, "a function has a decorator")
                case ast.arguments(defaults=defaults, kw_defaults=named):
                    if not all(each is None or _is_fixed(each) for each in (*defaults, *named)):
                        self._leave(node, "a default may be changed by calls")
                case ast.Set() | ast.SetComp():
                    self._require_unordered_use(node)
                case ast.GeneratorExp():
                    self._require_used_up(node)
                case ast.FormattedValue(format_spec=ast.JoinedStr(values=values)):
                    if not all(isinstance(each, ast.Constant) and "n" not in str(each.value) for each in values):
                        self._leave(node, "it formats by what is set elsewhere")
                case ast.Compare(ops=operators):
                    self._require_no_identity(node, operators)
                case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                    self._require_own(value)
                case ast.AugAssign():
                    self._require_own_growth(node)
                case ast.Call():
                    self._require_stable_call(node)
                case ast.Lambda() if not self._is_called(node) and not _is_named(self._parent[node]):
                    self._leave(node, "a function is a value")
                case ast.Name(ctx=ast.Load()):
                    self._require_no_function(node)
                    self._require_stable_name(node)
                case ast.Attribute():
                    self._require_no_function(node)

    # Equal results

    def _require_stable_call(self, node: ast.Call) -> None:
        spelled = self._subset.callee(node.func)
        if spelled in _UNSTABLE or spelled.startswith(_UNSTABLE_PARTS):
            self._leave(node, "it may give something else each time, or change something")
        kind, _, method = spelled.partition(".")
        # A method that gives nothing is there for its effect.
        if kind in METHODS and not METHODS[kind].get(method) and spelled != "dict.get" and kind != "pattern":
            self._require_own(node.func.value if isinstance(node.func, ast.Attribute) else node)
        if spelled == "builtins.set":
            self._require_unordered_use(node)
        if spelled in _LAZY:
            self._require_used_up(node)

    def _require_no_identity(self, node: ast.Compare, operators: list[ast.cmpop]) -> None:
        sides = [node.left, *node.comparators]
        for place, sign in enumerate(operators):
            pair = sides[place : place + 2]
            is_fixed = any(
                isinstance(each, ast.Constant) and any(each.value is one for one in _SINGLE) for each in pair
            )
            if isinstance(sign, ast.Is | ast.IsNot) and not is_fixed:
                self._leave(node, "it asks whether two things are the same in memory")

    def _require_unordered_use(self, node: ast.expr) -> None:
        parent = self._parent[node]
        is_member_test = (
            isinstance(parent, ast.Compare)
            and node is not parent.left
            and all(isinstance(sign, ast.In | ast.NotIn) for sign in parent.ops)
        )
        is_counted = isinstance(parent, ast.Call) and self._subset.callee(parent.func) == "builtins.len"
        if not is_member_test and not is_counted:
            self._leave(node, "a set has no order of its own")

    def _require_used_up(self, node: ast.expr) -> None:
        """A view or a lazy sequence is read at once: printed, it shows its address; two views make a set."""
        parent = self._parent[node]
        if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
            return
        if isinstance(parent, ast.Call) and self._subset.callee(parent.func) in _READERS | _LAZY:
            return
        self._leave(node, "a sequence that is not read at once is a value")

    def _require_no_function(self, node: ast.Name | ast.Attribute) -> None:
        """A function is called, or passed on to be called; as a value it could be printed with its address."""
        spelled, parent = self._subset.callee(node), self._parent[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        bindings = (self._names.bindings(node) or ()) if isinstance(node, ast.Name) else ()
        is_unclear = not spelled and any(each.sort in ("function", "import") for each in bindings)
        is_module = isinstance(parent, ast.Attribute)
        is_strange = spelled in _UNSTABLE | _LAZY | {"builtins.set"} or spelled.startswith(_UNSTABLE_PARTS)
        is_passed = spelled.partition(".")[0] not in METHODS and self._is_called(node)
        is_plain = is_passed or spelled.startswith(_PLAIN_VALUES)
        if (is_unclear and not is_module) or is_strange or (spelled and not is_plain):
            self._leave(node, "a function is a value")

    def _require_stable_name(self, node: ast.Name) -> None:
        if self._subset.types.base(node) == "set":
            self._leave(node, "a set has no order of its own")
        if node.id == "__name__":
            self._leave(node, "it asks how it is run")
        binding = self._names.only(node)
        is_global = self._place(node)[0] is self._names.module and self._names.bindings(node) is not None
        if not is_global or self._home(node) is self._names.module:
            return
        is_named = binding is not None and (
            binding.sort in ("function", "import") or isinstance(binding.node, ast.Lambda)
        )
        if not is_named and not (binding is not None and binding.sort == "value" and _is_fixed(binding.node)):
            self._leave(node, "a function reads a variable that may be changed")

    def _is_called(self, node: ast.expr) -> bool:
        parent = self._parent[node]
        if isinstance(parent, ast.keyword):
            call = self._parent[parent]
            return parent.arg == "key" and isinstance(call, ast.Call) and self._subset.callee(call.func) != "local"
        if not isinstance(parent, ast.Call):
            return False
        place = TAKES_FUNCTION.get(self._subset.callee(parent.func))
        return parent.func is node or (place is not None and parent.args[place : place + 1] == [node])

    # No effects

    def _require_own(self, receiver: ast.expr) -> None:
        """Refuse a change of anything but a list or dictionary that the same function has just made, and named."""
        bindings = self._names.bindings(receiver) if isinstance(receiver, ast.Name) else None
        is_own = bindings is not None and all(map(self._is_made_here, bindings))
        if not is_own or not isinstance(receiver, ast.Name) or self._place(receiver)[0] is not self._home(receiver):
            self._leave(receiver, "something that is not evidently a function's own is changed")

    def _require_own_growth(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            bindings = [each for each in self._names.bindings(node.target) or () if each.sort != "changed"]
            if not bindings or not all(self._is_made_here(each) or self._is_unchanging(each) for each in bindings):
                self._leave(node, "something that is not evidently a function's own is changed")
        elif self._subset.types.base(node.value) not in ("int", "float", "bool"):
            self._leave(node, "a part of something may be changed")

    def _is_made_here(self, binding: Binding) -> bool:
        if binding.sort == "changed":
            return True
        is_call = isinstance(binding.node, ast.Call) and self._subset.callee(binding.node.func) in _MAKES
        is_slice = isinstance(binding.node, ast.Subscript) and isinstance(binding.node.slice, ast.Slice)
        is_new = is_call or is_slice or isinstance(binding.node, _FRESH)
        return binding.sort == "value" and not binding.path and is_new

    def _is_unchanging(self, binding: Binding) -> bool:
        if binding.sort == "parameter" and isinstance(binding.node, ast.arg) and binding.node.annotation is not None:
            return self._subset.types.annotated(binding.node.annotation) in _UNCHANGING
        is_value = binding.sort == "value" and not binding.path and isinstance(binding.node, ast.expr)
        return is_value and self._subset.types.base(binding.node) in _UNCHANGING  # type: ignore[arg-type]  # just checked

    def _place(self, name: ast.Name) -> tuple[NameScope, str]:
        """Return a variable: the scope that binds it, and its name."""
        bindings = self._names.bindings(name)
        scope: NameScope | None = self._names.scope_of.get(name)
        while scope is not None and scope.bindings.get(name.id) is not bindings:
            scope = scope.parent
        return scope or self._names.module, name.id

    def _home(self, node: ast.expr) -> NameScope:
        return self._names.scope_of.get(node, self._names.module).function

    def _leave(self, node: ast.AST, problem: str) -> NoReturn:
        line = getattr(node, "lineno", 0)
        detail = f"Nothing is proved: {problem}{f', in line {line}' if line else ''}."
        raise CannotDecideError("code.not_evident", detail, {"line": line} if line else {})


def _is_named(parent: ast.AST) -> bool:
    return isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name)


def _is_fixed(node: ast.AST) -> bool:
    """Return whether a value can never change: a literal, or a tuple of such."""
    if isinstance(node, ast.UnaryOp):
        return _is_fixed(node.operand)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Tuple) and all(map(_is_fixed, node.elts)))
