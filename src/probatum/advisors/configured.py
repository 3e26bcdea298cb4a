"""One configured model: where it answers, what it may use, and which variable of the environment holds its key.

A repository's file says all of this, so it can name no variable: the host alone decides it, and a key only ever goes to
the host that it is for. Refuses plain HTTP to another machine, an address with a name or password in it, a limit of
cost without prices, and a parameter that would change what is asked.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from probatum.core.canonical import require_json
from probatum.core.errors import UsageError
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.shape import Shape

KEY_OF_HOST: Final[Mapping[str, str]] = {
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.x.ai": "XAI_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
}
"""The usual variable of well-known hosts."""
FEATURES: Final = frozenset({"json_schema", "max_tokens", "seed", "temperature"})
"""What a server may lack."""
_OURS: Final = frozenset(
    {"max_completion_tokens", "messages", "model", "n", "response_format", "stream", "tools"} | FEATURES
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_URL: Final = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:]+\])(?::[0-9]{{1,5}})?(?:/[A-Za-z0-9._~%/-]*)?"
)
"""Nothing that two readers of addresses could take for different hosts: no user, underscore or dot at the end."""
_MOST_CHARACTERS: Final = 2_000
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SECONDS: Final = 60.0
_MOST_SECONDS: Final = 600.0
_MOST_TOKENS: Final = 200_000
_REPLY_TOKENS: Final = 4_096
_TIMES: Final = (0.001, 86_400.0)
_PRICES: Final = (0.0, 1_000_000.0)
_MANY_TOKENS: Final = 1_000_000_000
_MOST_AT_ONCE: Final = 100
_KEYS: Final = ("url", "model")
_KEYS_MAY: Final = (
    *("price-in", "price-out", "most-cost", "seconds", "most-seconds", "most-tokens", "reply-tokens"),
    *("at-once", "parameters", "without"),
)


@dataclass(frozen=True, slots=True)
class ConfiguredModel:
    """A model as ``[tool.probatum.models.NAME]`` describes it; prices are for a million tokens, in any one currency."""

    name: str
    url: str
    """What ``/chat/completions`` is added to."""
    model: str
    """What the server calls it; readings and advice bear this name."""
    price_in: float | None = None
    price_out: float | None = None
    most_cost: float | None = None
    """For everything that one command asks, as are `most_seconds` and `most_tokens`."""
    seconds: float = _SECONDS
    """For one question, with all its retries."""
    most_seconds: float = _MOST_SECONDS
    most_tokens: int = _MOST_TOKENS
    reply_tokens: int = _REPLY_TOKENS
    at_once: int = 1
    """How many questions it gets at the same time."""
    parameters: Mapping[str, object] = field(default_factory=FrozenDict)
    """Further members of each request."""
    without: frozenset[str] = frozenset()
    """Features that the server lacks."""

    @property
    def is_local(self) -> bool:
        """Whether it answers on this machine."""
        return _is_loopback(urlsplit(self.url).hostname or "")

    @property
    def key_variable(self) -> str:
        """The variable of the environment that holds its key, whoever wrote the configuration."""
        address = urlsplit(self.url)
        host = address.hostname or ""
        if host in KEY_OF_HOST and address.port in {None, 443}:
            return KEY_OF_HOST[host]
        # A host has no underscore, so that one variable never is that of two hosts.
        return f"PROBATUM_KEY_{host.replace('-', '__').replace('.', '_').replace(':', '_').upper()}"


def model_of(name: str, data: object) -> ConfiguredModel:
    """Return the model that a table describes; raises UsageError that names what is wrong in it."""
    if not _NAME.fullmatch(name):
        said = f"A model is named with letters, digits, '.', '_' and '-', got {name[:80]!r}."
        raise UsageError("models.invalid", said)
    try:
        table = Shape(data).exactly(*_KEYS, may=_KEYS_MAY)

        found = ConfiguredModel(
            name,
            _address(table.text("url")),
            table.words("model"),
            price_in=_number(table, "price-in", _PRICES),
            price_out=_number(table, "price-out", _PRICES),
            most_cost=_number(table, "most-cost", _PRICES),
            seconds=_number(table, "seconds", _TIMES) or _SECONDS,
            most_seconds=_number(table, "most-seconds", _TIMES) or _MOST_SECONDS,
            most_tokens=_whole(table, "most-tokens") or _MOST_TOKENS,
            reply_tokens=_whole(table, "reply-tokens") or _REPLY_TOKENS,
            at_once=_whole(table, "at-once", _MOST_AT_ONCE) or 1,
            parameters=_parameters(table),
            without=_without(table),
        )
    except ValueError as error:
        raise UsageError("models.invalid", f"[tool.probatum.models.{name}] {error}.") from error
    if found.most_cost is not None and None in {found.price_in, found.price_out}:
        said = f"The model {name!r} has most-cost, and its price is unknown."
        raise UsageError("models.price_unknown", said, "Give price-in and price-out, for a million tokens.")
    return found


def _address(url: str) -> str:
    """Return an address without the slash at its end; raises ValueError where nothing may be sent there."""
    found = _URL.fullmatch(url) if len(url) <= _MOST_CHARACTERS else None
    if found is None:
        raise ValueError(f"url is an address such as https://api.openai.com/v1, in lower case, got {url[:200]!r}")
    if found["scheme"] == "http" and not _is_loopback(found["host"].strip("[]")):
        raise ValueError(f"url is https, but for a server on this machine, got {url[:200]!r}")
    _ = urlsplit(url).port
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _number(table: Shape, key: str, bounds: tuple[float, float]) -> float | None:
    return float(table.number(key, *bounds)) if table.has(key) else None


def _whole(table: Shape, key: str, most: int = _MANY_TOKENS) -> int | None:
    return table.whole(key, 1, most) if table.has(key) else None


def _parameters(table: Shape) -> Mapping[str, object]:
    if not table.has("parameters"):
        return FrozenDict()
    given = table.raw_object("parameters")
    require_json(given, path="parameters")
    if taken := sorted(_OURS & given.keys()):
        raise ValueError(f"parameters cannot set {taken[0]!r}")
    return frozen_dict(given)


def _without(table: Shape) -> frozenset[str]:
    given = frozenset(table.texts("without") if table.has("without") else ())
    if unknown := sorted(given - FEATURES):
        raise ValueError(f"without names features among {', '.join(sorted(FEATURES))}, got {unknown[0]!r}")
    return given
