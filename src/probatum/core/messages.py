"""The closed catalogue of sentences that an agent may see, keyed by constraint id.

A sentence may name things of the subject (a function, a parameter, a key) and count what was done; it never contains a
rule, a pattern, a matched text or a hidden check. Named slots take an identifier path of at most 64 characters,
count slots (``{n:count}``) a whole number, and ``{n:count|one thing|# things}`` the form that fits it.
A planted fault is what the field calls a mutant; noticing it is killing it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress, product

from probatum.core.claim_sentences import CLAIM_SENTENCES

NAME_PATTERN = r"[A-Za-z_][\w.\[\]]{0,63}"
COUNT_PATTERN = r"[0-9]{1,9}"

_TAILS = {
    # The sentence itself says this one.
    "_as_before": "",
    "_beside": " This is not forge-resistant: given tests were believed that shared a process with the program.",
    "_unaccepted": " It rests on readings of the documentation that nobody accepted.",
    "_unchecked": (
        " {unchecked:count|One statement|# statements} of the documentation"
        " {unchecked:count|was|were} tolerated that nothing checks."
    ),
}
"""What a program that passed its checks may need to have said of it besides."""


def passed_constraint(
    name: str, *, as_before: bool = False, beside: bool = False, unaccepted: bool = False, unchecked: bool = False
) -> str:
    """Return the constraint of a program that passed, ``program.tested`` or ``program.all_tested``, with its tails."""
    return name + "".join(compress(_TAILS, (as_before, beside, unaccepted, unchecked)))


def _with_tails() -> dict[str, str]:
    """Return the sentences of programs that passed, by constraint."""
    first = (
        "{{name}} did what {} {{checks:count|the one check that was|all # checks that were}} run;"
        " {{checks:count|it notices|they notice}}"
        " {{noticed:count}} of {{planted:count|# planted fault|# planted faults}}."
    )
    every = "All {{functions:count}} functions did what {} the {{checks:count}} checks that were run."
    found = {}
    for said in product((False, True), repeat=len(_TAILS)):
        as_before, beside, *_ = said
        tails = "".join(compress(_TAILS.values(), said))
        for name, sentence, whose in (("program.tested", first, "its"), ("program.all_tested", every, "their")):
            # Given tests ask for more than any documentation does.
            before = f" or {whose} earlier version" if as_before else ""
            asked = "was asked in" if beside else f"{whose} documentation{before} says in"
            found[name + "".join(compress(_TAILS, said))] = sentence.format(asked) + tails
    return found


_TESTED = _with_tails()

CATALOGUE: Mapping[str, str] = {
    # claims
    **CLAIM_SENTENCES,
    # programs
    **_TESTED,
    "program.counterexample": "{name} does not do what its documentation says.",
    "program.return_type": "{name} returns a value that its signature does not allow.",
    "program.never_ends": "{name} never ends for a documented input.",
    "program.law_broken": "Objects of {name} break a law that Python states of equality, hashing or order.",
    "program.property_broken": "{name} breaks a property that its specification states.",
    "program.reading_contradicted": "{name} breaks a statement of its documentation, as it is read.",
    "program.test_failed": "{name} fails a test that was given for it.",
    "program.behaviour_changed": "{name} behaves differently from its earlier version.",
    "program.difference_open": "Whether {name} may behave differently from its earlier version is open.",
    "program.does_not_parse": "The program is not valid Python.",
    "program.import_raises": "The program fails while it is being loaded.",
    "program.no_specification": "There is nothing to check: no statement of what {name} does could be executed.",
    "programs.nothing_executed": "No check of {name} could be executed.",
    "program.name_not_judged": "{name} is documented, and is not judged: no definition of the file makes it.",
    "program.doubtful_document": "The documentation of {name} contradicts itself or another source.",
    "program.clause_undecided": "Some documented statements about {name} could not be decided.",
    "program.tests_not_carried": "{name} passes its given tests only where it shares a process with them.",
    "program.contract_gives_nothing": "Something that was demanded of {name} gives nothing that could be checked.",
    "program.statement_unchecked": (
        "{name} passed its checks, but not everything that its documentation says was checked."
    ),
    "program.reading_broken": "{name} breaks a proposed reading of its documentation: one of the two is wrong.",
    "program.weak_checks": "{name} passed its checks, but they would also let many wrong programs pass.",
    "program.strength_not_measured": "{name} passed its checks, but how much they notice was not measured.",
    "program.unexpected_exception": "{name} raises an exception that its documentation does not name.",
    "program.special_cased": "{name} treats the documented examples differently from other inputs.",
    "program.not_forge_resistant": "{name} passed only checks that the program itself could have influenced.",
    "program.own_word": "Of some values that the documentation of {name} shows, only the program itself can speak.",
    "program.flaky": "{name} gave different results for the same input.",
    "program.flaky_clock": "{name} gave different results for the same input: it depends on the clock.",
    "program.flaky_randomness": "{name} gave different results for the same input: it depends on random numbers.",
    "program.flaky_environment": "{name} gave different results for the same input: it depends on the environment.",
    "program.flaky_addresses": (
        "{name} gave different results for the same input: it depends on where its objects lie in memory."
    ),
    "program.flaky_hash_seed": "{name} gave different results for the same input: it depends on the hash seed.",
    "program.flaky_earlier_calls": (
        "{name} gave different results for the same input: it depends on what was called before."
    ),
    "program.too_large": "The file is larger than the budget allows.",
    "program.imports_too_large": "The program imports more of its own project than the budget allows.",
    "program.out_of_budget": "The program did not finish within its budget.",
    "program.inputs_not_generated": (
        "{name} passed its checks, but no input beyond the documented ones could be made that reaches all of it."
    ),
    "program.needs_resource": "The program needs a file, a network or another resource that it is not given here.",
    "program.lost": "The program's process ended without an answer.",
    "program.exits": "The program ends its own process instead of answering.",
    "program.not_python": "The file could not be read as Python text.",
    "program.unreadable": "The file could not be read.",
    "program.missing_package": "The program imports something that is not installed or not given.",
    # structured output
    "contract.satisfied": "The output satisfies its contract.",
    "contract.checks_passed": "The output passed every check that its contract demands.",
    "contract.violated": "The output does not satisfy its contract.",
    "contract.verifier_failed": "The output was not judged: a check of its contract could not be run.",
    "contract.check_skipped": "The output was not decided: a check of its contract was skipped.",
    "contract.too_few_passed": "The output was not decided: fewer checks passed than its contract asks for.",
    "contract.nothing_enforced": "The contract asks for nothing that this output could have failed.",
    "contract.not_json": "The output is not JSON.",
    "contract.ambiguous": "The output holds more than one JSON value, so it is not clear which one is meant.",
    "contract.input_violated": "The output was not decided: its input does not satisfy the contract.",
    "contract.input_invalid": "The output was not judged: the input given with it is not JSON.",
    "contract.too_large": "The output, or its input, is larger or nested deeper than the budget allows.",
    "json.number_out_of_range": "The output, or its input, holds a number that cannot be read without changing it.",
    "contract.invalid": "The output was not judged: its contract is not valid.",
    "contract.unreadable": "The output was not judged: its contract could not be read.",
    "contract.schema_invalid": "The output was not judged: a schema of its contract is not valid.",
    "contract.schema_remote": "The output was not judged: its contract names a schema that is not here.",
    "contract.schema_reference": "The output was not judged: it is not clear which schema its contract refers to.",
    "contract.schema_circular": "The output was not judged: a schema of its contract refers to nothing but itself.",
    "contract.schema_draft": "The output was not judged: a schema of its contract is of a draft that is not known.",
    "contract.schema_too_deep": "The output was not judged: a schema of its contract is nested too deep.",
    "contract.pattern_not_linear": "The output was not judged: its contract asks for a match of unbounded cost.",
    "contract.pattern_too_large": "The output was not judged: its contract asks for a match that is too large.",
    "contract.not_kept": "The output was not judged: its contract has no form that a proof can keep.",
    # evidence
    "audit.established": (
        "The evidence establishes whether the event was observed: {sources:count|one source was|# sources were} used,"
        " and nothing contradicts what was said."
    ),
    "audit.conflict": "The evidence contradicts itself.",
    "audit.insufficient": "The evidence does not suffice to establish the event.",
    "audit.evidence_unsound": "Some of the evidence is not what the question asks for.",
    "audit.doubtful": "Some of the evidence is doubtful: it says more than was read, or could not be read to its end.",
    "audit.undeclared_source": "Some of the evidence comes from a source that the question does not name.",
    "audit.question_unsound": "The question does not say soundly what evidence has to establish.",
    "audit.trace_broken": "The reasoning trace does not keep its policy.",
    "audit.too_large": "The evidence is larger than the budget allows.",
    "audit.prompt_invalid": "The evidence was not audited: the question could not be read.",
    "audit.bundle_invalid": "The evidence was not audited: it could not be read.",
    # outputs under judgement
    "judge.accepted": "The output passed {checks:count|the one check|all # checks} that it was to be accepted by.",
    "judge.tested": (
        "The output passed {checks:count|the one check|all # checks} that it was to be accepted by; {executed:count} of"
        " them ran its code, and {executed:count|it kills|they kill} {noticed:count} of"
        " {planted:count|# mutant|# mutants}."
    ),
    "judge.ran": (
        "The output passed {checks:count|the one check|all # checks} that it was to be accepted by; {executed:count} of"
        " them ran its code, and no mutants were tried."
    ),
    "judge.refuted": "The output does not meet what it was to be accepted by.",
    "judge.read": (
        "The output passed {checks:count|the one check|all # checks} that it was to be accepted by; {read:count} of"
        " them {read:count|rests|rest} on readings that count."
    ),
    "judge.schema_open": "The output was not decided: the schema asks for nothing that it could have failed.",
    "judge.criteria_open": "The output was not decided: a criterion is open.",
    "judge.claims_open": "The output was not decided: a claim is open.",
    "judge.quality_open": "The output was not decided: nothing looked at its quality.",
    "judge.nothing_decided": "The output was not decided: nothing that could be established was asked of it.",
    "judge.too_large": "The output, or what is asked about it, is larger than the budget allows.",
    "judge.unreadable": "The output was not judged: the request could not be read.",
    "request.invalid": "The request could not be understood, so nothing was verified.",
    "sandbox.unavailable": "The program was not run: no isolation is available here.",
    "sandbox.broke": "The program was not judged: its isolation failed.",
    "ledger.unavailable": "The verdict could not be recorded, so it was not given.",
    "store.unavailable": "The verdict could not be kept, so it was not given.",
    "legacy.not_established": "An earlier engine could not establish the claim.",
    "legacy.not_attempted": "An earlier engine could not attempt the verification.",
    "verifier.out_of_budget": "The verification did not finish within its own budget.",
    "verifier.fault": "The verification itself failed; this says nothing about the subject.",
}

_SLOT = re.compile(r"\{(\w+)(:count)?(?:\|([^|}]*)\|([^|}]*))?\}")


def agent_message(constraint_id: str, slots: Mapping[str, str | int], catalogue: Mapping[str, str] = CATALOGUE) -> str:
    """Return the catalogue's sentence for a constraint with its slots filled; a plugin's kind brings its own catalogue.

    A name that does not fit its slot (too long, or with characters that could carry text) becomes ``it``.
    Raises ValueError if the constraint is unknown, or a slot is missing or not a whole number where one is due.
    """
    template = catalogue.get(constraint_id)
    if template is None:
        raise ValueError(f"constraint {constraint_id!r} is not in the catalogue of agent sentences")

    def fill(match: re.Match[str]) -> str:
        name, is_count, one, several = match.groups()
        value = slots.get(name)
        if is_count:
            if type(value) is not int or not 0 <= value < 10**9:
                raise ValueError(f"slot {name!r} of {constraint_id!r} takes a whole number, got {value!r}")
            form = "#" if one is None else one if value == 1 else several
            return form.replace("#", str(value))
        if type(value) is not str:
            raise ValueError(f"slot {name!r} of {constraint_id!r} takes a name, got {value!r}")
        return value if re.fullmatch(NAME_PATTERN, value, re.ASCII) else "it"

    sentence = _SLOT.sub(fill, template)
    return sentence[0].upper() + sentence[1:] if sentence.startswith("it ") else sentence


@cache
def _sentence_pattern(constraint_id: str) -> re.Pattern[str] | None:
    template = CATALOGUE.get(constraint_id)
    if template is None:
        return None
    # Split by four groups: text, name, ":count" or None, the form of one, the form of several, text, and so on.
    text, *rest = _SLOT.split(template)
    pattern = re.escape(text)
    for is_count, one, several, following in zip(rest[1::5], rest[2::5], rest[3::5], rest[4::5], strict=True):
        filled = _counted(one, several) if is_count else f"(?:It|{NAME_PATTERN})"
        pattern += filled + re.escape(following)
    return re.compile(pattern, re.ASCII)


def _counted(one: str | None, several: str | None) -> str:
    if one is None or several is None:
        return COUNT_PATTERN
    return f"(?:{re.escape(one.replace('#', '1'))}|{COUNT_PATTERN.join(map(re.escape, several.split('#')))})"


def is_catalogued(constraint_id: str, message: str) -> bool:
    """True when ``message`` is the catalogue's sentence for this constraint, with slots that fit."""
    pattern = _sentence_pattern(constraint_id)
    return pattern is not None and pattern.fullmatch(message) is not None


def counted(count: int, one: str, several: str = "") -> str:
    """Return a number with the form of its noun that fits: ``1 check``, ``4 checks``."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def listed(items: Sequence[str], most: int) -> str:
    """Return the first of some items as a list for a sentence, and how many more there are."""
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")


def writable(text: str) -> str:
    """Return text that can be written as UTF-8: lone surrogates become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
