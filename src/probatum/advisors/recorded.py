"""Replies that were given before: asked the same again, a model is not asked.

The key of a reply is its content: model, address, parameters, prompt, schema, temperature and seed. Refuses to keep a
reply by itself: whoever asked says that it was what was asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from probatum.advisors.configured import ConfiguredModel
from probatum.core.ports import MeteredAdvisor, Spent


class KeptReplies(Protocol):
    """Bytes by key, such as a cache; what it loses is asked again."""

    def find(self, key: bytes) -> bytes | None:
        """Return what is kept under a key; None where nothing is."""

    def keep(self, contents: Mapping[bytes, bytes]) -> None:
        """Keep all of these."""


def reply_key(identity: str, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> bytes:
    """Return the key of a reply; ``identity`` tells all of a model that its reply depends on."""
    told = json.dumps([identity, prompt, schema, temperature, seed], sort_keys=True)
    return hashlib.sha256(told.encode()).digest()


def identity_of(model: ConfiguredModel) -> str:
    """Return all of a configured model that its reply depends on."""
    lacks = sorted(model.without)
    return json.dumps([model.url, model.model, model.reply_tokens, dict(model.parameters), lacks], sort_keys=True)


@dataclass(frozen=True, slots=True)
class Remembering:
    """Asks an advisor what was not asked before, and keeps what it replies where it is told to."""

    advisor: MeteredAdvisor
    identity: str
    opened: Callable[[], AbstractContextManager[KeptReplies]]
    """Opened for each question anew, since questions may come from several threads."""

    @property
    def name(self) -> str:
        """Which model answers."""
        return self.advisor.name

    @property
    def spent(self) -> Spent:
        """What was asked anew."""
        return self.advisor.spent

    @property
    def at_once(self) -> int:
        """How many questions the advisor may be asked at the same time."""
        return self.advisor.at_once

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        """Return the reply; raises as the advisor does."""
        key = reply_key(self.identity, prompt, schema, temperature=temperature, seed=seed)
        with self.opened() as kept:
            if (found := kept.find(key)) is not None:
                return found.decode("utf-8", "surrogatepass")
        return self.advisor.advise(prompt, schema, temperature=temperature, seed=seed)

    def keep(self, reply: str, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> None:
        """Give this reply from now on."""
        key = reply_key(self.identity, prompt, schema, temperature=temperature, seed=seed)
        with self.opened() as kept:
            kept.keep({key: reply.encode("utf-8", "surrogatepass")})
