"""Spans of OpenTelemetry around requests, where the extra is installed and its variables name where they go.

Refuses to put content into a span: it has method, route and status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.types import Scope

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Ended = Callable[[str, int], None]


class Tracing:
    """Makes spans, or nothing."""

    def __init__(self, *, is_wanted: bool) -> None:
        self._tracer: Tracer | None = None
        self._close: Callable[[], None] = lambda: None
        if not is_wanted:
            return
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            return
        provider = TracerProvider(resource=Resource.create({"service.name": "probatum"}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer, self._close = provider.get_tracer("probatum"), provider.shutdown

    def close(self) -> None:
        """Send what was not sent yet."""
        self._close()

    @contextmanager
    def span(self, scope: Scope, headers: Headers) -> Iterator[Ended]:
        """Lend what ends the span of one request, with its route and status."""
        if self._tracer is None:
            yield lambda _route, _status: None
            return
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind

        with self._tracer.start_as_current_span(
            scope["method"], context=extract(dict(headers)), kind=SpanKind.SERVER
        ) as span:

            def ended(route: str, status: int) -> None:
                span.update_name(f"{scope['method']} {route}")
                span.set_attributes(
                    {
                        "http.request.method": scope["method"],
                        "http.route": route,
                        "http.response.status_code": status,
                    }
                )

            yield ended
