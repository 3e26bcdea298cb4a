"""A verifier for probatum: the bank accounts in an output are written as ISO 13616 has it.

It looks at every text under a key ``iban``, however deep. Refuses wrong forms and wrong check digits; whether the
account exists, nobody can tell from its number.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping

from probatum.core.decision import Outcome
from probatum.core.finding import Finding, Severity
from probatum.verification import VerificationResult, VerifierDescription
from probatum.verification.results import result_from_findings

_FORM = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}")


class IbanVerifier:
    """Passes where every ``iban`` in the output is a valid one."""

    description = VerifierDescription("iso.iban", "1", Outcome.PROVED, is_deterministic=True)

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Judge the output alone."""
        found = list(_numbers(output_obj))
        findings = [_finding(path, number) for path, number in found if not is_iban(number)]
        summary = f"{len(found) - len(findings)} of {len(found)} account numbers are valid."
        return result_from_findings(
            self.description.id, findings, summary, evidence={"looked_at": len(found)}, could_have_failed=bool(found)
        )


def is_iban(number: object) -> bool:
    """True for a text whose check digits are right: read as a number, base 36, its remainder by 97 is 1."""
    if not isinstance(number, str):
        return False
    compact = number.replace(" ", "")
    if not _FORM.fullmatch(compact):
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def _numbers(output: object) -> Iterator[tuple[str, object]]:
    pending = deque([("$", output)])
    while pending:
        path, value = pending.popleft()
        if isinstance(value, dict):
            pending += [(f"{path}.{key}", item) for key, item in value.items()]
            if "iban" in value:
                yield f"{path}.iban", value["iban"]
        elif isinstance(value, list):
            pending += [(f"{path}[{index}]", item) for index, item in enumerate(value)]


def _finding(path: str, number: object) -> Finding:
    shown = number[:40] if isinstance(number, str) else type(number).__name__
    return Finding(Severity.ERROR, "iban.invalid", f"{path}: expected an IBAN, got {shown!r}")
