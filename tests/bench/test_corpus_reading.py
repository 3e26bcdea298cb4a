"""A corpus as a labelled set: what becomes of a case, which cases are refused, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probatum.bench.corpus import read_corpus
from probatum.bench.measure import Measured, report
from probatum.bench.runner import request_line
from probatum.bench.sets import read_set, set_named, with_readings
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError

USUAL = 'feature = "Twice."\nright = "tested"\nwrong = "refuted"\n'


def case(corpus: Path, name: str, toml: str, files: dict[str, str]) -> Path:
    for path, text in {"case.toml": toml, **files}.items():
        file = corpus / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return corpus


def test_a_case_gives_both_versions_with_what_goes_along(tmp_path: Path) -> None:
    toml = USUAL + 'function = "twice"\ncontract = "c.txt"\ntests = "t.py"\nagainst = "old.py"\n'
    files = {"right.py": "R", "wrong.py": "W", "c.txt": "C", "t.py": "T", "old.py": "O"}
    right, wrong = read_corpus(case(tmp_path, "g/twice", toml, files), limit=None)
    assert (right.task, right.label, right.expected) == ("g/twice", "right", Outcome.TESTED)
    assert (wrong.task, wrong.label, wrong.expected) == ("g/twice", "wrong", Outcome.REFUTED)
    request = {"id": "5", "kind": "program", "source": "W", "function": "twice"}
    assert json.loads(request_line(5, wrong)) == {
        **request,
        "contract": "C",
        "tests": "T",
        "against": "O",
        "refactor": True,
    }


@pytest.mark.parametrize("several", [False, True])
def test_a_case_may_have_readings(several: bool, tmp_path: Path) -> None:
    record = {"function": "twice", "statements": [{"text": "Twice.", "kind": "narrative"}]}
    files = {"right.py": "R", "wrong.py": "W", "r.json": json.dumps([record] if several else record)}
    case(tmp_path, "g/twice", USUAL + 'readings = "r.json"\n', files)
    recorded = tmp_path / "recorded.jsonl"
    recorded.write_text(json.dumps({"id": "twice", **record}))
    programs = read_corpus(tmp_path, limit=None)
    assert [json.loads(request_line(0, each))["readings"] for each in programs] == [[record], [record]]
    [told, _] = with_readings(programs, [recorded])
    assert told.readings == (record, {"reader": "reader 1", "id": "twice", **record})


def test_a_folder_brings_the_modules_that_the_file_imports(tmp_path: Path) -> None:
    files = {"shop/__init__.py": "", "shop/cart.py": "from .tax import rate\n", "shop/tax.py": "rate = 1\n"}
    both = {f"{label}/{path}": text for label in ("right", "wrong") for path, text in files.items()}
    right, _ = read_corpus(case(tmp_path, "g/cart", USUAL + 'path = "shop/cart.py"\n', both), limit=None)
    assert (right.source, right.module) == ("from .tax import rate\n", "shop.cart")
    assert dict(right.siblings)["shop.tax"] == "rate = 1\n"
    assert json.loads(request_line(0, right))["siblings"] == dict(right.siblings)


def test_a_limit_takes_the_first_cases(tmp_path: Path) -> None:
    for name in ("g/b", "g/a", "f/c"):
        case(tmp_path, name, USUAL, {"right.py": "", "wrong.py": ""})
    programs = read_set(set_named("corpus"), tmp_path, without_examples=False, limit=2)
    assert [program.task for program in programs] == ["f/c", "f/c", "g/a", "g/a"]


UNUSABLE = {
    "no TOML": ("feature", "g/a"),
    "an unknown key": (USUAL + 'features = "x"\n', "Did you mean 'feature'"),
    "a key that is no text": (USUAL + "function = 3\n", "function: expected text, got 3"),
    "a missing key": ('right = "tested"\nwrong = "refuted"\n', "'feature' is missing"),
    "an expectation that no honest verdict has": (USUAL.replace("tested", "refuted"), "'right' is one of"),
    "a weak expectation without a reason": (USUAL.replace("tested", "undecided"), "'why' is missing"),
    "a file that is not there": (USUAL + 'tests = "t.py"\n', "no such file"),
    "readings that are no records": (USUAL + 'readings = "case.toml"\n', "cannot be used"),
    "a program that is not there": (USUAL + 'path = "a.py"\n', "there is no file"),
}


@pytest.mark.parametrize(("toml", "sentence"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_case_is_named(toml: str, sentence: str, tmp_path: Path) -> None:
    case(tmp_path, "g/a", toml, {"right.py": "", "wrong.py": ""})
    with pytest.raises(UsageError, match=r"g/a") as caught:
        read_corpus(tmp_path, limit=None)
    assert sentence in str(caught.value)


def test_a_corpus_that_is_no_folder_is_empty_or_has_no_version_without_examples(tmp_path: Path) -> None:
    chosen = set_named("corpus")
    with pytest.raises(UsageError, match="not a folder"):
        read_set(chosen, tmp_path / "none", without_examples=False, limit=None)
    with pytest.raises(UsageError, match="no program"):
        read_set(chosen, tmp_path, without_examples=False, limit=None)
    with pytest.raises(UsageError, match="without examples"):
        read_set(chosen, tmp_path, without_examples=True, limit=None)


def test_what_is_not_as_expected_is_counted_and_named(tmp_path: Path) -> None:
    case(tmp_path, "g/a", USUAL, {"right.py": "", "wrong.py": ""})
    weak = USUAL.replace("tested", "undecided") + 'why = "It says too little."\n'
    case(tmp_path, "g/b", weak, {"right.py": "", "wrong.py": ""})
    programs = read_corpus(tmp_path, limit=None)
    outcomes = (Outcome.PROVED, Outcome.UNDECIDED, Outcome.UNDECIDED, Outcome.REFUTED)
    rows = [Measured(program, outcome, 1.0) for program, outcome in zip(programs, outcomes, strict=True)]
    found = report(set_named("corpus"), rows, "corpus").document
    assert found["as_expected"] == {"count": 3, "of": 4, "share": 0.75}
    assert found["verified_right"] == {"count": 1, "of": 2, "share": 0.5}
    assert found["refuted_twin_spared"] == {"count": 1, "of": 2, "share": 0.5}
    assert found["lists"]["another_verdict_than_expected"] == ["g/a (wrong): expected refuted, got undecided"]  # type: ignore[index,call-overload]  # a JSON document
