"""Models read documentation over HTTP, through the command: what comes of it, and what never leaves the machine."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.app.desk import ServiceDesk
from probatum.app.kinds import kind_named
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES, Sources
from probatum.cli.reading_first import read_first
from probatum.core.command import Given
from probatum.core.errors import ProbatumError, UsageError
from probatum.kinds.program.read_tool import ReadTool
from probatum.proof.stores import MemoryStore
from probatum.verification.desk import Told
from tests.advisors.stub import asked as bodies
from tests.advisors.stub import completion, failing
from tests.local_server import Place
from tests.programs.readers import NET

PATH = "/v1/chat/completions"
SECRET = b"gross / (1 + rate)"
RIGHT = "abs(result * (1 + rate) - gross) <= 1e-6 * max(1, abs(gross))"
INPUTS = ["(100.0, 0.25)", "(50.0, 0.0)", "(20.0, 1.0)", "(1.0, -0.5)"]
PRICE, GUARD = "Return the price without tax.", "If the rate is not a rate of this country."


def statement(text: str, kind: str, clause: str, exception: str = "") -> dict[str, str]:
    return {"text": text, "kind": kind, "clause": clause, "exception": exception}


def reply(*statements: Mapping[str, str], function: str = "net_price", **further: object) -> bytes:
    record = {"function": function, "statements": list(statements), "helpers": "", "inputs": INPUTS, **further}
    return completion(json.dumps({"records": [record]}))


PRICE_READ = statement(PRICE, "result", RIGHT)
GUARD_READ = statement(GUARD, "raises", "rate < 0", "ValueError")
WHOLE = reply(PRICE_READ, GUARD_READ)
Read = Callable[..., Told]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as found:
        yield found


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mapping[str, Place]]:
    """Two models that are configured, and a program."""
    found = {"one": Place(), "two": Place()}
    tables = (
        f'[tool.probatum.models.{name}]\nurl = "{place.origin}/v1"\nmodel = "m-{name}"\nseconds = 2\n'
        for name, place in found.items()
    )
    (tmp_path / "pyproject.toml").write_text("\n".join(tables))
    (tmp_path / "shop.py").write_bytes(NET)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache"))
    yield found
    for place in found.values():
        place.close()


@pytest.fixture
def read(service: Service, places: Mapping[str, Place]) -> Read:
    def act(*paths: str, **options: object) -> Told:
        desk = ServiceDesk(service, kind_named("program"), Sources(None))
        first, *others = paths or ("shop.py",)
        named = {key.replace("_", "-"): value for key, value in options.items()}
        return ReadTool().act(Given(first, named, tuple(others)), desk)

    return act


def say(place: Place, *answers: bytes) -> None:
    place.answers[PATH] = list(answers)


def only(told: Told) -> Any:
    [row] = told.document["reads"]  # type: ignore[misc]  # a list
    return row


def test_a_model_reads_and_what_it_says_is_kept_as_proposed(read: Read, places: Mapping[str, Place]) -> None:
    say(places["one"], WHOLE)
    told = read(**{"with": "one"})
    row = only(told)
    assert (len(row["added"]), row["refused"], told.exit_code) == (2, [], 0)
    kept = Path("shop.readings.toml").read_text()
    assert ('reader = "m-one"' in kept, "accepted" in kept) == (True, False)
    assert told.document["models"]["one"]["tokens_in"] == 11  # type: ignore[index]  # an object
    with pytest.raises(UsageError) as caught:
        read(**{"with": "one"})
    assert caught.value.code == "read.nothing_open"
    assert len(places["one"].asked) == 1


def test_a_reader_sees_the_documentation_and_nothing_of_the_code(read: Read, places: Mapping[str, Place]) -> None:
    say(places["one"], WHOLE)
    read(**{"with": "one"})
    [sent] = places["one"].asked
    assert (SECRET in sent, b"if rate" in sent, PRICE.encode() in sent) == (False, False, True)


def test_what_is_refused_is_given_back_once_with_the_reason(read: Read, places: Mapping[str, Place]) -> None:
    wrong = reply(statement(PRICE, "result", "result == gross"), GUARD_READ, statement("No such words.", "result", "1"))
    say(places["one"], wrong, reply(PRICE_READ), b"never")
    row = only(read(**{"with": "one"}))
    assert (len(row["added"]), [each["what"] for each in row["refused"]]) == (2, ["No such words."])
    _, second = bodies(places["one"])
    assert "not_quoted" in json.dumps(second)
    assert "contradicts_example" in json.dumps(second)


def test_no_value_of_the_program_comes_back_with_a_refusal(read: Read, places: Mapping[str, Place]) -> None:
    Path("shop.py").write_bytes(NET + b'SECRET = "hunter2"\n')
    leaks = "def h(x):\n    raise ValueError(SECRET + str(net_price(100.0, 0.25)))"
    say(places["one"], reply(statement(PRICE, "result", "result == h(gross)"), GUARD_READ, helpers=leaks), WHOLE)
    read(**{"with": "one"})
    _, second = places["one"].asked
    assert b"no_truth_value" in second
    assert (b"hunter2" in second, b"80.0" in second) == (False, False)


def test_what_is_refused_twice_is_told(read: Read, places: Mapping[str, Place]) -> None:
    wrong = reply(statement(PRICE, "result", "result == gross"))
    say(places["one"], wrong, wrong)
    told = read(**{"with": "one"})
    assert (only(told)["added"], len(only(told)["refused"]), told.exit_code) == ([], 1, 3)
    assert not Path("shop.readings.toml").exists()


def test_readers_do_not_hear_each_other_and_a_failing_one_leaves_the_others(
    read: Read, places: Mapping[str, Place]
) -> None:
    say(places["one"], WHOLE)
    places["two"].answers[PATH] = failing("400 No")
    told = read(**{"with": "one,two"})
    by = {row["reader"]: row for row in told.document["reads"]}  # type: ignore[attr-defined]  # a list
    assert (len(by["m-one"]["added"]), by["m-two"]["left_out"]["code"]) == (2, "advisor.refused")
    assert told.exit_code == 3
    assert "m-two" in str(told.pages)
    say(places["two"], WHOLE)
    again = read(**{"with": "two"})
    assert len(only(again)["added"]) == 2
    assert b"m-one" not in places["two"].asked[-1]


def test_readers_who_differ_are_shown_with_the_input(read: Read, places: Mapping[str, Place]) -> None:
    say(places["one"], WHOLE)
    say(places["two"], reply(PRICE_READ, statement(GUARD, "raises", "rate <= 0", "ValueError")), WHOLE)
    read(**{"with": "one"})
    kept = Path("shop.readings.toml").read_text()
    assert 'clause = "rate < 0"' in kept
    told = read(**{"with": "two"})
    [row] = [each for each in told.document["differences"] if "input" in each]  # type: ignore[attr-defined]  # a list
    assert row["input"].startswith("net_price(")
    assert {each["reader"]: each["clauses"] for each in row["readers"]} == {
        "m-one": ["raises ValueError where rate < 0"],
        "m-two": ["raises ValueError where rate <= 0"],
    }
    assert "Readers differ" in str(told.pages)


def test_a_dry_run_shows_what_is_sent_and_sends_nothing(read: Read, places: Mapping[str, Place]) -> None:
    told = read(**{"with": "one,two"}, dry_run=True)
    requests = json.loads(told.text)["requests"]
    assert [each["model"] for each in requests] == ["one", "two"]
    assert places["one"].asked == places["two"].asked == []
    say(places["one"], WHOLE)
    read(**{"with": "one"})
    assert bodies(places["one"]) == [requests[0]["body"]]


def test_a_class_is_read_with_its_methods(read: Read, places: Mapping[str, Place]) -> None:
    Path("box.py").write_text(
        'class Box:\n    """Holds a number."""\n\n    def __init__(self, n: int):\n        self.n = n\n\n'
        '    def more(self, by: int) -> int:\n        """Return the number and `by` together."""\n'
        "        return self.n + by\n"
    )
    text = "Return the number and `by` together."
    say(
        places["one"],
        reply(
            statement(text, "session", "assert Box(2).more(3) == 5"),
            statement("Holds a number.", "narrative", ""),
            function="Box",
            inputs=["(2,)"],
        ),
        reply(function="Box"),
    )
    row = only(read("box.py", **{"with": "one"}))
    assert (row["function"], len(row["added"])) == ("box.py::Box", 2)
    [body, *_] = bodies(places["one"])
    assert '"enum": ["Box", "Box.__init__", "Box.more"]' in json.dumps(body)


def test_a_reply_that_is_held_to_the_form_has_an_end(read: Read, places: Mapping[str, Place]) -> None:
    [request] = json.loads(read(**{"with": "one"}, dry_run=True).text)["requests"]
    form = request["body"]["response_format"]["json_schema"]
    record = form["schema"]["properties"]["records"]["items"]["properties"]
    lists = (form["schema"]["properties"]["records"], record["statements"], record["inputs"])
    assert [each["maxItems"] for each in lists] == [1, 12, 15]
    # Local servers refuse a long limit of a text, others any.
    assert (form["strict"], "maxLength" in json.dumps(form)) == (True, False)


def test_a_model_gets_as_many_questions_at_once_as_is_configured(read: Read, places: Mapping[str, Place]) -> None:
    file = Path("pyproject.toml")
    file.write_text(file.read_text().replace('model = "m-one"', 'model = "m-one"\nat-once = 2'))
    functions = (f'def {name}(n: int) -> int:\n    """Return more."""\n    return n + 1\n' for name in "abcd")
    Path("more.py").write_text("\n\n".join(functions))
    met = threading.Barrier(2, timeout=1)

    def wait_for_another(connection: socket.socket) -> None:
        met.wait()
        connection.sendall(failing("400 No"))

    places["one"].answers[PATH] = wait_for_another
    told = read("more.py", **{"with": "one"})
    rows: Any = told.document["reads"]
    left_out = [(each["function"], each["left_out"]["code"]) for each in rows]
    assert left_out == [(f"more.py::{name}", "advisor.refused") for name in "abcd"]
    assert met.broken is False


WRONG: dict[str, tuple[tuple[str, ...], dict[str, object], str]] = {
    "no model": (("shop.py",), {"with": " ,"}, "read.no_model"),
    "one twice": (("shop.py",), {"with": "one,one"}, "read.model_twice"),
    "an unknown one": (("shop.py",), {"with": "oen"}, "models.unknown"),
    "no file": (("",), {"with": "one"}, "read.no_path"),
    "no such file": (("shpo.py",), {"with": "one"}, "path.missing"),
    "nothing to read": (("empty.py",), {"with": "one"}, "read.nothing_open"),
    "no Python": (("bad.py",), {"with": "one"}, "read.nothing_open"),
    "a task": (("shop.py",), {"with": "one", "task": "3"}, "read.alone"),
    "a reader's name": (("shop.py",), {"with": "one", "reader": "me"}, "read.alone"),
    "a dry run of what is recorded": (("shop.py",), {"with": "replay:a.jsonl", "dry-run": True}, "read.alone"),
    "a dry run of nothing": (("shop.py",), {"dry-run": True}, "read.alone"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_makes_no_sense_is_refused_and_nothing_is_sent(what: str, read: Read, places: Mapping[str, Place]) -> None:
    Path("empty.py").write_text("x = 1\n")
    Path("bad.py").write_text("def (:\n")
    paths, options, code = WRONG[what]
    with pytest.raises(ProbatumError) as caught:
        read(*paths, **options)
    assert caught.value.code == code
    assert places["one"].asked == places["two"].asked == []


def test_verify_has_models_read_first_and_goes_on_where_nothing_is_left(
    places: Mapping[str, Place], capsys: pytest.CaptureFixture[str]
) -> None:
    kind = kind_named("program")
    assert kind is not None
    say(places["one"], WHOLE)
    for said in ("2 readings proposed", "nothing to read"):
        read_first(kind, Given("shop.py", {"level": "quick", "fail-on": "refuted"}), "one")
        told = capsys.readouterr()
        assert (told.out, said in told.err) == ("", True)
    with pytest.raises(UsageError) as caught:
        read_first(kind, Given("shop.py"), "oen")
    assert caught.value.code == "models.unknown"


def test_two_names_for_one_model_are_one_reader(read: Read, places: Mapping[str, Place]) -> None:
    file = Path("pyproject.toml")
    file.write_text(file.read_text().replace("m-two", "m-one"))
    with pytest.raises(UsageError) as caught:
        read(**{"with": "one,two"})
    assert caught.value.code == "read.model_twice"


SOMETHING = {"asked": {"ask": True}, "listed": {}, "changed": {"ask": True, "changed": True}}


@pytest.mark.parametrize("what", SOMETHING)
def test_law_nothing_is_sent_unless_a_model_is_named(what: str, read: Read, places: Mapping[str, Place]) -> None:
    with suppress(ProbatumError):
        read(**SOMETHING[what])
    assert places["one"].asked == places["two"].asked == []


def test_law_nothing_is_sent_unless_a_model_is_configured(
    read: Read, places: Mapping[str, Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-there-is-one")
    Path("pyproject.toml").write_text("[tool.probatum]\n")
    with pytest.raises(UsageError) as caught:
        read(**{"with": "one"})
    assert caught.value.code == "models.unknown"
    assert places["one"].asked == []


def test_law_tools_of_agents_send_nothing(service: Service, places: Mapping[str, Place], tmp_path: Path) -> None:
    kind = kind_named("program")
    assert kind is not None
    desk = ServiceDesk(service, kind, NO_SOURCES, (tmp_path,))
    for tool in kind.agent_tools:
        for extra in ({}, {"with": "one"}, {"models": ["one"]}):
            with suppress(ProbatumError):
                tool.act({"paths": ["shop.py"], **extra}, desk)
    assert places["one"].asked == places["two"].asked == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from([PRICE, GUARD, "result == 1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["records", "function", "statements", "text", "kind", "clause", "helpers", "inputs"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON)
def test_law_any_reply_is_readings_or_left_out(value: object, read: Read, places: Mapping[str, Place]) -> None:
    Path("shop.readings.toml").unlink(missing_ok=True)
    places["one"].answers[PATH] = completion(json.dumps(value))
    told = read(**{"with": "one"})
    row = only(told)
    assert row["added"] or row["refused"] or row.get("left_out") or value == {"records": []} or told.exit_code
