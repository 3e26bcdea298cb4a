"""What a kind of subject declares of its place in a service: paths, schemas and metrics as data.

A service makes its routes, its OpenAPI document and its metrics from these values and knows no kind by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from probatum.core.frozen import FrozenDict


class MetricForm(StrEnum):
    """How the samples of a measure come together: a counter adds them up, a gauge is the mean of all so far."""

    COUNTER = "counter"
    GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric that is read off each result: ``samples`` gives label values, in order, and the value."""

    name: str
    help: str
    form: MetricForm
    labels: tuple[str, ...]
    samples: Callable[[Mapping[str, object]], Iterable[tuple[tuple[str, ...], float]]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a service needs to know of a kind beside its `Kind`."""

    request: Mapping[str, object] = field(default_factory=FrozenDict)
    """The JSON Schema of a request's fields, without ``id`` and ``kind``."""
    result: Mapping[str, object] = field(default_factory=FrozenDict)
    """The JSON Schema of ``result`` in an answer."""
    path: str = ""
    """A path of its own, such as ``/validate``, whose answer is the result itself with ``verdict`` in it."""
    capabilities: tuple[str, ...] = ()
    metrics: tuple[Metric, ...] = ()
    is_quick: Callable[[Mapping[str, object]], bool] | None = None
    """Whether a request with these fields takes a few milliseconds at most; None where none of this kind does."""
