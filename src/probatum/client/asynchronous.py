"""The client of the service for asyncio: one method for each question.

A question has one time limit, in which it is asked again where the service says that it began nothing. Refuses to
follow a redirect, which would carry the token elsewhere.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import TYPE_CHECKING, Final, Self

from probatum.client import exchange
from probatum.client.exchange import Inquiry, KindAnswer, Made, SeenVerdict, ServiceError
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.core.frozen import FrozenDict
from probatum.core.validation import ValidationResult

if TYPE_CHECKING:
    import httpx

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{0,8192}")
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"


class AsyncJudgeClient:
    """Asks a service; use it as an asynchronous context manager, or close it."""

    def __init__(
        self,
        base_url: str,
        token: str = "",
        *,
        seconds: float = 60.0,
        attempts: int = 4,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Make a client.

        Args:
            base_url: where the service is, such as https://judge.example.org; http does not hide the token.
            token: the bearer token; empty for a service that asks for none.
            seconds: how long one question may take, with all its attempts.
            attempts: how often it is asked, where the service is busy.
            tls: whom to trust; None means whom this machine trusts.

        Raises UsageError where the address or the token is none, or httpx is not installed.
        """
        try:
            import httpx
        except ImportError as error:
            raise UsageError("client.missing", "The client needs httpx.", "pip install 'probatum[client]'") from error
        if not _TOKEN.fullmatch(token):
            raise UsageError("token.form", "A bearer token has letters, digits and ._~+/=- alone.", "Check the token.")
        try:
            url = httpx.URL(base_url)
        except httpx.InvalidURL:
            url = httpx.URL()
        is_plain = not (url.userinfo or url.query or url.fragment) and (url.port or 0) <= 65535
        if url.scheme not in {"http", "https"} or not url.host or not is_plain:
            raise UsageError("service.address", f"{base_url!r} is not the address of a service.", "It is https://HOST.")
        headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {token}"} if token else {})}
        # Servers close an idle connection after some seconds; whoever uses it just then gets no answer.
        limits = httpx.Limits(keepalive_expiry=2.0)
        self._http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=seconds, verify=tls or True, limits=limits
        )
        self._seconds = seconds
        self._attempts = attempts

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def validate(
        self,
        output: object,
        validation_types: Sequence[str],
        *,
        acceptance_criteria: Sequence[str] = (),
        expected_schema: object = None,
        trusted_sources: Sequence[str | Mapping[str, str]] = (),
        context: Mapping[str, object] | None = None,
    ) -> ValidationResult:
        """Return whether an output may be accepted; raises UsageError for what is not JSON, else ServiceError.

        Args:
            output: any JSON value.
            validation_types: the layers: ``schema``, ``facts``, ``criteria``, ``hallucination``, ``quality``.
            acceptance_criteria: what the output has to meet, in sentences.
            expected_schema: a JSON Schema.
            trusted_sources: texts, addresses that the operator allows, or objects with ``name`` and ``text``.
            context: what the output was made from.
        """
        fields: dict[str, object] = {"output": output, "validation_types": list(validation_types)}
        optional = {"acceptance_criteria": acceptance_criteria, "trusted_sources": trusted_sources, "context": context}
        fields |= {name: value for name, value in optional.items() if value}
        # The schema that is false, or an empty one, is a schema.
        fields |= {} if expected_schema is None else {"expected_schema": expected_schema}
        return await self._answer(exchange.validation(fields))

    async def verify(self, kind: str, /, **fields: object) -> KindAnswer:
        """Return the answer about a subject of a kind, with the fields of its requests; raises as `validate`."""
        return await self._answer(exchange.verification(kind, fields))

    async def events(self, kind: str, /, **fields: object) -> AsyncIterator[Event | KindAnswer]:
        """Yield what happens while a subject is judged, and last the answer; raises as `validate`."""
        until, cut = _now() + self._seconds, exchange.ServerEvents()
        async with self._reply(exchange.verification(kind, fields), until, _EVENTS) as reply:
            if not reply.headers.get("content-type", "").startswith(_EVENTS):
                raise ServiceError(reply.status_code, "service.unreadable", "The service sends no events.")
            async for chunk in self._chunks(reply, until):
                for name, data in cut.feed(chunk):
                    told = exchange.event_of(name, data)
                    yield told
                    if isinstance(told, KindAnswer):
                        return
        raise ServiceError(200, "service.unreadable", "The service ended without an answer.")

    async def verdict(self, reference: str) -> SeenVerdict:
        """Return a verdict that was given before, by its reference or the id of its request; raises as `validate`."""
        return await self._answer(exchange.kept_verdict(reference))

    async def health(self) -> FrozenDict:
        """Return what the service says of itself: ``status`` and ``version``; raises ServiceError."""
        return await self._answer(exchange.HEALTH)

    async def ready(self) -> FrozenDict:
        """Return whether it can judge now, as ``ready``, with its ``checks``; raises ServiceError."""
        return await self._answer(exchange.READY)

    async def capabilities(self) -> tuple[str, ...]:
        """Return what it can judge; raises ServiceError."""
        return await self._answer(exchange.CAPABILITIES)

    async def _answer(self, inquiry: Inquiry[Made]) -> Made:
        until = _now() + self._seconds
        async with self._reply(inquiry, until, _JSON) as reply:
            return exchange.answer_of(inquiry, reply.status_code, reply.headers, await self._content(reply, until))

    @asynccontextmanager
    async def _reply(self, inquiry: Inquiry[Made], until: float, wanted: str) -> AsyncIterator[httpx.Response]:
        """Lend the beginning of an answer; raises ServiceError where there is none within the attempts and the time."""
        headers = {"Accept": wanted, **({"Content-Type": _JSON} if inquiry.body else {})}
        for attempt in count(1):
            request = self._http.build_request(inquiry.method, inquiry.path, content=inquiry.body, headers=headers)
            with self._failures():
                async with asyncio.timeout_at(until):
                    reply = await self._http.send(request, stream=True)
            try:
                if reply.status_code in inquiry.answered:
                    yield reply
                    return
                error = exchange.failure_of(reply.status_code, reply.headers, await self._content(reply, until))
            finally:
                await reply.aclose()
            wait = exchange.wait_before_next(error, attempt)
            if wait is None or attempt >= self._attempts or _now() + wait >= until:
                raise error
            await asyncio.sleep(wait)

    async def _chunks(self, reply: httpx.Response, until: float) -> AsyncIterator[bytes]:
        chunks = reply.aiter_raw()
        while True:
            with self._failures():
                async with asyncio.timeout_at(until):
                    chunk = await anext(chunks, None)
            if chunk is None:
                return
            yield chunk

    async def _content(self, reply: httpx.Response, until: float) -> bytes:
        content = bytearray()
        async for chunk in self._chunks(reply, until):
            content += chunk
            if len(content) > exchange.MOST_BYTES:
                raise ServiceError(reply.status_code, "service.unreadable", "The answer of the service is too large.")
        return bytes(content)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Give what happens to a connection its name."""
        import httpx

        try:
            yield
        except (TimeoutError, httpx.TimeoutException) as error:
            sentence = f"The service did not answer within {self._seconds:g} seconds."
            raise ServiceError(0, "service.timeout", sentence) from error
        except httpx.HTTPError as error:
            sentence = f"The service could not be reached: {str(error) or type(error).__name__}."
            raise ServiceError(0, "service.unreachable", sentence) from error


def _now() -> float:
    return asyncio.get_running_loop().time()
