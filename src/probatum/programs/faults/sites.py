"""Every place in the functions under test, and in constants, where a fault could be planted.

Never enters docstrings, annotations, decorators, imports, the message of an ``assert`` or code under
``if TYPE_CHECKING``: a fault there changes no behaviour, so it would only blur the measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import libcst

from probatum.programs.faults.boundaries import limit_names, serves_boundary
from probatum.programs.faults.kinds import Kinds, kinds_of
from probatum.programs.faults.planting import Edit, Ground, Mutation, Plot, shorten
from probatum.programs.faults.syntax import call_name, children, descendants, searched_names

_OPAQUE = (libcst.Import, libcst.ImportFrom, libcst.Global, libcst.Nonlocal, libcst.FormattedStringText)


@dataclass(frozen=True, slots=True)
class Site:
    """One node of a target function and its surroundings, outermost ancestor first."""

    ground: Ground
    plot: Plot
    kinds: Kinds
    node: libcst.CSTNode
    ancestors: tuple[libcst.CSTNode, ...]
    place: int
    # Parameters whose natural limits have branches of their own; see `boundaries`.
    limit_names: frozenset[str] = frozenset()
    # From which character offset on each parameter, or name assigned at the top of the body, has a value.
    bound_from: Mapping[str, int] = field(default_factory=dict)
    # Names in which the targets look items up, or whose items they go through.
    searched_names: frozenset[str] = frozenset()

    @property
    def parent(self) -> libcst.CSTNode:
        """The node directly around this one."""
        return self.ancestors[-1]

    def ancestor(self, up: int) -> libcst.CSTNode | None:
        """Return the node ``up`` levels above (1 is the parent), None above the function."""
        return self.ancestors[-up] if up <= len(self.ancestors) else None

    def inside(self, *types: type[libcst.CSTNode]) -> bool:
        """Tell whether a node of one of these types is somewhere around."""
        return any(isinstance(node, types) for node in self.ancestors)

    def span(self, node: libcst.CSTNode) -> tuple[int, int]:
        """Return the character offsets of a node in the file."""
        return self.ground.span(self.plot, node)

    def text(self, node: libcst.CSTNode) -> str:
        """Return the source text of a node."""
        return self.ground.text(self.plot, node)

    def shown(self, node: libcst.CSTNode) -> str:
        """Return the source text of a node, short enough for a sentence."""
        return shorten(self.text(node))

    def line(self, node: libcst.CSTNode) -> int:
        """Return the 1-based line of the file on which a node starts."""
        return self.plot.ranges[node].start.line + self.plot.line_shift

    def replacing(self, node: libcst.CSTNode, text: str, operator: str, words: str) -> Mutation:
        """Return the fault that writes ``text`` for ``node``; ``words`` follow "line N"."""
        return self.fault(node, (Edit(*self.span(node), text),), operator, words)

    def fault(self, at: libcst.CSTNode, edits: tuple[Edit, ...], operator: str, words: str) -> Mutation:
        """Return the fault of these edits, said to be at the start of the node ``at``."""
        line = self.line(at)
        return Mutation(
            edits=edits,
            operator=operator,
            line=line,
            column=self.plot.ranges[at].start.column,
            sentence=f"line {line} {words}",
            place=self.place,
            target=self.plot.index,
            serves_boundary=serves_boundary(self.node, self.ancestors, self.limit_names),
        )


def sites_of(ground: Ground, *, decorators: bool = False) -> Iterator[Site]:
    """Yield every node of every target, the target's own node included, in no promised order.

    The nodes of decorators are left out unless they are asked for.
    """
    searched = frozenset[str]().union(*(searched_names(plot.root) for plot in ground.plots))
    for plot in ground.plots:
        kinds = kinds_of(plot.root)
        names: frozenset[str] = frozenset()
        if isinstance(plot.root, libcst.FunctionDef) and plot.target.qualname == ground.qualname:
            names = limit_names(plot.root)
        bound = _bound_from(ground, plot)
        waiting: list[tuple[libcst.CSTNode, tuple[libcst.CSTNode, ...], int]] = [
            (plot.root, (), plot.target.first_line)
        ]
        while waiting:
            node, ancestors, place = waiting.pop()
            if isinstance(node, libcst.BaseStatement | libcst.BaseSmallStatement):
                place = plot.ranges[node].start.line + plot.line_shift
            yield Site(ground, plot, kinds, node, ancestors, place, names, bound, searched)
            inner = (*ancestors, node)
            waiting.extend((child, inner, place) for child in _mutable_children(node))
            if decorators and isinstance(node, libcst.FunctionDef | libcst.ClassDef):
                waiting.extend((each.decorator, inner, place) for each in node.decorators)


def _bound_from(ground: Ground, plot: Plot) -> Mapping[str, int]:
    if not isinstance(plot.root, libcst.FunctionDef):
        return {}
    parameters = plot.root.params
    bound = {
        param.name.value: 0 for param in (*parameters.params, *parameters.posonly_params, *parameters.kwonly_params)
    }
    for statement in plot.root.body.body:
        for small in statement.body if isinstance(statement, libcst.SimpleStatementLine) else ():
            for target in small.targets if isinstance(small, libcst.Assign) else ():
                for node in descendants(target.target):
                    if isinstance(node, libcst.Name):
                        bound.setdefault(node.value, ground.span(plot, statement)[1])
    return bound


def _mutable_children(node: libcst.CSTNode) -> Iterator[libcst.CSTNode]:
    if isinstance(node, _OPAQUE) or _is_docstring(node) or _is_type_checking(node) or _only_waits(node):
        return
    if isinstance(node, libcst.Assert):
        yield node.test
    elif isinstance(node, libcst.Param):
        if node.default is not None:
            yield node.default
    elif isinstance(node, libcst.Attribute):
        yield node.value
    elif isinstance(node, libcst.AnnAssign):
        yield node.target
        if node.value is not None:
            yield node.value
    else:
        yield from children(node)


def _is_docstring(node: libcst.CSTNode) -> bool:
    return isinstance(node, libcst.Expr) and isinstance(node.value, libcst.SimpleString | libcst.ConcatenatedString)


def _only_waits(node: libcst.CSTNode) -> bool:
    # How long `sleep(…)` waits changes no result, but waiting longer costs everybody's time.
    return isinstance(node, libcst.Call) and call_name(node) == "sleep"


def _is_type_checking(node: libcst.CSTNode) -> bool:
    if not isinstance(node, libcst.If):
        return False
    test = node.test.attr if isinstance(node.test, libcst.Attribute) else node.test
    return isinstance(test, libcst.Name) and test.value == "TYPE_CHECKING"


# By the exact type of a node: what proposes faults for it. Each takes the site and the node itself.
Rules = Mapping[type[libcst.CSTNode], tuple[Callable[[Site, Any], Iterator[Mutation]], ...]]
