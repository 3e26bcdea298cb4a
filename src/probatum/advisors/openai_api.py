"""A model behind an OpenAI-compatible server, which most hosts and local servers are: one POST for each question.

Whatever a server does, a question ends within its time with a reply or a named error: the clock runs over name lookup,
connection, head and body together, and a body ends at `MOST_BYTES`. It is asked again, after a pause, where it gave no
answer: no connection, 429, 5xx. Refuses redirects, packed bodies, and a reply that holds the key; proxies and netrc
files are not read. No message, error or log holds the key.
"""

from __future__ import annotations

import asyncio
import datetime
import email.utils
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from probatum.advisors.budget import Budget
from probatum.advisors.configured import ConfiguredModel
from probatum.advisors.parallel import apart
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.json_text import read_json
from probatum.core.limits import MEBIBYTE
from probatum.core.ports import Spent
from probatum.core.shape import Shape

if TYPE_CHECKING:
    import httpx

MOST_BYTES: Final = 4 * MEBIBYTE
"""Of one answer of a server."""
TRIES: Final = 3
_PATH: Final = "/chat/completions"
_PAUSE: Final = 0.5
"""Seconds before the second try; the next takes twice as long."""
_GRACE: Final = 0.5
"""Seconds after which a question is given up that does not end by itself, such as in the system's lookup of names."""
_MOST_SAID: Final = 200
_NOT_ALLOWED: Final = frozenset({401, 403})
_TOO_MANY: Final = 429
_FAILED: Final = range(500, 600)
_REDIRECTS: Final = range(300, 400)
_WELL: Final = 200
_MOST_DIGITS: Final = 9
_NOT_STRICT: Final = frozenset({"maxLength", "minLength"})


@dataclass(frozen=True, slots=True)
class _HttpAnswer:
    """What a server answered to one request."""

    status: int
    body: bytes
    retry_after: str


class _AgainError(Exception):
    """The server gave no answer; it may be asked again after so many seconds, None where it does not say."""

    def __init__(self, error: ProbatumError, after: float | None = None, *, has_begun: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after
        self.has_begun = has_begun


class OpenAiModel:
    """Asks one configured model, within its budget, as `probatum.core.ports.Advisor` says."""

    def __init__(self, model: ConfiguredModel, key: str = "", *, pause: float = _PAUSE) -> None:
        """Ask with this key; raises UsageError where httpx is missing or the key cannot be sent."""
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            said = f"The key in {model.key_variable} holds characters that no key has."
            raise UsageError("models.key_invalid", said, "It is one word of printable ASCII characters.")
        require_httpx()
        self._model = model
        self._key = key
        self._pause = pause
        self._budget = Budget(model)

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self._model.model

    @property
    def spent(self) -> Spent:
        """What was used so far."""
        return self._budget.spent

    @property
    def at_once(self) -> int:
        """How many questions it may be asked at the same time."""
        return self._model.at_once

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        """Return the reply of the model; raises BudgetError or NotAttemptedError where there is none."""
        body = _body(self._model, prompt, schema, temperature=temperature, seed=seed)
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        began = self._budget.clock()
        seconds = self._budget.seconds_for_one()
        try:
            return apart(lambda: asyncio.run(self._asked(content, seconds)), seconds + _GRACE)
        except TimeoutError:
            said = f"The model {self._model.name!r} gave no reply within {seconds:g} s."
            hint = f"Raise seconds in [tool.probatum.models.{self._model.name}], or ask a faster one."
            raise BudgetError("advisor.too_slow", said, hint) from None
        finally:
            self._budget.took(self._budget.clock() - began)

    async def _asked(self, content: bytes, seconds: float) -> str:
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        async with asyncio.timeout_at(until):
            for number in range(TRIES):
                try:
                    return await self._tried(content)
                except _AgainError as error:
                    pause = self._pause * 2**number if error.after is None else error.after
                    if number + 1 == TRIES or clock() + pause >= until:
                        raise error.error from None
                await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _tried(self, content: bytes) -> str:
        reserved = self._budget.reserve(len(content))
        used: tuple[int, int] | None = None
        try:
            try:
                heard = await self._heard(content)
            except _AgainError as error:
                used = None if error.has_begun else (0, 0)
                raise
            if heard.status != _WELL:
                used = (0, 0)
                self._refuse(heard)
            answer = self._answer(heard.body)
            used = _usage(answer)
            return self._reply(answer)
        finally:
            self._budget.settle(reserved, used)

    async def _heard(self, content: bytes) -> _HttpAnswer:
        """Return what the server answers to one request; raises _AgainError where it cannot be reached."""
        import httpx

        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            # Certificates are only loaded where they are needed; the clock around all of it is the limit of time.
            verify = self._model.url.startswith("https:")
            async with (
                httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=None, verify=verify) as client,  # noqa: S113
                client.stream("POST", f"{self._model.url}{_PATH}", content=content, headers=headers) as got,
            ):
                return _HttpAnswer(got.status_code, await self._whole(got), got.headers.get("Retry-After", ""))
        except (httpx.ConnectError, httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError) as error:
            lost = self._error("unreachable", f"cannot be reached ({type(error).__name__})")
            raise _AgainError(lost, has_begun=not isinstance(error, httpx.ConnectError)) from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise self._error("unreachable", f"cannot be asked ({type(error).__name__})") from None

    async def _whole(self, got: httpx.Response) -> bytes:
        if got.headers.get("Content-Encoding", "identity") != "identity":
            raise self._error("not_a_reply", "answered with a packed body")
        body = bytearray()
        async for chunk in got.aiter_raw():
            body += chunk
            if len(body) > MOST_BYTES:
                raise self._error("too_large", f"answered with more than {MOST_BYTES:,} bytes")
        return bytes(body)

    def _refuse(self, heard: _HttpAnswer) -> None:
        """Raise what follows from an answer that is no success."""
        status = heard.status
        if status == _TOO_MANY:
            error = self._error("rate_limited", "is asked too often (429)", "Try later, or ask fewer files at once.")
            raise _AgainError(error, _seconds_of(heard.retry_after))
        if status in _FAILED:
            error = self._error("server_failed", f"failed ({status}){self._said(heard.body)}")
            raise _AgainError(error, _seconds_of(heard.retry_after))
        if status in _NOT_ALLOWED:
            hint = f"Its key is read from {self._model.key_variable}."
            raise self._error("not_allowed", f"refuses the key, or there is none ({status})", hint)
        if status in _REDIRECTS:
            raise self._error("redirects", f"answers with a redirect ({status}), which is not followed")
        raise self._error("refused", f"refuses the request ({status}){self._said(heard.body)}")

    def _said(self, body: bytes) -> str:
        """Return what a server says of an error in the usual form, without the key; empty for anything else."""
        try:
            said = Shape(read_json(body, MOST_BYTES)).member("error").words("message")
        except ValueError:
            return ""
        return f": {self._without_key(said)[:_MOST_SAID]}"

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    def _answer(self, body: bytes) -> Shape:
        try:
            return Shape(read_json(body, MOST_BYTES)).member()
        except ValueError:
            raise self._error("not_a_reply", "answered with something that is not a JSON object") from None

    def _reply(self, answer: Shape) -> str:
        try:
            choice = next(answer.items("choices", 1))
            message = choice.member("message")
            ended = choice.optional(Shape.text, "finish_reason") or ""
            content = message.optional(Shape.text, "content") or ""
            is_refused = bool(message.optional(Shape.text, "refusal"))
        except ValueError:
            raise self._error("not_a_reply", "answered with JSON that is no chat completion") from None
        if ended == "length":
            hint = f"Raise reply-tokens in [tool.probatum.models.{self._model.name}]."
            raise self._error("cut_off", f"stopped after {self._model.reply_tokens:,} tokens", hint)
        if is_refused or ended == "content_filter":
            raise self._error("declined", "declined to reply")
        if not content.strip():
            raise self._error("empty", "gave an empty reply")
        if self._key and self._key in content:
            raise self._error("tells_key", "repeats the key in its reply, which is not used", "Renew that key.")
        return content

    def _error(self, code: str, said: str, hint: str = "") -> NotAttemptedError:
        return NotAttemptedError(f"advisor.{code}", f"The model {self._model.name!r} {said}.", hint)


