"""What happens to a request for a verdict, from its headers to the answer.

In this order: who asks, how often, in which form; the body, as it comes, up to its limit; the lanes. Refuses by the
first of these that fails, and gives up the place of a request whose client has gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from probatum.app.kinds import AnyKind
from probatum.app.rates import Rates
from probatum.app.serving import HandedBackError, Lanes
from probatum.app.verdicts import Verdicts
from probatum.app.wishes import Frame, Wish
from probatum.core.disclosure import Layer, disclose
from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError
from probatum.core.outside import json_text
from probatum.web.callers import ROLES, Caller, Callers, ForbiddenError
from probatum.web.connections import MOST_SECONDS
from probatum.web.guard import has_sound_id
from probatum.web.measures import Measures
from probatum.web.replies import JSON, FailedError, json_response, request_id

EVENT_STREAM: Final = "text/event-stream"
Wanted = TypeVar("Wanted")
_SECONDS_TO_END: Final = 30
_AUTHENTICATE: Final = {"www-authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Reception:
    """What answers requests for verdicts."""

    lanes: Lanes
    callers: Callers
    rates: Rates
    verdicts: Verdicts
    measures: Measures
    most_bytes: int
    timeout: float

    async def judge(self, request: Request, kind: AnyKind, *, is_plain: bool) -> Response:
        """Answer a request for a verdict."""
        caller, headers = self.admitted(request)
        layer = narrowed(request, caller.layer)
        audience = request.query_params.get("token_for")
        if audience is not None:
            self.verdicts.require_audience(audience)
            if layer is not Layer.PROOF:
                raise FailedError(403, "A token reveals the proof: only an auditor may ask for one.")
        content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type != JSON:
            raise FailedError(400, f"The Content-Type is {JSON}.", {"content_type": content_type[:100]})
        if not has_sound_id(request.headers):
            raise FailedError(400, "X-Request-ID is a UUID.")
        streams = not is_plain and EVENT_STREAM in request.headers.get("accept", "")
        body = await self._body(request)
        wish = Wish(kind.name, request_id(request), layer, body, is_plain=is_plain, has_events=streams)
        if streams:
            return await self._streamed(request, kind, wish, caller, audience, headers)
        frame = await _unless_gone(request, self.lanes.answer(kind, wish, caller.name))
        return Response(await self._told(wish, caller, frame, audience), 200, headers, JSON)

    def admitted(self, request: Request) -> tuple[Caller, dict[str, str]]:
        """Return who asks, and what his answers say of his rate; raises FailedError for anybody else, or too much."""
        try:
            caller = self.callers.of(request.headers.get("authorization"))
        except ForbiddenError as error:
            raise FailedError(403, str(error)) from error
        if caller is None:
            raise FailedError(401, headers=_AUTHENTICATE)
        request.scope["state"]["caller"] = caller.name
        wait, headers = self.rates.take(caller.name)
        if wait > 0:
            raise FailedError(429, headers={**headers, "retry-after": str(wait)})
        return caller, headers

    async def _body(self, request: Request) -> bytes:
        """Return the body; no more of it is held than may be, and of a larger one no more read than as much again.

        A client that is still writing would not hear why it was refused.
        """
        told = request.headers.get("content-length", "0")
        too_large = FailedError(413, f"A body has at most {self.most_bytes:,} bytes.", headers={"connection": "close"})
        if not told.isdecimal() or int(told[:20]) > 2 * self.most_bytes:
            raise too_large
        chunks, size, clock = list[bytes](), 0, asyncio.get_running_loop().time
        end, pause = clock() + self.timeout, min(self.timeout, MOST_SECONDS)
        try:
            async with asyncio.timeout(pause) as patience:
                async for chunk in request.stream():
                    patience.reschedule(min(clock() + pause, end))
                    size += len(chunk)
                    if size > 2 * self.most_bytes:
                        raise too_large
                    if size <= self.most_bytes:
                        chunks.append(chunk)
        except TimeoutError as error:
            raise FailedError(408, headers={"connection": "close"}) from error
        if size > self.most_bytes:
            raise too_large
        return b"".join(chunks)

    async def _told(self, wish: Wish, caller: Caller, frame: Frame, audience: str | None) -> bytes:
        """Return the body of an answer, once everything about it was noted."""
        head = frame.head
        if "refused" in head:
            details = head["details"]
            told = details if isinstance(details, dict) else {}
            raise UsageError(str(head["refused"]), str(head["sentence"]), str(head["hint"]), told)
        samples = head["samples"]
        assert isinstance(samples, list)
        self.measures.count_verdict(wish.kind, str(head["status"]), samples)
        reference, verdict = head["proof_ref"], head["verdict"]
        self.verdicts.remember(wish.id, caller.name, str(reference) if reference else verdict)
        if audience is None or not isinstance(reference, str):
            return frame.body
        token = await asyncio.to_thread(self.verdicts.issue, reference, audience)
        return json_text({**json.loads(frame.body), "token": token}).encode()

    async def _streamed(
        self,
        request: Request,
        kind: AnyKind,
        wish: Wish,
        caller: Caller,
        audience: str | None,
        headers: Mapping[str, str],
    ) -> Response:
        """Answer with the events of the run, and the answer as the last of them; an early error is a plain one."""
        told: asyncio.Queue[Mapping[str, object] | None] = asyncio.Queue()
        running = asyncio.ensure_future(self.lanes.answer(kind, wish, caller.name, told.put_nowait))
        running.add_done_callback(lambda _: told.put_nowait(None))
        try:
            first = await _unless_gone(request, told.get())
            whole = await self._told(wish, caller, await running, audience) if first is None else b""
        except BaseException:
            running.cancel()
            raise

        async def events() -> AsyncIterator[ServerSentEvent]:
            event = first
            try:
                while event is not None:
                    yield ServerSentEvent(json_text(event), event="progress")
                    event = await told.get()
                try:
                    last = whole or await self._told(wish, caller, await running, audience)
                    yield ServerSentEvent(last.decode(), event="answer")
                except (FailedError, HandedBackError, ProbatumError) as error:
                    failed = as_failed(error)
                    yield ServerSentEvent(bytes(failed.response(request).body).decode(), event="error")
            finally:
                running.cancel()

        # At the end of the service a stream is finished too: no run takes longer than this.
        return EventSourceResponse(
            events(), headers=dict(headers), shutdown_grace_period=self.timeout + _SECONDS_TO_END
        )

    async def verdict(self, request: Request) -> Response:
        """Answer with a verdict that was given before."""
        caller, headers = self.admitted(request)
        layer = narrowed(request, caller.layer)
        reference = str(request.path_params["reference"])
        found = await asyncio.to_thread(self.verdicts.find, reference, caller.name, layer is Layer.PROOF)
        if found is None:
            raise FailedError(404, "No verdict is kept under this reference.")
        return json_response({"verdict": disclose(found, layer)}, headers=headers)


def narrowed(request: Request, layer: Layer) -> Layer:
    """Return the layer that is asked for; raises FailedError for one that the caller may not see."""
    asked = request.query_params.get("layer")
    if asked is None:
        return layer
    order = list(ROLES.values())
    if asked not in [each.value for each in order]:
        raise FailedError(400, f"A layer is {', '.join(each.value for each in order)}.")
    if order.index(Layer(asked)) > order.index(layer):
        raise FailedError(403, f"The token shows the layer {layer.value} and no deeper one.")
    return Layer(asked)


def as_failed(error: Exception) -> FailedError:
    """Return the answer to an error that has a name."""
    if isinstance(error, FailedError):
        return error
    if isinstance(error, HandedBackError):
        return FailedError(503, str(error), headers={"retry-after": str(error.retry_after)})
    if isinstance(error, UsageError):
        return FailedError(400, f"{error.sentence} {error.hint}".rstrip(), error.details)
    if isinstance(error, NotAttemptedError):
        return FailedError(503, error.sentence, headers={"retry-after": "5"})
    return FailedError(500)


async def _unless_gone(request: Request, wanted: Awaitable[Wanted]) -> Wanted:
    """Return what is waited for; where the client goes before, give it up and raise ClientDisconnect."""
    work, gone = asyncio.ensure_future(wanted), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientDisconnect
        return work.result()
    finally:
        gone.cancel()
        work.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
