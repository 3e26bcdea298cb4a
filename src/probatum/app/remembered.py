"""Answers as JSON, so that one that was made elsewhere, or earlier, is shown as if it was made here.

What was observed stays behind: such an answer has its verdict, its page, its document and its findings, and can neither
decide again nor prove anew. Refuses JSON that no answer was written as.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from probatum.app.answers import Answer
from probatum.core.canonical import JsonValue
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding, Severity
from probatum.core.json_text import read_json
from probatum.core.outside import json_text
from probatum.core.shape import Shape, json_of
from probatum.core.sheet import Diagram, Moment, Section, Sheet
from probatum.verification.observed import Whole

_LINE: Final = re.compile(r"(?<=\bline )\d+(?!,? col)")
_KEY: Final = "line"
_TEXTS: Final = ("subject", "headline", "repeat", "next_step", "next_command")


@dataclass(frozen=True, slots=True)
class Remembered(Whole):
    """What is left of an observation."""

    name: str
    begins: int
    page: Sheet
    found: tuple[Finding, ...]
    told: Mapping[str, object]
    by: str = ""
    about: str = ""

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.begins

    def decide(self) -> NoReturn:
        """Raise: it was decided where it was observed."""
        raise ValueError("a remembered answer is not decided again")

    def proof(self) -> NoReturn:
        """Raise: it was proved where it was observed."""
        raise ValueError("a remembered answer is not proved again")

    def document(self) -> Mapping[str, object]:
        """Return what the developer's layer tells beside the verdict."""
        return self.told

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return what a person reads."""
        return self.page if verdict is self.page.verdict else replace(self.page, verdict=verdict)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found, errors first."""
        return self.found

    def asked(self) -> str:
        """Return what it was judged by."""
        return self.by

    def summary(self) -> str:
        """Return one line about the subject for tables."""
        return self.about


def answer_json(answer: Answer) -> dict[str, JsonValue]:
    """Return an answer as JSON; the files that it saves are left out."""
    seen, sheet = answer.observed, answer.observed.sheet(answer.verdict)
    shown: dict[str, JsonValue] = {name: getattr(sheet, name) for name in (*_TEXTS, "most_lines")}
    shown["sections"] = [json_of(each) for each in sheet.sections]
    shown["timeline"] = [json_of(each) for each in sheet.timeline]
    shown["diagram"] = json_of(sheet.diagram)
    return {
        "name": answer.name,
        _KEY: seen.line,
        "verdict": _json(json_text(answer.verdict.to_dict())),
        "exit_code": answer.exit_code,
        "sheet": shown,
        "document": json_text(dict(seen.document())),
        "findings": [json_of(each) for each in seen.findings()],
        "summary": seen.summary(),
        "asked": seen.asked(),
        "called": answer.called,
        "parts": [answer_json(each) for each in answer.parts],
        "is_part": answer.only_part is not None,
    }


def answer_of(told: Shape) -> Answer:
    """Return the answer that was written as JSON; raises ValueError where none was."""
    parts = tuple(answer_of(each) for each in told.items("parts"))
    if told.flag("is_part"):
        verdict = parts[0].verdict
    else:
        verdict = DiagnosticResult.from_dict(told.raw_object("verdict"))
    # It was written here, so that it need not be read with the care that strangers' JSON needs.
    document = Shape(json.loads(told.text("document"))).raw_object()
    texts = [told.text(name) for name in ("asked", "summary")]
    found = tuple(each.into(Finding) for each in told.items("findings"))
    seen = Remembered(
        told.text("name"), told.whole(_KEY), _sheet_of(told.member("sheet"), verdict), found, document, *texts
    )
    return Answer(verdict, told.whole("exit_code"), seen, parts, told.text("called"))


def _sheet_of(told: Shape, verdict: DiagnosticResult) -> Sheet:
    return Sheet(
        verdict=verdict,
        sections=tuple(each.into(Section) for each in told.items("sections")),
        timeline=tuple(each.into(Moment) for each in told.items("timeline")),
        diagram=told.member("diagram").into(Diagram),
        most_lines=told.whole("most_lines"),
        **{name: told.text(name) for name in _TEXTS},
    )


def joined(name: str, parts: Sequence[Answer], called: str) -> Answer:
    """Return the answer about a file whose parts were answered one by one: as strong as the weakest of them.

    Its verdict is that part's, and so is its proof: nothing was proved about the whole.
    """
    weakest = min(parts, key=lambda each: each.rank)
    step = next((each.sheet for each in parts if each.sheet.next_command), weakest.sheet)
    sheet = Sheet(
        name,
        weakest.verdict,
        weakest.verdict.agent_message,
        repeat=weakest.sheet.repeat,
        next_command=step.next_command,
        next_step=step.next_step,
    )
    found = [finding for part in parts for finding in part.observed.findings()]
    ordered = sorted(found, key=lambda finding: finding.severity is not Severity.ERROR)
    seen = Remembered(name, 0, sheet, tuple(ordered), {})
    return Answer(weakest.verdict, weakest.exit_code, seen, tuple(parts), called)


def _json(text: str) -> JsonValue:
    told: JsonValue = dict(Shape(read_json(text)).raw_object())
    return told


def moved(told: JsonValue, line_now: Callable[[int], int]) -> JsonValue:
    """Return an answer as JSON whose file has its lines elsewhere now, also where a sentence names one."""

    def text(said: str) -> str:
        return _LINE.sub(lambda match: str(line_now(int(match[0]))), said)

    def value(each: JsonValue, key: str = "") -> JsonValue:
        if isinstance(each, str):
            return json_text(value(_json(each))) if key == "document" else text(each)
        if isinstance(each, list):
            return [value(item) for item in each]
        if isinstance(each, dict):
            return {name: value(item, name) for name, item in each.items()}
        return line_now(each) if key == _KEY and type(each) is int else each

    return value(told)
