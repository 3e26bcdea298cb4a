"""Asks a configured model about the documentation of labelled programs: what it proposes becomes their readings.

Each program is asked about as by `probatum read FILE --with MODEL`: the same question, which shows no code, the same
trial, and what is refused is given back once. Refuses to go beyond one budget for all of them: what is left then is
counted as not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from probatum.app.bench_port import BenchRequest
from probatum.app.desk import ServiceDesk
from probatum.app.kinds import built_in_kinds
from probatum.app.proofs import user_store
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.bench.labelled import Labelled
from probatum.core.canonical import JsonValue
from probatum.core.command import Given
from probatum.core.errors import ProbatumError
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict
from probatum.core.ports import MeteredAdvisor
from probatum.core.shape import Shape

_TOOL = "read"
_FILE = "program"


@dataclass(frozen=True, slots=True)
class AskedReader:
    """A model that was asked about a set, with what came of it."""

    model: MeteredAdvisor
    said: Counter[str] = field(default_factory=Counter)
    """How many readings were proposed, and how many the trial refused in the end."""
    not_read: Counter[str] = field(default_factory=Counter)
    """By code, how many functions and programs were not read."""

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of a table about it."""
        yield f"asked: {self.model.name}", str(self.model.spent)
        yield "  readings proposed, refused", f"{self.said['proposed']}, {self.said['refused']}"
        for code, count in self.not_read.most_common():
            yield f"  not read because of {code}", str(count)

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        counts: dict[str, JsonValue] = {**self.said, "not_read": dict(self.not_read)}
        return {"reader": self.model.name, **self.model.spent.to_json(), **counts}


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneReaderDesk(ServiceDesk):
    """A desk at which one model is asked, whichever is named."""

    reader: MeteredAdvisor
    contract: Mapping[str, str]

    @property
    def given(self) -> Given:
        return Given(options=self.contract)

    def advisor(self, _name: str, _path: str) -> MeteredAdvisor:
        return self.reader


def with_asked(
    programs: Sequence[Labelled], request: BenchRequest, model: str, listener: Listener
) -> tuple[list[Labelled], AskedReader]:
    """Return the programs with what a model proposes too; raises UsageError where it cannot be asked."""
    kind = built_in_kinds()["program"]
    [tool] = [each for each in kind.tools if each.command.name == _TOOL]
    options = {} if request.python is None else {"python": request.python}
    found = list[Labelled]()
    with Service(user_store(request.store), given=Given(options=options)) as service:
        asked = AskedReader(service.advisor(model, ""))
        for number, program in enumerate(programs, 1):
            with TemporaryDirectory() as folder:
                path, contract = _written(Path(folder), program)
                desk = _OneReaderDesk(service, kind, NO_SOURCES, reader=asked.model, contract=contract)
                named = str(path) if program.function is None else f"{path}::{program.function}"
                try:
                    told = tool.act(Given(named, {"with": model}), desk).document
                except ProbatumError as error:
                    asked.not_read[error.code] += 1
                    told = {}
            found.append(replace(program, readings=(*program.readings, *_proposed(Shape(told), asked))))
            data = frozen_dict({"done": number, "total": len(programs)})
            listener(Event("read", f"{number} of {len(programs)} programs read", data))
    return found, asked


def _proposed(told: Shape, asked: AskedReader) -> Iterator[Mapping[str, object]]:
    """Yield the records of an answer of `read`, and count what came of it."""
    for each in told.items("reads") if told.has("reads") else ():
        asked.said.update(proposed=len(each.raw_list("added")), refused=len(each.raw_list("refused")))
        if each.has("left_out"):
            asked.not_read[each.member("left_out").text("code")] += 1
    yield from (each.raw_object() for each in told.items("records")) if told.has("records") else ()


def _written(folder: Path, program: Labelled) -> tuple[Path, dict[str, str]]:
    """Write a program, the modules beside it and its contract; return where the program is, and how to name the rest.

    A contract is named as a file: a text that begins with ``@`` would name another one.
    """
    own = program.module or _FILE
    modules = {own: program.source, **dict(program.siblings)}
    files = {}
    for name, text in modules.items():
        parts = [part.strip("/") for part in name.split(".")]
        parts += ["__init__"] if any(each.startswith(f"{name}.") for each in modules) else []
        files[name] = folder.joinpath(*parts).with_suffix(".py"), text
    contract = folder / "contract"
    for path, text in (*files.values(), (contract, program.contract or "")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return files[own][0], {} if program.contract is None else {"contract": f"@{contract}"}
