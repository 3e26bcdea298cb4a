"""What is demanded of programs by default: the counts of each level, and in which ways a policy demands less.

Refuses to judge what is not a policy for programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from probatum.core.canonical import JsonValue
from probatum.kinds.program.request import ProgramRequest
from probatum.programs import DEFAULT_MIN_STRENGTH, GENERATED_INPUTS, PLANTED_FAULTS, Level, ProgramPolicy


def policy_of(request: ProgramRequest) -> ProgramPolicy:
    """Return what a request demands and how much work it asks for."""
    return ProgramPolicy(
        level=request.level.value,
        min_strength=request.min_strength,
        generated_inputs=GENERATED_INPUTS[request.level],
        mutants=PLANTED_FAULTS[request.level],
    )


def policy_shortfalls(content: Mapping[str, JsonValue], min_strength: float = DEFAULT_MIN_STRENGTH) -> tuple[str, ...]:
    """Return in which ways a policy demands less than the default, with what to do about it.

    ``min_strength`` is the share of planted faults that must be demanded. Raises ValueError for what is not a policy.
    """
    return tuple(_shortfalls(ProgramPolicy.from_json(content), ProgramPolicy(), min_strength))


def _shortfalls(policy: ProgramPolicy, default: ProgramPolicy, min_strength: float) -> Iterator[str]:
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
    level = Level(policy.level)
    for what, count, least in (
        ("generated inputs", policy.generated_inputs, max(GENERATED_INPUTS[level], default.generated_inputs)),
        ("planted faults", policy.mutants, max(PLANTED_FAULTS[level], default.mutants)),
        ("inputs for each statement", policy.stated_inputs, default.stated_inputs),
    ):
        if count < least:
            yield f"it allows {count} {what}, and {least} are required: verify again at --level standard or thorough"
    if policy.isolation != default.isolation:
        yield "the program ran without isolation: verify again where there is a sandbox"
