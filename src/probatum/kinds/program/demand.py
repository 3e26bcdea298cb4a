"""What somebody demands of a proof of a program before acting on it, and in which ways the proof falls short.

A verdict is about the names that were verified, the module that the file is, the modules of its project beside it, what
was given with it, and the versions that took part. All of it is compared with what is at hand and what is asked for.
Refuses whatever is missing, additional or another, each with a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.decision import Decision
from probatum.core.digest import digest_of
from probatum.core.errors import UsageError
from probatum.core.messages import listed
from probatum.core.ports import SourceReader
from probatum.core.shape import Shape
from probatum.kinds.program.acceptance import OPTION, acceptance_named
from probatum.kinds.program.levels import policy_shortfalls
from probatum.kinds.program.proof import (
    EARLIER,
    FILE,
    MODULE,
    READINGS,
    TESTS,
    contract_of,
    is_about_installed,
    readings_part,
    references_of,
    versions_of,
)
from probatum.kinds.program.readings_file import readings_of
from probatum.kinds.program.request import evidence_of, level_of, readings_policy_of, require_strength
from probatum.kinds.program.sources import contract_text, read_companion
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, ProgramPolicy
from probatum.programs.loading import read_source
from probatum.programs.projects.project import loadable, project_of
from probatum.programs.rejudge import records_of
from probatum.programs.source import module_or_none
from probatum.programs.units import beyond_definitions, units_of
from probatum.proof.account import Document
from probatum.readings.acceptances import SELF, NotCounted
from probatum.sandbox import Environment

_CONTRACT: Final = "contract"
# What whoever verified chose beside the program, and could have chosen to suit it: what it is called, and the option.
_CHOSEN: Final = {
    _CONTRACT: ("a contract", "contract"),
    TESTS: ("tests", "tests"),
    EARLIER: ("an earlier version", "against"),
    READINGS: ("readings", "readings"),
}
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class DemandedProgram:
    """What a program must have been verified as, and by."""

    # The Python that it must have run with, and whose packages.
    python: Environment
    # Where the program at hand lies; empty for bytes without a place.
    place: str = ""
    # The one name that is about to be used; None for all of the file.
    function: str | None = None
    # What it must have been given beside the program, by the name that a proof gives it, and nothing else.
    given: Mapping[str, bytes] = field(default_factory=dict)
    policy: ProgramPolicy = field(default_factory=ProgramPolicy)
    any_version: bool = False
    # Whose acceptance of readings counts, as it was asked for; None where nobody's does.
    acceptance: str | None = None
    # Acceptances of the readings at hand that do not count under it.
    not_counted: tuple[NotCounted, ...] = ()

    def unmet(self, artifact: Document, subject: bytes) -> tuple[str, ...]:
        """Return a sentence for each way in which a proof falls short; raises ValueError for one that is malformed."""
        policy = Shape(artifact).member("policy").raw_object("content")
        return (
            *policy_shortfalls(policy, self.policy),
            *self._out_of_scope(artifact, subject),
            *self._beside(artifact, subject),
            *self._accepted(artifact),
            *self._given(artifact),
            *(() if self.any_version else self._versions(artifact)),
        )

    def _out_of_scope(self, artifact: Document, subject: bytes) -> Iterator[str]:
        read = read_source(loadable(subject, contract_of(artifact).text("module"), ()))
        if isinstance(read, Decision):
            raise ValueError(read.agent_message)
        verified = [each.text("qualname") for each in Shape(artifact).items("observations")]
        about = f"the verdict is about {_named(verified)}"
        if self.function is not None:
            meant = read.module.meant_by(self.function)
            if meant not in {each.qualname for each in read.module.functions}:
                yield f"the file defines no {self.function}"
            elif not any(f"{meant}.".startswith(f"{name}.") for name in verified):
                yield f"{about}, and not about {self.function}: verify that too"
        else:
            public = [each.qualname for each in units_of(read.module, None, None)]
            if contract_of(artifact).optional(Shape.text, "function") is not None:
                public += beyond_definitions(read.module)
            if missing := [name for name in dict.fromkeys(public) if name not in verified]:
                yield (
                    f"{about}; the file defines also {_named(missing)}: verify the whole file, or ask the gate for"
                    f" the one name that is used, with --name {verified[0]}"
                )

    def _beside(self, artifact: Document, subject: bytes) -> Iterator[str]:
        module = contract_of(artifact).text("module")
        took_part = references_of(artifact).items()
        then = {name: digest for name, digest in took_part if name.startswith((MODULE, FILE))}
        if not self.place:
            if then:
                beside = _named(each.partition(" ")[2] for each in then)
                yield (
                    f"it was verified together with {beside}, and of bytes without a place nobody knows what lies"
                    " beside them: name the file with --subject"
                )
            return
        tag = "cpython-{}{}".format(*self.python.minor)
        project = project_of(Path(self.place), subject, module_or_none(subject), tag)
        now = {MODULE + name: digest_of(content) for name, content in project.modules}
        now |= {FILE + path: digest_of(content) for path, content in project.files}
        if bool(project.installed_in) != is_about_installed(artifact):
            yield "it was verified as a file of an installed package, or as none, and the file at hand is the other"
        if project.module != module:
            yield f"it was verified as the module {module}, and the file at hand is the module {project.module}"
        differing = {
            "is another now": [name for name in then if name in now and now[name] != then[name]],
            "took part and is not there now": [name for name in then if name not in now],
            "is imported now and took no part": [name for name in now if name not in then],
        }
        yield from project.instead
        yield from (f"{name} is loaded by an import, and was not judged" for name in sorted(project.unjudged))
        yield from (f"the {name} {how}" for how, names in differing.items() for name in sorted(names))

    def _accepted(self, artifact: Document) -> Iterator[str]:
        """Tell apart what rests on acceptances of the author alone; which of them count, `_given` compares."""
        if not any(record.rests_on_acceptances for record in records_of(artifact["observations"])):
            return
        policy = Shape(artifact).member("policy").member("content")
        if self.acceptance is None:
            yield (
                "it rests on readings that somebody accepted, and the gate was not told whose acceptance counts: verify"
                " and ask the gate with --acceptance git:REV or key:FILE, or ask the gate with --acceptance self"
            )
        elif self.acceptance != SELF and policy.text("acceptance") == SELF:
            yield (
                "its readings count as accepted by its author: verify again with --acceptance git:REV or key:FILE, or"
                " ask the gate with --acceptance self"
            )

    def _given(self, artifact: Document) -> Iterator[str]:
        then, text = references_of(artifact), contract_of(artifact).optional(Shape.text, "text")
        if text is not None:
            then[_CONTRACT] = digest_of(text.encode("utf-8", "surrogatepass"))
        for name, (called, option) in _CHOSEN.items():
            found, wanted = then.get(name), self.given.get(name)
            if found is None and wanted is not None:
                yield f"it was verified without {called}; what --{option} names is demanded"
            elif found is not None and wanted is None:
                yield f"it was verified with {called} of somebody's choice: name it with --{option} if it is yours"
            elif wanted is not None and found != digest_of(wanted):
                yield f"it was not verified with the {name} that --{option} names, but with another"
            else:
                continue
            if name == READINGS:
                yield from (each.sentence for each in self.not_counted)

    def _versions(self, artifact: Document) -> Iterator[str]:
        here = versions_of(self.python)
        for each in Shape(artifact).items("verifiers"):
            name, then = each.text("id"), each.text("version")
            if (now := here.get(name, "missing")) != then:
                yield f"{name} was {then} and is {now} here: verify again, or ask the gate with --any-version"


def demanded(demands: Given, sources: SourceReader, python: Environment) -> DemandedProgram:
    """Return what is demanded of the subject whose path the demands name; raises UsageError where it makes no sense."""
    min_strength = demands.number("min-strength", DEFAULT_MIN_STRENGTH)
    require_strength(min_strength)
    if (function := demands.text("name")) == "":
        raise UsageError("name.empty", "--name was given an empty name.", "Example: --name net_price")
    contract = contract_text(demands.text("contract"), sources)
    given = {} if contract is None else {_CONTRACT: contract.encode("utf-8", "surrogatepass")}
    for name in (TESTS, EARLIER):
        option = _CHOSEN[name][1]
        if (path := demands.text(option)) is not None:
            given[name] = read_companion(path, f"--{option}", sources)
    policy = ProgramPolicy(
        level=level_of(demands).value,
        min_strength=min_strength,
        evidence=evidence_of(demands).value,
        refactor=demands.flag("refactor"),
        readings=readings_policy_of(demands),
        allow_unchecked=demands.flag("allow-unchecked"),
    )
    # A pipe has no place, whatever its path is.
    place = demands.subject if Path(demands.subject).is_file() else ""
    named = demands.text("readings")
    asked = demands.text(OPTION)
    told = readings_of(place or STANDARD_INPUT, named, sources, acceptance_named(asked, sources))
    if (readings := readings_part(told.records, policy.readings)) is not None:
        given[READINGS] = readings
    further = (demands.flag("any-version"), asked, told.not_counted)
    return DemandedProgram(python, place, function, given, policy, *further)


def _named(names: Iterable[str]) -> str:
    return listed(sorted(names), _SHOWN)
