"""The same bytes on every Python: traces and checks of ten generated bundles have the digest that stands here.

Whoever changes what a trace says puts the new digest here; on one Python alone it never changes.
"""

from __future__ import annotations

from hashlib import sha256

from probatum.audit import EvidenceBundle, PromptSpec
from probatum.audit.canonical import dumps_canonical
from tests.audit.bundles import made
from tests.audit.cases import audit

GIVEN = "128275f59b25eb840771d8ef0df1119d5ddd8ba06fc2969d41bbc61f8aee7d9a"
GOLDEN = "73258494682066e055dcd68068d96c8c3f22750fa20c521f47d8ad41adace75a"


def test_the_bundles_are_the_same_everywhere() -> None:
    """Else the digest below would say nothing."""
    whole = sha256()
    for seed in range(10):
        case = made(seed)
        whole.update(repr((case.prompt, case.evidence)).encode())
    assert whole.hexdigest() == GIVEN


def test_traces_and_checks_have_the_same_bytes_on_every_python() -> None:
    whole = sha256()
    for seed in range(10):
        case = made(seed)
        for each in audit(PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence)):
            whole.update(dumps_canonical(each).encode())
    assert whole.hexdigest() == GOLDEN
