"""What is demanded of programs by default: the counts of each level, and in which ways a policy demands less.

Refuses to judge what is not a policy for programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from probatum.core.canonical import JsonValue
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import GENERATED_INPUTS, PLANTED_FAULTS, EvidencePolicy, Level, ProgramPolicy

_DEFAULT = ProgramPolicy()


def policy_of(request: ProgramRequest) -> ProgramPolicy:
    """Return what a request demands and how much work it asks for."""
    return ProgramPolicy(
        level=request.level.value,
        min_strength=request.min_strength,
        generated_inputs=GENERATED_INPUTS[request.level],
        mutants=PLANTED_FAULTS[request.level],
        evidence=request.evidence.value,
        refactor=request.refactor,
        readings=request.readings_policy,
        acceptance=request.acceptance,
        allow_unchecked=request.allow_unchecked,
    )


def policy_shortfalls(content: Mapping[str, JsonValue], demanded: ProgramPolicy = _DEFAULT) -> tuple[str, ...]:
    """Return in which ways a policy demands less than another one, with what to do about it.

    None admits less work than the standard level. Which readings count, and whether it is about a refactoring, has to
    be the same; whose acceptance counts is compared with the readings themselves. Raises ValueError for what is not a
    policy.
    """
    policy = ProgramPolicy.from_json(content)
    judged = {
        *("level", "min_strength", "generated_inputs", "mutants", "stated_inputs", "isolation"),
        *("evidence", "max_documented_only", "refactor", "readings", "allow_unchecked", "acceptance"),
    }
    # Whatever else a policy may say one day has its default, or nobody here can tell that it demands enough.
    others = tuple(
        f"its {field.name} is {value!r}, and {getattr(demanded, field.name)!r} is required"
        for field in fields(policy)
        if field.name not in judged and (value := getattr(policy, field.name)) != getattr(demanded, field.name)
    )
    return (*_shortfalls(policy, demanded), *_told_apart(policy, demanded), *others)


def _shortfalls(policy: ProgramPolicy, demanded: ProgramPolicy) -> Iterator[str]:
    if policy.min_strength < demanded.min_strength:
        yield (
            f"it demands that {policy.min_strength!r} of the mutants are killed, and {demanded.min_strength!r}"
            f" is required: verify again with --min-strength {demanded.min_strength!r}, or ask the gate with"
            f" --min-strength {policy.min_strength!r}"
        )
    if policy.max_documented_only > demanded.max_documented_only:
        yield (
            f"it lets documented inputs alone kill {policy.max_documented_only!r} of the mutants, and at most"
            f" {demanded.max_documented_only!r} is allowed: verify again at --level standard or thorough"
        )
    if policy.level not in set(Level):
        yield f"its level is {policy.level[:40]!r}, which is none of the product's"
        return
    levels = {Level(policy.level), Level.STANDARD, Level(demanded.level)}
    again = "--level thorough" if Level.THOROUGH in levels else "--level standard or thorough"
    for what, count, least in (
        ("generated inputs", policy.generated_inputs, max(GENERATED_INPUTS[each] for each in levels)),
        ("mutants", policy.mutants, max(PLANTED_FAULTS[each] for each in levels)),
        ("inputs for each statement", policy.stated_inputs, demanded.stated_inputs),
    ):
        if count < least:
            yield f"it allows {count} {what}, and {least} are required: verify again at {again}"


def _told_apart(policy: ProgramPolicy, demanded: ProgramPolicy) -> Iterator[str]:
    """Yield what the policy lets count that has to be asked for."""
    if policy.evidence != demanded.evidence == EvidencePolicy.SPLIT:
        yield (
            "it lets checks count that ran in the program's own process: verify again with --evidence split, or ask the"
            " gate without it"
        )
    if policy.refactor and not demanded.refactor:
        yield (
            "it takes the answers of an earlier version for documentation: verify again without --refactor, or ask"
            " the gate with --refactor"
        )
    if demanded.refactor and not policy.refactor:
        yield "it lets results change: verify again with --refactor"
    if policy.isolation != demanded.isolation:
        yield "the program ran without isolation: verify again where there is a sandbox"
    if policy.readings != demanded.readings:
        yield (
            f"it lets readings count by the policy {policy.readings!r}, and {demanded.readings!r} is required: verify"
            f" again with --readings-policy {demanded.readings}, or ask the gate with --readings-policy"
            f" {policy.readings}"
        )
    if policy.allow_unchecked and not demanded.allow_unchecked:
        yield (
            "it tolerates statements of the documentation that nothing checks: verify again without --allow-unchecked,"
            " or ask the gate with --allow-unchecked"
        )
