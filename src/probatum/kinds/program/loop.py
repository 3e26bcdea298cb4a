"""The loop of an agent that writes code: ask for sentences, answer with clauses, see verdicts; many functions at once.

Everything goes by path and name, and by the ids of sentences; nothing is remembered between two calls. Readings that an
agent writes are proposals, and verdicts that rest on them say so. Refuses to accept a reading, to write anything but a
readings file, and to save one that somebody changed meanwhile without reading it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError, nearest
from probatum.kinds.program.answering import CardAnswer, read_answer
from probatum.kinds.program.asking import card_of, types_of
from probatum.kinds.program.briefs import Brief, function_brief, whole_brief
from probatum.kinds.program.observed import VerifiedFunction
from probatum.kinds.program.reading_desk import OpenedProgram, one_added, opened_program, saved_readings
from probatum.kinds.program.reading_rules import RULES
from probatum.kinds.program.request import ProgramRequest, evidence_of, level_of, parse_level
from probatum.kinds.program.selecting import UnreadFile, Wanted, paths_of, wanted
from probatum.programs.specification import FunctionSpec
from probatum.programs.statements.documented import of_function
from probatum.programs.units import readable_units
from probatum.readings.coverage import covered, quotes_of
from probatum.readings.policies import PROPOSED, require_policy
from probatum.readings.proposals import HELPERS, REFERENCE, Added, Refused, as_one
from probatum.readings.refusals import refusal_document
from probatum.readings.values import ReadingRecord, Standing
from probatum.verification.desk import JudgedSubject, ToolDesk

Arguments = Mapping[str, object]
Reply = dict[str, JsonValue]
MOST_CHARACTERS, MOST_ASKED = 6_000, 12_000
"""Of verdicts and of cards, unless all is asked for: about 1,500 and 3,000 tokens."""
READER: Final = "an agent"
_MOST_TRIES: Final = 20
_MOST_INPUTS: Final = 3
"""Of those that are refused alike."""
_FEW_NAMES: Final = 3
"""Of one file; more are verified with all of it."""
_RANK: Final = {word: rank for rank, word in enumerate(("refuted", "blocked", "undecided", "verified"))}
_BESIDE: Final = {HELPERS: "helpers", REFERENCE: "reference"}
_UNREAD: Final = (UsageError, NotAttemptedError, BudgetError)


def ask(arguments: Arguments, desk: ToolDesk) -> Reply:
    """Return a card for each function with open sentences; raises UsageError where the question makes no sense."""
    _require_known(arguments, ("paths", "changed", "after", "all", "rules"))
    told: Reply = {"rules": RULES} if arguments.get("rules") is True else {}
    everything, after = arguments.get("all") is True, _text(arguments, "after")
    room, last = MOST_ASKED, ""
    counts = {"read": 0, "undocumented": 0}
    for each in _wanted(arguments, desk):
        program = each if isinstance(each, UnreadFile) else _opened(each, desk)
        if isinstance(program, UnreadFile):
            told["skip"] = {**_object(told.get("skip")), program.name: program.reason}
            continue
        assert isinstance(each, Wanted)
        common: Reply = {}
        for unit in _units(program, each, told):
            key = each.key(unit.qualname)
            if after:
                after = "" if key == after else after
                continue
            card = _card(unit, program, told, key, counts)
            if not card:
                continue
            room -= len(json.dumps(card))
            if room < 0 and not everything and len(told) > 1:
                return {**told, "more": f"ask again with after={last!r}"}
            if not common and (common := types_of(program.source, list(_units(program, each, {})))):
                told["about"] = {**_object(told.get("about")), each.request.name: common}
            told[key], last = card, key
    if after:
        raise UsageError("ask.after", f"'after' names {after!r}, which is not among these paths.")
    return {**told, **{name: count for name, count in counts.items() if count}}


def _card(unit: FunctionSpec, program: OpenedProgram, told: Reply, key: str, counts: dict[str, int]) -> Reply:
    if unit.not_judged:
        told["skip"] = {**_object(told.get("skip")), key: unit.not_judged}
        return {}
    if card := card_of(unit, program.source, program.records):
        return card
    counts["read" if unit.words else "undocumented"] += 1
    return {}


def answer(arguments: Arguments, desk: ToolDesk) -> Reply:
    """Add what is answered to cards as proposals, try them, and return the verdicts; raises UsageError as `ask`."""
    _require_known(arguments, ("answers", "verify", "reader", "level", "all"))
    answers = arguments.get("answers")
    if not isinstance(answers, dict) or not answers:
        sentence = "'answers' is an object from the keys of cards, as 'ask' gives them, to answers."
        raise UsageError("answers.wrong", sentence, 'Example: {"shop.py::fee": {"s1-1f3a": "result >= 0"}}')
    by_path: dict[str, dict[str, object]] = {}
    for key, value in answers.items():
        path, separator, name = key.rpartition("::")
        if not separator:
            raise UsageError("answers.key", f"{key!r} is no key of a card, expected PATH::NAME.")
        by_path.setdefault(path, {})[name] = value
    reader = _text(arguments, "reader") or READER
    told: Reply = {}
    for path, cards in by_path.items():
        told |= _answered(path, cards, reader, desk)
    if arguments.get("verify") is not False:
        keys = [key for key in answers if "added" in _object(told.get(key))]
        briefs = _briefs(wanted(keys, desk), arguments, desk) if keys else {}
        told = {key: {**_object(told.get(key)), **_object(briefs.get(key))} for key in dict.fromkeys((*told, *briefs))}
    return _within(told, arguments)


def verify(arguments: Arguments, desk: ToolDesk) -> Reply:
    """Return the verdict about each function, the weakest first; raises UsageError as `ask`."""
    _require_known(arguments, ("paths", "changed", "level", "all"))
    return _within(_briefs(_wanted(arguments, desk), arguments, desk), arguments)


def _wanted(arguments: Arguments, desk: ToolDesk) -> Iterator[Wanted | UnreadFile]:
    changed = arguments.get("changed") is True
    paths = paths_of(arguments.get("paths") or (["."] if changed else None))
    return wanted(paths, desk, changed=changed)


def _opened(each: Wanted, desk: ToolDesk) -> OpenedProgram | UnreadFile:
    try:
        program = opened_program(each.request, each.notebook, desk)
    except _UNREAD as error:
        return UnreadFile(each.request.name, error.sentence)
    if program.why_not_loaded is None:
        return program
    detail = program.why_not_loaded.fields.get("detail") or program.why_not_loaded.agent_message
    return UnreadFile(each.request.name, f"it cannot be loaded: {detail}"[:300])


def _units(program: OpenedProgram, each: Wanted, told: Reply) -> Iterator[FunctionSpec]:
    """Yield what is meant of a program, each once; a name that it does not have is told."""
    found: set[str] = set()
    for name in each.names or (None,):
        try:
            units = readable_units(program.source.module, name, program.request.contract)
        except UsageError as error:
            told[each.key(str(name))] = _refused(error)
            continue
        yield from (unit for unit in units if unit.qualname not in found)
        found.update(unit.qualname for unit in units)


def _refused(error: ProbatumError) -> Reply:
    told: Reply = {"why": error.code.rpartition(".")[2], "said": error.sentence}
    return {**told, "hint": error.hint} if error.hint else told


def _answered(path: str, cards: Mapping[str, object], reader: str, desk: ToolDesk) -> Reply:
    """Add what is answered to the cards of one file; where somebody changed its readings meanwhile, once more."""
    for tries in range(_MOST_TRIES):
        try:
            found = next(iter(wanted([path], desk)), UnreadFile(path, "it defines nothing"))
            program = found if isinstance(found, UnreadFile) else _opened(found, desk)
        except UsageError as error:
            return {f"{path}::{name}": _refused(error) for name in cards}
        if isinstance(program, UnreadFile):
            return {f"{path}::{name}": {"why": "not_read", "said": program.reason} for name in cards}
        records, told = program.records, Reply()
        for name, value in cards.items():
            records, told[f"{path}::{name}"] = _one_answered(program, name, value, records, reader)
        try:
            for file in saved_readings(program, records):
                desk.save(file)
        except UsageError as error:
            if error.code == "file.changed" and tries < _MOST_TRIES - 1:
                continue
            return {f"{path}::{name}": _refused(error) for name in cards}
        return told
    raise AssertionError("the last try returns")


def _one_answered(
    program: OpenedProgram, name: str, value: object, records: tuple[ReadingRecord, ...], reader: str
) -> tuple[tuple[ReadingRecord, ...], JsonValue]:
    """Return the records with what is answered to one card, and what came of it."""
    module = program.source.module
    try:
        unit = readable_units(module, name, program.request.contract)[0]
    except UsageError as error:
        return records, _refused(error)
    own = [each for each in records if each.is_about(unit.qualname)]
    methods = of_function(unit.qualname, module.functions)[1:]
    read = read_answer(value, unit, methods, own, reader)
    outcome = Added(records)
    for record in read.records:
        outcome = outcome.joined(one_added(program, outcome.records, record))
        refused_ones = {each.what for each in outcome.refused}
        if HELPERS in refused_ones:
            continue
        fit = [each for each in record.inputs if each not in refused_ones]
        outcome = replace(outcome, records=as_one(outcome.records, record, fit))
    kept = tuple(_without_replaced(outcome, read, unit, reader))
    told: Reply = {"added": len(outcome.ids)}
    told |= {"there_before": len(outcome.known)} if outcome.known else {}
    there = [record for record in kept if record.is_about(unit.qualname)]
    new = _inputs_of(there) - _inputs_of(own)
    told |= {"inputs": len(new)} if new else {}
    if unused := list(_unused(_object(value), read, kept, {each.what for each in outcome.refused})):
        told["unused"] = list[JsonValue](unused)
    if refused := _refusals(outcome.refused, read):
        told["no"] = refused
    return kept, told


def _inputs_of(records: Iterable[ReadingRecord]) -> set[tuple[str, str]]:
    return {(record.function, each) for record in records for each in record.inputs}


def _unused(
    answer: Mapping[str, object], read: CardAnswer, kept: Sequence[ReadingRecord], refused: Set[str]
) -> Iterator[str]:
    """Yield the members of an answer of which something was not kept, because no clause is there that it belongs to."""
    alike = [[e for e in kept if (e.function, e.reader) == (each.function, each.reader)] for each in read.records]
    pairs = list(zip(read.records, alike, strict=True))
    if any({*each.inputs}.difference(refused, *(own.inputs for own in found)) for each, found in pairs):
        yield "inputs"
    for name in ("helpers", "reference"):
        is_given = isinstance(given := answer.get(name), str) and bool(given.strip())
        is_kept = any(getattr(each, name) in {getattr(own, name) for own in found} for each, found in pairs)
        if is_given and not is_kept and refused.isdisjoint(_BESIDE):
            yield name


def _without_replaced(added: Added, read: CardAnswer, unit: FunctionSpec, reader: str) -> Iterator[ReadingRecord]:
    """Yield the records without what the same reader proposed before for the sentences that it answers now."""
    now = {*added.ids, *added.known}
    given = {(record.function, each.statement) for record in read.records for each in record.readings}
    kept_now = {(r.function, each.statement) for r in added.records for each in r.readings if r.id_of(each) in now}
    read_now = {statement for _, statement in given & kept_now}
    answered = {(each.sentence.place, each.words) for each in read.said if each.reading.statement in read_now}
    for record in added.records:
        is_own = record.reader == reader and record.is_about(unit.qualname)
        quotes = [quote for _, quote in quotes_of(record, unit.qualname)] if is_own else []
        texts, touched = {quote.id: quote.text for quote in quotes}, covered(unit.statements, quotes).touched
        before = {id for at, words in answered for id in touched.get(at, ()) if _says(texts[id], words)} - now
        kept = tuple(
            each
            for each in record.readings
            if record.id_of(each) not in before or each.standing is not Standing.PROPOSED
        )
        if kept:
            yield replace(record, readings=kept)


def _says(text: str, words: str) -> bool:
    """Tell whether a reading is of these words, whatever name it has before them."""
    return f": {text}".endswith(f": {words}")


def _refusals(refused: Sequence[Refused], read: CardAnswer) -> Reply:
    """Return what was refused by the id of its sentence, or by the member of the answer that it is; inputs by code."""
    found: dict[str, list[JsonValue]] = {
        name: [refusal_document(why) for why in reasons] for name, reasons in read.refused.items()
    }
    inputs: dict[str, list[Refused]] = {}
    for each in refused:
        said = [one for one in read.said if one.reading.statement == each.what]
        if not said and each.what not in _BESIDE:
            inputs.setdefault(str(refusal_document(each.reason)["why"]), []).append(each)
            continue
        told = refusal_document(each.reason)
        if len(said) > 1 and each.clause:
            told["clause"] = each.clause
        if said and each.what != said[0].sentence.text:
            told["words"] = each.what
        found.setdefault(said[0].sentence.id if said else _BESIDE[each.what], []).append(told)
    for alike in inputs.values():
        shown: list[JsonValue] = [each.what for each in alike[:_MOST_INPUTS]]
        row: Reply = {**refusal_document(alike[0].reason), "inputs": shown}
        found.setdefault("inputs", []).append(row | ({"count": len(alike)} if len(alike) > _MOST_INPUTS else {}))
    return {name: each[0] if len(each) == 1 else each for name, each in found.items()}


def _briefs(found: Iterable[Wanted | UnreadFile], arguments: Arguments, desk: ToolDesk) -> Reply:
    """Return the brief of everything that is meant, by path and name."""
    told: Reply = {}
    named = _text(arguments, "level")
    level = level_of(desk.given) if not named else parse_level(named)
    policy = desk.given.text("readings-policy")
    for each in found:
        if isinstance(each, UnreadFile):
            told[each.name] = {"verdict": "blocked", "said": each.reason}
            continue
        request = replace(
            each.request,
            level=level,
            evidence=evidence_of(desk.given),
            allow_unchecked=desk.given.flag("allow-unchecked"),
            readings_policy=PROPOSED if policy is None else require_policy(policy),
        )
        few = each.names if len(each.names) <= _FEW_NAMES else ()
        for name in few or (None,):
            told |= _judged(replace(request, function=name), each, desk)
        # What is settled with another part of its file has no verdict there.
        for name in each.names if each.request.name not in told else ():
            if each.key(name) not in told:
                told |= _judged(replace(request, function=name), each, desk)
    return told


def _judged(request: ProgramRequest, each: Wanted, desk: ToolDesk) -> Reply:
    try:
        judged: JudgedSubject = desk.judge(request)
    except _UNREAD as error:
        return {_key(request, each): {"verdict": "blocked", **_refused(error)}}
    told: Reply = {}
    for part in judged.parts or (judged,):
        if isinstance(part.observed, VerifiedFunction):
            is_meant = request.function is not None or not each.names or part.observed.name in each.names
            brief = function_brief(part.observed, part.verdict, request.readings) if is_meant else Brief()
            key = each.key(request.function or part.observed.name)
            told |= {key: brief} if brief else {}
            if not each.names:
                # Classes without code are settled with another part of their file.
                told |= {each.key(one.qualname): {"see": key} for one in part.observed.function.declared}
        else:
            told[_key(request, each)] = whole_brief(part.verdict)
    return told


def _key(request: ProgramRequest, each: Wanted) -> str:
    return each.request.name if request.function is None else each.key(request.function)


def _within(told: Reply, arguments: Arguments) -> Reply:
    """Return the weakest verdicts first, as many as an answer holds, and how many more there are of each."""
    rows = sorted(told.items(), key=lambda row: _RANK.get(str(_object(row[1]).get("verdict")), 0))
    room, kept, left = MOST_CHARACTERS, Reply(), dict[str, int]()
    for key, brief in rows:
        room -= len(json.dumps(brief)) + len(key)
        if room > 0 or not kept or arguments.get("all") is True:
            kept[key] = brief
        else:
            word = str(_object(brief).get("verdict", "answered"))
            left[word] = left.get(word, 0) + 1
    return {**kept, "more": dict[str, JsonValue](left)} if left else kept


def _object(value: object) -> Reply:
    return value if isinstance(value, dict) else {}


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    raise UsageError("arguments.wrong", f"{name!r} is text, got {type(value).__name__}.")


def _require_known(arguments: Arguments, known: Sequence[str]) -> None:
    for name in arguments:
        if name not in known:
            raise UsageError("arguments.unknown", f"There is no argument {name!r}.", nearest(name, known))
