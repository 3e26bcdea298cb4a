"""What was observed about a program: the record that a decision is derived from and a proof artifact retains.

Every value has one JSON form, so that deciding again from it computes the same. Refuses times, hosts and advice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from probatum.core.canonical import JsonValue
from probatum.core.shape import RARE, Shape, json_of
from probatum.programs.established import Established
from probatum.programs.refused_readings import RefusedReading
from probatum.programs.specification import DecidedBy, Origin, StatementKind, StatementState

STATEMENT_REMOVED, GUARD_REMOVED = "statement_removed", "guard_removed"
BRANCH_REMOVED, EARLY_RETURN = "branch_removed", "early_return"
INPUT_IGNORED = "input_ignored"
"""Planted nowhere: the program itself answers alike whatever it is given."""
BOUNDARY = "boundary"
"""Of faults that move a limit by one place: often the one input at the limit shows them, and nothing else can."""
SPLIT_TESTS = "given tests"
"""What noticed a fault where given tests did, run apart from the faulty copy."""
PLAIN_TESTS = "given tests beside the program"
"""Likewise, run in one process with the faulty copy."""
SPLIT_READINGS, PLAIN_READINGS = "sessions of readings", "sessions of readings beside the program"
"""Likewise, where sessions and clauses of readings did."""
IN_OWN_PROCESS = frozenset({PLAIN_TESTS, PLAIN_READINGS})
OWN_INPUT = "own"
"""How the id of a check begins whose call a reader wrote, or that is near one: the program never saw it."""
PROBE, DATA_PROBE = "branch_probe", "data_probe"
"""Of copies that raise where a branch begins, and of those that find nothing in what they look up."""

_UNUSUAL = re.compile(r"\b(?:nan|inf)\b|\d{5,}|\\|\de[+-]?\d")


class CheckKind(StrEnum):
    """What a check asks of the program."""

    EXAMPLE = "example"
    RETURN_TYPE = "return_type"
    ARGUMENT = "argument"
    """What a call leaves as it was, by its declared type."""
    TEST = "test"
    DIFFERENTIAL = "differential"
    """An earlier version answers alike."""
    PROPERTY = "property"
    LAW = "law"
    READING = "reading"
    """One call by the readings that say something about it."""


class CheckState(StrEnum):
    """How one check ended."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    FLAKY = "flaky"
    UNCHECKED = "unchecked"
    """It holds by the word of the program alone: its object says that it is equal, or what its text is."""
    DOUBTFUL = "doubtful"
    """The document contradicts itself or another source about this clause."""


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """One check: what was run, what was expected, what was observed."""

    id: str
    kind: CheckKind
    decided_by: DecidedBy
    origin: Origin
    line: int
    """In the source file; 0 where the clause does not come from it. Of a reading that is broken, that of its words."""
    text: str
    """The clause as written, or a sentence that states it."""
    inputs: JsonValue
    """How to run it again: ``{"form": "call", …}`` with tagged arguments, ``clerk``, ``statements`` or ``test``."""
    expected: JsonValue
    observed: JsonValue
    state: CheckState
    note: str = ""
    """For people: why it is undecided, doubtful or flaky."""
    reproduction: str = ""
    forge_resistant: bool = True
    cause: str = ""
    """Of a flaky check: what its result depends on, as `stability.Cause` names it."""

    @property
    def is_contradicted(self) -> bool:
        """Whether it fails, or is a reading that something speaks against."""
        is_open = self.kind is CheckKind.READING and self.state is CheckState.UNDECIDED
        return is_open or self.state is CheckState.FAILS

    @property
    def is_written(self) -> bool:
        """Whether somebody wrote its input: the documentation, a reader or a test."""
        made_up = {CheckKind.PROPERTY, CheckKind.LAW, CheckKind.DIFFERENTIAL, CheckKind.RETURN_TYPE, CheckKind.ARGUMENT}
        return self.kind not in made_up and not self.id.startswith("g")


