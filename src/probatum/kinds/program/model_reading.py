"""``read --with MODEL``: configured models read the documentation of programs, each by itself, and are tried.

A model is asked once for each function or class with sentences that neither it nor an accepted reading says yet; what
is refused goes back to it once with the reasons. What is left is kept as proposed, with the model as its reader.
Refuses to show a model anything of the code, or what another reader said, and to lose what one model said where another
fails: whatever is left out is told with its reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from probatum.advisors.parallel import together
from probatum.core.canonical import JsonValue
from probatum.core.command import Given
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.model_questions import ModelQuestion, NoAdvice, asked
from probatum.core.outside import fenced
from probatum.core.ports import MeteredAdvisor
from probatum.core.shape import Shape
from probatum.kinds.program.asking import card_of, types_of
from probatum.kinds.program.model_report import CardRead, ModelsReport, told_of
from probatum.kinds.program.reading_desk import OpenedProgram, one_added, opened_program, saved_readings
from probatum.kinds.program.reading_rules import MOST_INPUTS, RECORDS
from probatum.kinds.program.selecting import UnreadFile, Wanted, wanted
from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.reading_agreement import disagreements
from probatum.programs.judging.reading_records import said_of
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.specification import FunctionSpec
from probatum.programs.statements.documented import of_function
from probatum.programs.units import find_function, readable_units
from probatum.readings.proposals import Added, Refused
from probatum.readings.recorded import json_of, record_of
from probatum.readings.refusals import OTHER, code_of, refusal_document
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from probatum.verification.desk import Told, ToolDesk, rehearsed

MOST_RECORDS: Final = 200
_PARTS: Final = 6
"""A sentence is hardly read in more statements; a small model that is held to the form needs an end."""
_TEXT: Final = {"type": "string"}
_STATEMENT: Final = {
    "text": _TEXT,
    "kind": {"type": "string", "enum": [each.value for each in ReadingKind]},
    "clause": _TEXT,
    "exception": _TEXT,
}
_AGAIN: Final = """
You read this before. These parts of your reply were tried on the program or against the documentation, and refused:
{refused}
Reply again with these statements alone, corrected, and with the helpers and inputs that they need. Leave out what the
words do not say.
"""
_OF_RUNS: Final = frozenset(
    {"contradicts_accepted", "input_does_not_fit", "no_input", "no_truth_value", "not_tried", OTHER}
)
"""Codes of refusals that say what the program did."""
_NOT_READ: Final = (UsageError, NotAttemptedError, BudgetError)
_CardQuestion: TypeAlias = ModelQuestion[tuple[ReadingRecord, ...]]
_Reply: TypeAlias = tuple[ReadingRecord, ...] | NoAdvice


@dataclass(frozen=True, slots=True)
class ReaderCard:
    """What one model is asked about one function or class."""

    key: str
    names: tuple[str, ...]
    sentences: int
    data: str

    def question(self, refused: Sequence[Refused] = ()) -> _CardQuestion:
        """Return the question; with what was refused, the second one."""
        prompt = f"{RECORDS}\n\n{fenced(self.data)}\n"
        if refused:
            rows: list[JsonValue] = [
                {"function": e.function, "what": e.what, "clause": e.clause, **_told_of(e.reason)} for e in refused
            ]
            prompt += _AGAIN.format(refused=fenced(json.dumps(rows, ensure_ascii=False)))
        return ModelQuestion(prompt, _schema(self.names, self.sentences), partial(_records, self.names))


def _told_of(reason: str) -> Mapping[str, JsonValue]:
    """Return why something was refused without what came of running the program, which may hold its values."""
    code = code_of(reason)
    return {"why": code} if code in _OF_RUNS else refusal_document(reason)


def read_with_models(given: Given, desk: ToolDesk) -> Told:
    """Ask models and keep what they propose; with ``--dry-run`` show what would be sent.

    Raises UsageError where no model can be asked, or nothing is left to read.
    """
    names = [each.strip() for each in (given.text("with") or "").split(",")]
    if not all(names):
        raise UsageError("read.no_model", "No model is named.", "Example: probatum read shop/cart.py --with local")
    paths = [each for each in (given.subject, *given.others) if each]
    if not paths:
        raise UsageError("read.no_path", "No file is named.", "Example: probatum read shop/cart.py --with local")
    if len(set(names)) < len(names):
        raise _named_twice(next(each for each in names if names.count(each) > 1))
    if given.flag("dry-run"):
        return _rehearsed(names, paths, desk)
    models = {name: desk.advisor(name, paths[0]) for name in names}
    readers = {each.name: each for each in models.values()}
    if len(readers) < len(models):
        raise _named_twice(next(iter(readers)))
    report = ModelsReport()
    for found, program in _programs(paths, desk, report):
        _read_program(program, found, readers, desk, report)
    if not report.reads:
        raise _nothing_to_read(report)
    return told_of(report, models)


def _named_twice(name: str) -> UsageError:
    said = f"The model {name!r} is named twice; readers do not hear each other, so a second time says nothing."
    return UsageError("read.model_twice", said, "Name different models.")


def _nothing_to_read(report: ModelsReport) -> UsageError:
    skipped = "; ".join(f"{name}: {why}" for name, why in report.skipped.items())
    said = "There is nothing to read: every sentence has a reading or is code."
    return UsageError("read.nothing_open", f"There is nothing to read: {skipped}." if skipped else said)


def _rehearsed(names: Sequence[str], paths: Sequence[str], desk: ToolDesk) -> Told:
    """Return the first requests; what is refused would be given back to its model in one more each."""
    report, requests = ModelsReport(), list[Mapping[str, object]]()
    for found, program in _programs(paths, desk, report):
        for name in names:
            rehearsal = desk.rehearsal(name, paths[0])
            for card in _cards(program, found, rehearsal.name, report):
                asked(rehearsal, card.question())
                requests.append({"model": name, "about": card.key, **rehearsal.noted[-1]})
    if not requests:
        raise _nothing_to_read(report)
    return rehearsed(requests)


def _programs(paths: Sequence[str], desk: ToolDesk, report: ModelsReport) -> Iterator[tuple[Wanted, OpenedProgram]]:
    """Yield every program that can be read and loaded; of the others the report says why not."""
    for found in wanted(paths, desk):
        if isinstance(found, UnreadFile):
            report.skipped[found.name] = found.reason
            continue
        try:
            program = opened_program(found.request, found.notebook, desk)
        except _NOT_READ as error:
            report.skipped[found.request.name] = error.sentence
            continue
        if (why := program.why_not_loaded) is None:
            yield found, program
        else:
            detail = why.fields.get("detail") or why.agent_message
            report.skipped[found.request.name] = f"it cannot be loaded: {detail}"


def _cards(program: OpenedProgram, found: Wanted, reader: str, report: ModelsReport) -> Iterator[ReaderCard]:
    """Yield what a reader is asked; what others propose is not taken as read."""
    heard = tuple(_heard(program.records, reader))
    module = program.source.module
    units: dict[str, FunctionSpec] = {}
    for name in found.names or (None,):
        for unit in readable_units(module, name, program.request.contract):
            units.setdefault(unit.qualname, unit)
    types = types_of(program.source, list(units.values()))
    for unit in units.values():
        key = found.key(unit.qualname)
        if unit.not_judged:
            report.skipped[key] = unit.not_judged
        elif card := card_of(unit, program.source, heard):
            names = tuple(each.qualname for each in of_function(unit.qualname, module.functions)) or (unit.qualname,)
            said = list(Shape(card).member("say").raw_object().values())
            data = {"names": list(names), **card, "say": said, **types}
            yield ReaderCard(key, names, len(said), json.dumps(data, ensure_ascii=False))


def _heard(records: Sequence[ReadingRecord], reader: str) -> Iterator[ReadingRecord]:
    for record in records:
        own = record.reader == reader
        kept = tuple(each for each in record.readings if own or each.standing is Standing.ACCEPTED)
        if kept:
            yield replace(record, readings=kept)


def _read_program(
    program: OpenedProgram, found: Wanted, readers: Mapping[str, MeteredAdvisor], desk: ToolDesk, report: ModelsReport
) -> None:
    """Ask every model about one file, and keep what it proposes."""
    cards = {name: list(_cards(program, found, name, report)) for name in readers}
    records, reads = program.records, dict[tuple[str, str], CardRead]()
    first = {name: [(each, each.question()) for each in of] for name, of in cards.items()}
    for name, card, reply in _replies(readers, first):
        records, reads[name, card.key] = _tried(program, records, card, name, reply)
    again = {
        name: [(each, each.question(why)) for each in of if (why := reads[name, each.key].added.refused)]
        for name, of in cards.items()
    }
    for name, card, reply in _replies(readers, again):
        records, second = _tried(program, records, card, name, reply)
        reads[name, card.key] = reads[name, card.key].followed_by(second)
    try:
        for file in saved_readings(program, records):
            desk.save(file)
    except UsageError as error:
        # What was replied is in the cache: the same command asks nothing anew.
        report.skipped[program.name] = f"its readings are not saved: {error.sentence}"
        return
    report.reads.extend(reads.values())
    report.records.extend(json_of(each) for each in records if each.reader in readers)
    names = dict.fromkeys((each.key, name) for of in cards.values() for each in of for name in each.names)
    report.differences.extend(_differences(program, records, list(names)))


def _replies(
    readers: Mapping[str, MeteredAdvisor], questions: Mapping[str, Sequence[tuple[ReaderCard, _CardQuestion]]]
) -> Iterator[tuple[str, ReaderCard, _Reply]]:
    """Yield what each model replies: the models at the same time, and of each as many questions as it may get."""

    def replies_of(name: str) -> list[_Reply]:
        works = [partial(asked, readers[name], question) for _, question in questions[name]]
        return together(works, readers[name].at_once)

    of_all = together([partial(replies_of, each) for each in questions], len(questions))
    for name, replies in zip(questions, of_all, strict=True):
        yield from ((name, card, reply) for (card, _), reply in zip(questions[name], replies, strict=True))


def _tried(
    program: OpenedProgram, records: tuple[ReadingRecord, ...], card: ReaderCard, reader: str, reply: _Reply
) -> tuple[tuple[ReadingRecord, ...], CardRead]:
    """Return the records with what a model said, and what came of it."""
    outcome = Added(records)
    if isinstance(reply, NoAdvice):
        return records, CardRead(card.key, reader, outcome, left_out=reply)
    for record in reply:
        outcome = outcome.joined(one_added(program, outcome.records, replace(record, reader=reader)))
    answered = frozenset((record.function, each.statement) for record in reply for each in record.readings)
    return outcome.records, CardRead(card.key, reader, outcome, answered)


def _schema(names: Sequence[str], sentences: int) -> dict[str, object]:
    """Return the form of a reply: records as `read --add` takes them, no longer than is asked for.

    Texts have no limit: servers refuse one that is large, or any.
    """

    def a_list(items: Mapping[str, object], most: int) -> dict[str, object]:
        return {"type": "array", "items": items, "maxItems": min(most, MOST_RECORDS)}

    def an_object(properties: Mapping[str, object]) -> dict[str, object]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    record = {
        "function": {"type": "string", "enum": list(names)},
        "statements": a_list(an_object(_STATEMENT), _PARTS * sentences),
        "helpers": _TEXT,
        "inputs": a_list(_TEXT, MOST_INPUTS),
    }
    return an_object({"records": a_list(an_object(record), len(names))})


def _records(names: Sequence[str], value: JsonValue) -> tuple[ReadingRecord, ...]:
    """Return the records of a reply; raises ValueError where it is none, or about something else."""
    rows = Shape(value).exactly("records").items("records", 0, MOST_RECORDS)
    found = tuple(record_of(each.value, each.place) for each in rows)
    for each in found:
        if each.function not in names:
            raise ValueError(f"a record is about {each.function!r}, and was asked about {', '.join(names)}")
    return found


def _differences(
    program: OpenedProgram, records: Sequence[ReadingRecord], names: Sequence[tuple[str, str]]
) -> Iterator[dict[str, JsonValue]]:
    """Yield what readers say otherwise about the same words, with the input on which they differ."""
    for key, name in names:
        own = tuple(_not_rejected(each) for each in records if each.function == name)
        if len({each.reader for each in own}) < 2:
            continue
        said = {each.id_of(reading): (each.reader, reading) for each in own for reading in each.readings}
        told: dict[str, JsonValue] = {"function": key, "name": name}
        try:
            function = find_function(program.source.module, name)
            question = FunctionQuestion(program.source, function, ProgramPolicy(), readings=own)
            for each in disagreements(question, program.bench.open_benches()):
                sides = zip(each.readings, (each.holds, not each.holds), strict=True)
                rows: list[JsonValue] = [_side([said[id] for id in ids], holds=holds) for ids, holds in sides]
                yield {**told, "input": each.input, "readers": rows}
        except _NOT_READ as error:
            yield {**told, "not_compared": error.sentence}


def _not_rejected(record: ReadingRecord) -> ReadingRecord:
    return replace(record, readings=tuple(each for each in record.readings if each.standing is not Standing.REJECTED))


def _side(said: Sequence[tuple[str, Reading]], *, holds: bool) -> dict[str, JsonValue]:
    [(reader, first), *_] = said
    return {
        "reader": reader,
        "text": first.statement,
        "clauses": [said_of(reading) for _, reading in said],
        "holds": holds,
    }
