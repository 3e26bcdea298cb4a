"""From a record to a decision, purely: the same observations and policy always decide alike.

Asked in this order; the first that applies decides.

1. a stable failure of a check that no model made    refuted
   or a public name that no definition makes          undecided, ``program.name_not_judged``
2. results that change for the same input            undecided, ``program.flaky…``, by cause where that is one
3. nothing documented that could be executed         undecided, ``program.no_specification``, or as in 7 and 8
4. a document that contradicts itself                undecided, ``program.doubtful_document``
5. a clause that could not be decided                undecided, ``program.clause_undecided`` or ``…out_of_budget``
6. a documented value of which the program alone
   can speak                                         undecided, ``program.own_word``
7. a contract or an earlier version that gives
   nothing to check, or a line of it                 undecided, ``program.contract_gives_nothing``
   or, where nothing may change, a difference that
   no check is about                                 undecided, ``program.difference_open``
8. a mistake's kind of exception on a legal input,
   not among the documented ones                     undecided, ``program.unexpected_exception``
   or what it uses is surely not there, or cannot be
   called so, run or not                             undecided, ``program.wrong_use``
   or a proposed reading that it breaks              undecided, ``program.reading_broken``
   or one that counts, that may say too little, and
   that nobody accepted by its id                    undecided, ``program.reading_flagged``
9. documented inputs treated unlike all others       undecided, ``program.special_cased``
10. no inputs beyond the documented ones, or none
    that reach all that they reach                   undecided, ``program.inputs_not_generated``
11. strength not measured, or for less than half of
    the planted faults, or below the bar, or too
    many faults that documented inputs alone notice,
    or a statement that no check would miss, or input
    that makes no difference, or a branch that
    nothing reaches while something that is
    documented could not be read                     undecided, ``…strength_not_measured``, ``…weak_checks``
12. no check that the program could not influence,
    and none in its own process that counts          undecided, ``program.not_forge_resistant``
13. a statement of the documentation that nothing
    checks, unless the policy tolerates them          undecided, ``program.statement_unchecked``
14. all of it known for every legal input            proved, see `programs.proved`
15. otherwise                                        tested; the sentence says what that rests on

Refuses to call anything verified by default: the last line is reached only when every question above was answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from fractions import Fraction

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, Outcome, decide, weakest
from probatum.core.frozen import frozen_dict
from probatum.core.shape import Shape
from probatum.programs.proved import proved_by
from probatum.programs.record import (
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    MutantState,
    is_not_carried,
    plainest,
)
from probatum.programs.specification import Origin, place_of
from probatum.readings.acceptances import SELF, is_acceptance
from probatum.readings.policies import ACCEPTED, FORMS, is_policy

_REFUTED_BY_KIND: Mapping[CheckKind, str] = {
    CheckKind.EXAMPLE: "program.counterexample",
    CheckKind.RETURN_TYPE: "program.return_type",
    CheckKind.ARGUMENT: "program.argument_changed",
    CheckKind.TEST: "program.test_failed",
    CheckKind.DIFFERENTIAL: "program.behaviour_changed",
    CheckKind.PROPERTY: "program.property_broken",
    CheckKind.LAW: "program.law_broken",
    CheckKind.READING: "program.reading_contradicted",
}


_FLAKY_BY_CAUSE: Mapping[str, str] = {
    "clock": "program.flaky_clock",
    "randomness": "program.flaky_randomness",
    "environment": "program.flaky_environment",
    "addresses": "program.flaky_addresses",
    "hash_seed": "program.flaky_hash_seed",
    "earlier_calls": "program.flaky_earlier_calls",
}
NO_ISOLATION = "none"
_BUDGETS = frozenset({"cpu", "wall", "memory", "output"})
# How checks end that are open for other reasons than a lost process: its arguments cannot be given to the program.
_NOTHING_LOST = frozenset({None, "arguments"})
FEWEST_FAULTS = 2
"""Noticing every planted fault counts from this many on; one alone could be luck."""


DEFAULT_MIN_STRENGTH = 0.7
MAX_DOCUMENTED_ONLY = 0.1


class Level(StrEnum):
    """How much work a verification does; work is counted, not timed."""

    QUICK = "quick"
    STANDARD = "standard"
    THOROUGH = "thorough"


class EvidencePolicy(StrEnum):
    """Where checks may run: apart from the program alone, or in its own process where what they need cannot cross."""

    SPLIT = "split"
    SHARED = "shared"


GENERATED_INPUTS = {Level.QUICK: 0, Level.STANDARD: 100, Level.THOROUGH: 400}
PLANTED_FAULTS = {Level.QUICK: 0, Level.STANDARD: 60, Level.THOROUGH: 250}


@dataclass(frozen=True, slots=True)
class ProgramPolicy:
    """What a verification of a program demands and how much work it does; all counts, no times."""

    level: str = Level.STANDARD.value
    min_strength: float = DEFAULT_MIN_STRENGTH
    generated_inputs: int = GENERATED_INPUTS[Level.STANDARD]
    """Beside these there may be as many sessions again, see `most_inputs`."""
    mutants: int = PLANTED_FAULTS[Level.STANDARD]
    stated_inputs: int = 50
    """On how many inputs each stated property or documented exception is checked at most.

    A property of ground truth is checked on twice as many.
    """
    seed: int = 0
    refactor: bool = False
    """Whether the program must answer as its earlier version does; else what differs is a question."""
    evidence: str = EvidencePolicy.SHARED.value
    """Under ``shared``, what ran in the program's own process counts where that uses no means of forging."""
    isolation: str = "sandbox"
    """``sandbox``, or ``none`` where the user asked for that; every decision then says so."""
    max_documented_only: float = MAX_DOCUMENTED_ONLY
    """The largest share of the planted faults that documented inputs alone may notice."""
    readings: str = ACCEPTED
    """Which readings count, see `readings.policies`."""
    acceptance: str = SELF
    """Whose acceptance counts, see `readings.acceptances`; under ``self`` every decision that rests on one says so."""
    allow_unchecked: bool = False
    """Whether statements of the documentation that nothing checks are tolerated; every decision then counts them."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_strength <= 1:
            raise ValueError(f"min_strength must lie between 0 and 1, got {self.min_strength!r}")
        if not 0 <= self.max_documented_only <= 1:
            raise ValueError(f"max_documented_only must lie between 0 and 1, got {self.max_documented_only!r}")
        if self.evidence not in set(EvidencePolicy):
            raise ValueError(f"evidence must be {' or '.join(EvidencePolicy)}, got {self.evidence!r}")
        if not is_policy(self.readings):
            raise ValueError(f"readings must count by {FORMS}, got {self.readings!r}")
        if not is_acceptance(self.acceptance):
            raise ValueError(f"acceptance must be self, a commit or keys, got {self.acceptance[:80]!r}")
        if min(self.generated_inputs, self.mutants, self.stated_inputs) < 0:
            raise ValueError("counts must not be negative")

    @property
    def id(self) -> str:
        """The name of this policy in an artifact."""
        return f"probatum.program/{self.level}"

    @property
    def most_inputs(self) -> int:
        """How many inputs are generated at most, sessions with an object in other states and readers' ones included."""
        return 2 * self.generated_inputs

    def to_json(self) -> dict[str, JsonValue]:
        """Return the policy as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> ProgramPolicy:
        """Read a policy back; raises ValueError where it is not one."""
        return Shape(data, "policy").into(cls)


def decide_function(record: FunctionRecord, policy: ProgramPolicy) -> Decision:
    """Return the decision for one function; the table at the head of this module is its order."""
    failing = [c for c in record.checks if c.state is CheckState.FAILS and c.origin is not Origin.MODEL]
    if failing:
        decision = _refuted(record, failing)
    else:
        decision = clauses_undecided(record) or _judge_strength(record, policy)
    if policy.isolation == NO_ISOLATION:
        decision = replace(decision, fields=frozen_dict({**decision.fields, "isolation": NO_ISOLATION}))
    return decision


def decide_program(records: Sequence[FunctionRecord], policy: ProgramPolicy) -> Decision:
    """Return the decision for a file: the weakest of its functions', none is undecided."""
    if not records:
        return decide(Outcome.UNDECIDED, "program.no_specification", {"name": "it"})
    decisions = [decide_function(record, policy) for record in records]
    weak = weakest(decisions)
    if len(records) == 1 or weak.outcome not in {Outcome.TESTED, Outcome.PROVED}:
        return weak
    slots: dict[str, str | int] = {"functions": len(records), "checks": sum(len(record.checks) for record in records)}
    names: list[JsonValue] = [record.qualname for record in records]
    return _tested("program.all_tested", records, policy, slots, {"functions": names})


