"""The proof artifact of a program: how a decision becomes one.

Refuses to build an artifact for anything but a decision that would be VERIFIED: nothing else is a proof.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, Outcome
from probatum.core.digest import digest_of
from probatum.core.messages import counted
from probatum.core.shape import Shape
from probatum.core.subject import PYTHON as MEDIA_TYPE
from probatum.core.version import __version__, version_of
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import Level, ProgramPolicy
from probatum.programs.established import EstablishedBy
from probatum.programs.projects.import_names import imports_of
from probatum.programs.projects.project import PACKAGE_FILE, UNNAMED, loadable
from probatum.programs.record import CheckKind, FunctionRecord
from probatum.programs.running.symbolic import SEARCHING, has_crosshair
from probatum.programs.source import Source, module_or_none
from probatum.proof.account import Account, Document
from probatum.proof.artifact import PART, Described, VerifierVersion, part
from probatum.readings.policies import counted_by
from probatum.readings.recorded import json_of
from probatum.readings.values import ReadingRecord
from probatum.sandbox import Environment, Program

VERIFIER_ID = "program.documented"
# How the name of a further input begins that is a module next to the program, or a data file of its package.
MODULE, FILE = "module ", "file "
TESTS = "tests"
EARLIER = "earlier version"
READINGS = "readings"
PYTHON = "python"
# How the id of an installed package begins among the versions.
PACKAGE = "package"
_INSTALLED = "installed"
_FURTHER = re.compile(rf"{MODULE}[^\W\d]\w*(\.[^\W\d]\w*)*|{FILE}[^/\0]+(/[^/\0]+)+|{TESTS}|{EARLIER}|{READINGS}")
VERIFIERS = (VERIFIER_ID, "hypothesis", "libcst", PYTHON)
_ASSUMPTIONS = (
    "the sandboxed interpreter runs Python as its language reference says",
    "documented examples state what is wanted",
)
_NOT_RUN = "inputs that were not run may behave differently"
_OF_TYPES = "arguments are of their declared types"
_OF_SEARCH = "CrossHair and its solver compute with whole numbers and truth values as Python does"


def verifier_versions(python: Environment) -> dict[str, str]:
    """Return what takes part in a verification and in which version."""
    return {
        VERIFIER_ID: __version__,
        "hypothesis": version_of("hypothesis"),
        "libcst": version_of("libcst"),
        PYTHON: python.version,
    }


def versions_of(python: Environment) -> dict[str, str]:
    """Return everything that could take part today, with its version."""
    return {**verifier_versions(python), **{f"{PACKAGE} {name}": each for name, each in python.installed().items()}}


def taking_part(source: Source, python: Environment, level: str) -> dict[str, str]:
    """Return the versions of verifiers, of Python, and of the installed packages that the program's project imports.

    What searches symbolically runs where the program does, and is one of those packages where the level asks for it.
    """
    program = source.program
    texts = [(program.key, source.tree), *((key, module_or_none(content)) for key, content in program.siblings)]
    imported = (imports_of(tree, key.rpartition(".")[0]).names for key, tree in texts)
    names = {name.partition(".")[0] for each in imported for name in each}
    own = {name.partition(".")[0] for name in program.importable}
    # The rest of an installed package takes part as it is installed.
    names = names - sys.stdlib_module_names | own if program.is_installed else names - own - sys.stdlib_module_names
    providers = python.providers() if names else {}
    searching = SEARCHING if level == Level.THOROUGH and has_crosshair(python) else ()
    installed = python.installed() if names or searching else {}
    packages = sorted(
        {owner for name in names for owner in providers.get(name, ())}.union(searching) & installed.keys()
    )
    return {**verifier_versions(python), **{f"{PACKAGE} {name}": installed[name] for name in packages}}


def program_claim(records: Sequence[FunctionRecord]) -> str:
    """Return the one sentence that a VERIFIED decision on these records establishes."""
    parts = (
        f"{record.qualname} gave the {_by_whom(record)} result in {_all(len(record.checks))}"
        f" {record.noticed} of {counted(record.planted, 'mutant')}"
        for record in records
    )
    return "; ".join(parts) + "."


def _by_whom(record: FunctionRecord) -> str:
    return "documented or earlier" if any(c.kind is CheckKind.DIFFERENTIAL for c in record.checks) else "documented"


def _all(checks: int) -> str:
    return "the one executed check, which kills" if checks == 1 else f"all {checks} executed checks, which kill"


def program_account(
    contract: dict[str, JsonValue],
    records: Sequence[FunctionRecord],
    policy: ProgramPolicy,
    decision: Decision,
    versions: Mapping[str, str],
) -> Account:
    """Return what the proof of a program tells; ``versions`` are those of everything that took part."""
    return Account(
        decision=decision,
        claim=program_claim(records),
        contract=Described("documentation" if contract["text"] is None else "documentation and text", contract),
        policy=Described(policy.id, policy.to_json()),
        observations=[record.to_json() for record in records],
        verifiers=tuple(VerifierVersion(name, number) for name, number in versions.items()),
        media_type=MEDIA_TYPE,
        assumptions=_assumptions(records, decision),
        seed=policy.seed,
    )


def _assumptions(records: Sequence[FunctionRecord], decision: Decision) -> tuple[str, ...]:
    if decision.outcome is not Outcome.PROVED:
        return (*_ASSUMPTIONS, _NOT_RUN)
    means = {each.by for record in records for each in record.established}
    searched = (_OF_SEARCH,) if EstablishedBy.CROSSHAIR in means else ()
    return (*_ASSUMPTIONS, _OF_TYPES, *searched)


def contract_content(request: ProgramRequest) -> dict[str, JsonValue]:
    """Return what a proof keeps of what was asked: the one name asked about, if any, the contract's text, which module
    the program is, and every further input as a part by digest.
    """
    return {
        "function": request.function,
        "text": request.contract,
        "module": program_of(request).key,
        "further": {name: part(digest_of(content)) for name, content in further_inputs(request).items()},
        **({_INSTALLED: True} if request.installed_in else {}),
    }


def contract_of(artifact: Document) -> Shape:
    """Return what an artifact says was asked; raises ValueError where `contract_content` does not write it."""
    contract = Shape(artifact).member("contract").member("content")
    contract = contract.exactly("function", "text", "module", "further", may=(_INSTALLED,))
    for name in contract.raw_object("further"):
        if not _FURTHER.fullmatch(name):
            contract.refuse(f"expected a module, {TESTS!r}, {EARLIER!r} or {READINGS!r}, got {name[:60]!r}", "further")
    return contract


def is_about_installed(artifact: Document) -> bool:
    """Return whether an artifact is about a file of an installed package; raises as `contract_of`."""
    contract = contract_of(artifact)
    return _INSTALLED in contract.raw_object() and contract.flag(_INSTALLED)


def references_of(artifact: Document) -> dict[str, str]:
    """Return the digest of everything that took part beside the subject, by name; raises as `contract_of`."""
    further = contract_of(artifact).member("further")
    return {name: further.member(name).text(PART) for name in further.raw_object()}


def further_inputs(request: ProgramRequest) -> dict[str, bytes]:
    """Return everything beside the program that takes part, by the name that a proof gives it."""
    readings = readings_part(request.readings, request.readings_policy)
    companions = {TESTS: request.tests, EARLIER: request.against, READINGS: readings}
    given = {name: content for name, content in companions.items() if content is not None}
    modules = {MODULE + name: content for name, content in request.siblings}
    return modules | {FILE + path: content for path, content in request.files} | given


def readings_part(records: Sequence[ReadingRecord], policy: str) -> bytes | None:
    """Return the readings that a policy counts as a part of a proof, None where there is none."""
    told: list[JsonValue] = [json_of(each) for each in counted_by(policy, records).records]
    return canonical_bytes(told) if told else None


def program_of(request: ProgramRequest) -> Program:
    """Return the program of a request as a candidate process loads it."""
    program = loadable(request.content, module_key(request.module, request.name), request.siblings)
    return replace(program, files=request.files, is_installed=bool(request.installed_in))


def module_key(module: str, file_name: str) -> str:
    """Return the dotted name of a program: the one given, else the stem of its file's name where that is a name."""
    stem = file_name.rsplit("/", 1)[-1].removesuffix(".py")
    return module or (stem if stem.isidentifier() and stem != PACKAGE_FILE else UNNAMED)
