"""The smaller values: frozen containers, digests, findings, subjects, limits, errors, events."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, defaultdict
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.digest import digest_of, is_digest, require_digest
from probatum.core.errors import (
    BudgetError,
    IntegrityError,
    NotAttemptedError,
    ProbatumError,
    UsageError,
    nearest,
)
from probatum.core.events import Event, ignore
from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import FrozenDict, FrozenList, freeze, frozen_dict, thaw
from probatum.core.limits import JobLimits
from probatum.core.subject import PYTHON, Subject
from tests.core.strategies import JSON, JSON_OBJECTS

DICT_CHANGES = {
    "item": lambda value: value.__setitem__("a", 2),
    "delete": lambda value: value.__delitem__("a"),
    "in-place or": lambda value: value.__ior__({"b": 1}),
    "clear": lambda value: value.clear(),
    "pop": lambda value: value.pop("a"),
    "popitem": lambda value: value.popitem(),
    "setdefault": lambda value: value.setdefault("b", 1),
    "update": lambda value: value.update(b=1),
}
LIST_CHANGES = {
    "item": lambda value: value.__setitem__(0, 2),
    "delete": lambda value: value.__delitem__(0),
    "slice": lambda value: value.__setitem__(slice(0, 1), []),
    "in-place add": lambda value: value.__iadd__([1]),
    "in-place multiply": lambda value: value.__imul__(2),
    "append": lambda value: value.append(1),
    "clear": lambda value: value.clear(),
    "extend": lambda value: value.extend([1]),
    "insert": lambda value: value.insert(0, 1),
    "pop": lambda value: value.pop(),
    "remove": lambda value: value.remove(1),
    "reverse": lambda value: value.reverse(),
    "sort": lambda value: value.sort(),
}


@pytest.mark.parametrize("name", DICT_CHANGES)
def test_a_frozen_dictionary_cannot_be_changed_in_place(name: str):
    value = FrozenDict({"a": 1})
    with pytest.raises(TypeError, match="cannot be changed"):
        DICT_CHANGES[name](value)
    assert value == {"a": 1}


@pytest.mark.parametrize("name", LIST_CHANGES)
def test_a_frozen_list_cannot_be_changed_in_place(name: str):
    value = FrozenList([1])
    with pytest.raises(TypeError, match="cannot be changed"):
        LIST_CHANGES[name](value)
    assert value == [1]


def test_every_changing_method_of_the_plain_ones_is_tried():
    reading = {"copy", "fromkeys", "get", "items", "keys", "values", "count", "index"}
    for plain, changes in ((dict, DICT_CHANGES), (list, LIST_CHANGES)):
        assert {name for name in dir(plain) if not name.startswith("_")} - reading <= set(changes)


@given(JSON_OBJECTS)
def test_freezing_equals_and_does_not_alias(value: dict[str, object]):
    frozen = frozen_dict(value)
    assert frozen == value
    assert thaw(frozen) == value
    value["later"] = 1
    assert "later" not in frozen


@given(JSON)
def test_thawing_gives_plain_containers_all_the_way_down(value: object):
    assert repr(thaw(freeze(value))) == repr(value)


CONTAINERS = {
    "an ordered dictionary": OrderedDict(a=[1]),
    "a default dictionary": defaultdict(list, a=[1]),
    "inside a tuple": ([{"a": [1]}],),
    "inside a list": [[{"a": [1]}]],
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_nothing_changeable_is_left_inside(name: str):
    def leaves_of(value: object):
        if isinstance(value, dict):
            yield value
            for item in value.values():
                yield from leaves_of(item)
        elif isinstance(value, list | tuple):
            if isinstance(value, list):
                yield value
            for item in value:
                yield from leaves_of(item)

    found = list(leaves_of(freeze({"top": CONTAINERS[name]})))
    assert found
    assert all(type(each) in {FrozenDict, FrozenList} for each in found)
    assert not any(type(each) in {FrozenDict, FrozenList} for each in leaves_of(thaw(found[0])))


@pytest.mark.parametrize("value", [FrozenDict({"a": FrozenList([1])}), FrozenList([FrozenDict()])], ids=repr)
def test_frozen_values_survive_copying_and_pickling(value: object):
    assert copy.copy(value) is value
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert type(again) is type(value)
    assert copy.deepcopy(value) == value


def test_a_deep_copy_of_a_frozen_list_may_be_shared_or_equal():
    value = FrozenList([FrozenList([1])])
    assert type(copy.deepcopy(value)[0]) is FrozenList


@given(st.binary())
def test_a_digest_is_recognised(content: bytes):
    digest = digest_of(content)
    assert is_digest(digest)
    assert require_digest(digest, "it") == digest


NO_DIGESTS = ["", "sha256:", "sha256:fake", "sha256:" + "A" * 64, "sha256:" + "a" * 63, "sha256:" + "a" * 65,
              "a" * 64, "sha256:" + "a" * 64 + "\n", "sha256:" + "\u0661" * 64, None, 1, b"sha256:" + b"a" * 64,
              10**5000]  # fmt: skip


@pytest.mark.parametrize("text", NO_DIGESTS, ids=lambda text: type(text).__name__)
def test_what_is_no_digest(text: object):
    assert not is_digest(text)
    with pytest.raises(ValueError):
        require_digest(text, "it")


def test_the_digest_is_of_the_exact_bytes():
    assert digest_of(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_subject_has_the_digest_of_its_bytes():
    subject = Subject(b"x = 1\n", PYTHON, "x.py")
    assert subject.digest == digest_of(b"x = 1\n")
    assert replace(subject, content=b"x = 2\n").digest == digest_of(b"x = 2\n")


def test_the_digest_of_a_subject_is_never_given():
    with pytest.raises(TypeError):
        Subject(b"", PYTHON, "x.py", digest_of(b"other"))
    with pytest.raises(FrozenInstanceError):
        Subject(b"", PYTHON, "x.py").content = b"other"


@pytest.mark.parametrize("content", [bytearray(b"x"), memoryview(b"x"), "x", None], ids=lambda c: type(c).__name__)
def test_a_subject_is_bytes_that_cannot_change(content: object):
    with pytest.raises(ValueError, match="bytes"):
        Subject(content, PYTHON, "x.py")


def test_a_finding_as_plain_data():
    finding = Finding(Severity.ERROR, "example", "wrong", Location(3, 4, "f"), "sort it", {"seen": [1]})
    assert finding.to_dict() == {
        "severity": "error",
        "kind": "example",
        "message": "wrong",
        "location": {"line": 3, "column": 4, "name": "f"},
        "suggestion": "sort it",
        "evidence": {"seen": [1]},
    }
    finding.to_dict()["evidence"]["seen"].append(2)
    assert finding.evidence == {"seen": [1]}


def test_a_finding_without_extras_shows_none():
    assert Finding(Severity.INFO, "note", "seen").to_dict() == {"severity": "info", "kind": "note", "message": "seen"}


@pytest.mark.parametrize("message", ["", " "])
def test_a_finding_needs_a_message(message: str):
    with pytest.raises(ValueError):
        Finding(Severity.INFO, "note", message)


@pytest.mark.parametrize("name", [field.name for field in fields(JobLimits)])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_an_unlimited_budget_cannot_be_written(name: str, value: float):
    with pytest.raises(ValueError, match=name):
        JobLimits(**{name: value})


EXIT_CODES = {ProbatumError: 70, UsageError: 2, NotAttemptedError: 4, BudgetError: 3, IntegrityError: 1}


@pytest.mark.parametrize("kind", EXIT_CODES, ids=lambda kind: kind.__name__)
def test_an_error_has_a_code_a_sentence_a_hint_and_an_exit_code(kind: type[ProbatumError]):
    error = kind("area.happened", "It happened.", "Do this.")
    assert str(error) == "[area.happened] It happened. Do this."
    assert (error.code, error.sentence, error.hint, error.exit_code) == (
        "area.happened",
        "It happened.",
        "Do this.",
        EXIT_CODES[kind],
    )


def test_a_very_long_word_in_an_error_is_told_by_its_ends():
    path = f"'/begin/{'a' * 5000}/end.py'"
    told = UsageError("area.happened", f"There is no file {path}.").sentence
    assert told.startswith("There is no file '/begin/aaa")
    assert told.endswith("aaa/end.py'.")
    assert len(told) < 300


@pytest.mark.parametrize(("code", "sentence"), [("", "It happened."), ("area.happened", "")])
def test_an_error_needs_code_and_sentence(code: str, sentence: str):
    with pytest.raises(ValueError):
        ProbatumError(code, sentence)


def test_the_nearest_word_is_a_hint():
    assert nearest("standart", ["quick", "standard"]) == "Did you mean 'standard'?"
    assert nearest("zzz", ["quick", "standard"]) == ""


def test_an_event_is_frozen_when_it_is_made():
    data = {"rows": [1]}
    event = Event("start", "Starting", data)
    data["rows"].append(2)
    assert event.to_dict() == {"stage": "start", "message": "Starting", "data": {"rows": [1]}}
    assert ignore(event) is None