def _tested(
    name: str,
    records: Sequence[FunctionRecord],
    policy: ProgramPolicy,
    slots: Mapping[str, str | int],
    fields: Mapping[str, JsonValue],
) -> Decision:
    """Return the decision for what passed; it tells what that rests on."""
    proved = () if policy.refactor or not all(map(proved_by, records)) else records
    beside = any(record.is_shared for record in records)
    unaccepted = any(record.rests_on_proposals for record in records)
    by_author = policy.acceptance == SELF and any(record.rests_on_acceptances for record in records)
    tolerated = [sentence for record in records for sentence in _unchecked_sentences(record)]
    told: dict[str, JsonValue] = {"evidence": EvidencePolicy.SHARED.value} if beside else {}
    if unaccepted:
        told["readings"] = policy.readings
    if by_author:
        told["acceptance"] = SELF
    if tolerated:
        told["unchecked"] = list[JsonValue](tolerated)
    if proved:
        # Nothing else than an author's acceptance is behind what is known for every legal input.
        told["established"] = list[JsonValue](sorted({by.value for record in proved for by in proved_by(record)}))
        named = name.replace("tested", "proved") + "_by_author" * by_author
        return decide(Outcome.PROVED, named, slots, {**fields, **told})
    tails = "_as_before" * policy.refactor + "_shared" * beside + "_unaccepted" * unaccepted
    constraint = name + tails + "_by_author" * by_author + "_unchecked" * bool(tolerated)
    counted = {"unchecked": len(tolerated)} if tolerated else {}
    return decide(Outcome.TESTED, constraint, {**slots, **counted}, {**fields, **told})


