"""Reading and loading a program before anything is asked of it, and what follows when that fails.

| what happens                                             | outcome                                    |
|----------------------------------------------------------|--------------------------------------------|
| not text, or text that Python cannot decode              | not attempted, ``program.not_python``      |
| not valid Python                                         | refuted, ``program.does_not_parse``        |
| valid for a later Python than the one that reads it      | not attempted, ``…needs_newer_python``     |
| larger than the budget, or nested too deep to read       | undecided, ``program.too_large``           |
| loading raises, in a fresh process as well               | refuted, ``program.import_raises``         |
| loading ends the process                                 | refuted, ``program.exits``                 |
| the same of a ``__main__`` file, which is not imported   | undecided                                  |
| a module that is not there                               | not attempted, ``program.missing_package`` |
| another module fails while it is imported                | not attempted, ``program.import_raises``   |
| a resource that the sandbox does not give, here or there | not attempted, ``program.needs_resource``  |
| loading does not end, or crashes                         | undecided                                  |

Refuses to blame the program for what its surroundings lack.
"""

from __future__ import annotations

import ast
import warnings

from probatum.core.decision import Decision, Outcome, decide
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.core.messages import writable
from probatum.programs.as_shown import as_shown
from probatum.programs.extract import module_of
from probatum.programs.newer_syntax import newer_syntax
from probatum.programs.running.compare import describe
from probatum.programs.running.execute import OTHER_MODULE, Benches, LoadFailure, loaded
from probatum.programs.running.shown_names import Shown, shown_by
from probatum.programs.source import Source, decoded, parsed
from probatum.sandbox import Lost, LostReason, Program, Raised, Sandbox

_RESOURCE_ERRORS = frozenset({"OSError", "MemoryError", "EOFError"})
_SCRIPT = "__main__"
_NO_THREAD = "can't start new thread"
_INSTALLED_ELSEWHERE = (
    "If it is an installed package, name the interpreter of the environment that has it: --python INTERPRETER"
)


def read_source(program: Program, tree: ast.Module | None = None) -> Source | Decision:
    """Decode and parse a program (``tree`` is its syntax where that is done), or say why it is not possible."""
    source = program.source
    if len(source) > MAX_SOURCE_BYTES:
        detail = f"the file has {len(source)} bytes; the budget is {MAX_SOURCE_BYTES}"
        return decide(Outcome.UNDECIDED, "program.too_large", fields={"detail": detail})
    if b"\0" in source:
        detail = f"the file holds a null byte at offset {source.index(0)}: it is binary"
        return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": detail})
    try:
        encoding, text = decoded(source)
    except (SyntaxError, UnicodeError, LookupError) as error:
        return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": _one_line(error)})
    try:
        tree = parsed(text) if tree is None else tree
        _require_compiles(tree)
        module = module_of(
            text,
            tree,
            program.module_name,
            program.importable,
            siblings=program.siblings,
            is_package=program.is_package,
        )
        return Source(program, encoding, text, tree, module)
    except SyntaxError as error:
        fields = {"detail": _one_line(error), "line": error.lineno or 0}
        newer = newer_syntax(text)
        if newer is None:
            return decide(Outcome.REFUTED, "program.does_not_parse", fields=fields)
        fields |= {"detail": f"{newer.sentence}: {fields['detail']}", "hint": newer.hint}
        return decide(Outcome.NOT_ATTEMPTED, "program.needs_newer_python", {"python": newer.python}, fields)
    except SystemError as error:  # Some versions have defects in what compiles newer syntax.
        return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": _one_line(error)})
    except (RecursionError, MemoryError, ValueError) as error:
        return decide(Outcome.UNDECIDED, "program.too_large", fields={"detail": _one_line(error)})


def _require_compiles(tree: ast.Module) -> None:
    # A tree that parses can still be wrong, like a `return` outside of a function.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(tree, "program", "exec", dont_inherit=True)


def _one_line(error: BaseException) -> str:
    return writable(f"{type(error).__name__}: {error}").replace("\n", " ")[:300]


def load_failure(program: Program, benches: Benches) -> Decision | None:
    """Load the program once in each sandbox; return what follows where that fails, None where it succeeds."""
    first = _try_to_load(benches.first, program)
    if first is None:
        return None
    second = _try_to_load(benches.second, program)
    if second is None or second.constraint_id != first.constraint_id:
        return decide(Outcome.UNDECIDED, "program.flaky", {"name": "it"}, {"detail": first.fields.get("detail")})
    return first


def _try_to_load(sandbox: Sandbox, program: Program) -> Decision | None:
    with loaded(sandbox, program) as candidate:
        if not isinstance(candidate, LoadFailure):
            return None
        reply = candidate.reply
    fields = {"detail": describe(reply)}
    decision = _raised(reply, fields) if isinstance(reply, Raised) else _lost(reply, fields)
    if decision.outcome is Outcome.REFUTED and program.module_name.rpartition(".")[2] == _SCRIPT:
        hint = "It runs as soon as it is loaded. Move its functions to another module, or guard what runs."
        return decide(Outcome.UNDECIDED, decision.constraint_id, fields={**decision.fields, "hint": hint})
    return decision


def with_shown_names(source: Source, benches: Benches) -> Source | Decision:
    """Return the program with what its loaded module shows, or what follows where that cannot be seen."""
    wanted = {name for name in source.module.exported if name.isidentifier()}
    shown = shown_by(benches.first, source.program, wanted)
    if isinstance(shown, Shown):
        return as_shown(source, shown)
    if isinstance(shown, LoadFailure):
        return decide(Outcome.NOT_ATTEMPTED, "program.import_raises", fields={"detail": describe(shown.reply)})
    too_large = isinstance(shown, Raised) and shown.type_name == "OverflowError"
    constraint = "program.too_large" if too_large else "program.lost"
    return decide(Outcome.UNDECIDED, constraint, fields={"detail": describe(shown)})


def _raised(reply: Raised, fields: dict[str, str]) -> Decision:
    names = {reply.type_name, *reply.bases}
    if any(name.rpartition(".")[2] == OTHER_MODULE for name in names):
        constraint = "program.needs_resource" if names & _RESOURCE_ERRORS else "program.import_raises"
        return decide(Outcome.NOT_ATTEMPTED, constraint, fields={"detail": writable(reply.text)[:300]})
    if "ImportError" in names:
        hint = {"hint": _INSTALLED_ELSEWHERE} if "ModuleNotFoundError" in names else {}
        return decide(Outcome.NOT_ATTEMPTED, "program.missing_package", fields={**fields, **hint})
    if names & _RESOURCE_ERRORS or _NO_THREAD in reply.text:
        return decide(Outcome.NOT_ATTEMPTED, "program.needs_resource", fields=fields)
    return decide(Outcome.REFUTED, "program.import_raises", fields=fields)


def _lost(reply: Lost, fields: dict[str, str]) -> Decision:
    if reply.reason is LostReason.EXIT:
        return decide(Outcome.REFUTED, "program.exits", fields=fields)
    if reply.reason in {LostReason.CPU, LostReason.WALL, LostReason.MEMORY, LostReason.OUTPUT}:
        return decide(Outcome.UNDECIDED, "program.out_of_budget", fields=fields)
    return decide(Outcome.UNDECIDED, "program.lost", fields=fields)
