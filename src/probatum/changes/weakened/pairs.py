"""Compares two versions of one body: which assertions belong together, and what the second has that is weaker.

Assertions are paired by what they say, the surest way first. Of a pair only that is told which could accept something
that was refused before; a reviewer sees both texts.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple

from probatum.changes.weakened.bodies import Body, Cases
from probatum.changes.weakened.checks import STRENGTH, Check, keeps_less
from probatum.changes.weakened.code import DIGITS, TOLERANCES, constant, is_literal, key
from probatum.changes.weakened.kinds import differing, short

_VALUES: Final = re.compile(r"Constant\((?:[^()'\"]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*\)")
_NAMES: Final = re.compile(r"Name (?!self\b|cls\b)\w+|(?<=,')\w+(?='\))")
_WAYS: Final[tuple[Callable[[Check], str], ...]] = (
    lambda each: each.deep,
    lambda each: each.raw,
    lambda each: f"{each.op}|{each.raw_subject}",
    lambda each: each.deep_subject,
    lambda each: each.raw_subject,
    lambda each: f"{each.op}|{each.deep_expected}|{each.match}|{_shape(each.deep_subject)}",
    lambda each: f"{each.op}|{each.deep_expected}|{each.match}",
)
# So many assertions without a counterpart are compared one by one.
_MOST: Final = 200


class Loosening(NamedTuple):
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
            yield Loosening("skipped", skip.line, f"{short(skip.text)} is new")
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
    yield from _idle(body.checks)


def _idle(checks: Iterable[Check]) -> Iterator[Loosening]:
    told = set[str]()
    for check in checks:
        reasons = {guard.identity: guard.text for guard in check.guards if guard.always and guard.identity not in told}
        told |= reasons.keys()
        if check.cannot_fail or reasons:
            sentence = ", ".join(reasons.values()) or "it cannot fail"
            yield Loosening("cannot_fail", check.line, f"{short(check.text)}: {sentence}")


def _compare_checks(old: list[Check], new: list[Check], arrived: Collection[str]) -> Iterator[Loosening]:
    pairs, removed, added = _match(old, new, arrived)
    told = set[str]()
    for before, after in pairs:
        for guard in after.guards:
            if guard.identity not in {each.identity for each in before.guards} | told:
                told.add(guard.identity)
                yield Loosening("cannot_fail", after.line, f"{short(after.text)}: {guard.text}")
        if after.cannot_fail and not before.cannot_fail and (before.deep != after.deep or before.text != after.text):
            yield from _idle([after])
        elif before.deep != after.deep and _accepts_other(before, after):
            yield _replaced(before, after)
    yield from _idle(added)
    strong = [each for each in added if not each.cannot_fail]
    for before, after in zip(removed, strong, strict=False):
        yield _replaced(before, after)
    for before in removed[len(strong) :]:
        yield Loosening("assertion_removed", before.line, f"{short(before.text)} is gone", True)


def _replaced(old: Check, new: Check) -> Loosening:
    same = f"what {short(new.text)} stands for has changed"
    return Loosening("assertion_changed", new.line, same if old.text == new.text else differing(new.text, old.text))


def _match(
    old: list[Check], new: list[Check], arrived: Collection[str]
) -> tuple[list[tuple[Check, Check]], list[Check], list[Check]]:
    """Pair assertions by what they say, the surest way first; return the pairs, then what is left of both."""
    pairs = list[tuple[Check, Check]]()
    for way in _WAYS:
        waiting = defaultdict[str, list[Check]](list)
        for check in reversed(new):
            waiting[way(check)].append(check)
        matched = [(check, waiting[way(check)].pop()) for check in old if waiting.get(way(check))]
        used = {id(each) for pair in matched for each in pair}
        pairs += matched
        old = [each for each in old if id(each) not in used and (way is not _WAYS[0] or each.deep not in arrived)]
        new = [each for each in new if id(each) not in used]
    for before in list(old[:_MOST]):
        for after in new[:_MOST]:
            if keeps_less(after, before) or (after.op == "or" and before.deep_subject in after.deep_subject):
                pairs.append((before, after))
                old.remove(before)
                new.remove(after)
                break
    return pairs, old, new


def _shape(identity: str) -> str:
    """Return a key with its constants left out."""
    return _VALUES.sub("Constant", identity)


def _accepts_other(old: Check, new: Check) -> bool:
    """Return whether an assertion may accept what the old one refused; a stricter one does not."""
    was, now = STRENGTH.get(old.op, 6), STRENGTH.get(new.op, 6)
    same = old.deep_subject == new.deep_subject or old.raw_subject == new.raw_subject
    if old.op == "raises" == new.op:
        others = old.types - new.types
        wider = any(_is_wider(each, old.types) for each in new.types - old.types) or new.types > old.types
        other = not all(_is_wider(each, new.types) for each in others) and not new.types < old.types
        raising = "Raise(" in new.deep_subject and "Raise(" not in old.deep_subject
        return wider or other or raising or bool(old.match and old.match != new.match) or _is_other(old, new)
    if (new.op == "or" and _alternatives(new) > _alternatives(old)) or now < was:
        return True
    if old.op == new.op and keeps_less(new, old):
        return True
    if now > was:
        return False
    is_made_up = re.match(r"(Constant|List|Dict|Tuple)\((?!.*Name)", new.deep_subject)
    if _is_looser(old, new) or ("Call(" in old.deep_subject and new.raw_subject == old.raw_subject and is_made_up):
        return True
    return not _is_tighter(old, new) if same else _is_other(old, new)


def _is_other(old: Check, new: Check) -> bool:
    """Return whether another thing is looked at: the same call with another constant, or no name in common.

    What keeps some of its names is taken for an adaptation to another interface, which the old tests tell by failing.
    """
    if old.raw_subject == new.raw_subject or old.text == new.text:
        return False
    names = set(_NAMES.findall(old.raw_subject))
    return _shape(old.raw_subject) == _shape(new.raw_subject) or names.isdisjoint(_NAMES.findall(new.raw_subject))


def _alternatives(check: Check) -> int:
    return len(check.subject.values) if isinstance(check.subject, ast.BoolOp) else 1


def _is_looser(old: Check, new: Check) -> bool:
    """Return whether numbers may lie further apart."""
    for name in old.tolerances.keys() | new.tolerances.keys():
        was, now = (each.tolerances.get(name, TOLERANCES[name]) for each in (old, new))
        if now < was if name in DIGITS else now > was:
            return True
    return False


def _is_tighter(old: Check, new: Check) -> bool:
    """Return whether the same subject is expected to be the same, or within closer bounds."""
    was, now = constant(old.expected), constant(new.expected)
    if old.op != new.op:
        return {old.op, new.op} == {"==", "is"} and old.deep_expected == new.deep_expected
    if old.op in ("<", "<=", ">", ">=") and isinstance(was, int | float) and isinstance(now, int | float):
        return now <= was if "<" in old.op else now >= was
    if old.op == "in" and isinstance(was, str) and isinstance(now, str):
        return was in now
    is_as_written = old.raw == new.raw and not isinstance(new.expected, ast.Name)
    return old.deep_expected == new.deep_expected or is_as_written


def _is_wider(name: str, others: Collection[str]) -> bool:
    """Return whether the built-in exception stands above one of the others; an unknown one stands below Exception."""
    wide = getattr(builtins, name, None)
    known = [(other, getattr(builtins, other, None)) for other in others if other != name]
    return isinstance(wide, type) and any(
        issubclass(each if isinstance(each, type) else Exception, wide) for _, each in known
    )


def _compare_cases(old: list[Cases], new: list[Cases]) -> Iterator[Loosening]:
    waiting = list(new)
    for before in old:
        same = [each for each in waiting if each.names == before.names]
        count = before.names.count(",")
        same += [each for each in waiting if each.names.count(",") == count]
        if same:
            waiting.remove(same[0])
            yield from _compare_rows(before, same[0])
            continue
        fewer = [each.rows is not None and len(each.rows) < len(before.rows or ()) for each in waiting]
        if before.rows and len(before.rows) > 1 and all(fewer):
            yield Loosening("cases_changed", before.line, f"the cases of {short(before.names)} are gone", True)


def _compare_rows(old: Cases, new: Cases) -> Iterator[Loosening]:
    """Tell cases that are gone or expect something else; where all of them look otherwise, only that they are fewer."""
    if old.rows is None or new.rows is None:
        was, now = key(old.source, {}), key(new.source, {})
        if was != now and _shape(was) == _shape(now) and not is_literal(old.source):
            sentence = differing(ast.unparse(new.source), ast.unparse(old.source))
            yield Loosening("cases_changed", new.line, sentence)
        return
    had, have = ({key(_parts(each), {}): each for each in rows} for rows in (old.rows, new.rows))
    # The last part is what a case expects by custom.
    inputs = {key(_parts(row)[:-1], {}) for text, row in have.items() if text not in had}
    gone = [row for text, row in had.items() if text not in have]
    changed = [row for row in gone if len(_parts(row)) > 1 and key(_parts(row)[:-1], {}) in inputs]
    reshaped = old.names != new.names or had.keys().isdisjoint(have)
    if changed or (gone and (not reshaped or len(new.rows) < len(old.rows))):
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        first = short(ast.unparse((changed or gone)[0]))
        yield Loosening("cases_changed", new.line, f"the case {first}{more}: gone, or expected to give something else")


def _parts(row: ast.expr) -> list[ast.expr]:
    return row.args if isinstance(row, ast.Call) else row.elts if isinstance(row, ast.Tuple | ast.List) else [row]