def _refuted(record: FunctionRecord, failing: Sequence[CheckRecord]) -> Decision:
    first = plainest(failing)
    fields: dict[str, JsonValue] = {
        "function": record.qualname,
        "line": first.line,
        "clause": first.text,
        "counterexample": first.reproduction,
        "expected": first.expected,
        "observed": first.observed,
        "failed_checks": len(failing),
        "executed_checks": len(record.checks),
    }
    is_endless = isinstance(first.observed, dict) and "repeats" in first.observed
    constraint = "program.never_ends" if is_endless else _REFUTED_BY_KIND[first.kind]
    return decide(Outcome.REFUTED, constraint, {"name": record.qualname}, fields)


def _undecided(record: FunctionRecord, constraint: str, reasons: Sequence[str]) -> Decision:
    shown: list[JsonValue] = list(reasons[:5])
    fields: dict[str, JsonValue] = {"function": record.qualname, "line": record.line, "reasons": shown}
    return decide(Outcome.UNDECIDED, constraint, {"name": record.qualname}, fields)


def clauses_undecided(record: FunctionRecord) -> Decision | None:
    """Return why the clauses of a function that is not refuted are undecided, None where all that were run hold."""
    if record.not_judged:
        return _undecided(record, "program.name_not_judged", [record.not_judged])
    by_state = {state: [c for c in record.checks if c.state is state] for state in CheckState}
    if flaky := [*(f"line {c.line}: {c.note or c.text}" for c in by_state[CheckState.FLAKY]), *record.flaky]:
        return _undecided(record, _flaky_constraint(record), flaky)
    if doubtful := [*(f"line {c.line}: {c.note}" for c in by_state[CheckState.DOUBTFUL]), *record.doubtful]:
        return _undecided(record, "program.doubtful_document", doubtful)
    if not record.checks and record.unmet:
        return _undecided(record, "program.contract_gives_nothing", record.unmet)
    if not record.checks and record.disputed:
        return _undecided(record, "program.reading_broken", record.disputed)
    if not record.checks:
        return _found(record) or _undecided(record, "program.no_specification", record.unread)
    if open_checks := [*by_state[CheckState.UNDECIDED], *by_state[CheckState.FAILS]]:
        reasons = {c.observed.get("lost") if isinstance(c.observed, dict) else None for c in open_checks}
        constraint = (
            "program.tests_not_carried" if all(map(is_not_carried, open_checks)) else "program.clause_undecided"
        )
        if reasons.isdisjoint(_NOTHING_LOST):
            constraint = "program.out_of_budget" if reasons <= _BUDGETS else "program.lost"
        decision = _undecided(record, constraint, [f"line {c.line}: {c.text} ({c.note})" for c in open_checks])
        told = [{"counterexample": c.reproduction, "observed": c.observed} for c in open_checks if c.is_contradicted]
        return replace(decision, fields=frozen_dict({**decision.fields, **told[0]})) if told else decision
    if unchecked := by_state[CheckState.UNCHECKED]:
        return _undecided(record, "program.own_word", [f"line {c.line}: {c.text} ({c.note})" for c in unchecked])
    if not by_state[CheckState.HOLDS]:
        return _undecided(record, "programs.nothing_executed", ())
    return None


