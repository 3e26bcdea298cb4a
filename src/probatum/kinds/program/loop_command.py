"""``read --ask`` and ``read --answer``: the loop of an agent on the command line, with the answers of its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from probatum.core.command import Given
from probatum.core.decision import EXIT_CODE, Outcome
from probatum.core.errors import UsageError
from probatum.core.json_text import read_json
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.kinds.program.loop import answer, ask
from probatum.verification.desk import Told, ToolDesk

_OUTCOMES: Final = {
    "refuted": Outcome.REFUTED,
    "blocked": Outcome.NOT_ATTEMPTED,
    "undecided": Outcome.UNDECIDED,
    "verified": Outcome.TESTED,
}


def acted(action: str, given: Given, desk: ToolDesk) -> Told:
    """Ask or answer; raises UsageError as the tools do."""
    arguments: dict[str, object] = {"all": given.flag("all")}
    if action == "ask":
        arguments["rules"] = True
        paths = [each for each in (given.subject, *given.others) if each]
        if not paths and not given.flag("changed"):
            raise UsageError("read.no_path", "No file is named.", "Example: probatum read shop/ --ask")
        told = ask({**arguments, "paths": paths, "changed": given.flag("changed"), "after": given.text("after")}, desk)
        return Told(told, text=_written(told))
    path = given.text("answer") or ""
    content = desk.sources.read_whole(path, MAX_READINGS_BYTES, "file of --answer")
    try:
        answers = read_json(content)
    except ValueError as error:
        sentence = f"{path!r} holds no answers: {error}."
        raise UsageError("answers.not_json", sentence, "See --ask for the form.") from error
    told = answer({**arguments, "answers": answers, "reader": given.text("reader")}, desk)
    return Told(told, text=_written(told), exit_code=_exit_code(told))


def _exit_code(told: Mapping[str, object]) -> int:
    """Return the exit code of the weakest verdict; what is refused leaves its function undecided at best."""
    found = [Outcome.TESTED]
    for each in told.values():
        if isinstance(each, dict):
            is_whole = "verdict" in each and "no" not in each
            found += [_OUTCOMES.get(str(each.get("verdict")), Outcome.UNDECIDED)] + [Outcome.UNDECIDED] * (not is_whole)
    return EXIT_CODE[min(found, key=lambda each: each.rank)]


def _written(told: Mapping[str, object]) -> str:
    """Return JSON with one line for each card."""
    rows = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"
