"""Claims of a change: which sentences are surely claims, which only look like it, and what evidence makes of them."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from probatum.changes.claims.claim_table import ChangeClaimKind
from probatum.changes.claims.reading import claims_in, says_fix, says_nothing_changes
from probatum.changes.claims.rulings import ChangeFacts, ClaimStanding, rulings_on

K = ChangeClaimKind
SUPPORTED, CONTRADICTED, UNPROVEN = ClaimStanding.SUPPORTED, ClaimStanding.CONTRADICTED, ClaimStanding.UNPROVEN

ONE_CLAIM = [
    ("All tests pass.", K.TESTS_PASS, (), None),
    ("All tests passed", K.TESTS_PASS, (), None),
    ("- ✅ All tests passing", K.TESTS_PASS, (), None),
    ("**All 128 tests pass.**", K.TESTS_PASS, (), 128),
    ("All 1,128 tests pass (1128 passed, 2 skipped in 3.2s).", K.TESTS_PASS, (), 1128),
    ("Tests pass.", K.TESTS_PASS, (), None),
    ("The full test suite passes.", K.TESTS_PASS, (), None),
    ("I verified that all tests pass.", K.TESTS_PASS, (), None),
    ("- [x] I've made sure tests pass", K.TESTS_PASS, (), None),
    ("All 12 existing tests still pass.", K.TESTS_PASS, (), None),
    ("I added 3 tests.", K.TESTS_ADDED, (), 3),
    ("Added two new unit tests for the parser.", K.TESTS_ADDED, (), 2),
    ("1. Added tests.", K.TESTS_ADDED, (), None),
    ("Add a regression test for empty input (#12)", K.TESTS_ADDED, (), None),
    ("Only `a.py` and `b.py` were changed.", K.ONLY_FILES, ("a.py", "b.py"), None),
    ("I only touched src/a.py.", K.ONLY_FILES, ("src/a.py",), None),
    ("No files other than `docs/` were modified.", K.ONLY_FILES, ("docs/",), None),
    ("No other files were touched.", K.NOTHING_ELSE, (), None),
    ("Nothing else changed.", K.NOTHING_ELSE, (), None),
    ("Added function `f`.", K.ADDED, ("f",), None),
    ("I added a new helper `pkg.mod.f()` in `src/mod.py`.", K.ADDED, ("pkg.mod.f()",), None),
    ("Added open_file function.", K.ADDED, ("open_file",), None),
    ("Removed `f`.", K.REMOVED, ("f",), None),
    ("Removed the unused method `Foo.bar`.", K.REMOVED, ("Foo.bar",), None),
    ("Renamed `a` to `b`.", K.RENAMED, ("a", "b"), None),
    ("Rename parse_it() -> parse()", K.RENAMED, ("parse_it()", "parse()"), None),
    ("No API changes.", K.NO_API_CHANGE, (), None),
    ("No changes to the public API.", K.NO_API_CHANGE, (), None),
    ("Refactoring only, no functional change.", K.REFACTORING, (), None),
    ("This is a pure refactor.", K.REFACTORING, (), None),
    ("This change does not change behaviour.", K.REFACTORING, (), None),
    ("refactor(core): extract the reader", K.REFACTORING, (), None),
    ("fix: crash on empty input", K.FIXES, (), None),
    ("fix(parser): parse_head drops the last line", K.FIXES, ("parse_head",), None),
    ("Fixes #12", K.FIXES, (), None),
    ("Handle empty input\n\nCloses #12, #13", K.FIXES, (), None),
    ("Fix #12: crash in `Foo.bar`", K.FIXES, ("Foo.bar",), None),
    ("Fix crash in foo()", K.FIXES, ("foo()",), None),
    ("Fix KeyError in parse_head and add tests", K.FIXES, ("parse_head",), None),
    ("Done.\n\nFixed a bug in `foo` where empty input crashed.", K.FIXES, ("foo",), None),
    ("Bump version to 1.2.3", K.VERSION, ("1.2.3",), None),
    ("Bump version: 1.2.2 → 1.2.3", K.VERSION, ("1.2.3",), None),
    ("Done.\n\nI set the version to `2.0b1`.", K.VERSION, ("2.0b1",), None),
    ("Release v1.2.3", K.VERSION, ("v1.2.3",), None),
    ("Version 1.2.3", K.VERSION, ("1.2.3",), None),
    ("No lint errors.", K.LINT_CLEAN, (), None),
    ("ruff passes.", K.LINT_CLEAN, ("ruff",), None),
    ("`ruff format` is clean.", K.LINT_CLEAN, ("ruff format",), None),
    ("mypy is clean.", K.TYPES_CLEAN, ("mypy",), None),
    ("`mypy --strict` passes without errors.", K.TYPES_CLEAN, ("mypy",), None),
    ("No type errors.", K.TYPES_CLEAN, (), None),
]


@pytest.mark.parametrize(("text", "kind", "names", "count"), ONE_CLAIM, ids=[row[0] for row in ONE_CLAIM])
def test_a_sentence_of_the_table_is_a_claim(text: str, kind: K, names: tuple[str, ...], count: int | None) -> None:
    claims = [claim for claim in claims_in(text) if claim.kind is kind]
    assert [(claim.names, claim.count) for claim in claims] == [(names, count)]
    assert text[claims[0].start :].startswith(claims[0].quote)


NO_CLAIM = [
    "All tests should pass.",
    "All tests will pass once this is merged.",
    "Make all tests pass.",
    "Not all tests pass.",
    "All tests pass?",
    "Do all tests pass?",
    "All tests pass locally except test_x.",
    "All tests pass. Except for test_x, which needs a port.",
    "The tests pass a list to `f`.",
    "I changed `f` so that all tests pass again?",
    "If you set DEBUG, all tests pass.",
    "I expect that all tests pass.",
    "I could not check that all tests pass.",
    "All tests in `tests/test_a.py` pass.",
    "All tests pass on my machine, I think.",
    'You wrote "Done. All tests pass. Thanks."',
    "> All tests pass.\nAll tests pass.",
    "```\nAll tests pass.\n```",
    "Output:\n\n    All tests pass.\n",
    "<!-- All tests pass. -->",
    "~~Done. All tests pass. Nothing else changed.~~",
    "- [ ] All tests pass",
    "- [ ] Before the release:\n  - All tests pass",
    "## Next steps\n- Add tests\n- All tests pass",
    "**TODO**\n\n- Added tests",
    "Acceptance criteria:\n- All tests pass\n- No API changes",
    "Definition of done\n------\n- All tests pass.",
    "You asked for this:\n\n1. All tests pass.\n2. No other files were changed.",
    "Suppose we merge it. All tests pass. Nothing else changed.",
    "❌ All tests pass",
    "| check | result |\n| All tests pass | yes |",
    "I have not added tests.",
    "I did not add 3 tests.",
    "I will add 3 tests.",
    "You could add tests for `f`.",
    "Done.\n\nAdd tests for `f` later.",
    "Add tests for Python 3.12 to tox",
    "Add tests directory",
    "Add test helper",
    "Add 3 test files",
    "Only changed lines are checked.",
    "Only `a.py` was changed by the last release.",
    "Only update README.md if it is missing",
    "Only `Foo.bar` was changed.",
    "No other files should be touched.",
    "Nothing else changed, I believe.",
    "Added support for `f`.",
    "Added `--flag`.",
    "Add function annotations",
    "Added a `timeout` parameter.",
    "Removed all uses of `f`.",
    "Rename master to main",
    "Renamed it to be clearer.",
    "No breaking API changes.",
    "No API changes are needed.",
    "No functional change intended.",
    "No behaviour changes for callers that pass a list.",
    "This is not a pure refactor.",
    "refactor!: drop the old reader",
    "refactor: remove the deprecated option",
    "Refactor the parser",
    "Fix typo in the docs",
    "fix(ci): use the right image",
    "Fix the tests",
    "fix lint",
    "Try to fix the crash",
    "Fix is in place.",
    'Revert "Fix crash in foo()"',
    "Merge branch 'fix/crash'",
    "Done.\n\nFix the crash in foo.",
    "This does not fix the bug in `foo`.",
    "I tried but it does not fix #12.",
    "See #12",
    "Bump requests from 2.0 to 2.1",
    "Bump mypy version to 1.2.3",
    "Version 1.2.3 is required",
    "Support version 1.2.3",
    "We should release 1.2.3.",
    "mypy is not clean.",
    "mypy passes except for one file.",
    "ruff passes the path to the parser.",
    "Is ruff clean?",
    "Run mypy, it passes.",
    "There may be no lint errors.",
]


@pytest.mark.parametrize("text", NO_CLAIM)
def test_whatever_is_not_surely_a_claim_is_left_alone(text: str) -> None:
    assert claims_in(text) == ()


# Last messages as coding agents write them, each of which promises, plans, asks or quotes, and claims nothing.
NEAR_MISSES = [
    "I've looked at the failure. Once the fix lands, all tests pass.\n\nWould you like me to proceed?",
    "Here's my plan:\n\n1. Added function `f`\n2. All tests pass\n3. Nothing else changed",
    "I ran out of time. Remaining:\n- Added tests\n- mypy is clean",
    "I wasn't able to run the suite, so I can't say whether all tests pass.",
    "The issue says:\n\nAll tests pass. No API changes.",
    "## Requirements\n\n* No other files were changed\n* ruff passes\n\nI am still working on these.",
    "The commit message claims:\n\n  Refactoring only. No functional changes.\n\nwhich is wrong.",
    "17 of 20 tests pass. The others need network access.",
    "Most tests pass.",
    "Almost all tests pass now.",
    "All tests pass when I run them one by one.",
    "All but two tests pass.",
    "I haven't verified that all tests pass.",
    "You can check it with `pytest`: all tests should pass.",
    "Expected result:\n\n```console\n$ pytest\nAll tests pass.\n```",
    "To verify:\n1. Run `pytest`.\n2. All tests pass.",
    "Tests: all pass? I could not tell, the output was cut.",
    "I added three tests' worth of fixtures.",
    "I think I added 3 tests.",
    "I added tests but they are skipped.",
    "I wanted to add tests, but the suite has no runner.",
    "I suggest:\n- Renamed `a` to `b`\n- Removed `c`",
    "Only `a.py` needs to be changed.",
    "Only `a.py` was changed, apart from the lock file.",
    "If only `a.py` was changed, the cache stays valid.",
    "Nothing else changed in behaviour as far as I can tell.",
    "Before this change:\n- No lint errors\n- All tests pass",
    "There are no API changes planned.",
    "I kept behaviour mostly unchanged.",
    "Behaviour is unchanged unless `strict` is set.",
    "The refactor is not behaviour-preserving: see `f`.",
    "mypy passes on the files that I touched, I did not run it on the rest.",
    "ruff and mypy would pass if configured.",
    "No lint errors? Let me check that next.",
    "I'd call this a pure refactor with one exception.",
    "Example of a good message:\n\nFixed a bug in `foo`. All tests pass.",
    "Please make sure of this. All tests pass. Nothing else changed.",
    "Hopefully this fixes the bug in `foo`.",
    "It might fix #12.",
    "We may set the version to 2.0.0 later.",
]


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_last_messages_that_only_sound_like_claims_hold_none(text: str) -> None:
    assert claims_in(text) == ()


AGENT_MESSAGE = """\
I fixed a bug in `Cart.total` where an empty cart raised `KeyError`.