def plainest(checks: Sequence[CheckRecord]) -> CheckRecord:
    """Return the check to show of several: one whose input somebody wrote, of few, short and usual values."""
    return min(checks, key=lambda each: (not each.is_written, *plainness(each.reproduction)))


def plainness(call: str) -> tuple[int, int]:
    """Return by what calls are sorted, the plainest first: their unusual signs and numbers, then their length."""
    odd = sum(not (sign.isascii() and sign.isprintable()) for sign in call if sign != "\n")
    return odd + len(_UNUSUAL.findall(call)), len(call)


def is_lost(check: CheckRecord) -> bool:
    """True where no answer came: the process ended, or its budget did."""
    return isinstance(check.observed, dict) and "lost" in check.observed


def is_not_carried(check: CheckRecord) -> bool:
    """True of a given test that passes in the program's own process alone."""
    return check.kind is CheckKind.TEST and check.observed == {"split": "not_carried", "plain": "passed"}


def is_shared(check: CheckRecord) -> bool:
    """True of a given test or a session that counts although it ran in the program's own process."""
    return not check.forge_resistant and isinstance(check.observed, dict) and "plain" in check.observed


class MutantState(StrEnum):
    """What became of one planted fault."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    """No check notices it and no generated input tells it apart from the program."""
    ONLY_DOCUMENTED = "only_documented"
    """Noticed, but by inputs written in the specification alone: it earns nothing."""
    AT_LIMIT = "at_limit"
    """Noticed by documented inputs alone, at a natural limit that one input alone reaches (empty, zero): set aside."""
    NOT_LOADED = "not_loaded"
    """The faulty copy cannot be imported: every run would notice that, so that it says nothing about the checks."""


_MATTERS = (
    StatementKind.RESULT,
    StatementKind.SUMMARY,
    StatementKind.SENTENCE,
    StatementKind.CONDITION,
    StatementKind.RAISES,
    StatementKind.PARAMETER,
)
"""Which kind of statement tells most about what a call gives, that one first."""
LOADING = "loading"
"""What notices a faulty copy that cannot be imported."""
SET_ASIDE = frozenset({MutantState.EQUIVALENT, MutantState.AT_LIMIT, MutantState.NOT_LOADED})
"""Planted faults that do not count: nothing could be learnt from them."""


def is_of_reader(noticed_by: str) -> bool:
    """Whether what noticed a fault stands nowhere in the program's own file: a reader wrote it."""
    return noticed_by.startswith(OWN_INPUT) or noticed_by in {SPLIT_READINGS, PLAIN_READINGS}


def mutant_state(noticed_by: str, told_apart_by: str, *, at_limit: bool, has_inputs: bool) -> MutantState:
    """Return what became of a planted fault, from what noticed it and what told it apart."""
    if noticed_by == LOADING:
        return MutantState.NOT_LOADED
    if not noticed_by:
        return MutantState.SURVIVED if told_apart_by or not has_inputs else MutantState.EQUIVALENT
    if told_apart_by or not has_inputs or is_of_reader(noticed_by):
        return MutantState.NOTICED
    return MutantState.AT_LIMIT if at_limit else MutantState.ONLY_DOCUMENTED


@dataclass(frozen=True, slots=True)
class MutantRecord:
    """One planted fault and what noticed it."""

    id: str
    operator: str
    line: int
    sentence: str
    state: MutantState
    noticed_by: str = ""
    told_apart_by: str = ""
    """A generated call, as pasteable Python, to which the faulty copy answers otherwise than the program."""
    at_limit: bool = False
    """Whether the fault lies in a branch that serves a natural limit of an input, such as the empty list."""
    settled_by: str = ""
    """Another documented definition that the fault lies in, whose own checks notice it: it is set aside here."""


@dataclass(frozen=True, slots=True)
class ChangeQuestion:
    """An input that the program answers otherwise than its earlier version: is that meant?"""

    call: str
    """As pasteable Python."""
    before: str
    """The earlier version's answer, in words for people."""
    now: str


