"""What a deep verification rests on: gathered in a thread and in sandboxes of its own, and ended when nobody waits.

Refuses to lose what was observed: where the time is used up, a refutation stands, and the rest is undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision, Outcome, decide, decision_of, weakest
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.deep.executor import in_thread, program_in
from probatum.programs.deep.specifications import MODULE, contract_of_artifact
from probatum.programs.deep.types import ArtifactSpec, DeepVerificationConfig
from probatum.programs.observing import AskedProgram, NotObserved, observed_functions, open_program
from probatum.programs.record import FunctionRecord
from probatum.programs.running.execute import Benches
from probatum.programs.specification import ModuleSpec
from probatum.readings.acceptances import GivenReadings
from probatum.sandbox import own_environment

_RENAME: Final = "Rename the file that is loaded instead."


@dataclass(frozen=True, slots=True)
class AskedVerification:
    """What a verification was asked about, and when."""

    artifact: ArtifactSpec
    content: str
    existing_code: str | None
    existing_tests: str | None
    readings: GivenReadings
    begun: float = field(default_factory=monotonic)


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """What was observed."""

    policy: ProgramPolicy
    records: tuple[FunctionRecord, ...]
    module: ModuleSpec
    stopped: Decision | None
    """Why nothing, or nothing more, was observed."""

    def decided(self) -> Decision:
        """Return what follows."""
        if self.stopped is None:
            return decide_program(self.records, self.policy)
        return weakest([*(decide_function(each, self.policy) for each in self.records), self.stopped])


async def gathered(
    asked: AskedVerification, policy: ProgramPolicy, cwd: Path, config: DeepVerificationConfig, seconds: float
) -> GatheredEvidence:
    """Return what is observed within so many seconds; raises UsageError."""
    looking = _Looking(asked, policy, cwd)
    ran = await in_thread(looking.ended, config.test_timeout_s, seconds)
    detail = f"it did not end within {config.total_timeout_s:g} seconds"
    late = decide(Outcome.UNDECIDED, "program.out_of_budget", fields={"detail": detail})
    (stopped,) = ran or (late,)
    return GatheredEvidence(looking.policy, tuple(looking.records), looking.module, stopped)


class _Looking:
    """What a thread observes; others read it when the thread has ended, or is not waited for any more."""

    def __init__(self, asked: AskedVerification, policy: ProgramPolicy, cwd: Path) -> None:
        self._asked = asked
        self._cwd = cwd
        self.policy = policy
        self.records: list[FunctionRecord] = []
        self.module = ModuleSpec(())

    def ended(self, benches: Callable[[], Benches]) -> tuple[Decision | None]:
        """Observe the program; return what kept it from being observed whole. Raises UsageError."""
        try:
            return (self._observe(benches),)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001  law 3: what breaks here is not the program's fault
            return (decision_of(error, "program.too_large"),)

    def _observe(self, benches: Callable[[], Benches]) -> Decision | None:
        asked = self._asked
        program, project = program_in(self._cwd, bytes_of(asked.content), asked.artifact.produces_file, MODULE)
        if project is not None and project.instead:
            raise NotAttemptedError("program.imported_instead", f"{'; '.join(project.instead)}.", _RENAME)
        given = (asked.existing_tests, asked.existing_code)
        tests, against = (None if text is None else bytes_of(text) for text in given)
        question = AskedProgram(
            program,
            self.policy,
            contract=contract_of_artifact(asked.artifact),
            tests=tests,
            against=against,
            readings=asked.readings.records,
            not_counted=asked.readings.not_counted,
            left_out=() if project is None else project.left_out,
        )
        opened = open_program(question, own_environment(), benches, ignore)
        if isinstance(opened, NotObserved):
            return opened.decision
        self.policy, self.module = opened.policy, opened.read.module
        for each in observed_functions(opened, ignore, benches):
            self.records.append(each.record)
        return None
