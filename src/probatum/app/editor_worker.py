"""The process that verifies for an editor: it answers one request after the other until whoever started it ends.

What stands in the editor is read in place of the file. Refuses files outside of the folders that are lent, and to let
a defect end in anything but an answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from probatum.app.answers import Answer
from probatum.app.asking import Asked
from probatum.app.checking import Checking, How, RunReport
from probatum.app.configuration import configured
from probatum.app.desk import ServiceDesk
from probatum.app.editor_port import EditedFile, FileReport, JudgedFunction, Proposal
from probatum.app.kinds import AnyKind, kind_of_command
from probatum.app.service import Service
from probatum.app.settings import read_settings
from probatum.app.sources import Sources, require_lent
from probatum.core.command import Given
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.events import Event
from probatum.core.outside import json_text
from probatum.core.ports import Store
from probatum.core.shape import Shape, json_of
from probatum.proof.stores import open_store
from probatum.verification.desk import Told, Tool
from probatum.workers.frames import Frame, ParentLink
from probatum.workers.watchdog import progress, watch

WORKER_MODULE: Final = "probatum.app.editor_worker"
VERIFY: Final = "verify"
READ: Final = "read"
"""The commands that an editor runs, as a person would type them."""
REFUSED, EVENT, JOB = "refused", "event", "job"
_PROPOSED: Final = "proposed"


class EditedSources(Sources):
    """Files of this machine, one of them as it stands in the editor."""

    def __init__(self, file: EditedFile) -> None:
        """Read from the folders that the file's editor lends, and nowhere else."""
        super().__init__(None, tuple(map(Path, file.folders)))
        self._file = file

    @contextmanager
    def stream(self, path: str, what: str = "") -> Iterator[BinaryIO]:
        """Lend the editor's text for its file, else as `Sources.stream`."""
        if path == self._file.path:
            yield BytesIO(self._file.content)
            return
        with super().stream(path, what) as stream:
            yield stream


class _Editing:
    """Answers what an editor asks about one file."""

    def __init__(self, service: Service, store: Store, kind: AnyKind, file: EditedFile) -> None:
        require_lent(file.path, tuple(map(Path, file.folders)))
        os.chdir(file.folders[0])
        self._service = service
        self._store = store
        self._kind = kind
        self._file = file
        self._sources = EditedSources(file)

    def verified(self, function: str, parent: ParentLink, job: object) -> FileReport:
        """Return the report about the file, or about one function of it."""

        def listen(event: Event) -> None:
            parent.tell(Frame({JOB: job, EVENT: {"stage": event.stage, "message": event.message}}))

        subject = f"{self._file.path}::{function}" if function else self._file.path
        given = Given(subject, {**self._service.given.options, "suggest": True})
        asked = Asked(self._kind, configured(given, self._kind.command.options)[0], self._store)
        how = How(cache=read_settings().cache_path(), is_on_disk=False, proves=False)
        found = Checking(asked, self._sources, how, RunReport()).answers(listen, self._service)
        judged = tuple(one for answer in found if isinstance(answer, Answer) for one in _judged(answer))
        readings_file, proposals = self._readings()
        return FileReport(judged, readings_file, proposals)

    def accept(self, ids: list[str], by: str) -> FileReport:
        """Accept readings in the name of a person."""
        desk = self._desk()
        for file in self._tool().act(Given(self._file.path, {"accept": tuple(ids), "by": by}), desk).saved:
            desk.save(file)
        return FileReport(())

    def _readings(self) -> tuple[str, tuple[Proposal, ...]]:
        try:
            told = self._tool().act(Given(self._file.path), self._desk())
        except ProbatumError:
            # Whatever is wrong with the program, its verdict says so.
            return "", ()
        return str(told.document["readings_file"]), tuple(_proposals(told))

    def _tool(self) -> Tool:
        return next(tool for tool in self._kind.tools if tool.command.name == READ)

    def _desk(self) -> ServiceDesk:
        return ServiceDesk(self._service, self._kind, self._sources, tuple(map(Path, self._file.folders)))


def _proposals(told: Told) -> Iterator[Proposal]:
    for function in Shape(told.document).items("functions"):
        for reading in function.items("readings"):
            if reading.text("standing") == _PROPOSED:
                named, flag = function.text("function"), reading.optional(Shape.text, "flag") or ""
                yield Proposal(reading.text("id"), named, reading.text("text"), reading.text("clause"), flag)


def _judged(answer: Answer) -> Iterator[JudgedFunction]:
    """Yield what is told of each part, and of the whole where that is weaker than all of them."""
    if not answer.parts or answer.rank < min(part.rank for part in answer.parts):
        yield _one("", answer, findings=not answer.parts)
    for part in answer.parts:
        yield _one(part.name, part)


def _one(name: str, answer: Answer, *, findings: bool = True) -> JudgedFunction:
    fields = answer.verdict.developer_fields
    line, why = fields.get("line"), fields.get("detail") or fields.get("reason")
    is_told = not name and isinstance(why, str) and bool(why)
    sheet = answer.sheet
    step = " ".join(each for each in (sheet.next_command, f"({sheet.next_step})" if sheet.next_step else "") if each)
    return JudgedFunction(
        name,
        str(answer.verdict.outcome),
        str(fields.get("constraint_id", "")),
        f"{answer.verdict.agent_message} {why}" if is_told else answer.verdict.agent_message,
        line if isinstance(line, int) else 0,
        step,
        answer.observed.findings() if findings else (),
        tuple(_examples(answer.details)),
    )


def _examples(details: Mapping[str, object]) -> Iterator[str]:
    result = details.get("result")
    suggested = result.get("suggestions") if isinstance(result, dict) else None
    if suggested is not None:
        yield from (each.text("example") for each in Shape(suggested).items("examples"))


def _acted(frame: Frame, service: Service, store: Store, kind: AnyKind, parent: ParentLink) -> Frame:
    progress()
    head = Shape(dict(frame.head))
    try:
        editing = _Editing(service, store, kind, EditedFile(head.text("path"), frame.body, head.texts("folders")))
        if head.text("act") == VERIFY:
            told = editing.verified(head.text("function"), parent, frame.head[JOB])
        else:
            told = editing.accept(list(head.texts("ids")), head.text("by"))
        return Frame({}, json_text(json_of(told)).encode())
    except ProbatumError as error:
        return Frame({REFUSED: error.code, "sentence": error.sentence, "hint": error.hint})
    except Exception as error:  # noqa: BLE001  # a defect is one answer, and not the end of the process
        told_error = f"The verification has a defect: {type(error).__name__}: {str(error)[:300]}"
        return Frame({REFUSED: "internal.defect", "sentence": told_error, "hint": "Please report it."})


def main(arguments: list[str]) -> int:
    """Verify. Arguments: the store and the options as JSON, and those of a `ParentLink`."""
    told, *own = arguments
    parent, asked = ParentLink(*own), json.loads(told)
    watch()
    kind = kind_of_command(VERIFY)
    if kind is None:
        raise NotAttemptedError("plugin.missing", f"This installation has no command {VERIFY!r}.")
    store = open_store(Path(asked["store"]))
    with Service(store, given=Given(options=asked["given"])) as service:
        for frame in (each for frames in parent.groups() for each in frames):
            answer = _acted(frame, service, store, kind, parent)
            parent.tell(Frame({**answer.head, JOB: frame.head[JOB]}, answer.body))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
