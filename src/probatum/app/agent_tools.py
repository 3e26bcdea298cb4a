"""What agents can call: the tools of the kinds, one tool that judges for each kind, and those about proofs.

A kind's own tool takes the place of the plain one of its name. Refuses to say more of a verdict than the layer sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from probatum.app.answers import Answer
from probatum.app.documents import answer_document
from probatum.app.explaining import meanings_of
from probatum.app.gating import GateWishes, ask_gate
from probatum.app.kinds import AnyKind, every_kind
from probatum.app.proofs import recheck_proof, show_proof
from probatum.app.received import MAX_SUBJECT_BYTES, ReceivedVerdict
from probatum.app.service import Service
from probatum.core.command import Given
from probatum.core.digest import is_digest
from probatum.core.disclosure import Layer, disclose
from probatum.core.errors import UsageError
from probatum.core.frozen import thaw
from probatum.proof.artifact import parse_artifact
from probatum.proof.bundle import verdict_of
from probatum.proof.store_errors import fetched_sound
from probatum.proof.stores import MemoryStore, open_store
from probatum.verification.desk import AgentTool, ToolDesk
from probatum.verification.kind import RequestLine

_PROOF: Final = {"type": "string", "description": "The reference of a proof, sha256:..., as a verdict has it."}
_ITS_NAME: Final = "it"
_NO_KEYS: Final = ("oneOf", "anyOf", "allOf")
"""Some clients take no schema with these at its top; the kind says what is wrong with a request."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool, and the kind at whose desk it works; any where it is None."""

    tool: AgentTool
    kind: AnyKind | None = None


def offered_tools(layer: Layer, store: Path) -> dict[str, OfferedTool]:
    """Return every tool by name; verdicts are told as this layer sees them, and proofs are in this store."""
    found: dict[str, OfferedTool] = {}
    for kind in every_kind():
        for tool in (*kind.agent_tools, _plain_tool(kind, layer)):
            found.setdefault(tool.name, OfferedTool(tool, kind))
    for tool in _tools_about_proofs(layer, store):
        found.setdefault(tool.name, OfferedTool(tool))
    return found


def _plain_tool(kind: AnyKind, layer: Layer) -> AgentTool:
    """Return the tool that judges one request of a kind, as its request lines say it."""
    schema = thaw(kind.endpoint().request)
    arguments = {key: value for key, value in schema.items() if key not in _NO_KEYS} if isinstance(schema, dict) else {}
    about = kind.command.help.partition("\n\n")[0]
    told = f"{kind.command.question} {' '.join(about.split())}"
    return AgentTool(kind.command.name, told, {"type": "object", **arguments}, partial(_judged, kind, layer))


def _judged(kind: AnyKind, layer: Layer, arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    # As a request line has it.
    fields = {**arguments, "id": _ITS_NAME, "kind": kind.name}
    answer = desk.judge(kind.request(RequestLine(_ITS_NAME, fields, desk.given)))
    assert isinstance(answer, Answer), "the desk is the service's"
    return answer_document(answer, layer)


def _tools_about_proofs(layer: Layer, store: Path) -> Iterator[AgentTool]:
    one_of = {"proof": _PROOF, "why": {"type": "string", "description": "A code under 'why' in an answer."}}
    yield AgentTool(
        "explain",
        "What a proof establishes, checked again step by step; or what a code under 'why' means and what to do.",
        {"type": "object", "properties": one_of, "additionalProperties": False},
        partial(_explained, layer, store),
    )
    demands = {
        "proof": _PROOF,
        "subject": {"type": "string", "description": "The file that is about to be used."},
        "name": {"type": "string", "description": "The one name of it that is; without it, all are."},
        "readings_policy": {"type": "string", "description": "Admit readings that nobody accepted: 'proposed'."},
        "allow_unchecked": {"type": "boolean", "description": "Admit statements that nothing checks."},
        "acceptance": {"type": "string", "description": "Whose acceptance of readings counts, such as 'self'."},
    }
    yield AgentTool(
        "gate",
        "May this file be used, on this proof? Checks that the proof is kept, sound, about exactly this file and strong"
        " enough. Only 'admitted': true lets anything pass.",
        {"type": "object", "required": ["proof", "subject"], "properties": demands, "additionalProperties": False},
        partial(_admitted, store),
    )


def _explained(layer: Layer, store: Path, arguments: Mapping[str, object], _desk: ToolDesk) -> Mapping[str, object]:
    proof, why = arguments.get("proof"), arguments.get("why")
    if isinstance(proof, str):
        return proof_document(proof, layer, store)
    if not isinstance(why, str) or not why:
        raise UsageError("explain.nothing", "Name a 'proof', or a code as 'why'.")
    found = meanings_of(why)
    if len(found) == 1:
        return {"why": why, "means": found[0].means, "do": found[0].do}
    return {"why": why, "means": {each.code: f"{each.means} {each.do}" for each in found}}


def proof_document(reference: str, layer: Layer, store: Path) -> dict[str, object]:
    """Return what a layer sees of a proof, and whether it holds when checked again; raises as `show_proof`."""
    proofs = open_store(store, read_only=True)
    if not is_digest(reference):
        raise UsageError("proof.reference", f"{reference[:80]!r} is no reference of a proof, expected sha256:...")
    artifact = parse_artifact(fetched_sound(proofs, reference))
    with Service(MemoryStore()) as service:
        checked = recheck_proof(reference, proofs, service.recheckers())
    told: dict[str, object] = {"holds": checked.holds, **disclose(verdict_of(artifact, reference), layer)}
    if layer is Layer.AGENT:
        return told
    told |= {"established": artifact.claim, "steps": checked.sentence}
    return told if layer is Layer.DEVELOPER else {**told, "proof": show_proof(reference, proofs).document}


def _admitted(store: Path, arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    reference, subject = arguments.get("proof"), arguments.get("subject")
    if not isinstance(reference, str) or not is_digest(reference) or not isinstance(subject, str):
        raise UsageError("gate.nothing", "'proof' is the reference of a proof, and 'subject' the path of a file.")
    proofs = open_store(store, read_only=True)
    verdict = verdict_of(parse_artifact(fetched_sound(proofs, reference)), reference)
    place = desk.place(subject)
    content = desk.sources.read_whole(place, MAX_SUBJECT_BYTES, "subject")
    named = {key.replace("_", "-"): value for key, value in arguments.items() if key not in {"proof", "subject"}}
    demands = Given(place, {key: value for key, value in named.items() if value not in (None, False)})
    checked = ask_gate(ReceivedVerdict(verdict), content, GateWishes(demands=demands), proofs, sources=desk.sources)
    return {"admitted": checked.holds, "said": checked.sentence}
