"""What each sentence form is worth on labelled programs: where it is read, what it finds, its false alarms.

    python benchmarks/sentence_forms.py humanevalfix --data FILE [--without-examples] [--limit N] [--only TASK]
    python benchmarks/sentence_forms.py forms

The second prints the table of forms that docs/reference/sentence-forms.md holds.

Runs the product's own reading and checking, without planting faults. The label decides nothing but the column.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from probatum.bench.labelled import Labelled
from probatum.bench.sets import LabelledSet, read_set, set_named
from probatum.core.decision import Decision
from probatum.core.events import ignore
from probatum.kinds.program.proof import loadable
from probatum.programs.decide import ProgramPolicy
from probatum.programs.loading import read_source
from probatum.programs.record import CheckState
from probatum.programs.results.stated import FORMS
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.units import units_of
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox

POLICY = ProgramPolicy(level="standard", generated_inputs=100, mutants=0)


@dataclass(slots=True)
class Tally:
    """Counts of one run."""

    read: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    refuted: dict[str, set[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


def measure(program: Labelled, chosen: LabelledSet, benches: Benches, tally: Tally) -> None:
    """Verify one program and count, by form, which properties were read and which were violated."""
    source = program.source.encode()
    read = read_source(loadable(source, "artifact", ()))
    if isinstance(read, Decision):
        return
    units = units_of(read.module, program.function, program.contract)
    is_right = program.label in chosen.right
    for unit in units:
        forms = {clause.id: clause.form for clause in unit.properties}
        if not forms:
            continue
        tally.read.update(set(forms.values()))
        question = Question(read, unit, POLICY)
        record = verify_function(question, benches, ignore)
        violated = {
            forms[check.id.partition(".")[0]]: check
            for check in record.checks
            if check.kind == "property" and check.state is CheckState.FAILS and check.id.partition(".")[0] in forms
        }
        (tally.alarms if is_right else tally.found).update(violated.keys())
        if violated:
            tally.refuted.setdefault(program.task, set()).add(program.label)
        for form, check in violated.items():
            tally.lines.append(f"{program.task} {program.label} {form}: {check.reproduction}")


def table(tally: Tally) -> str:
    """Return the counts as a Markdown table."""
    rows = ["| form | functions | wrong found | right alarmed |", "|---|---|---|---|"]
    for form in sorted(tally.read, key=lambda each: (-tally.found[each], each)):
        rows.append(f"| {form} | {tally.read[form]} | {tally.found[form]} | {tally.alarms[form]} |")
    return "\n".join(rows)


def forms_table() -> str:
    """Return the registry of forms as a Markdown table."""
    rows = ["| form | what it says | a sentence that it reads |", "|---|---|---|"]
    rows += [f"| {each.name} | {each.says} | {each.example} |" for each in FORMS]
    return "\n".join(rows)


def summary(tally: Tally, programs: Sequence[Labelled], chosen: LabelledSet) -> str:
    """Return how many programs were refuted by a property, per label; for pairs, with the right one spared."""
    labels = Counter(label for found in tally.refuted.values() for label in found)
    totals = Counter(program.label for program in programs)
    parts = [f"{label}: {labels[label]} of {totals[label]} refuted" for label in chosen.labels]
    if chosen.is_paired:
        spared = sum(1 for found in tally.refuted.values() if not found & chosen.right)
        parts.append(f"wrong refuted with the right one spared: {spared}")
    return "; ".join(parts)


def main() -> None:
    """Measure one set and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--without-examples", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    options = parser.parse_args()
    if options.name == "forms":
        print(forms_table())
        return
    if options.data is None:
        parser.error("--data is missing")
    chosen = set_named(options.name)
    programs = read_set(chosen, options.data, without_examples=options.without_examples, limit=options.limit)
    programs = [each for each in programs if options.only in each.task]
    tally = Tally()
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        benches = Benches(first, second)
        for program in programs:
            measure(program, chosen, benches, tally)
    print(table(tally))
    print(summary(tally, programs, chosen))
    print("\n".join(tally.lines))


if __name__ == "__main__":
    main()
