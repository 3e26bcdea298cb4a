"""What judgements offer in Python beside `Judge`: one call from an output to a verdict, with a sandbox for criteria.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from probatum.core.arguments import TEXT, require_name, require_types
from probatum.core.canonical import JsonValue
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.judge.judge import asked_of
from probatum.judge.request import ACCEPTED, TrustedSource
from probatum.kinds.judge.request import JudgeRequest


@dataclass(frozen=True, slots=True)
class JudgeOutput:
    """`probatum.judge_output`: judges an output."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, JudgeRequest, Store | None], DiagnosticResult]

    def __call__(
        self,
        output: JsonValue,
        validation_types: Sequence[str],
        *,
        acceptance_criteria: Sequence[str] = (),
        expected_schema: JsonValue = None,
        trusted_sources: Sequence[str | TrustedSource] = (),
        context: Mapping[str, JsonValue] | None = None,
        readings: JsonValue = None,
        readings_policy: str = ACCEPTED,
        name: str = "output",
        store: Store | None = None,
    ) -> DiagnosticResult:
        """Judge an output and return the verdict.

        Args:
            output: any JSON value.
            validation_types: the layers: ``schema``, ``facts``, ``criteria``, ``hallucination``, ``quality``.
            acceptance_criteria: what the output has to meet, in a formal notation; one in words needs a reading.
            expected_schema: a JSON Schema.
            trusted_sources: texts that count as true, with or without a name.
            context: what the output was made from.
            readings: records of what passages of the output rest on, and of what criteria say.
            readings_policy: which of them count: ``accepted``, ``consensus:N``, ``proposed`` or ``none``.
            name: what to call the output in reports.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.

        Raises:
            UsageError: the request makes no sense, or lacks what a layer needs.
            BudgetError: it is too large to be judged.
        """
        require_types({"name": name}, {"name": TEXT})
        require_name(name)
        asked = asked_of(
            output,
            validation_types,
            acceptance_criteria=acceptance_criteria,
            expected_schema=expected_schema,
            trusted_sources=trusted_sources,
            context=context,
            readings=readings,
            readings_policy=readings_policy,
        )
        return self.ask("judge", JudgeRequest.of(asked, name), store)
