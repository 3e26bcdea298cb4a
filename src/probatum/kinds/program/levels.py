"""What is demanded of programs by default: the counts of each level, and in which ways a policy demands less.

Refuses to judge what is not a policy for programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from probatum.core.canonical import JsonValue
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, GENERATED_INPUTS, PLANTED_FAULTS, Level, ProgramPolicy


def policy_of(request: ProgramRequest) -> ProgramPolicy:
    """Return what a request demands and how much work it asks for."""
    return ProgramPolicy(
        level=request.level.value,
        min_strength=request.min_strength,
        generated_inputs=GENERATED_INPUTS[request.level],
        mutants=PLANTED_FAULTS[request.level],
        trusts_tests=request.trusts_tests,
        refactor=request.refactor,
        readings=request.readings_policy,
        allow_unchecked=request.allow_unchecked,
    )


def policy_shortfalls(
    content: Mapping[str, JsonValue],
    min_strength: float = DEFAULT_MIN_STRENGTH,
    level: Level = Level.STANDARD,
    *,
    trusts_tests: bool = False,
    refactor: bool = False,
) -> tuple[str, ...]:
    """Return in which ways a policy demands less than the default, with what to do about it.

    ``min_strength`` is the share of planted faults that must be demanded, ``level`` the least level; none admits less
    work than the standard one. With ``trusts_tests`` the policy may trust given tests; it must be about a
    refactoring exactly where ``refactor`` says so. Raises ValueError for what is
    not a policy.
    """
    policy, default = ProgramPolicy.from_json(content), ProgramPolicy(trusts_tests=trusts_tests, refactor=refactor)
    judged = {
        *("level", "min_strength", "generated_inputs", "mutants", "stated_inputs", "isolation"),
        *("trusts_tests", "max_documented_only", "refactor"),
    }
    # Whatever else a policy may say one day has its default, or nobody here can tell that it demands enough.
    others = tuple(
        f"its {field.name} is {value!r}, and {getattr(default, field.name)!r} is required"
        for field in fields(policy)
        if field.name not in judged and (value := getattr(policy, field.name)) != getattr(default, field.name)
    )
    return (*_shortfalls(policy, default, min_strength, level), *others)


def _shortfalls(policy: ProgramPolicy, default: ProgramPolicy, min_strength: float, asked: Level) -> Iterator[str]:
    if policy.min_strength < min_strength:
        yield (
            f"it demands that {policy.min_strength!r} of the planted faults are noticed, and {min_strength!r} is"
            f" required: verify again with --min-strength {min_strength!r}, or ask the gate with --min-strength"
            f" {policy.min_strength!r}"
        )
    if policy.max_documented_only > default.max_documented_only:
        yield (
            f"it lets documented inputs alone notice {policy.max_documented_only!r} of the planted faults, and at most"
            f" {default.max_documented_only!r} is allowed: verify again at --level standard or thorough"
        )
    if policy.level not in set(Level):
        yield f"its level is {policy.level[:40]!r}, which is none of the product's"
        return
    levels = {Level(policy.level), Level.STANDARD, asked}
    again = "--level thorough" if Level.THOROUGH in levels else "--level standard or thorough"
    for what, count, least in (
        ("generated inputs", policy.generated_inputs, max(GENERATED_INPUTS[each] for each in levels)),
        ("planted faults", policy.mutants, max(PLANTED_FAULTS[each] for each in levels)),
        ("inputs for each statement", policy.stated_inputs, default.stated_inputs),
    ):
        if count < least:
            yield f"it allows {count} {what}, and {least} are required: verify again at {again}"
    if policy.trusts_tests and not default.trusts_tests:
        yield (
            "it trusts given tests that the program could have forged: verify again without --trust-tests, or ask the"
            " gate with --trust-tests"
        )
    if policy.refactor and not default.refactor:
        yield (
            "it lets the answers of an earlier version stand for documentation: verify again without --refactor, or ask"
            " the gate with --refactor"
        )
    if default.refactor and not policy.refactor:
        yield "it lets results change: verify again with --refactor"
    if policy.isolation != default.isolation:
        yield "the program ran without isolation: verify again where there is a sandbox"
