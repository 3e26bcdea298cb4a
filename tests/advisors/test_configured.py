"""What a repository may say of a model, and that it never decides where which key goes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.advisors.configured import KEY_OF_HOST, model_of
from probatum.core.errors import UsageError

HOSTED = {"url": "https://api.openai.com/v1/", "model": "a-model"}
LOCAL = {"url": "http://localhost:8080/v1", "model": "small"}


def refused(table: object, name: str = "m") -> UsageError:
    with pytest.raises(UsageError) as caught:
        model_of(name, table)
    return caught.value


def test_everything_but_the_address_and_the_model_has_a_default() -> None:
    found = model_of("big", HOSTED)
    assert (found.at_once, model_of("big", {**HOSTED, "at-once": 8}).at_once) == (1, 8)
    assert (found.name, found.url, found.model) == ("big", "https://api.openai.com/v1", "a-model")
    assert (found.seconds, found.most_seconds, found.most_tokens, found.most_cost) == (60.0, 600.0, 200_000, None)
    assert (found.is_local, model_of("m", LOCAL).is_local) == (False, True)


KEYS = {
    "https://api.openai.com/v1": "OPENAI_API_KEY",
    "https://api.openai.com:443/v1": "OPENAI_API_KEY",
    "https://api.openai.com:8443/v1": "PROBATUM_KEY_API_OPENAI_COM",
    "https://api.openai.com.evil.example/v1": "PROBATUM_KEY_API_OPENAI_COM_EVIL_EXAMPLE",
    "https://api-openai.com/v1": "PROBATUM_KEY_API__OPENAI_COM",
    "https://models.my-firm.example": "PROBATUM_KEY_MODELS_MY__FIRM_EXAMPLE",
    "http://127.0.0.1:8080/v1": "PROBATUM_KEY_127_0_0_1",
    "http://[::1]:8080": "PROBATUM_KEY___1",
}


@pytest.mark.parametrize("url", KEYS)
def test_the_host_decides_which_variable_holds_the_key(url: str) -> None:
    assert model_of("m", {"url": url, "model": "m"}).key_variable == KEYS[url]


LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,4}[a-z0-9])?", fullmatch=True)
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)


@given(HOSTS, HOSTS)
def test_no_two_hosts_share_a_variable(one: str, other: str) -> None:
    first, second = (model_of("m", {"url": f"https://{host}", "model": "m"}).key_variable for host in (one, other))
    assert (first == second) is (one == other)
    assert first not in KEY_OF_HOST.values() or one in KEY_OF_HOST


ADDRESSES = (
    *("", "api.openai.com", "ftp://api.openai.com", "file:///etc/passwd", "https://", "https:///v1"),
    *("http://api.openai.com/v1", "http://127.0.0.1.evil.example", "http://10.0.0.1", "http://localhost.evil.example"),
    *("https://user@api.openai.com", "https://api.openai.com@evil.example", "https://a:b@evil.example"),
    *("https://api.openai.com\\@evil.example", "https://evil.example#api.openai.com", "https://evil.example?a=b"),
    *("https://api_openai.com", "https://api.openai.com.", "https://API.OPENAI.COM", "https://аpi.openai.com"),
    *("https://api.openai.com /v1", "https://api.openai.com\n/v1", "https://api..com", "https://a:99999999"),
    *("https://a:99999", f"https://{'a' * 3000}.example", "http://2130706433", "http://0x7f.1", "http://[::2]"),
)


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_to_which_nothing_may_be_sent_is_refused(url: str) -> None:
    assert refused({"url": url, "model": "m"}).code == "models.invalid"


TABLES: dict[str, tuple[object, str]] = {
    "no table": (3, "object"),
    "no address": ({"model": "m"}, "'url' is missing"),
    "no model": ({"url": HOSTED["url"]}, "'model' is missing"),
    "a blank model": (HOSTED | {"model": " "}, "model"),
    "a variable for the key": (HOSTED | {"key": "AWS_SECRET_ACCESS_KEY"}, "unknown key"),
    "a slip": (HOSTED | {"most-token": 3}, "Did you mean 'most-tokens'?"),
    "no time": (HOSTED | {"seconds": 0}, "seconds"),
    "endless time": (HOSTED | {"most-seconds": float("inf")}, "most-seconds"),
    "text for tokens": (HOSTED | {"most-tokens": "many"}, "most-tokens"),
    "a price below nothing": (HOSTED | {"price-in": -1}, "price-in"),
    "a parameter that is ours": (HOSTED | {"parameters": {"messages": []}}, "cannot set 'messages'"),
    "a parameter that streams": (HOSTED | {"parameters": {"stream": True}}, "cannot set 'stream'"),
    "a parameter that is no JSON": (HOSTED | {"parameters": {"a": float("nan")}}, "parameters"),
    "an unknown feature": (HOSTED | {"without": ["tools"]}, "json_schema"),
}


@pytest.mark.parametrize("what", TABLES)
def test_a_table_that_says_something_else_is_refused(what: str) -> None:
    table, said = TABLES[what]
    error = refused(table)
    assert (error.code, said in error.sentence) == ("models.invalid", True)


@pytest.mark.parametrize("name", ["", "a b", "replay:x", "a,b", "x" * 65])
def test_a_name_that_no_command_could_take_is_refused(name: str) -> None:
    assert refused(HOSTED, name).code == "models.invalid"


@pytest.mark.parametrize("known", [{}, {"price-in": 1}, {"price-out": 1}])
def test_a_limit_of_cost_needs_both_prices(known: dict[str, Any]) -> None:
    assert refused(HOSTED | {"most-cost": 1} | known).code == "models.price_unknown"
    both = HOSTED | {"most-cost": 1, "price-in": 0, "price-out": 2}
    assert model_of("m", both).most_cost == 1
