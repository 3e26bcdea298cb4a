"""The proof artifact of a program: how a decision becomes one, and how one is decided and run again.

Refuses to build an artifact for anything but a decision that would be VERIFIED: nothing else is a proof.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version as distribution_version

from probatum import __version__
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.subject import PYTHON as MEDIA_TYPE
from probatum.core.subject import Subject
from probatum.kinds.program.import_names import imports_of, tree_of
from probatum.kinds.program.levels import policy_shortfalls
from probatum.kinds.program.project import PACKAGE_FILE, UNNAMED
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH, ProgramRequest
from probatum.programs.decide import ProgramPolicy
from probatum.programs.rechecker import decide_again, records_of, replay_records
from probatum.programs.record import FunctionRecord
from probatum.programs.running.execute import Benches
from probatum.programs.source import Source
from probatum.proof.artifact import PART, Described, VerifierVersion, build_artifact, part
from probatum.sandbox import Environment, Program, own_environment

VERIFIER_ID = "program.documented"
MODULE = "module "
"""How the name of a further input begins that is a module next to the program."""
TESTS = "tests"
EARLIER = "earlier version"
PYTHON = "python"
PACKAGE = "package"
"""How the id of an installed package begins among the versions."""
_VERIFIERS = {VERIFIER_ID, "hypothesis", "libcst", PYTHON}
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
    parts = []
    for record in records:
        parts.append(
            f"{record.qualname} gave the documented result in all {len(record.checks)} executed checks, which notice"
            f" {record.noticed} of {record.planted} planted faults"
        )
    return "; ".join(parts) + "."


def program_artifact(
    subject: Subject,
    contract: str | None,
    records: Sequence[FunctionRecord],
    policy: ProgramPolicy,
    decision: Decision,
    extras: Mapping[str, str],
    program: Program,
    versions: Mapping[str, str],
) -> dict[str, JsonValue]:
    """Return the artifact of a VERIFIED decision; ``extras`` are digests of further inputs by name.

    ``versions`` are those of everything that took part: verifiers, the Python of the sandbox, packages imported.

    Raises:
        ValueError: the decision is not VERIFIED.
    """
    if decision.status is not DiagnosticStatus.VERIFIED:
        raise ValueError("only a VERIFIED decision rests on a proof artifact")
    content: dict[str, JsonValue] = {
        "text": contract,
        "module": program.key,
        "further": {name: part(ref) for name, ref in extras.items()},
    }
    return build_artifact(
        kind="program",
        claim=program_claim(records),
        subject=subject,
        contract=Described(_contract_kind(contract), content),
        policy=Described(policy.id, policy.to_json()),
        verifiers=[VerifierVersion(name, number) for name, number in versions.items()],
        seed=policy.seed,
        decision=decision,
        observations=[record.to_json() for record in records],
        assumptions=ASSUMPTIONS,
    )


def _contract_kind(text: object) -> str:
    return "documentation" if text is None else "documentation and text"


class ProgramRechecker:
    """The `Rechecker` for artifacts of kind ``program``; it opens sandboxes only for a replay."""

    def __init__(
        self,
        open_benches: Callable[[], AbstractContextManager[Benches]],
        python: Environment | None = None,
        min_strength: float = DEFAULT_MIN_STRENGTH,
    ) -> None:
        """Keep what it works with.

        Args:
            open_benches: what opens sandboxes.
            python: the Python that programs run with.
            min_strength: the least that the policy of an artifact must demand.
        """
        self._open_benches = open_benches
        self._min_strength = min_strength
        self._python = python or own_environment()

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        """Derive the decision from the recorded observations."""
        policy = _member(artifact, "policy")
        content = ProgramPolicy.from_json(_json(policy["content"]))
        if policy["id"] != content.id or artifact["seed"] != content.seed:
            raise ValueError("the policy's id and the seed must be those of the policy's content")
        _require_spelt(artifact)
        return decide_again(artifact["observations"], policy["content"])

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        """Return the claim that these records establish."""
        return program_claim(records_of(artifact["observations"]))

    def shortfalls(self, artifact: Mapping[str, object]) -> tuple[str, ...]:
        """Return in which ways the policy demands less than is required."""
        return policy_shortfalls(_json(_member(artifact, "policy")["content"]), self._min_strength)

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        installed = {f"{PACKAGE} {name}": number for name, number in self._python.installed().items()}
        return {**verifier_versions(self._python), **installed}

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Run the recorded inputs on the recorded subject again; raises ValueError where a part is not kept."""
        subject = _member(artifact, "subject")
        source = parts.get(str(subject["digest"]))
        if source is None:
            raise ValueError("the store does not keep the subject itself, so its inputs cannot be run again")
        references = _member(_member(_member(artifact, "contract"), "content"), "further")
        further = {name: parts[str(_member(references, name)[PART])] for name in sorted(references)}
        siblings = tuple((name.removeprefix(MODULE), part) for name, part in further.items() if name.startswith(MODULE))
        content = _member(_member(artifact, "contract"), "content")
        program = loadable(source, module_key(str(content.get("module", "")), str(subject["name"])), siblings)
        text = content["text"] if isinstance(content["text"], str) else None
        policy = ProgramPolicy.from_json(_json(_member(artifact, "policy")["content"]))
        observations, tests = artifact["observations"], further.get(TESTS)
        with self._open_benches() as benches:
            return replay_records(program, observations, tests, benches, contract=text, policy=policy)


def _require_spelt(artifact: Mapping[str, object]) -> None:
    """Raise where what every proof of a program says is said otherwise: no other step would notice."""
    contract = _member(artifact, "contract")
    if _member(artifact, "subject")["media_type"] != MEDIA_TYPE or artifact["assumptions"] != list(ASSUMPTIONS):
        raise ValueError("the media type and the assumptions are not those of a program")
    if contract["kind"] != _contract_kind(_member(contract, "content")["text"]):
        raise ValueError("the kind of the contract is not that of its content")
    verifiers = artifact["verifiers"]
    assert isinstance(verifiers, list)
    named = {str(each["id"]) for each in verifiers if not str(each["id"]).startswith(f"{PACKAGE} ")}
    if named != _VERIFIERS:
        raise ValueError("the verifiers that are named are not those of a program")


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


def _json(value: object) -> Mapping[str, JsonValue]:
    if not isinstance(value, dict):
        raise ValueError("the policy's content must be an object")
    return value


def _member(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    member = value[key]
    if not isinstance(member, dict):
        raise ValueError(f"{key!r} of the artifact must be an object")
    return member
