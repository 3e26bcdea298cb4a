"""Compares two versions of one test: which of its assertions are gone, looser, about something else, out of reach.

Assertions are matched by what they say, so that order, layout and names of local variables are no difference. What is
stricter than before, or new beside the old, is none either.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from probatum.changes.weakened_bodies import Body, Cases
from probatum.changes.weakened_checks import STRENGTH, Check, keeps_less, loosened_tolerance
from probatum.changes.weakened_code import constant, is_literal, key
from probatum.changes.weakened_kinds import differing, short

_VALUES: Final = re.compile(r"Constant\((?:[^()'\"]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*\)")
_NAMES: Final = re.compile(r"Name (?!self\b|cls\b)\w+|(?<=,')\w+(?='\))")


@dataclass(frozen=True, slots=True)
class Loosening:
    """A weakening before it is known where it belongs."""

    kind: str
    line: int
    sentence: str
    is_gone: bool = False


def compare_bodies(old: Body, new: Body, arrived: Collection[str]) -> Iterator[Loosening]:
    """Yield how the second version of a function is weaker; ``arrived`` are keys of assertions new elsewhere."""
    yield from _compare_checks(old.checks, new.checks, arrived)
    before = Counter(each.identity for each in old.skips)
    for skip in new.skips:
        before[skip.identity] -= 1
        if before[skip.identity] < 0:
            yield Loosening(skip.kind, skip.line, f"{short(skip.text)} is new")
    gone = {name.rpartition(".")[2] for name in old.mocks if name not in new.mocks}
    for name, line in new.mocks.items():
        if name not in old.mocks and name.rpartition(".")[2] not in gone:
            yield Loosening("mocked", line, f"{short(name)} is replaced by a stand-in now")
    yield from _compare_cases(old.cases, new.cases)


def told_of_new(body: Body, is_test: bool) -> Iterator[Loosening]:
    """Yield how a function that did not exist before is weak from its beginning."""
    for skip in body.skips:
        if skip.always and is_test:
            yield Loosening("skipped", skip.line, f"the new test has {short(skip.text)}")
    for check in body.checks:
        if check.cannot_fail:
            yield Loosening("cannot_fail", check.line, f"{short(check.text)} cannot fail")
    yield from _guarded(body.checks, "cannot_fail")
    yield from _guarded(body.checks, "early_return", {"Return", "Raise"})


def _guarded(checks: list[Check], kind: str, identities: Collection[str] = ()) -> Iterator[Loosening]:
    told = set[str]()
    for check in checks:
        for guard in check.guards:
            if guard.kind == kind and guard.identity not in told and (not identities or guard.identity in identities):
                told.add(guard.identity)
                yield Loosening(kind, check.line, f"{short(check.text)}: {guard.text}")


def _compare_checks(old: list[Check], new: list[Check], arrived: Collection[str]) -> Iterator[Loosening]:
    pairs, removed, added = _match(old, new, arrived)
    told = set[str]()
    for before, after in pairs:
        known = {guard.identity for guard in before.guards}
        for guard in after.guards:
            if guard.identity not in known and guard.identity not in told:
                told.add(guard.identity)
                kind = "assertion_loosened" if guard.kind == "conditional" else guard.kind
                yield Loosening(kind, after.line, f"{short(after.text)}: {guard.text}")
        if before.deep != after.deep:
            yield from _compare_pair(before, after)
        elif after.text != before.text and after.cannot_fail and not before.cannot_fail:
            yield Loosening("cannot_fail", after.line, f"{short(after.text)} cannot fail")
    yield from told_of_new(Body(checks=added), False)
    strong = [each for each in added if not each.cannot_fail]
    for before, after in zip(removed, strong, strict=False):
        yield Loosening("assertion_changed", after.line, differing("{} replaces {}", after.text, before.text))
    for before in removed[len(strong) :]:
        yield Loosening("assertion_removed", before.line, f"{short(before.text)} is gone", True)


def _match(
    old: list[Check], new: list[Check], arrived: Collection[str]
) -> tuple[list[tuple[Check, Check]], list[Check], list[Check]]:
    """Pair assertions by what they say, the surest way first; return the pairs, then what is left of both."""
    pairs = list[tuple[Check, Check]]()
    ways: tuple[Callable[[Check], str], ...] = (
        lambda each: each.deep,
        lambda each: each.raw,
        lambda each: f"{each.op}|{each.raw_subject}",
        lambda each: each.deep_subject,
        lambda each: each.raw_subject,
        lambda each: f"{each.op}|{each.deep_expected}|{each.match}|{_shape(each.deep_subject)}",
        lambda each: f"{each.op}|{each.deep_expected}|{each.match}",
    )
    for number, way in enumerate(ways):
        waiting = defaultdict[str, list[Check]](list)
        for check in reversed(new):
            waiting[way(check)].append(check)
        matched = [(check, waiting[way(check)].pop()) for check in old if waiting.get(way(check))]
        used = {id(each) for pair in matched for each in pair}
        pairs += matched
        old = [each for each in old if id(each) not in used]
        new = [each for each in new if id(each) not in used]
        if number == 0:
            old = [each for each in old if each.deep not in arrived]
    for before in list(old[:200]):
        for after in new[:200]:
            if keeps_less(after, before) or (after.op == "or" and before.deep_subject in after.deep_subject):
                pairs.append((before, after))
                old.remove(before)
                new.remove(after)
                break
    return pairs, old, new


def _shape(identity: str) -> str:
    """Return a key with its constants left out."""
    return _VALUES.sub("Constant", identity)


def _compare_pair(old: Check, new: Check) -> Iterator[Loosening]:
    was, now = short(old.text), short(new.text)
    weaker = STRENGTH.get(new.op, 6) < STRENGTH.get(old.op, 6)
    if new.cannot_fail and not old.cannot_fail:
        yield Loosening("cannot_fail", new.line, f"{now} cannot fail")
    elif old.op == "raises" == new.op:
        yield from _compare_raises(old, new)
    elif new.op == "or" and (old.op != "or" or _alternatives(new) > _alternatives(old)):
        yield Loosening("assertion_loosened", new.line, f"{now} has an alternative that {was} had not")
    elif weaker or (old.op == new.op and keeps_less(new, old)):
        yield Loosening("assertion_loosened", new.line, f"{now} accepts more than {was}")
    elif STRENGTH.get(new.op, 6) > STRENGTH.get(old.op, 6):
        return
    elif sentence := loosened_tolerance(old, new):
        yield Loosening("tolerance_widened", new.line, f"{sentence} in {now}")
    elif "Call(" in old.deep_subject and new.raw_subject == old.raw_subject and _is_made_up(new):
        yield Loosening("assertion_changed", new.line, f"{now} looks at a value that is written in the test")
    elif old.deep_subject == new.deep_subject or old.raw_subject == new.raw_subject:
        yield from _compare_expected(old, new)
    elif old.raw != new.raw and old.text != new.text and _is_other(old, new):
        yield Loosening("assertion_changed", new.line, differing("{} replaces {}", new.text, old.text))


def _is_other(old: Check, new: Check) -> bool:
    """Return whether another thing is looked at: the same call with another constant, or no name in common.

    What keeps some of its names is taken for an adaptation to another interface, which the old tests tell by failing.
    """
    if _shape(old.raw_subject) == _shape(new.raw_subject):
        return True
    return set(_NAMES.findall(old.raw_subject)).isdisjoint(_NAMES.findall(new.raw_subject))


def _is_made_up(check: Check) -> bool:
    return check.deep_subject.startswith(("Constant(", "List(", "Dict(", "Tuple(")) and "Name" not in check.deep_subject


def _alternatives(check: Check) -> int:
    return len(check.subject.values) if isinstance(check.subject, ast.BoolOp) else 1


def _compare_expected(old: Check, new: Check) -> Iterator[Loosening]:
    """Tell another expectation of the same subject; a bound that became tighter is none."""
    if old.deep_expected == new.deep_expected and old.op == new.op:
        return
    was, now = _value(old), _value(new)
    if old.op != new.op and {old.op, new.op} != {"==", "is"}:
        yield Loosening("expected_value", new.line, f"{short(new.text)} replaces {short(old.text)}")
    elif old.op in ("<", "<=", ">", ">=") and isinstance(was, int | float) and isinstance(now, int | float):
        looser = now > was if "<" in old.op else now < was
        if looser:
            yield Loosening(
                "assertion_loosened", new.line, f"the bound is {now} where it was {was} in {short(new.text)}"
            )
    elif old.op == "in" and isinstance(was, str) and isinstance(now, str) and was in now:
        return
    elif old.op == "in" == new.op and isinstance(was, str) and isinstance(now, str) and now in was:
        yield Loosening(
            "assertion_loosened", new.line, f"looks for {short(repr(now))} where it looked for {short(repr(was))}"
        )
    elif old.deep_expected != new.deep_expected and (old.raw != new.raw or isinstance(new.expected, ast.Name)):
        before, after = (ast.unparse(each.expected) if each.expected else "nothing" for each in (old, new))
        if before == after:
            yield Loosening("expected_value", new.line, f"the value of {short(after)}, which it expects, has changed")
        else:
            yield Loosening("expected_value", new.line, differing("expects {} where it expected {}", after, before))


def _value(check: Check) -> object:
    return constant(check.expected) if isinstance(check.expected, ast.expr) else ...


def _written(check: Check) -> str:
    return short(ast.unparse(check.expected)) if check.expected is not None else "nothing"


def _compare_raises(old: Check, new: Check) -> Iterator[Loosening]:
    was, now = _written(old), _written(new)
    if old.types != new.types:
        if any(_is_wider(each, old.types) for each in new.types - old.types) or new.types > old.types:
            yield Loosening("raises_widened", new.line, f"accepts {now} where it accepted {was}")
        elif not all(_is_wider(each, new.types) for each in old.types - new.types) and not new.types < old.types:
            yield Loosening("expected_value", new.line, f"expects {now} where it expected {was}")
    if old.match and not new.match:
        yield Loosening("raises_widened", new.line, f"the message of {now} is no longer compared")
    elif old.match and old.match != new.match:
        yield Loosening("expected_value", new.line, f"expects another message of {now}")
    if "Raise(" in new.deep_subject and "Raise(" not in old.deep_subject:
        yield Loosening("cannot_fail", new.line, f"the block of {short(new.text)} raises by itself")
    elif old.raw_subject != new.raw_subject and old.text != new.text and _is_other(old, new):
        yield Loosening("assertion_changed", new.line, differing("{} replaces {}", new.text, old.text))


def _is_wider(name: str, others: Collection[str]) -> bool:
    """Return whether the built-in exception stands above one of the others; an unknown one stands below Exception."""
    wide = getattr(builtins, name, None)
    if not isinstance(wide, type):
        return False
    return any(
        name != other
        and issubclass(known if isinstance(known := getattr(builtins, other, None), type) else Exception, wide)
        for other in others
    )


def _compare_cases(old: list[Cases], new: list[Cases]) -> Iterator[Loosening]:
    waiting = list(new)
    if not any(each.rows == () for each in old):
        for each in new:
            if each.rows == ():
                yield Loosening("skipped", each.line, f"there is no case of `{each.names}`")
    for before in old:
        after = next((each for each in waiting if each.names == before.names), None)
        if after is None:
            same = len(before.names.split(","))
            after = next((each for each in waiting if len(each.names.split(",")) == same), None)
        if after is not None:
            waiting.remove(after)
            yield from _compare_rows(before, after)
        elif before.rows and len(before.rows) > 1 and not any(_has_as_many(each, before.rows) for each in waiting):
            yield Loosening(
                "cases_removed", before.line, f"the {len(before.rows)} cases of `{before.names}` are gone", True
            )


def _has_as_many(cases: Cases, rows: tuple[ast.expr, ...]) -> bool:
    return cases.rows is None or len(cases.rows) >= len(rows)


def _compare_rows(old: Cases, new: Cases) -> Iterator[Loosening]:
    if old.rows is None or new.rows is None:
        was, now = key(old.source, {}), key(new.source, {})
        if was != now and _shape(was) == _shape(now) and not is_literal(old.source):
            yield Loosening(
                "cases_removed",
                new.line,
                f"runs on {short(ast.unparse(new.source))} instead of {short(ast.unparse(old.source))}",
            )
        return
    have = Counter(key(each, {}) for each in new.rows)
    gone = [each for each in old.rows if not have[key(each, {})]]
    had = {key(each, {}) for each in old.rows}
    fresh = defaultdict[str, list[ast.expr]](list)
    for row in new.rows:
        if key(row, {}) not in had:
            fresh[_inputs(row)].append(row)
    left = list[ast.expr]()
    for row in gone:
        if fresh.get(_inputs(row)):
            other = fresh[_inputs(row)].pop(0)
            yield from _changed_row(row, other)
        else:
            left.append(row)
    added = sum(map(len, fresh.values()))
    reshaped = old.names != new.names or added == len(new.rows)
    if left and (not reshaped or len(new.rows) < len(old.rows)):
        first = short(ast.unparse(left[0]))
        rest = f" and {len(left) - 1} more" if len(left) > 1 else ""
        verb = "are" if rest else "is"
        yield Loosening("cases_removed", new.line, f"the case {first}{rest} {verb} gone")


def _inner(row: ast.expr) -> list[ast.expr]:
    if isinstance(row, ast.Call):
        return row.args
    return row.elts if isinstance(row, ast.Tuple | ast.List) else [row]


def _inputs(row: ast.expr) -> str:
    """Return the key of a case without its last part, which is what it expects by custom."""
    parts = _inner(row)
    return key(parts[:-1], {}) if len(parts) > 1 else key(row, {})


def _changed_row(old: ast.expr, new: ast.expr) -> Iterator[Loosening]:
    was, now = _inner(old), _inner(new)
    if key(was, {}) != key(now, {}):
        given = ", ".join(map(ast.unparse, now[:-1]))
        values = differing("{} where it expected {}", ast.unparse(now[-1]), ast.unparse(was[-1]))
        text = f"the case {short(given)} expects {values}"
        yield Loosening("expected_value", new.lineno, text)