def _found(record: FunctionRecord) -> Decision | None:
    if record.unexpected:
        return _undecided(record, "program.unexpected_exception", record.unexpected)
    return _undecided(record, "program.wrong_use", record.wrong_uses) if record.wrong_uses else None


def _flaky_constraint(record: FunctionRecord) -> str:
    causes = {*record.causes, *(c.cause for c in record.checks if c.state is CheckState.FLAKY)}
    return _FLAKY_BY_CAUSE.get(causes.pop(), "program.flaky") if len(causes) == 1 else "program.flaky"


def _is_strong_enough(record: FunctionRecord, policy: ProgramPolicy) -> bool:
    if record.noticed == record.planted:
        return not too_few_faults(record)
    return record.noticed > 0 and record.strength >= Fraction(str(policy.min_strength))


def _changes(record: FunctionRecord) -> list[str]:
    return [*(f"{each.call} gave {each.before} and gives {each.now}" for each in record.questions), *record.narrowed]


def _judge_strength(record: FunctionRecord, policy: ProgramPolicy) -> Decision:
    if record.unmet:
        return _undecided(record, "program.contract_gives_nothing", record.unmet)
    if policy.refactor and (record.questions or record.narrowed):
        return _undecided(record, "program.difference_open", _changes(record))
    if found := _found(record):
        return found
    if record.disputed:
        return _undecided(record, "program.reading_broken", record.disputed)
    if record.flagged:
        return _undecided(record, "program.reading_flagged", [each.flag_sentence for each in record.flagged])
    if record.special_cases:
        return _undecided(record, "program.special_cased", record.special_cases)
    # What a reader chose as inputs does not vouch for code that none of them reaches.
    if record.inputs_missing or (record.readings and record.unreached):
        return _undecided(record, "program.inputs_not_generated", record.unreached)
    if not record.strength_measured:
        why = [f"strength was not measured: {record.unmeasured}"] if record.unmeasured else []
        return _undecided(record, "program.strength_not_measured", why)
    alone = (mutant for mutant in record.mutants if mutant.state is MutantState.ONLY_DOCUMENTED)
    survivors = [mutant.sentence for mutant in (*record.survivors, *alone)]
    reasons = [f"survives: {sentence}" for sentence in survivors]
    if few := too_few_faults(record):
        reasons = [few]
    if record.is_mostly_unmeasured:
        aside = len(record.mutants) - record.planted
        first = f"{aside} of {len(record.mutants)} mutants differ on no input"
        return _undecided(record, "program.weak_checks", [first, *reasons])
    if record.leans_on_documented(policy.max_documented_only):
        first = f"{record.documented_only} of {record.planted} mutants differ on documented inputs alone"
        return _undecided(record, "program.weak_checks", [first, *reasons])
    if record.documents_more and record.unreached:
        unseen = [f"{each}, and what could not be read may be about that" for each in record.unreached]
        return _undecided(record, "program.clause_undecided", [*unseen, *reasons])
    if not _is_strong_enough(record, policy) or record.idle:
        return _undecided(record, "program.weak_checks", reasons)
    holding = [c for c in record.checks if c.state is CheckState.HOLDS and c.origin is not Origin.MODEL]
    if not (record.is_shared or any(check.forge_resistant for check in holding)):
        return _undecided(record, "program.not_forge_resistant", ())
    unchecked = _unchecked_sentences(record)
    if unchecked and not policy.allow_unchecked:
        return _undecided(record, "program.statement_unchecked", unchecked)
    fields: dict[str, JsonValue] = {
        "function": record.qualname,
        "line": record.line,
        "executed_checks": len(holding),
        "planted_faults": record.planted,
        "noticed_faults": record.noticed,
        "strength": round(float(record.strength), 4),
        "min_strength": policy.min_strength,
        "not_noticed": [f"survives: {sentence}" for sentence in survivors],
    }
    slots: dict[str, str | int] = {
        "name": record.qualname,
        "checks": len(holding),
        "noticed": record.noticed,
        "planted": record.planted,
    }
    return _tested("program.tested", (record,), policy, slots, fields)


def too_few_faults(record: FunctionRecord) -> str:
    """Return why so few mutants show no strength although all are killed; empty where they are enough."""
    if not record.noticed == record.planted < FEWEST_FAULTS:
        return ""
    if not record.mutants:
        return "nothing in it can be mutated"
    return "one killed mutant alone could be luck" if record.planted else "no mutant differs on any input"


def _unchecked_sentences(record: FunctionRecord) -> list[str]:
    return [f"{place_of(each.line, each.source)}: {each.text} ({each.reason})" for each in record.open_statements]
