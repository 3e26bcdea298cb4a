"""A configured model is measured as a reader: asked live, by the question of `read --with`, with what it costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.bench.asking import with_asked
from probatum.bench.labelled import Labelled
from probatum.bench.runner import run_bench
from probatum.core.errors import UsageError
from probatum.core.events import ignore
from tests.advisors.stub import PATH, asked, completion, failing, told
from tests.bench.test_readers import CONTRADICTS, GOOD, INPUTS, ROWS, WORDS, lines
from tests.local_server import Place

PRICES = "price-in = 1.0\nprice-out = 2.0\n"


def reply(function: str, clause: str, text: str = WORDS) -> bytes:
    statement = {"text": text, "kind": "result", "clause": clause, "exception": ""}
    record = {"function": function, "statements": [statement], "helpers": "", "inputs": INPUTS}
    return completion(json.dumps({"records": [record]}))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    found = Place()
    configure(tmp_path, found)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache"))
    yield found
    found.close()


def configure(folder: Path, place: Place, further: str = PRICES) -> None:
    table = f'[tool.probatum.models.small]\nurl = "{place.origin}/v1"\nmodel = "small-1"\nseconds = 2\n{further}'
    (folder / "pyproject.toml").write_text(table, encoding="utf-8")


def measured(folder: Path) -> BenchReport:
    data = lines(folder / "pairs.jsonl", ROWS)
    request = BenchRequest("readers", data, folder / "store.sqlite", reader="small", programs="humanevalfix")
    return run_bench(request, ignore)


def test_a_model_is_asked_about_each_program_and_its_cost_is_told(place: Place, tmp_path: Path) -> None:
    # The twin of a program has the same documentation: what was replied about one is known for the other.
    place.answers[PATH] = [reply("following", GOOD), reply("next_one", CONTRADICTS), reply("next_one", CONTRADICTS)]
    report = measured(tmp_path)
    cost = report.document["asked"]
    assert isinstance(cost, dict)
    seconds = cost.pop("seconds")
    assert isinstance(seconds, float)
    tokens = {"requests": 3, "tokens_in": 33, "tokens_out": 21, "cost": pytest.approx(75e-6)}
    assert cost == {"reader": "small-1", **tokens, "proposed": 2, "refused": 2, "not_read": {}}
    assert report.document["programs_with_readings"] == 2
    lists = report.document["lists"]
    assert isinstance(lists, dict)
    assert lists["bugs_found_by_readings"] == ["Own/0 (buggy)"]
    rows = dict(report.tables[0].rows)
    assert rows["asked: small-1"].startswith("3 requests, 33 tokens in, 21 out, ")
    assert rows["  readings proposed, refused"] == "2, 2"


def test_a_reader_sees_no_implementation_and_no_label(place: Place, tmp_path: Path) -> None:
    place.answers[PATH] = [reply("following", GOOD), reply("next_one", GOOD)]
    measured(tmp_path)
    first, second = asked(place)
    sent = json.dumps([first, second])
    assert WORDS in sent
    for row in ROWS:
        hidden = [str(row[key]).strip() for key in ("correct", "buggy", "task_id")]
        assert [each for each in hidden if each in sent] == []


def test_a_program_is_asked_about_with_its_contract_and_the_modules_beside_it(place: Place, tmp_path: Path) -> None:
    text = "The sum is at least n."
    source = "from shop.rates import RATE\n\n\ndef gross(n: int) -> int:\n    return n + RATE\n"
    siblings = (("shop", ""), ("shop.rates", "RATE = 3\n"))
    program = Labelled(
        "t", "right", source, "gross", f'"""Return a sum.\n\n{text}\n"""', module="shop.sums", siblings=siblings
    )
    alone = Labelled("t", "wrong", "def f(n):\n    return n\n", "f")
    place.answers[PATH] = [reply("gross", "result >= n", text)] * 2
    request = BenchRequest("readers", tmp_path, tmp_path / "store.sqlite")
    (read, bare), reader = with_asked([program, alone], request, "small", ignore)
    [record] = read.readings
    assert (record["reader"], record["function"]) == ("small-1", "gross")
    assert text in json.dumps(asked(place)[0])
    assert (bare.readings, reader.not_read) == ((), {"read.nothing_open": 1})


def test_a_contract_that_looks_like_a_file_opens_none(place: Place, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The password is hunter2.", encoding="utf-8")
    program = Labelled("t", "right", 'def f(n: int) -> int:\n    """Return more."""\n    return n\n', "f", f"@{secret}")
    place.answers[PATH] = failing("400 No")
    with_asked([program], BenchRequest("readers", tmp_path, tmp_path / "store.sqlite"), "small", ignore)
    sent = json.dumps(asked(place))
    assert ("Return more." in sent, "hunter2" in sent) == (True, False)


@pytest.mark.parametrize(("answered", "code"), [(failing("400 No"), "refused"), (completion("{}"), "wrong_form")])
def test_a_model_that_reads_nothing_is_named_with_the_reason(
    place: Place, tmp_path: Path, answered: bytes, code: str
) -> None:
    place.answers[PATH] = answered
    with pytest.raises(UsageError) as caught:
        measured(tmp_path)
    assert caught.value.code == "bench.no_readings"
    assert f"not read because of advisor.{code}: 4" in caught.value.sentence


def test_one_budget_is_that_of_all_programs(place: Place, tmp_path: Path) -> None:
    # A server that does not say what it used has used all that it could.
    choice = {"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
    place.answers[PATH] = told({"choices": [choice]})
    configure(tmp_path, place, "reply-tokens = 100\nmost-tokens = 4000\n")
    with pytest.raises(UsageError) as caught:
        measured(tmp_path)
    assert "not read because of advisor.budget: 3" in caught.value.sentence
    assert len(asked(place)) == 2
