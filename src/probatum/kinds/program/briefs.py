"""A verdict about a function in one small object, for an agent: the smallest counterexample, or what is missing.

Checks that hold are counted and not listed. Refuses to tell anything of a given test but that it fails: an agent that
sees it can write for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.kinds.program.asking import Sentence, sentences_of
from probatum.kinds.program.observed import VerifiedFunction
from probatum.programs.decide import too_few_faults
from probatum.programs.judging.reading_checks import NO_INPUT
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, plainest
from probatum.programs.specification import StatementState
from probatum.programs.statements.judged import NOTHING_CHECKS
from probatum.readings.values import ReadingRecord

Brief = dict[str, JsonValue]
MOST_TOLD: Final = 2
MOST_CHARACTERS: Final = 400
"""Of one text: a value or a clause."""
_WORD_OF: Final = {
    Outcome.PROVED: "verified",
    Outcome.TESTED: "verified",
    Outcome.REFUTED: "refuted",
    Outcome.UNDECIDED: "undecided",
    Outcome.NOT_ATTEMPTED: "blocked",
}
_UNREAD: Final = frozenset({"program.statement_unchecked", "program.no_specification"})
_DO: Final[Mapping[str, str]] = {
    "program.statement_unchecked": "answer the sentences under 'open'",
    "program.no_specification": "answer the sentences under 'open', or add an example to the docstring",
    "program.weak_checks": "answer again: with clauses or inputs that a change under 'survives' breaks",
    "program.reading_flagged": "answer again and say all of the words under 'weak', or let a person accept",
    "program.reading_broken": "mend the code or the reading: one of the two is wrong",
    "program.unexpected_exception": "mend the code, or document the exception and when it is raised",
    "program.wrong_use": "mend the code: what it uses is not there, or cannot be called so",
    "program.special_cased": "mend the code: it treats documented inputs unlike others",
    "program.doubtful_document": "mend the documentation: it contradicts itself",
    "program.strength_not_measured": "verify at level standard",
    "program.inputs_not_generated": "answer again with inputs that reach more of the code",
    "program.clause_undecided": "see 'found': if such a call is legal, answer again with it under 'inputs'",
    "program.name_not_judged": "write it with 'def', or verify the functions that it uses",
    "program.out_of_budget": "make it faster for such inputs, or name smaller ones",
    "program.needs_newer_python": "run probatum itself under the Python that is named",
    "program.missing_package": "install the package, or name the Python that has it",
}


_OTHER_INPUTS: Final = "answer again with inputs of other kinds: most changes of the code make no difference on these"
_NO_READING: Final = "nothing that you can read: it is too small to be mutated; verify what calls it, or ask a person"


def word_of(verdict: DiagnosticResult) -> str:
    """Return a verdict in one word."""
    return _WORD_OF[Outcome(verdict.outcome)] if verdict.outcome else "blocked"


def function_brief(part: VerifiedFunction, verdict: DiagnosticResult, readings: Sequence[ReadingRecord]) -> Brief:
    """Return the brief of a function; ``readings`` are all that there are of it."""
    record, word = part.record, word_of(verdict)
    told: Brief = {"verdict": word}
    sentences = sentences_of(part.function, readings)
    texts = {each.text: each.id for each in sentences}
    if word == "refuted":
        failing = [each for each in record.checks if each.state is CheckState.FAILS]
        told |= _counterexample(plainest(failing), record, sentences) if failing else {}
        return told | _open(record, sentences)
    if word == "verified":
        told |= {"killed": _killed(record), **_survivors(record)}
        if record.readings:
            told["by"] = "proposed" if record.rests_on_proposals else "accepted"
        return {**told, "proof": verdict.proof_ref}
    constraint = str(verdict.developer_fields.get("constraint_id", ""))
    if part.function.only_declares and not any(each.state is StatementState.OPEN for each in sentences):
        return {"settled": "it has no code, and every sentence is read: it counts with its file"}
    opened = _open(record, sentences)
    told |= {"why": constraint.rpartition(".")[2], **opened}
    if record.strength_measured:
        told["killed"] = _killed(record)
    told |= _found(record, texts)
    if few := too_few_faults(record) if constraint == "program.weak_checks" else "":
        return {**told, "found": [few], "do": _NO_READING}
    if constraint == "program.weak_checks" and record.is_mostly_unmeasured:
        return {**told, "do": _OTHER_INPUTS}
    if constraint in _UNREAD and any(NO_INPUT in each for each in record.not_asked):
        told["do"] = "answer again with 'inputs': no call tries the readings under 'found'"
    elif constraint == "program.no_specification" and not opened:
        told["do"] = "say in its docstring what it does, then ask again"
    elif constraint in _DO:
        told["do"] = _DO[constraint]
    return told


def _open(record: FunctionRecord, sentences: Sequence[Sentence]) -> Brief:
    """Return the sentences that nothing says in code, by the ids by which they are answered."""
    if not record.strength_measured:
        # What its readings say was not tried to the end.
        found = {each.id: each.shown for each in sentences if each.state is StatementState.OPEN}
    else:
        ids = {each.id.rpartition("-")[0]: each.id for each in sentences}
        found = {}
        for each in record.open_statements:
            # What is left over of a sentence is answered by the id of the whole.
            whole = next((name for name in (each.id, each.id.rpartition(".")[0]) if name in ids), each.id)
            text = each.text if each.reason in {"", NOTHING_CHECKS} else f"{each.text} ({each.reason})"
            found[ids.get(whole, whole)] = " ... ".join(filter(None, (found.get(ids.get(whole, whole)), text)))
    return {"open": {name: _clipped(text) for name, text in found.items()}} if found else {}


def _survivors(record: FunctionRecord) -> Brief:
    found = [_clipped(each.sentence) for each in record.survivors[:MOST_TOLD]]
    return {"survives": list[JsonValue](found)} if found else {}


def whole_brief(verdict: DiagnosticResult) -> Brief:
    """Return the brief of a file of which no function was judged."""
    fields = verdict.developer_fields
    constraint = str(fields.get("constraint_id", ""))
    told: Brief = {"verdict": word_of(verdict), "why": constraint.rpartition(".")[2], "said": verdict.agent_message}
    details = (fields.get(name) for name in ("detail", "reason", "hint"))
    if found := [_clipped(each) for each in details if isinstance(each, str) and each]:
        told["found"] = list[JsonValue](found)
    if constraint in _DO:
        told["do"] = _DO[constraint]
    return told


def _counterexample(check: CheckRecord, record: FunctionRecord, sentences: Sequence[Sentence]) -> Brief:
    if check.kind is CheckKind.TEST:
        return {"breaks": "a given test", "call": _clipped(check.text)}
    told: Brief = {"call": _clipped(check.reproduction)}
    if check.note:
        told["got"] = _clipped(check.note.removeprefix("got ").removeprefix("gives "))
    # The same words may stand at several entries and methods.
    words, ids = " ".join(check.text.split()), {each.id.rpartition("-")[0]: each.id for each in sentences}
    whole = [each.id for each in record.statements if each.line == check.line and words.endswith(each.text)]
    told["breaks"] = next((ids[each] for each in whole if each in ids), _clipped(check.text))
    if check.line:
        told["doc_line"] = check.line
    return told


def _killed(record: FunctionRecord) -> str:
    return f"{record.noticed} of {record.planted}"


def _found(record: FunctionRecord, ids: Mapping[str, str]) -> Brief:
    """Return what stands in the way, at most a few of each."""
    told: Brief = _survivors(record)
    if record.flagged:
        weak = [(" ".join(each.statement.split()), each) for each in record.flagged[: 2 * MOST_TOLD]]
        told["weak"] = {ids.get(words, words): _clipped(f"{each.said}: {each.flag}") for words, each in weak}
    if found := list(_sentences(record, ids))[: 2 * MOST_TOLD]:
        told["found"] = list[JsonValue](found)
    return told


def _sentences(record: FunctionRecord, ids: Mapping[str, str]) -> Iterator[str]:
    undecided = (each for each in record.checks if each.state not in {CheckState.HOLDS, CheckState.FAILS})
    kept = (
        f"{ids.get(' '.join(each.text.split()), each.reproduction or each.text)}: {each.note}"
        for each in undecided
        if each.kind is not CheckKind.TEST
    )
    odd = (record.unexpected, record.wrong_uses, record.narrowed, record.special_cases)
    sources = (*odd, record.disputed, record.flaky, record.doubtful, kept)
    for each in (
        *sources,
        record.unreached,
        record.unmet,
        record.unread,
        record.not_asked,
        (record.not_judged,),
        (record.unmeasured,),
    ):
        yield from (_clipped(sentence) for sentence in each if sentence)


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."