@dataclass(frozen=True, slots=True)
class ReadingOutcome:
    """What became of one reading that counts."""

    id: str
    statement: str
    said: str
    """Its clause, as a person reads it; empty for narrative and for what could not be put into code."""
    reader: str
    accepted_by: str
    met: int
    """On how many calls it said something and held; 1 for a session that held."""
    noticed: int
    """How many planted faults break it; one that none breaks checks nothing."""
    flag: str = field(default="", metadata=RARE)
    """Why it may say less than its words, where nobody accepted it; empty where nothing shows that."""

    @property
    def flag_sentence(self) -> str:
        """That it is flagged, in one sentence."""
        return f"the reading {self.id} of {self.statement!r} may say too little: {self.flag}"


@dataclass(frozen=True, slots=True)
class ReferenceOutcome:
    """A reader's reference that the program always answers like."""

    reader: str
    agreed: int
    """On how many calls."""
    left_out: tuple[str, ...] = ()
    """Parameters whose default the reference has as well, since such calls leave them out."""


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """One statement of the documentation, and what vouches for it."""

    id: str
    text: str
    kind: StatementKind
    source: str
    line: int
    """In the file, or in the contract where it stands there."""
    state: StatementState
    by: tuple[str, ...] = ()
    """Ids of checks, readings and other statements."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    """Everything observed about one function."""

    qualname: str
    line: int
    checks: tuple[CheckRecord, ...] = ()
    mutants: tuple[MutantRecord, ...] = ()
    strength_measured: bool = False
    generated_inputs: int = 0
    inputs_missing: bool = False
    """True when the function takes inputs and none beyond the documented ones could be generated."""
    special_cases: tuple[str, ...] = ()
    """Sentences: what is reached or changed by documented inputs alone."""
    unreached: tuple[str, ...] = ()
    """Sentences: branches that no input reaches; they decide where part of the document is unread."""
    flaky: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    suspicions: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Sentences: text that claims to be a clause and could not be read."""
    documents_more: bool = False
    """True where some of that text is the document's own: it says more than what was checked."""
    doubtful: tuple[str, ...] = ()
    unmeasured: str = field(default="", metadata=RARE)
    """Why their strength could not be measured, as a sentence; written only where it is one."""
    unmet: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: what was demanded and gives nothing to check; written only where there is one."""
    unexpected: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: a mistake's kind of exception on a legal input, not among the documented ones; as rare as these."""
    wrong_uses: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: what it uses that is surely not there, or cannot be called so; as rare as these."""
    uses_unknown: bool = field(default=False, metadata=RARE)
    """Whether its process gave no answer to what it uses."""
    narrowed: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: calls that its earlier version took and it does not, by their signatures; as rare as these."""
    compared: int = field(default=0, metadata=RARE)
    """How many inputs the program and its earlier version gave a steady answer to."""
    questions: tuple[ChangeQuestion, ...] = field(default=(), metadata=RARE)
    """On which of them they differ, the smallest first; a few of them, and none that is a check."""
    readings: tuple[ReadingOutcome, ...] = field(default=(), metadata=RARE)
    """Those that count; written only where there is one."""
    tried: int = field(default=0, metadata=RARE)
    refused: tuple[RefusedReading, ...] = field(default=(), metadata=RARE)
    """Of proposed readings that would count: how many were tried, and those that do not; as rare as these."""
    references: tuple[ReferenceOutcome, ...] = field(default=(), metadata=RARE)
    """Those that count and agree; written only where there is one."""
    disputed: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: proposed readings that the program breaks; written only where there is one."""
    not_asked: tuple[str, ...] = field(default=(), metadata=RARE)
    """Sentences: readings that count and that nothing was asked about, with the reason; as rare as these."""
    not_met: tuple[str, ...] = field(default=(), metadata=RARE)
    """Ids of the preconditions that examples contradict; written only where there is one."""
    statements: tuple[StatementOutcome, ...] = field(default=(), metadata=RARE)
    """Everything that the documentation says; written only where it says something."""
    specification: tuple[JsonValue, ...] = field(default=(), metadata=RARE)
    """The clauses that were read, each with its source and place, as documents tell them."""
    established: tuple[Established, ...] = field(default=(), metadata=RARE)
    """What is known about every legal input; written only where something is."""
    not_judged: str = field(default="", metadata=RARE)
    """Why it cannot be judged, as a sentence; written only where it cannot."""

    @property
    def open_statements(self) -> tuple[StatementOutcome, ...]:
        """The statements that nothing vouches for, those about results first."""
        open_ones = [each for each in self.statements if each.state is StatementState.OPEN]
        return tuple(sorted(open_ones, key=lambda each: _MATTERS.index(each.kind)))

    @property
    def noticed(self) -> int:
        """Planted faults that the checks notice."""
        return sum(mutant.state is MutantState.NOTICED for mutant in self.mutants)

    @property
    def planted(self) -> int:
        """Planted faults that count: all but those that are set aside."""
        return sum(mutant.state not in SET_ASIDE for mutant in self.mutants)

    def leans_on_documented(self, most: float) -> bool:
        """Whether documented inputs alone notice more than this share, 0 to 1, of the planted faults that count."""
        return self.documented_only > Fraction(str(most)) * self.planted

    @property
    def documented_only(self) -> int:
        """Planted faults that documented inputs alone notice, where one input is not all that could ever notice."""
        alone = (mutant for mutant in self.mutants if mutant.state is MutantState.ONLY_DOCUMENTED)
        return sum(mutant.operator != BOUNDARY for mutant in alone)

    @property
    def rests_on_proposals(self) -> bool:
        """Whether a reading counts that nobody accepted."""
        return any(not each.accepted_by for each in self.readings)

    @property
    def rests_on_acceptances(self) -> bool:
        """Whether a reading counts that somebody accepted."""
        return any(each.accepted_by for each in self.readings)

    @property
    def flagged(self) -> tuple[ReadingOutcome, ...]:
        """The readings that count and have to be accepted by their ids before they vouch for anything."""
        return tuple(each for each in self.readings if each.flag and not each.accepted_by)

    @property
    def is_shared(self) -> bool:
        """Whether a given test or a session holds that ran in the program's own process."""
        return any(is_shared(c) and c.state is CheckState.HOLDS for c in self.checks)

    @property
    def strength(self) -> Fraction:
        """The share of planted faults that the checks notice, by the rule of succession: few faults say little."""
        return Fraction(self.noticed + 1, self.planted + 2)

    @property
    def is_mostly_unmeasured(self) -> bool:
        """Whether most planted faults are set aside.

        Left out are those that another definition's own examples notice, and copies that cannot be imported.
        """
        elsewhere = sum(bool(m.settled_by) and m.state is MutantState.EQUIVALENT for m in self.mutants)
        unloaded = sum(m.state is MutantState.NOT_LOADED for m in self.mutants)
        return 2 * self.planted < len(self.mutants) - elsewhere - unloaded

    @property
    def idle(self) -> tuple[MutantRecord, ...]:
        """What bars VERIFIED alone: a statement or a guard that could be left out, or an unused input."""
        alone = {STATEMENT_REMOVED, GUARD_REMOVED, INPUT_IGNORED}
        return tuple(m for m in self.mutants if m.operator in alone and m.state is MutantState.SURVIVED)

    @property
    def survivors(self) -> tuple[MutantRecord, ...]:
        """Planted faults that no check notices, those that decide alone first."""
        return tuple(dict.fromkeys((*self.idle, *(m for m in self.mutants if m.state is MutantState.SURVIVED))))

    def to_json(self) -> dict[str, JsonValue]:
        """Return the record as JSON."""
        return json_of(self)

    @classmethod
    def from_json(cls, data: Mapping[str, JsonValue], place: str = "record") -> FunctionRecord:
        """Read a record back; raises `ValueError` where it is not one."""
        return Shape(data, place).into(cls)