@dataclass(frozen=True, slots=True)
class UnsentModel:
    """Notes what would be sent to a model, as `probatum.core.ports.Rehearsal` says."""

    model: ConfiguredModel
    noted: list[Mapping[str, object]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self.model.model

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        """Note the address and the body of the request; the key travels in a header. Raises LookupError."""
        body = _body(self.model, prompt, schema, temperature=temperature, seed=seed)
        self.noted.append({"url": f"{self.model.url}{_PATH}", "body": body})
        raise LookupError("nothing is sent")


def _body(
    model: ConfiguredModel, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int
) -> dict[str, object]:
    lacks = model.without
    if "json_schema" in lacks:
        prompt = f"{prompt}\nReply with JSON of this JSON Schema and nothing else:\n{json.dumps(schema)}\n"
    told: dict[str, object] = {
        **model.parameters,
        "model": model.model,
        "messages": [{"role": "user", "content": prompt}],
        "max_completion_tokens" if "max_tokens" in lacks else "max_tokens": model.reply_tokens,
    }
    told |= {} if "temperature" in lacks else {"temperature": temperature}
    told |= {} if "seed" in lacks else {"seed": seed}
    if "json_schema" not in lacks:
        form = {"name": "reply", "schema": schema, "strict": _is_strict(schema)}
        told["response_format"] = {"type": "json_schema", "json_schema": form}
    return told


def require_httpx() -> None:
    """Raise UsageError where httpx is not installed."""
    try:
        import httpx  # noqa: F401
    except ImportError as error:
        hint = "pip install 'probatum[models]'"
        raise UsageError("models.missing", "Asking a model needs httpx, which is not installed.", hint) from error


def _usage(answer: Shape) -> tuple[int, int] | None:
    try:
        told = answer.member("usage")
        return told.whole("prompt_tokens", 0), told.whole("completion_tokens", 0)
    except ValueError:
        return None


def _is_strict(schema: object) -> bool:
    """True for a schema that strict servers take: objects require all of their members and have no others.

    Of these servers, some refuse any limit on texts, and choices among objects whose first members have one name.
    """
    if isinstance(schema, Mapping):
        first = [next(iter(each.get("properties", ())), None) for each in schema.get("anyOf", ())]
        if _NOT_STRICT & schema.keys() or len(set(first)) < len(first):
            return False
        properties = schema.get("properties")
        if schema.get("type") == "object" and (
            not isinstance(properties, Mapping)
            or schema.get("additionalProperties") is not False
            or set(schema.get("required", ())) != set(properties)
        ):
            return False
        return all(map(_is_strict, schema.values()))
    return all(map(_is_strict, schema)) if isinstance(schema, list | tuple) else True


def _seconds_of(retry_after: str) -> float | None:
    """Return how long a server asks to wait: a number of seconds, or a date; None where it says neither."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
        return max((moment - datetime.datetime.now(datetime.UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None
