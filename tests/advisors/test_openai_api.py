"""A model over real HTTP: whatever its server does, a question ends within its budget with a reply or a named error."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import partial

import pytest

from probatum.advisors.configured import model_of
from probatum.advisors.openai_api import TRIES, OpenAiModel, UnsentModel
from probatum.advisors.parallel import together
from probatum.core.errors import BudgetError, ProbatumError, UsageError
from tests.advisors.stub import KEY, MISBEHAVES, PATH, REPLY, Told, asked, completion, configured, failing
from tests.local_server import Place

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


@pytest.fixture
def place() -> Iterator[Place]:
    found = Place()
    yield found
    found.close()


def say(place: Place, *answers: Told) -> None:
    place.answers[PATH] = [each if isinstance(each, bytes) else each(place) for each in answers]


def question(model: OpenAiModel | UnsentModel, prompt: str = "Is it so?") -> str:
    return model.advise(prompt, SCHEMA, temperature=0.0, seed=0)


def test_a_question_is_one_request_with_the_form_of_its_reply(place: Place) -> None:
    say(place, completion())
    model = OpenAiModel(configured(place, parameters={"top_p": 0.5}), KEY)
    assert (question(model), model.name) == (REPLY, "stub-1")
    [body] = asked(place)
    assert body["messages"] == [{"role": "user", "content": "Is it so?"}]
    assert (body["model"], body["temperature"], body["seed"], body["top_p"]) == ("stub-1", 0.0, 0, 0.5)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
    }
    assert f"Authorization: Bearer {KEY}".encode() in place.asked[0]
    spent = model.spent
    assert (spent.requests, spent.tokens_in, spent.tokens_out, spent.cost) == (1, 11, 7, None)


def test_what_would_be_sent_is_what_is_sent(place: Place) -> None:
    say(place, completion())
    model = configured(place)
    unsent = UnsentModel(model)
    with pytest.raises(LookupError):
        question(unsent)
    assert asked(place) == []
    question(OpenAiModel(model, KEY))
    assert unsent.noted == [{"url": f"{place.origin}{PATH}", "body": asked(place)[0]}]
    assert KEY not in json.dumps(unsent.noted)


def test_a_server_that_lacks_features_is_asked_without_them(place: Place) -> None:
    say(place, completion())
    lacks = ["json_schema", "max_tokens", "seed", "temperature"]
    question(OpenAiModel(configured(place, without=lacks)))
    [body] = asked(place)
    assert body.keys() == {"model", "messages", "max_completion_tokens"}
    assert json.dumps(SCHEMA) in str(json.dumps(body)).replace('\\"', '"')
    assert b"Authorization" not in place.asked[0]


def an_object(**members: object) -> Mapping[str, object]:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


ANY = {"type": "string"}
STRICT: Mapping[str, tuple[Mapping[str, object], bool]] = {
    "members that may be missing": ({**an_object(a=ANY), "required": []}, False),
    "a list with an end": (an_object(a={"type": "array", "items": ANY, "maxItems": 9}), True),
    "a text with an end": (an_object(a={**ANY, "maxLength": 9}), False),
    "a text that is not empty": (an_object(a={"type": "array", "items": {**ANY, "minLength": 1}}), False),
    "a choice by the first member": (an_object(a={"anyOf": [an_object(b=ANY, c=ANY), an_object(c=ANY)]}), True),
    "a choice by a later member": (an_object(a={"anyOf": [an_object(b=ANY, c=ANY), an_object(b=ANY)]}), False),
    "a choice of texts and objects": (an_object(a={"anyOf": [ANY, an_object(b=ANY)]}), True),
}


@pytest.mark.parametrize("what", STRICT)
def test_only_what_strict_servers_take_is_called_strict(what: str, place: Place) -> None:
    schema, is_strict = STRICT[what]
    unsent = UnsentModel(configured(place))
    with pytest.raises(LookupError):
        unsent.advise("?", schema, temperature=0.0, seed=0)
    assert json.loads(json.dumps(unsent.noted))[0]["body"]["response_format"]["json_schema"]["strict"] is is_strict


@pytest.mark.parametrize("name", MISBEHAVES)
def test_whatever_a_server_does_a_question_ends_with_a_named_error(
    name: str, place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    told, code = MISBEHAVES[name]
    place.answers[PATH] = told if isinstance(told, bytes) else told(place)
    caplog.set_level(logging.DEBUG)
    model = OpenAiModel(configured(place, most_seconds=10), KEY, pause=0.001)
    with pytest.raises(ProbatumError) as caught:
        question(model)
    assert caught.value.code == code
    assert KEY not in f"{caught.value!r} {caught.value} {caught.value.hint} {caplog.text} {model!r}"
    assert caught.value.__cause__ is None
    assert 1 <= len(place.asked) <= TRIES


@pytest.mark.parametrize(
    "first", [failing("429 No"), failing("429 No", "Retry-After: 0"), failing("500 No"), b""], ids=range(4)
)
def test_a_server_that_gave_no_answer_is_asked_again(first: bytes, place: Place) -> None:
    say(place, first, first, completion())
    model = OpenAiModel(configured(place), pause=0.001)
    assert question(model) == REPLY
    assert len(place.asked) == TRIES


def test_a_server_that_answered_wrongly_is_not_asked_again(place: Place) -> None:
    say(place, failing("400 No"), completion())
    with pytest.raises(ProbatumError):
        question(OpenAiModel(configured(place)))
    assert len(place.asked) == 1


def test_where_nothing_listens_the_error_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = model_of("gone", {"url": f"http://127.0.0.1:{port}/v1", "model": "m", "seconds": 1})
    with pytest.raises(ProbatumError) as caught:
        question(OpenAiModel(model, pause=0.001))
    assert caught.value.code == "advisor.unreachable"


BUDGETS: dict[str, tuple[dict[str, float], int]] = {
    "tokens": ({"most_tokens": 4700}, 2),
    "cost": ({"most_cost": 0.0447, "price_in": 10, "price_out": 10}, 1),
    "cost of one": ({"most_cost": 0.04, "price_in": 0, "price_out": 10}, 0),
}


@pytest.mark.parametrize("what", BUDGETS)
def test_what_could_go_beyond_the_budget_is_not_sent(what: str, place: Place) -> None:
    limits, sent = BUDGETS[what]
    say(place, completion(), completion(), completion())
    model = OpenAiModel(configured(place, **limits))
    for number in range(sent):
        question(model, "a" * 80 * (1 + 8 * number))
    with pytest.raises(BudgetError) as caught:
        question(model, "a" * 80 * (1 + 8 * sent))
    assert caught.value.code == "advisor.budget"
    assert len(place.asked) == sent


def test_time_is_a_budget_of_all_questions_together(place: Place) -> None:
    place.answers[PATH] = lambda _connection: place.ended.wait(5)  # type: ignore[assignment]  # it says nothing
    model = OpenAiModel(configured(place, most_seconds=0.02))
    codes = []
    for _ in range(2):
        with pytest.raises(BudgetError) as caught:
            question(model)
        codes.append(caught.value.code)
    assert codes == ["advisor.too_slow", "advisor.budget"]


def test_a_server_that_does_not_say_what_it_used_is_counted_at_the_most(place: Place) -> None:
    silent = completion().replace(b'"completion_tokens": 7', b'"completion_tokens":-7')
    say(place, silent)
    model = OpenAiModel(configured(place, price_in=1, price_out=1))
    question(model)
    assert model.spent.tokens_out == 4096
    assert model.spent.cost is not None
    assert model.spent.cost > 0.004


@pytest.mark.parametrize("key", ["two words", "line\nline", "ключ"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key: str, place: Place) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAiModel(configured(place), key)
    assert caught.value.code == "models.key_invalid"
    assert key not in str(caught.value)


def test_without_httpx_the_error_names_the_extra(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(UsageError) as caught:
        OpenAiModel(configured(place))
    assert (caught.value.code, "probatum[models]" in caught.value.hint) == ("models.missing", True)


def test_proxies_of_the_environment_are_not_asked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    say(place, completion())
    assert question(OpenAiModel(configured(place))) == REPLY


def test_several_models_are_asked_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=5)
    assert together([lambda: both.wait() >= 0, lambda: both.wait() >= 0], 2) == [True, True]
    with pytest.raises(ZeroDivisionError):
        together([lambda: 1 // 0, lambda: 2], 2)


@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_work_is_done_in_order_and_not_more_of_it_at_once(most: int) -> None:
    begun, now, seen, lock = list[int](), set[int](), list[int](), threading.Lock()

    def work(number: int) -> int:
        with lock:
            begun.append(number)
            now.add(number)
            seen.append(len(now))
        with lock:
            now.remove(number)
        return number

    assert together([partial(work, number) for number in range(7)], most) == list(range(7))
    assert max(seen) <= most
    assert most > 1 or begun == list(range(7))
