"""What Prometheus reads: requests, their time, what waits, and what each kind measures of its results.

Refuses to take a name from a request: labels are routes, methods and statuses of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from probatum.app.kinds import AnyKind
from probatum.core.endpoint import MetricForm

_SECONDS: Final = (0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_METHODS: Final = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"})


class Measures:
    """The metrics of one service."""

    def __init__(self, kinds: Iterable[AnyKind], waiting: Callable[[], int], begun: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        labels = ("method", "route", "status")
        self._requests = Counter("probatum_requests", "Requests that were answered.", labels, registry=self._registry)
        self._seconds = Histogram(
            "probatum_request_seconds", "Time of a request.", ("route",), registry=self._registry, buckets=_SECONDS
        )
        self._verdicts = Counter(
            "probatum_verdicts", "Verdicts that were given.", ("kind", "status"), registry=self._registry
        )
        for name, help_text, count in (
            ("probatum_waiting", "Requests that wait for a worker.", waiting),
            ("probatum_begun", "Requests that were accepted and not answered yet.", begun),
        ):
            Gauge(name, help_text, registry=self._registry).set_function(count)
        self._own: dict[str, Counter | Gauge] = {}
        self._means: dict[tuple[str, tuple[str, ...]], tuple[int, float]] = {}
        self._sums: set[str] = set()
        for measure in (each for kind in kinds for each in kind.endpoint().metrics):
            is_sum = measure.form is MetricForm.COUNTER
            # A counter gets the ending "_total"; one whose name has none is a gauge that only grows.
            make = Counter if is_sum and measure.name.endswith("_total") else Gauge
            self._own[measure.name] = make(measure.name, measure.help, measure.labels, registry=self._registry)
            self._sums |= {measure.name} if is_sum else set()

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_verdict(self, kind: str, status: str, samples: Iterable[tuple[str, list[str], float]]) -> None:
        """Count one verdict, and what its kind measured."""
        self._verdicts.labels(kind, status).inc()
        for name, labels, value in samples:
            metric = self._own[name]
            told = metric.labels(*labels) if labels else metric
            if isinstance(told, Counter) or name in self._sums:
                told.inc(value)
                continue
            count, mean = self._means.get((name, tuple(labels)), (0, 0.0))
            mean += (value - mean) / (count + 1)
            self._means[name, tuple(labels)] = count + 1, mean
            told.set(mean)

    def text(self) -> bytes:
        """Return all of them as Prometheus reads them."""
        return generate_latest(self._registry)
