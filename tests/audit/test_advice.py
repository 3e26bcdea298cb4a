"""A model may advise: what it says stands beside the checks, and changes no claim, no check, no step and no proof."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

import pytest

from probatum.audit import AgentContext, AuditorAgent, dumps_canonical
from probatum.audit.dspy_programs import DspyAdvisor
from probatum.core.errors import NotAttemptedError, UsageError
from tests.audit.cases import bundle, item, price, spec

TEXT = item("ev_text", "It closed, all told, at one hundred and five thousand.", content_type="text")


class Replayed:
    """A model whose replies were recorded."""

    name = "replayed"

    def __init__(self, reply: str | Exception) -> None:
        self.reply = reply
        self.asked: list[tuple[str, Mapping[str, object], float, int]] = []

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        self.asked.append((prompt, schema, temperature, seed))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def quoting(quote: str, field: str = "price") -> str:
    return json.dumps({"claims": [{"field": field, "quote": quote}]})


REPLIES = {
    "a quotation": quoting("one hundred and five thousand"),
    "what the evidence does not say": quoting("two hundred"),
    "a field that nobody asked for": quoting("thousand", "event_observed"),
    "an order": json.dumps({"event_observed": True}),
    "no JSON": "The price is 105000.",
    "nothing": "",
    "more than asked": json.dumps({"claims": [], "verdict": "YES"}),
    "an error": NotAttemptedError("advisor.failed", "It is not there."),
}


@pytest.mark.parametrize("name", REPLIES)
def test_advice_changes_nothing_that_a_verdict_rests_on(name: str) -> None:
    asked, evidence = spec(), bundle(price(95000), TEXT)
    model = Replayed(REPLIES[name])
    trace, verification = AuditorAgent(model).audit(asked, evidence)
    other, without = AuditorAgent(Replayed("{}")).audit(asked, evidence)
    assert dumps_canonical(trace) == dumps_canonical(other)
    assert verification.ok == without.ok
    assert [each for each in verification.checks if not each.check_id.startswith("advice.")] == [
        each for each in without.checks if not each.check_id.startswith("advice.")
    ]
    assert all(
        each.ok and each.severity == "info" for each in verification.checks if each.check_id.startswith("advice.")
    )


def test_only_what_is_quoted_of_what_was_asked_is_suggested() -> None:
    def told(name: str) -> list[object]:
        _, verification = AuditorAgent(Replayed(REPLIES[name])).audit(spec(), bundle(TEXT))
        advice = [each for each in verification.checks if each.check_id == "advice.claims"]
        return [each.details["suggested"] for each in advice]

    assert told("a quotation") == [[{"field": "price", "quote": "one hundred and five thousand"}]]
    assert told("what the evidence does not say") == told("a field that nobody asked for") == [[]]
    assert told("no JSON") == told("an error") == told("more than asked") == []


def test_a_model_is_asked_at_temperature_0_for_what_nothing_else_could_read_and_the_trace_says_so() -> None:
    model = Replayed(REPLIES["nothing"])
    trace, _ = AuditorAgent(model, ctx=AgentContext(seed=7)).audit(spec(), bundle(price(95000), TEXT))
    assert [(temperature, seed) for _, _, temperature, seed in model.asked] == [(0.0, 7)] * 2
    assert "one hundred and five thousand" in model.asked[0][0]
    assert json.loads(trace.policy.decoding_policy) == {
        "advisor": "replayed",
        "schema_locked": True,
        "seed": 7,
        "temperature": 0,
    }
    assert AuditorAgent().audit(spec(), bundle(price(95000)))[0].policy.decoding_policy == "strict"


def stand_in(reply: object) -> ModuleType:
    """A module that has of DSPy what is used of it."""
    module = ModuleType("dspy")
    used: list[object] = []

    @contextmanager
    def context(lm: object):
        used.append(lm)
        yield

    class Predict:
        def __init__(self, signature: str) -> None:
            used.append(signature)

        def __call__(self, **inputs: object) -> object:
            used.append(inputs)
            if isinstance(reply, Exception):
                raise reply
            return SimpleNamespace(reply=reply)

    module.__dict__.update(context=context, Predict=Predict, used=used)
    return module


def test_a_dspy_program_gives_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    module = stand_in(REPLIES["a quotation"])
    monkeypatch.setitem(sys.modules, "dspy", module)
    _, verification = AuditorAgent(DspyAdvisor("the model", name="dspy/test")).audit(spec(), bundle(TEXT))
    assert [each.details["advisor"] for each in verification.checks if each.check_id == "advice.claims"] == [
        "dspy/test"
    ]
    assert module.used[:2] == ["the model", "prompt, json_schema -> reply"]
    assert module.used[2]["config"] == {"temperature": 0.0, "seed": 0}


def test_a_dspy_program_that_raises_and_a_missing_dspy_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dspy", stand_in(RuntimeError("no key")))
    with pytest.raises(NotAttemptedError, match="no key"):
        DspyAdvisor("m").advise("p", {}, temperature=0.0, seed=0)
    monkeypatch.setitem(sys.modules, "dspy", None)
    with pytest.raises(UsageError, match="not installed"):
        DspyAdvisor("m")
