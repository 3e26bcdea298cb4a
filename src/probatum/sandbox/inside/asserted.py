"""What the tests of clauses call: it makes the calls of a reader and asserts the clause after each.

Runs inside the sandbox, standard library only, beside the program, and under no name that the program has: a program
that defines `any` or `bool` changes nothing here, and nothing of what a clause means by these. A test returns a text
where it neither passed nor failed.
"""

from __future__ import annotations

import asyncio
import builtins
import collections
import contextlib
import copy
import inspect
import itertools
import re
import sys
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

NOT_MET = "no call of the reader meets it"
MAY_BE_DUE = ", which may be due by what nobody read"
Clause = tuple[types.FunctionType, Sequence[str]]
"""A clause and the names that it needs."""
Call = tuple[str, Callable[[], tuple[Any, ...]]]
"""A call as it is written, and what makes its arguments."""
Given = dict[str, Any]
_MOST_ITEMS, _SHOWN = 10_000, 200
_NEAR, _MOST_PARTS = 9, 5_000
"""How deep a change of what was not given is seen, as objects lead to what all share; how many parts are seen."""


class _SilentError(Exception):
    pass


def results(
    find: Callable[[], Callable[..., Any]],
    calls: Sequence[Call],
    requires: Sequence[Clause],
    raises: Sequence[tuple[Clause, str]],
    clauses: Sequence[Clause],
    unread: Collection[str],
    read: Collection[str],
    loose: Collection[str] = (),
) -> str | None:
    """Assert clauses about results after every call that is admitted and for which no exception is due.

    What is ``unread`` are announced exceptions of which no reading says when they are due; ``read`` are the others.
    ``loose`` are calls in a state that nobody wrote: one for which a clause has no truth value is left out.
    """
    try:
        asked = 0
        function, signature = _found(find)
        for text, bound, given in _admitted(signature, calls, requires, loose):
            with contextlib.suppress(*_passed_over(text, loose)):
                if any(_holds(each, given) for each, _ in raises):
                    continue
                before = {name: _state(value, False, {}, _NEAR) for name, value in given.items()}
                try:
                    result = _settled(function(*bound.args, **bound.kwargs), bound)
                except (OSError, MemoryError, ImportError):
                    raise
                except Exception as error:
                    if _is_any(error, unread):
                        continue
                    doubt = MAY_BE_DUE if _is_any(error, read) else ""
                    raise AssertionError(f"{text} raises: {type(error).__name__}: {error}{doubt}") from error
                changed = {name for name, value in given.items() if _state(value, False, {}, _NEAR) != before[name]}
                untouched = {name: value for name, value in given.items() if name not in changed}
                if not _hold(clauses, untouched, bound.arguments, result):
                    raise AssertionError(f"{text} gives: {_shown(result)}")
                asked += 1
    except _SilentError as error:
        return str(error)
    return None if asked else NOT_MET


def _passed_over(text: str, loose: Collection[str]) -> tuple[type[Exception], ...]:
    return (_SilentError,) if text in loose else ()


def exceptions(
    find: Callable[[], Callable[..., Any]],
    calls: Sequence[Call],
    requires: Sequence[Clause],
    clauses: Sequence[tuple[Clause, str]],
    loose: Collection[str] = (),
) -> str | None:
    """Assert of every call that is admitted and meets a condition that one of the exceptions due is raised.

    It is neither passed nor failed where a condition is met by none.
    """
    try:
        met = set[int]()
        function, signature = _found(find)
        for text, bound, given in _admitted(signature, calls, requires, loose):
            places = list[int]()
            with contextlib.suppress(*_passed_over(text, loose)):
                places = [place for place, (each, _) in enumerate(clauses) if _holds(each, given)]
            if not places:
                continue
            met.update(places)
            due = {clauses[place][1] for place in places}
            try:
                result = _settled(function(*bound.args, **bound.kwargs), bound)
            except Exception as error:
                if not _is_any(error, due):
                    if isinstance(error, OSError | MemoryError | ImportError):
                        raise
                    raise AssertionError(f"{text} raises: {type(error).__name__}: {error}") from error
            else:
                raise AssertionError(f"{text} gives: {_shown(result)}, and {min(due)} is due")
    except _SilentError as error:
        return str(error)
    return None if len(met) == len(clauses) else NOT_MET


