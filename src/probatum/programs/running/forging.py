"""Means by which a program could forge what is observed in its own process.

Tests, sessions and clauses that run beside a program share frames, modules and objects with it. What they report counts
if nothing in the program's text, and in the modules of its project, leads there. Decided by syntax, over whole files:
any code of the program may run. `means_of_forging` gives one sentence for each place.

Three things are looked for: names that lead to frames, code, modules, descriptors or all objects; names that are made
at run time where they could be any of these; and changes of what belongs to others. Plain use of a module is none.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from probatum.programs.faults.borrowed import IMPORTS, Borrowed, bound_name, is_store
from probatum.programs.faults.claiming_equal import DECIDE_EQUALITY, claims
from probatum.programs.faults.unplanted import FROM_BYTES, MAKES_CODE, REACHES_IN
from probatum.programs.parsing.expressions import called_name
from probatum.programs.parsing.scanning import word_set
from probatum.programs.source import UNPARSABLE, parsed
from probatum.sandbox.jobs import Program

_LEADS_OUT = (REACHES_IN - {"monitoring"}) | word_set(
    "__import__ __loader__ __self__ __subclasses__ ag_code ag_frame cr_code fromfd gi_code gr_frame"
    " path_importer_cache print_stack set_asyncgen_hooks walk_tb"
)
_OF_A_TEST = re.compile(
    r"assert_(?:any_|awaited|called|has_|not_)\w*|mock_calls|method_calls|call_args\w*|_mock_\w+|PYTEST_\w+|given_tests"
    r"|/proc\b.*|/dev/fd.*"
)
"""What a test reads of its doubles, where it stands, what pytest is told, and files that are the process itself."""
_CLOSED = word_set(
    "__main__ artifact atexit bdb cProfile cffi cloudpickle code codeop concurrent.interpreters copyreg ctypes dill"
    " doctest faulthandler fcntl"
    " forbiddenfruit gc given_tests greenlet imp linecache logging.config marshal mmap mock"
    " multiprocessing.connection multiprocessing.reduction pdb pluggy profile pty pydoc pytest"
    " rlcompleter runpy test trace tracemalloc unittest zipimport"
)
"""Modules that lead out whatever is used of them, beside all whose name begins with an underscore."""
PATCHES = "patches one attribute of the module"
"""How the sentence begins of what tests do to many modules, and programs seldom."""
_FRIENDLY = word_set("__future__ _collections_abc _typeshed")
_ON_DESCRIPTORS = word_set(
    "write writev pwrite pwritev dup dup2 close closerange fdopen sendfile splice copy_file_range ftruncate pipe pipe2"
    " openpty set_inheritable fork forkpty kill killpg _exit abort register_at_fork execl execle execlp execlpe execv"
    " execve execvp execvpe pidfd_open memfd_create eventfd_write login_tty"
)
_MEMBERS = {
    "asyncio": word_set("set_event_loop_policy"),
    "builtins": word_set(
        "__dict__ __import__ breakpoint compile delattr eval exec getattr globals locals setattr vars"
    ),
    "codecs": word_set("register register_error"),
    "importlib": word_set("_bootstrap abc machinery reload"),
    "importlib.util": word_set("module_from_spec spec_from_file_location spec_from_loader LazyLoader"),
    "inspect": word_set(
        "currentframe findsource getblock getclosurevars getcomments getcoroutinelocals getframeinfo getgeneratorlocals"
        " getmodule getsource getsourcelines stack trace"
    ),
    "io": word_set("FileIO open_code"),
    "os": _ON_DESCRIPTORS,
    "pkgutil": word_set("find_loader get_loader resolve_name"),
    "posix": _ON_DESCRIPTORS,
    "signal": word_set("alarm pthread_kill raise_signal set_wakeup_fd setitimer sigaction signal"),
    "socket": word_set("fromfd fromshare recv_fds send_fds"),
    "sys": word_set(
        "breakpointhook call_tracing last_exc last_traceback last_value modules monitoring remote_exec"
        " set_coroutine_origin_tracking_depth"
    ),
    "threading": word_set("setprofile setprofile_all_threads settrace settrace_all_threads"),
    "timeit": word_set("Timer main repeat timeit"),
}
"""By module: what of it leads out."""
_ANY = frozenset().union(_LEADS_OUT, _CLOSED, _MEMBERS, *_MEMBERS.values())
_MODULES_IN_MODULES = frozenset({"ctypes", "gc", "marshal", *_MEMBERS})
_RUN_TEXT = word_set("breakpoint compile eval exec")
_BY_NAME = word_set("delattr getattr setattr")
_OF_NAMES = word_set("inspect.getattr_static operator.attrgetter operator.methodcaller")
_HARMLESS = word_set(
    "__doc__ __module__ __name__ __qualname__ argv displayhook dont_write_bytecode excepthook path ps1 ps2 stderr stdin"
    " stdout tracebacklimit"
)
_IS_SCRIPT = ("__name__ == '__main__'", "'__main__' == __name__")
_PRIVATE = re.compile(r"_[a-z]")
_OPENS = frozenset({"tempfile.mkstemp", "os.open"})
_THIS = frozenset({"cls", "klass", "mcs", "self"})
_SHOWN = 80
_Found = Iterator[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _File:
    """The bytes of a file, with their syntax where somebody has parsed them."""

    content: bytes
    tree: ast.Module | None = field(default=None, compare=False)


def means_of_forging(program: Program, tree: ast.Module | None = None) -> tuple[str, ...]:
    """Return a sentence for each place of a program and its siblings that could forge; empty where there is none.

    ``tree`` is the syntax of the program, where it is known.
    """
    # A sibling with the name of a module of Python is not what another module gets under this name.
    taken = sys.stdlib_module_names | _CLOSED
    own = frozenset(name.partition(".")[0] for name in program.importable) - taken
    files = [(program.key, _File(program.source, tree)), *((key, _File(content)) for key, content in program.siblings)]
    found = [(key, line, what) for key, file in files for line, what in _means(file, own)]
    found += [(key, 1, "takes the place of a module of Python") for key, _ in program.siblings if key in taken]
    return tuple(f"line {line} of {key.replace('.', '/')}.py {what}" for key, line, what in found)


@lru_cache(maxsize=512)
def _means(file: _File, own: frozenset[str]) -> tuple[tuple[int, str], ...]:
    try:
        return tuple(sorted(set(_Text(file.tree or parsed(file.content), own).places())))
    except UNPARSABLE:
        return ((1, "cannot be read"),)


class _Text:
    """One file: its syntax, and what of elsewhere its names may stand for."""

    def __init__(self, tree: ast.Module, own: frozenset[str]) -> None:
        self._own = own
        self._nodes = list(_running(tree))
        self._parents = {id(child): node for node in self._nodes for child in ast.iter_child_nodes(node)}
        self._borrowed = Borrowed(tree, self._nodes, self._is_own, _MEMBERS)
        classes = {each.name for each in self._nodes if isinstance(each, ast.ClassDef)}
        self._classes = classes - set(map(bound_name, filter(is_store, self._nodes)))

    def _is_own(self, module: str) -> bool:
        return module.partition(".")[0] in self._own or module.startswith(".")

    def places(self) -> _Found:
        """Yield the line of each means, and what is done there."""
        for node in self._nodes:
            match node:
                case ast.Import() | ast.ImportFrom():
                    yield from ((node.lineno, what) for what in self._of_import(node))
                case ast.Name() | ast.Attribute():
                    yield from ((node.lineno, what) for what in self._of_name(node))
                case ast.Constant(value=str(text)) if not isinstance(self._parents[id(node)], ast.Expr):
                    yield from ((node.lineno, f"names {word} in a text") for word in _leading(text))
                case ast.Call():
                    yield from ((node.lineno, what) for what in self._of_call(node))
                case ast.ClassDef():
                    told = claims(node, self._classes, self._borrowed.around_classes)
                    yield from ((line, f"defines a {name} that could say anything") for line, name in told)
                case ast.MatchClass(kwd_attrs=names):
                    found = sorted(_LEADS_OUT.intersection(names))
                    yield from ((node.cls.lineno, f"reaches frames, code or modules through {name}") for name in found)

    def _of_import(self, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        module = "" if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
        if module and not self._is_own(module) and _is_closed(module):
            yield f"imports {module}"
            return
        for each in node.names:
            name = f"{module}.{each.name}" if module else each.name
            if each.name in _LEADS_OUT:
                yield f"reaches frames, code or modules through {each.name}"
            elif not self._is_own(name) and (_is_closed(name) or _led_out(name)):
                yield f"imports {name}"

    def _of_name(self, node: ast.Name | ast.Attribute) -> Iterator[str]:
        name, parent = (node.id if isinstance(node, ast.Name) else node.attr), self._parents[id(node)]
        is_called = isinstance(parent, ast.Call) and parent.func is node
        resolved = self._borrowed.of(node)
        if name in _LEADS_OUT:
            yield f"reaches frames, code or modules through {name}"
        elif isinstance(node, ast.Attribute) and _OF_A_TEST.fullmatch(name):
            yield f"reaches into what a test reads through {name}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and name in _RUN_TEXT:
            yield f"runs text through {name}"
        elif isinstance(node, ast.Name) and name in _BY_NAME and not is_called:
            yield f"hands on {name}"
        if not (isinstance(parent, ast.Call) and is_called and self._is_of_own_file(parent)):
            yield from (f"uses {each}" for each in sorted(filter(_led_out, resolved)))
        if isinstance(node.ctx, ast.Load):
            if resolved & self._borrowed.modules and not is_called and self._is_handed_on(node, parent):
                how = PATCHES if _is_patched(node, parent, resolved) else "hands on the module"
                yield f"{how} {name}"
        elif isinstance(node, ast.Attribute):
            is_changed = self._is_elsewhere(node.value) and name not in _HARMLESS
            if is_changed or name in DECIDE_EQUALITY:
                yield f"changes {ast.unparse(node)[:_SHOWN]}"

    def _is_of_own_file(self, call: ast.Call) -> bool:
        """True for a call on a descriptor that the program has just opened by a path."""
        return bool(call.args) and self._borrowed.always(call.args[0], self._opens)

    def _opens(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Call) and not self._borrowed.of(value.func).isdisjoint(_OPENS)

    def _is_handed_on(self, node: ast.expr, parent: ast.AST) -> bool:
        """True where a module becomes a value that no name is given to."""
        match parent:
            case ast.NamedExpr() | ast.BoolOp() | ast.IfExp():
                return self._is_handed_on(parent, self._parents[id(parent)])
            case ast.Assign(targets=targets):
                return not all(isinstance(each, ast.Name) for each in targets)
            case ast.AnnAssign(target=target):
                return not isinstance(target, ast.Name)
            case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "isinstance" | "setattr" | "delattr"), args=args):
                return args[0] is not node
        return not isinstance(parent, ast.Attribute | ast.Compare | ast.If | ast.UnaryOp | ast.arguments | ast.Expr)

    def _is_elsewhere(self, node: ast.expr) -> bool:
        """True for what belongs to others: a module, a part of one, the class of an object."""
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[one]) | ast.Attribute(value=one, attr="__class__"):
                return not (isinstance(one, ast.Name) and one.id in _THIS)
        return bool(self._borrowed.of(node))

    def _of_call(self, node: ast.Call) -> Iterator[str]:
        shown, called = ast.unparse(node)[:_SHOWN], called_name(node)
        args, resolved = node.args, self._borrowed.of(node.func)
        is_plain = isinstance(node.func, ast.Name)
        keywords = {each.arg for each in node.keywords}
        if is_plain and called in _BY_NAME and any(isinstance(each, ast.Starred) for each in args):
            yield f"reads or changes attributes by computed names: {shown}"
        elif called == "__getattribute__" and not all(isinstance(each, ast.Constant) for each in args[-1:]):
            yield f"reads an attribute by a computed name: {shown}"
        elif is_plain and called in _BY_NAME and len(args) > 1:
            yield from self._of_attribute(called, args[0], args[1], shown)
        elif called in {"__setattr__", "__delattr__"} and len(args) > 1:
            yield from self._of_attribute("setattr", args[0], args[1], shown)
        elif called in IMPORTS and args:
            name = getattr(args[0], "value", None)
            if not isinstance(name, str) and not self._begins_here(args[0]):
                yield f"imports by a computed name: {shown}"
            elif isinstance(name, str) and not self._is_own(name) and _is_closed(name):
                yield f"imports {name}"
        elif resolved & _OF_NAMES and not all(isinstance(each, ast.Constant) for each in _names_in(called, args)):
            yield f"reads attributes by computed names: {shown}"
        elif is_plain and called == "globals" and not self._is_looked_up(node):
            yield "reaches all names through globals"
        elif is_plain and called == "vars" and args and self._is_elsewhere(args[0]):
            yield f"reaches all names through {shown}"
        elif called in {"load", "loads", "Unpickler"} and not (args and isinstance(args[0], ast.Call)):
            if any(each.partition(".")[0] in FROM_BYTES for each in resolved):
                yield f"makes objects of bytes: {shown}"
        elif (
            called in {"open", "fdopen", "FileIO"}
            and args
            and (_is_number(args[0]) or self._borrowed.ever(args[0], _is_number))
        ):
            yield f"opens a descriptor: {shown}"
        elif is_plain and called == "type" and len(args) == 3 and not _has_plain_keys(args[2]):
            yield f"makes a class of computed names: {shown}"
        elif resolved & {"socket.socket"} and (len(args) > 3 or None in keywords):
            yield f"uses a descriptor: {shown}"
        if "fileno" in keywords:
            yield f"uses a descriptor: {shown}"
        if any(each.rpartition(".")[2] in MAKES_CODE for each in resolved):
            yield f"makes code: {shown}"
        yield from (f"names {name}" for name in sorted(DECIDE_EQUALITY.intersection(filter(None, keywords))))

    def _of_attribute(self, called: str, owner: ast.expr, name: ast.expr, shown: str) -> Iterator[str]:
        """Take what reads or changes an attribute by a name that is a value."""
        known = name.value if isinstance(name, ast.Constant) else None
        if called == "getattr":
            resolved = self._borrowed.of(owner)
            if isinstance(known, str):
                yield from (f"uses {each}.{known}" for each in resolved if _led_out(f"{each}.{known}"))
            elif resolved and not _begins_plainly(name):
                yield f"reads an attribute by a computed name: {shown}"
        elif self._is_elsewhere(owner) and known not in _HARMLESS:
            yield f"changes what comes from elsewhere: {shown}"

    def _begins_here(self, name: ast.expr) -> bool:
        """True for a computed name of a module that can only be one's own: f".{name}"."""
        start = _start_of(name)
        return start is not None and "." in start and self._is_own(start)

    def _is_looked_up(self, node: ast.Call) -> bool:
        """True where one name is read of all names: ``globals()["x"]``."""
        match self._parents[id(node)]:
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()):
                return value is node and _begins_plainly(key)
            case ast.Attribute(attr="get" | "keys") as method:
                call = self._parents[id(method)]
                return isinstance(call, ast.Call) and (not call.args or _begins_plainly(call.args[0]))
            case ast.Compare():
                return True
        return False


