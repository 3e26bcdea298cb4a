"""The proof artifact of a program: how a decision becomes one, and how one is decided and run again.

Refuses to build an artifact for anything but a decision that would be VERIFIED: nothing else is a proof.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version as distribution_version

from probatum import __version__
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.messages import counted
from probatum.core.shape import Shape
from probatum.core.subject import PYTHON as MEDIA_TYPE
from probatum.kinds.program.import_names import imports_of, tree_of
from probatum.kinds.program.levels import policy_shortfalls
from probatum.kinds.program.project import PACKAGE_FILE, UNNAMED
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH, ProgramRequest
from probatum.programs import Benches, FunctionRecord, ProgramPolicy, Source, decide_again, records_of, replay_records
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.proof.artifact import PART, Described, VerifierVersion, part
from probatum.sandbox import Environment, Program

VERIFIER_ID = "program.documented"
# How the name of a further input begins that is a module next to the program.
MODULE = "module "
TESTS = "tests"
EARLIER = "earlier version"
PYTHON = "python"
# How the id of an installed package begins among the versions.
PACKAGE = "package"
_VERIFIERS = (VERIFIER_ID, "hypothesis", "libcst", PYTHON)
ASSUMPTIONS = (
    "the sandboxed interpreter runs Python as its language reference says",
    "documented examples state what is wanted",
    "inputs that were not run may behave differently",
)


def verifier_versions(python: Environment) -> dict[str, str]:
    """Return what takes part in a verification and in which version."""
    return {
        VERIFIER_ID: __version__,
        "hypothesis": distribution_version("hypothesis"),
        "libcst": distribution_version("libcst"),
        PYTHON: python.version,
    }


def taking_part(source: Source, python: Environment) -> dict[str, str]:
    """Return the versions of verifiers, of Python, and of the installed packages that the program's project imports."""
    program = source.program
    own = {name.partition(".")[0] for name in program.importable}
    siblings = (tree_of(content) for _, content in program.siblings)
    names = {name.partition(".")[0] for tree in (source.tree, *siblings) for name in imports_of(tree, "").names}
    names -= own | sys.stdlib_module_names
    providers = python.providers() if names else {}
    installed = python.installed() if names else {}
    packages = sorted({owner for name in names for owner in providers.get(name, ())})
    return {**verifier_versions(python), **{f"{PACKAGE} {name}": installed[name] for name in packages}}


def program_claim(records: Sequence[FunctionRecord]) -> str:
    """Return the one sentence that a VERIFIED decision on these records establishes."""
    parts = (
        f"{record.qualname} gave the documented result in {_all(len(record.checks))}"
        f" {record.noticed} of {counted(record.planted, 'planted fault')}"
        for record in records
    )
    return "; ".join(parts) + "."


def _all(checks: int) -> str:
    return "the one executed check, which notices" if checks == 1 else f"all {checks} executed checks, which notice"


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
        assumptions=ASSUMPTIONS,
        seed=policy.seed,
    )


def contract_content(text: str | None, program: Program, further: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return what a proof keeps of the contract: its text, the program's name, further inputs as parts by digest."""
    return {"text": text, "module": program.key, "further": {name: part(ref) for name, ref in further.items()}}


def program_rechecker(
    open_benches: Callable[[], Benches],
    python: Environment,
    min_strength: float = DEFAULT_MIN_STRENGTH,
    *,
    trusts_tests: bool = False,
) -> AccountRechecker:
    """Return what re-checks proofs of programs; sandboxes are opened for a replay alone.

    ``min_strength`` is the least share of planted faults that the policy of an artifact must demand; ``trusts_tests``
    admits one that trusts given tests.
    """

    def unmet(artifact: Document) -> tuple[str, ...]:
        content = Shape(artifact).member("policy").raw_object("content")
        return policy_shortfalls(content, min_strength, trusts_tests=trusts_tests)

    def versions() -> Mapping[str, str]:
        installed = {f"{PACKAGE} {name}": number for name, number in python.installed().items()}
        return {**verifier_versions(python), **installed}

    def again(artifact: Document, source: bytes, parts: Mapping[str, bytes]) -> tuple[str, ...]:
        return _replayed(artifact, source, parts, open_benches())

    return AccountRechecker(_restored, unmet, again, versions)


def _restored(artifact: Document) -> Account:
    told = Shape(artifact)
    policy = told.member("policy").raw_object("content")
    recorded = {each.text("id"): each.text("version") for each in told.items("verifiers")}
    packages = {name: number for name, number in recorded.items() if name.startswith(f"{PACKAGE} ")}
    versions = {name: recorded.get(name, "") for name in _VERIFIERS} | packages
    decision = decide_again(artifact["observations"], policy)
    contract = told.member("contract").member("content").exactly("text", "module", "further").raw_object()
    records = records_of(artifact["observations"])
    return program_account(contract, records, ProgramPolicy.from_json(policy), decision, versions)


def _replayed(artifact: Document, source: bytes, parts: Mapping[str, bytes], benches: Benches) -> tuple[str, ...]:
    contract = Shape(artifact).member("contract").member("content").exactly("text", "module", "further")
    references = contract.member("further")
    further = {name: parts[references.member(name).text(PART)] for name in sorted(references.raw_object())}
    siblings = tuple((name.removeprefix(MODULE), part) for name, part in further.items() if name.startswith(MODULE))
    name = Shape(artifact).member("subject").text("name")
    program = loadable(source, module_key(contract.text("module"), name), siblings)
    text = contract.optional(Shape.text, "text")
    policy = ProgramPolicy.from_json(Shape(artifact).member("policy").raw("content"))
    return replay_records(program, artifact["observations"], further.get(TESTS), benches, contract=text, policy=policy)


def program_of(request: ProgramRequest) -> Program:
    """Return the program of a request as a candidate process loads it."""
    return loadable(request.content, module_key(request.module, request.name), request.siblings)


def loadable(source: bytes, key: str, siblings: tuple[tuple[str, bytes], ...]) -> Program:
    """Return the program as a candidate process loads it; ``key`` is its dotted name, ``p.__init__`` for a package."""
    package, _, last = key.rpartition(".")
    is_package = bool(package) and last == PACKAGE_FILE
    return Program(source, package if is_package else key, siblings, is_package)


def module_key(module: str, file_name: str) -> str:
    """Return the dotted name of a program: the one given, else the stem of its file's name where that is a name."""
    stem = file_name.rsplit("/", 1)[-1].removesuffix(".py")
    return module or (stem if stem.isidentifier() and stem != PACKAGE_FILE else UNNAMED)