def of_class(owner: type, args: tuple[Any, ...], read: str = "") -> tuple[Any, ...]:
    """Return arguments of a method that begin with an object of its class; raises TypeError for others.

    What is ``read`` on the object must not be that of a class below: a method is called on its own class.
    """
    if not args or not isinstance(args[0], owner):
        raise TypeError(f"it does not begin with an object of {owner.__name__}")
    if read and inspect.getattr_static(type(args[0]), read) is not inspect.getattr_static(owner, read):
        raise TypeError(f"{type(args[0]).__name__} has a {read} of its own")
    return args


def _found(find: Callable[[], Callable[..., Any]]) -> tuple[Callable[..., Any], inspect.Signature]:
    """Return what is called, and its signature: what a class keeps under a name need not be a function."""
    try:
        function = find()
        return function, _signature(function)
    except Exception as error:
        raise _SilentError(f"it cannot be called: {type(error).__name__}: {str(error)[:_SHOWN]}") from error


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        import annotationlib

        # Annotations are computed here, and say nothing of a call: they may name what nothing binds.
        return inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(function)


def _admitted(
    signature: inspect.Signature, calls: Sequence[Call], requires: Sequence[Clause], loose: Collection[str]
) -> Iterator[tuple[str, inspect.BoundArguments, Given]]:
    for text, make in calls:
        try:
            args = make()
            again = _made_again(make) if text in loose else _before(args, make)
            bound, before = signature.bind(*args), signature.bind(*again).arguments
        except (OSError, MemoryError, ImportError):
            raise
        except Exception as error:
            raise _SilentError(f"{text} cannot be made: {type(error).__name__}: {str(error)[:_SHOWN]}") from error
        whole = signature.bind(*bound.args, **bound.kwargs)
        whole.apply_defaults()
        given = {**whole.arguments, **before}
        is_admitted = False
        with contextlib.suppress(*_passed_over(text, loose)):
            is_admitted = all(_holds(each, given) for each in requires)
        if is_admitted:
            yield text, bound, given


def _before(args: tuple[Any, ...], make: Callable[[], tuple[Any, ...]]) -> list[Any]:
    """Return arguments as they are before a call: copied together, or made again where that is not possible."""
    with contextlib.suppress(Exception):
        copied = copy.deepcopy(args)
        if _states(copied) == _states(args):
            return list(copied)
    return _made_again(make)


def _made_again(make: Callable[[], tuple[Any, ...]]) -> list[Any]:
    return [list(itertools.islice(each, _MOST_ITEMS)) if _is_iterator(each) else each for each in make()]


def _is_iterator(value: Any) -> bool:
    # Asked of its class: an object may have an answer for every name.
    return hasattr(type(value), "__next__") and not hasattr(type(value), "read")


def _holds(clause: Clause, given: Given) -> bool:
    function, needs = clause
    if changed := [name for name in needs if name not in given]:
        raise _SilentError(f"the call changes {changed[0]!r}, which cannot be copied")
    meant = types.FunctionType(function.__code__, {**function.__globals__, **vars(builtins)})
    try:
        return bool(meant(**{name: given[name] for name in needs}))
    except Exception as error:
        raise _SilentError(f"it has no truth value: {type(error).__name__}: {str(error)[:_SHOWN]}") from error


def _hold(clauses: Sequence[Clause], before: Given, after: Given, result: Any) -> bool:
    # An object that was left as it was stands for itself: a clause may ask whether the result is one of them.
    states = {name: (_states(before[name]), _states(after[name])) for name in after.keys() & before.keys()}
    same = {name: after[name] for name, (old, new) in states.items() if old == new}
    # Where its text is the same and its fields are not, it may have changed, or have noted something for itself.
    unclear = {name: after[name] for name, (old, new) in states.items() if old != new and old[0] == new[0]}
    known = {**before, **same, **{f"{name}__after": value for name, value in after.items()}, "result": result}
    if all(_holds(each, known) for each in clauses):
        return True
    if unclear and all(_holds(each, {**known, **unclear}) for each in clauses):
        raise _SilentError(f"the call may change {min(unclear)!r}: its text stays the same, and its fields do not")
    return False


