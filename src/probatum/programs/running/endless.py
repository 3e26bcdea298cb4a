"""Proving that a documented call never ends: a closed loop came back to a state in which it was before.

A copy of the program notes the state at the head of every closed loop (see `loops`) and stops at the first repetition.
Refuses to conclude anything from states that it cannot write down whole, and from what one process alone shows.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from dataclasses import dataclass, replace

from probatum.programs.faults.work_limit import length_of_preamble
from probatum.programs.parsing.expressions import names_in
from probatum.programs.running.checks import Action
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_alone
from probatum.programs.running.loops import ClosedLoop, closed_loops
from probatum.programs.source import UNPARSABLE, Source
from probatum.sandbox import Raised

REPETITION = "ProbatumLoopRepeats"
_LONGEST_STATE = 160
_WATCH = f"""
class {REPETITION}(BaseException):
    pass


def _probatum_watch(line, steering, collecting):
    seen = set()
    room = [4000]

    def written(value, known):
        room[0] -= 1
        if type(value) in (int, str, bytes, bool, type(None)):
            return (type(value).__name__, value)
        if type(value) in (float, complex, range):
            return (type(value).__name__, repr(value))
        if type(value) not in (list, tuple, dict) or room[0] < 0:
            raise {REPETITION}
        if id(value) in known:
            return ("again", known[id(value)])
        known[id(value)] = len(known)
        items = value.items() if type(value) is dict else value
        return (type(value).__name__, tuple([written(item, known) for item in items]))

    def turn(here, module):
        if room[0] < 0:
            return
        names = {{**module, **here}}
        room[0] = 4000
        try:
            state = tuple([(name, written(names[name], {{}})) for name in steering if name in names])
            [written(names[name], {{}}) for name in collecting if name in names]
        except {REPETITION}:
            room[0] = -1
            return
        if state in seen:
            shown = ", ".join([name + " = " + repr(names[name]) for name in steering if name in names])
            raise {REPETITION}(str(line) + " " + shown[:{_LONGEST_STATE}])
        seen.add(state)
        if len(seen) > 20000:
            room[0] = -1

    return turn
"""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Where a loop came back to an earlier state, and which."""

    line: int
    state: str
    """The names that steer the loop with their values, for people; may be cut."""


def find_repetition(source: Source, action: Action, benches: Benches) -> Repetition | None:
    """Run one action with watched loops, under both hash seeds; None where nothing is proved."""
    watched = with_watched_loops(source)
    if watched is None:
        return None
    copy = replace(source.program, source=watched.encode("utf-8", "surrogatepass"))
    found = [_repetition(reply) for reply in run_alone(benches, copy, action, MUTANT_LIMITS)]
    return found[0] if len({each.line if each else 0 for each in found}) == 1 else None


def _repetition(reply: object) -> Repetition | None:
    # Who waits for what the sandbox does not have may come to an end elsewhere.
    if not isinstance(reply, Raised) or reply.denied or not reply.type_name.endswith(REPETITION):
        return None
    line, _, state = reply.text.partition(" ")
    return Repetition(int(line), state) if line.isdecimal() else None


def with_watched_loops(source: Source) -> str | None:
    """Return the program with every closed loop watched, None where there is none or the text cannot be changed."""
    try:
        tree = deepcopy(source.tree)
        loops = {(loop.line, loop.column): loop for loop in closed_loops(tree)}
        if not loops or "_probatum_watch" in source.text or "locals" in _bound_anywhere(tree):
            return None
        changed = _Watching(loops).visit(tree)
        begin = length_of_preamble(changed.body)
        changed.body[begin:begin] = ast.parse(_WATCH).body
        return "# -*- coding: utf-8 -*-\n" + ast.unparse(ast.fix_missing_locations(changed))
    except UNPARSABLE:
        return None


def _bound_anywhere(tree: ast.Module) -> set[str]:
    names = names_in(tree, ast.Store) | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


class _Watching(ast.NodeTransformer):
    """Puts a watch before each closed loop and a note of the state at its head."""

    def __init__(self, loops: dict[tuple[int, int], ClosedLoop]) -> None:
        self._loops = loops

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        loop = self._loops.get((node.lineno, node.col_offset))
        if loop is None:
            return [node]
        name = f"_probatum_turn_{loop.line}_{loop.column}"
        before = ast.parse(f"{name} = _probatum_watch({loop.line}, {loop.steering!r}, {loop.collecting!r})").body
        node.body[:0] = ast.parse(f"{name}(locals(), globals())").body
        return [*before, node]