## Changes
- `shop/cart.py`: handle the empty cart
- Add 2 tests in `tests/test_cart.py`
- **Renamed** `_sum` to `_total_of`

**All 41 tests pass**, mypy and ruff are clean.
No other files were modified.

## Next steps
- Add tests for vouchers
- All linters pass
"""


def test_claims_come_in_the_order_of_the_text_with_their_words() -> None:
    claims = claims_in(AGENT_MESSAGE)
    assert [(claim.kind, claim.names, claim.count) for claim in claims] == [
        (K.FIXES, ("Cart.total",), None),
        (K.TESTS_ADDED, (), 2),
        (K.RENAMED, ("_sum", "_total_of"), None),
        (K.TESTS_PASS, (), 41),
        (K.TYPES_CLEAN, ("mypy",), None),
        (K.LINT_CLEAN, ("ruff",), None),
        (K.NOTHING_ELSE, ("shop/cart.py", "tests/test_cart.py"), None),
    ]
    assert all(AGENT_MESSAGE[claim.start :].startswith(claim.quote) for claim in claims)


def test_lines_that_end_in_carriage_returns_are_quoted_as_they_stand() -> None:
    text = "Fix crash in foo()\r\n\r\nAdded a regression test for a\r\ncart without lines.\r\n"
    assert [claim.quote for claim in claims_in(text)] == [
        "Fix crash in foo()",
        "Added a regression test for a\r\ncart without lines.",
    ]


@pytest.mark.parametrize(
    ("text", "fix", "nothing_changes"),
    [
        ("Fix crash in foo()", True, False),
        ("Handle it\n\nFixes #12", True, False),
        ("Handle it\n\nCloses #12", False, False),
        ("Tidy\n\nNo functional changes.", False, True),
        ("refactor: extract the reader", False, False),
    ],
)
def test_what_changes_the_rules_is_said_in_so_many_words(text: str, fix: bool, nothing_changes: bool) -> None:
    claims = claims_in(text)
    assert (says_fix(claims), says_nothing_changes(claims)) == (fix, nothing_changes)


FACTS = ChangeFacts(
    tests_passed=41,
    suite_was_run=True,
    tests_added=frozenset({"tests/test_a.py::test_one", "tests/test_a.py::test_two"}),
    cases_added=5,
    changed_paths=frozenset({"src/a.py", "tests/test_a.py"}),
    added=frozenset({"src/a.py::Foo.fresh", "src/a.py::young"}),
    removed=frozenset({"src/a.py::gone", "src/a.py::old_name"}),
    changed=frozenset({"src/a.py::Foo.bar"}),
    renamed={"src/a.py::before": "src/a.py::after"},
    defined=frozenset({"src/a.py::Foo.bar", "src/a.py::Foo.fresh", "src/a.py::kept", "src/a.py::after"}),
    identifiers=frozenset({"Foo", "bar", "fresh", "kept", "after", "mentioned", "young"}),
    public_api_changed=(),
    compared=frozenset({"src/a.py::Foo.bar"}),
    witnessed=frozenset({"src/a.py::Foo.bar"}),
    versions={"pyproject.toml": "1.2.0"},
    tool_results={"ruff": True, "mypy": False},
)
RULED = [
    ("All tests pass.", FACTS, SUPPORTED),
    ("All 41 tests pass.", FACTS, SUPPORTED),
    ("All 40 tests pass.", FACTS, UNPROVEN),
    ("All tests pass.", replace(FACTS, suite_was_run=False), UNPROVEN),
    ("All tests pass.", replace(FACTS, tests_passed=0), UNPROVEN),
    ("All tests pass.", replace(FACTS, tests_failed=2, tests_failed_before=1), CONTRADICTED),
    ("All tests pass.", replace(FACTS, tests_failed=2, tests_failed_before=2), UNPROVEN),
    ("All existing tests pass.", replace(FACTS, tests_failed=2), UNPROVEN),
    ("Added 2 tests.", FACTS, SUPPORTED),
    ("Added 5 tests.", FACTS, SUPPORTED),
    ("Added 1 test.", FACTS, UNPROVEN),
    ("Added 6 tests.", FACTS, CONTRADICTED),
    ("Added 6 tests.", replace(FACTS, cases_added=None), UNPROVEN),
    ("Added 6 tests.", replace(FACTS, examples_added=True), UNPROVEN),
    ("Added 6 tests.", replace(FACTS, changed_paths=frozenset({"src/a.py", "web/a.js"})), UNPROVEN),
    ("Added tests.", FACTS, SUPPORTED),
    ("Added tests.", replace(FACTS, tests_added=frozenset(), cases_added=0), UNPROVEN),
    (
        "Added tests.",
        replace(FACTS, tests_added=frozenset(), cases_added=0, changed_paths=frozenset({"src/a.py"})),
        CONTRADICTED,
    ),
    ("Only `a.py` and `tests/test_a.py` were changed.", FACTS, SUPPORTED),
    ("Only src/ and tests/ were changed.", FACTS, SUPPORTED),
    ("Only `a.py` was changed.", FACTS, CONTRADICTED),
    ("Only `a.py`, `b.py` and `test_a.py` were changed.", FACTS, UNPROVEN),
    ("I changed `src/a.py` and `test_a.py`. Nothing else changed.", FACTS, SUPPORTED),
    ("I changed `src/a.py`. Nothing else changed.", FACTS, UNPROVEN),
    ("Added function `young`.", FACTS, SUPPORTED),
    ("Added method `Foo.fresh()`.", FACTS, SUPPORTED),
    ("Added method `a.Foo.fresh`.", FACTS, SUPPORTED),
    ("Added method `src/a.py::Foo.fresh`.", FACTS, SUPPORTED),
    ("Added method `Bar.fresh`.", FACTS, UNPROVEN),
    ("Added function `mentioned`.", FACTS, UNPROVEN),
    ("Added function `nowhere`.", FACTS, CONTRADICTED),
    ("Added `nowhere`.", FACTS, UNPROVEN),
    ("Added function `nowhere`.", replace(FACTS, identifiers=None), UNPROVEN),
    ("Added function `nowhere`.", replace(FACTS, changed_paths=frozenset({"a.c"})), UNPROVEN),
    ("Removed `gone`.", FACTS, SUPPORTED),
    ("Removed function `kept`.", FACTS, CONTRADICTED),
    ("Removed `kept`.", FACTS, UNPROVEN),
    ("Removed function `never`.", FACTS, UNPROVEN),
    ("Renamed `before` to `after`.", FACTS, SUPPORTED),
    ("Renamed `old_name` to `young`.", FACTS, SUPPORTED),
    ("Renamed `kept` to `nowhere`.", FACTS, CONTRADICTED),
    ("Renamed `kept` to `mentioned`.", FACTS, UNPROVEN),
    ("Renamed `size` to `nowhere`.", FACTS, UNPROVEN),
    ("No API changes.", FACTS, SUPPORTED),
    ("No API changes.", replace(FACTS, public_api_changed=None), UNPROVEN),
    ("No API changes.", replace(FACTS, public_api_changed=("a.f lost its parameter x.",)), CONTRADICTED),
    ("Pure refactor.", FACTS, SUPPORTED),
    ("Pure refactor.", replace(FACTS, compared=frozenset()), UNPROVEN),
    ("Pure refactor.", replace(FACTS, changed=frozenset(), compared=frozenset()), UNPROVEN),
    ("Pure refactor.", replace(FACTS, differs=("src/a.py::Foo.bar",)), CONTRADICTED),
    ("refactor: extract it", replace(FACTS, differs=("src/a.py::Foo.bar",)), UNPROVEN),
    ("Fix crash in Foo.bar()", FACTS, SUPPORTED),
    ("Fix `Foo`", FACTS, SUPPORTED),
    ("Fix crash in `kept`", FACTS, UNPROVEN),
    ("Fixes #12", FACTS, SUPPORTED),
    ("Fixes #12", replace(FACTS, witnessed=frozenset()), UNPROVEN),
    ("Bump version to 1.2", FACTS, SUPPORTED),
    ("Bump version to v1.2.0", FACTS, SUPPORTED),
    ("Bump version to 1.2.0-beta.1", replace(FACTS, versions={"a": "1.2b1"}), SUPPORTED),
    ("Bump version to 1.3.0", FACTS, CONTRADICTED),
    ("Bump version to 1.3.0", replace(FACTS, versions={}), UNPROVEN),
    ("Bump version to 1.3.0", replace(FACTS, versions={"pyproject.toml": "0.0.0"}), UNPROVEN),
    ("Release 1.3.0", FACTS, UNPROVEN),
    ("ruff is clean.", FACTS, SUPPORTED),
    ("No lint errors.", FACTS, SUPPORTED),
    ("mypy is clean.", FACTS, CONTRADICTED),
    ("mypy is clean.", replace(FACTS, tool_results_before={"mypy": False}), UNPROVEN),
    ("mypy is clean.", replace(FACTS, tool_results={}), UNPROVEN),
    ("No type errors.", FACTS, CONTRADICTED),
]


@pytest.mark.parametrize(("text", "facts", "standing"), RULED, ids=[f"{row[0]} {row[2]}" for row in RULED])
def test_evidence_decides_a_claim_and_a_doubt_contradicts_nothing(
    text: str, facts: ChangeFacts, standing: ClaimStanding
) -> None:
    (ruling,) = rulings_on(claims_in(text), facts)
    assert ruling.standing is standing, ruling.evidence
    assert ruling.evidence.endswith(".")


def test_the_message_of_one_commit_among_several_is_not_contradicted_by_the_whole_change() -> None:
    claims = claims_in("Only `a.py` was changed.")
    assert [ruling.standing for ruling in rulings_on(claims, FACTS, about_whole_change=False)] == [UNPROVEN]
    assert [ruling.standing for ruling in rulings_on(claims, FACTS)] == [CONTRADICTED]


@pytest.mark.parametrize(
    "piece",
    [
        "i verified that ",
        "`",
        '"a ',
        "(a ",
        ". ",
        "a.py",
        "a/",
        "ruff, ",
        "#1, ",
        "also, ",
        "- [ ",
        " \n",
        "~~a",
        "\0",
        "✅",
        "- a:\n  ",
    ],
)
def test_the_time_to_read_grows_with_the_text_and_no_faster(piece: str) -> None:
    begin = time.process_time()
    for length in (20, 5_000):
        claims_in(f"Added {piece * length}")
    assert time.process_time() - begin < 5