def _is_patched(node: ast.expr, parent: ast.AST, resolved: Collection[str]) -> bool:
    """True for a module of which `monkeypatch.setattr` or `patch.object` gets one plain attribute."""
    match parent:
        case ast.Call(
            func=ast.Attribute(attr="setattr" | "delattr" | "object"), args=[first, ast.Constant(value=str(name)), *_]
        ):
            return (
                first is node and not name.startswith("_") and not any(_led_out(f"{each}.{name}") for each in resolved)
            )
    return False


def _running(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all nodes but those that run where the file is a script: it never is one here."""
    is_renamed = any(
        isinstance(each, ast.Name) and each.id == "__name__" and isinstance(each.ctx, ast.Store)
        for each in ast.walk(tree)
    )
    scripts = {} if is_renamed else {id(each): each for each in tree.body if _is_of_a_script(each)}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [each for each in ast.iter_child_nodes(node) if id(each) not in scripts]


def _is_of_a_script(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in _IS_SCRIPT and not statement.orelse


def _leading(text: str) -> list[str]:
    """Return the words of a text that lead out, as one of them or as the whole."""
    if text in DECIDE_EQUALITY or _OF_A_TEST.fullmatch(text):
        return [text]
    return sorted(_LEADS_OUT.intersection(re.findall(r"\w+", text)))


def _is_closed(module: str) -> bool:
    top = module.partition(".")[0]
    parts = module.split(".")
    return any(".".join(parts[:end]) in _CLOSED for end in range(1, len(parts) + 1)) or (
        top.startswith("_") and top not in _FRIENDLY
    )


def _led_out(dotted: str) -> bool:
    """True for a dotted name that leads out: by a member, or by what modules of Python have inside."""
    parts = dotted.split(".")
    if any(parts[at] in _MEMBERS.get(".".join(parts[:at]), ()) for at in range(1, len(parts))):
        return True
    is_of_python = parts[0] in sys.stdlib_module_names
    for at in range(len(parts) - 1, 0, -1):
        # A module has the modules that it imports: ``warnings.sys``, ``random._os``.
        inner = parts[at].lstrip("_")
        is_module = inner in _MODULES_IN_MODULES and ".".join(parts[: at + 1]) not in _MEMBERS
        if is_module and (is_of_python or inner == "sys"):
            return _is_closed(inner) or _led_out(".".join((inner, *parts[at + 1 :])))
    return (is_of_python and any(map(_PRIVATE.match, parts[1:]))) or "__dict__" in parts


def _names_in(called: str, args: list[ast.expr]) -> list[ast.expr]:
    """Return which arguments of ``operator.attrgetter`` and its like are names of attributes."""
    return {"attrgetter": args, "methodcaller": args[:1], "getattr_static": args[1:2]}.get(called, args)


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
    return False


def _begins_plainly(key: ast.expr) -> bool:
    """True for a constant, and for a computed name that begins as nothing does that leads out: f"visit_{kind}"."""
    if (start := _start_of(key)) is not None:
        return not start.startswith("_") and not any(each.startswith(start) for each in _ANY)
    # No name of capitals leads out: ``level.upper()``.
    return isinstance(key, ast.Constant) or (isinstance(key, ast.Call) and called_name(key) == "upper")


def _start_of(text: ast.expr) -> str | None:
    """Return what a computed text begins with, None where that is not written out."""
    match text:
        case (
            ast.JoinedStr(values=[ast.Constant(value=str(start)), *_])
            | ast.BinOp(left=ast.Constant(value=str(start)), op=ast.Add())
        ):
            return start
    return None


def _has_plain_keys(table: ast.expr) -> bool:
    if isinstance(table, ast.Call):
        return called_name(table) == "dict" and not table.args and all(each.arg for each in table.keywords)
    return isinstance(table, ast.Dict) and all(isinstance(each, ast.Constant) for each in table.keys)
