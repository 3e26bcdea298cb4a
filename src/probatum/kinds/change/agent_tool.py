"""What an agent asks about its own change before it says that it is done.

Refuses to let an agent accept anything: that a check may be weaker is for a person to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.verification.desk import AgentTool, ToolDesk

_TEXTS: Final = ("revisions", "repository", "claims")
_REFACTOR: Final = "refactor"
_MOST: Final = 20


def _change(arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    # Deferred: a kind is loaded long before its tool is used.
    from probatum.kinds.change.observed import JudgedChange
    from probatum.kinds.change.wire import commanded

    for name, value in arguments.items():
        if not isinstance(value, str if name in _TEXTS else bool if name == _REFACTOR else ()):
            known = f"texts called {', '.join(_TEXTS)}, and {_REFACTOR!r}, true or false"
            raise UsageError("arguments.wrong", f"'change' takes {known}, got {name!r}.")
    options: dict[str, object] = {"repository": desk.place(str(arguments.get("repository", ".")))}
    options[_REFACTOR] = arguments.get(_REFACTOR, False)
    if (python := desk.given.text("python")) is not None:
        options["python"] = python
    request = commanded(Given(str(arguments.get("revisions", "")), options), desk.sources)
    # A folder may be lent of which the repository is not.
    desk.place(str(request.trees.root))
    claims = arguments.get("claims")
    judged = desk.judge(replace(request, claims=claims if isinstance(claims, str) else None))
    verdict, observed = judged.verdict, judged.observed
    reasons = observed.reasons() if isinstance(observed, JudgedChange) else ()
    told = [{"code": each.constraint, "what": each.what, "do": each.step} for each in reasons]
    return {
        "status": verdict.status.value,
        "message": verdict.agent_message,
        "proof": verdict.proof_ref,
        "reasons": told[:_MOST],
        "more": max(0, len(told) - _MOST),
    }


CHANGE: Final = AgentTool(
    "change",
    "May what you just did be merged? Compares the work tree with where it left the default branch, or two revisions:"
    " runs the old and the new tests on both versions in a sandbox, undoes each part of the change and plants faults on"
    " its lines to see whether a test fails, compares calls on both versions, and looks for weakened"
    " checks. Each reason says what to do. Give your last"
    " message as 'claims': what it says of tests, files and functions is checked. A weaker check is for a person to"
    " accept, not for you.",
    {
        "type": "object",
        "properties": {
            "revisions": {"type": "string", "description": "BASE, BASE..HEAD or nothing for the work tree."},
            "repository": {"type": "string", "description": "The repository, or a folder in it; here by default."},
            "claims": {"type": "string", "description": "What you say about the change."},
            _REFACTOR: {"type": "boolean", "description": "You meant to change nothing that anything does."},
        },
        "additionalProperties": False,
    },
    _change,
)