def _settled(value: Any, call: inspect.BoundArguments) -> Any:
    if inspect.isawaitable(value):

        async def wait() -> Any:
            return await value

        value = asyncio.run(wait())
    is_given = any(value is each for each in call.arguments.values())
    return list(value) if _is_iterator(value) and not is_given else value


def _is_any(error: Exception, names: Collection[str]) -> bool:
    kinds = [kind for kind in type(error).__mro__ if kind.__name__ in names]
    if any(getattr(builtins, kind.__name__, kind) is kind for kind in kinds):
        return True
    if kinds:
        raise _SilentError(f"the program has a {kinds[0].__name__} of its own, which may be meant")
    return False


def _states(value: Any) -> tuple[str, str]:
    """Return what an object looks like to people, and the same with the fields of all that has a text of its own."""
    return _state(value, False, {}), _state(value, True, {})


def _state(value: Any, whole: bool, known: dict[int, tuple[int, Any]], most: int = sys.maxsize) -> str:
    seen, said, waiting = dict(known), list[str](), collections.deque([(value, 0)])
    # The nearest parts first: what leads to much is compared as far as that.
    while waiting and len(said) < _MOST_PARTS:
        each, depth = waiting.popleft()
        if id(each) in seen or depth > most:
            said.append(f"the {seen[id(each)][0]}th" if id(each) in seen else type(each).__name__)
            continue
        parts = _parts(each, whole)
        if parts is None:
            said.append(_shown(each, None))
            continue
        # Held here, so that no other object takes its number.
        seen[id(each)] = len(seen), each
        said.append(f"{type(each).__name__} of {len(parts)}")
        if isinstance(each, set | frozenset):
            # In the order of their texts: that of the set depends on where its objects are.
            said += sorted(_state(part, whole, seen, most - depth) for part in parts)
        else:
            waiting += [(part, depth + 1) for part in parts]
    return "\n".join(said)


def _parts(value: Any, whole: bool) -> list[Any] | None:
    """Return what an object is made of, None for one that is told by its text."""
    if isinstance(value, type | types.ModuleType | types.FunctionType):
        return None
    fields = _fields(value) if whole or _is_plainly_shown(value) else None
    own = [] if fields is None else [fields]
    if isinstance(value, dict):
        return [*value.items(), *own]
    if isinstance(value, list | tuple | set | frozenset | collections.deque):
        return [*value, *own]
    try:
        return [memoryview(value).tobytes()] if whole and not isinstance(value, bytes) else own or None
    except (TypeError, ValueError, BufferError):
        return own or None


def _fields(value: Any) -> Any:
    try:
        return object.__getstate__(value)
    except Exception:  # noqa: BLE001  an object may refuse to be looked into
        return None


def _shown(value: Any, most: int | None = _SHOWN) -> str:
    try:
        return re.sub(" at 0x[0-9a-f]+", "", _text(value))[:most]
    except Exception:  # noqa: BLE001  an object may refuse to be shown
        return f"an object of type {type(value).__name__}"


def _text(value: Any, depth: int = 4) -> str:
    if type(value) in (list, tuple) and depth:
        parts = ", ".join(_text(each, depth - 1) for each in value)
        return f"[{parts}]" if type(value) is list else f"({parts}{',' * (len(value) == 1)})"
    if _is_plainly_shown(value) and hasattr(value, "__dict__") and depth:
        fields = {name: part for name, part in vars(value).items() if name[:1] != "_"}
        parts = ", ".join(f"{name}={_text(part, depth - 1)}" for name, part in fields.items())
        return f"{type(value).__name__}({parts})"
    return repr(value)


def _is_plainly_shown(value: Any) -> bool:
    kind: Any = type(value)
    return kind.__repr__ is object.__repr__
