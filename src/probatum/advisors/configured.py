"""One configured model: where it answers, what it may use, and which variable of the environment holds its key.

A repository's file says all of this, so it can name no variable: the host alone decides it, and a key only ever goes to
the host that it is for. Refuses plain HTTP to another machine, an address with a name or password in it, a limit of
cost without prices, and a parameter that would change what is asked.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
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
_MOST_SECONDS: Final = 86_400.0
_MOST_PRICE: Final = 1_000_000.0
_MOST_TOKENS: Final = 1_000_000_000
_MOST_AT_ONCE: Final = 100


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
    seconds: float = 60.0
    """For one question, with all its retries."""
    most_seconds: float = 600.0
    most_tokens: int = 200_000
    reply_tokens: int = 4_096
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
        table = Shape(data).exactly("url", "model", may=tuple(_READERS))
        values = {key.replace("-", "_"): read(table, key) for key, read in _READERS.items() if table.has(key)}
        found = ConfiguredModel(name, **values)
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


def _number(least: float, most: float) -> Callable[[Shape, str], float]:
    return lambda table, key: float(table.number(key, least, most))


def _whole(most: int) -> Callable[[Shape, str], int]:
    return lambda table, key: table.whole(key, 1, most)


def _parameters(table: Shape, key: str) -> Mapping[str, object]:
    given = table.raw_object(key)
    require_json(given, path=key)
    if taken := sorted(_OURS & given.keys()):
        raise ValueError(f"{key} cannot set {taken[0]!r}")
    return frozen_dict(given)


def _without(table: Shape, key: str) -> frozenset[str]:
    given = frozenset(table.texts(key))
    if unknown := sorted(given - FEATURES):
        raise ValueError(f"{key} names features among {', '.join(sorted(FEATURES))}, got {unknown[0]!r}")
    return given


# What a member holds only its reader knows.
_READERS: Final[Mapping[str, Callable[[Shape, str], Any]]] = {
    "url": lambda table, key: _address(table.text(key)),
    "model": Shape.words,
    **dict.fromkeys(("price-in", "price-out", "most-cost"), _number(0.0, _MOST_PRICE)),
    **dict.fromkeys(("seconds", "most-seconds"), _number(0.001, _MOST_SECONDS)),
    **dict.fromkeys(("most-tokens", "reply-tokens"), _whole(_MOST_TOKENS)),
    "at-once": _whole(_MOST_AT_ONCE),
    "parameters": _parameters,
    "without": _without,
}
