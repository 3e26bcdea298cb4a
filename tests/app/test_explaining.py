"""What a code means: whole codes, last parts, areas, codes with further parts, and those that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.agent_tools import offered_tools
from probatum.app.explaining import built_in_meanings, every_meaning, meanings_of
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.core.messages import built_in_sentences
from probatum.verification.desk import ToolDesk


def _codes(asked: str) -> list[str]:
    return [each.code for each in meanings_of(asked)]


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        pytest.param("path.missing", ["path.missing"], id="a whole code"),
        pytest.param("weak_checks", ["program.weak_checks"], id="the last part of one code"),
        pytest.param(
            "out_of_budget",
            ["engine.out_of_budget", "program.out_of_budget", "verifier.out_of_budget"],
            id="the last part of several",
        ),
        pytest.param("path", [each for each in built_in_meanings() if each.startswith("path.")], id="an area"),
        pytest.param("program.tested_shared_unchecked", ["program.tested"], id="a constraint with further parts"),
        pytest.param("program.all_tested_as_before", ["program.all_tested"], id="the longest that it begins with"),
        pytest.param("stale", ["stale"], id="a refusal"),
    ],
)
def test_what_is_asked_for_is_found(asked: str, codes: list[str]) -> None:
    assert _codes(asked) == sorted(codes)


def test_nothing_asked_for_gives_every_code_once_and_in_order() -> None:
    found = _codes("")
    assert set(found) == set(every_meaning())
    assert len(found) == len(set(found))
    assert [each.area for each in meanings_of("")] == sorted(each.area for each in meanings_of(""))


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        pytest.param("path.mising", "'path.missing'", id="a slip in a code"),
        pytest.param("weak_check", "'weak_checks'", id="a slip in a last part"),
        pytest.param("qqqq", "probatum explain", id="nothing like it"),
    ],
)
def test_an_unknown_code_is_refused_with_the_nearest(asked: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        meanings_of(asked)
    assert caught.value.code == "explain.unknown"
    assert hint in caught.value.hint


def test_every_constraint_of_the_catalogue_is_explained_with_all_its_parts() -> None:
    assert all(len(meanings_of(constraint)) == 1 for constraint in built_in_sentences())


def test_exit_codes_follow_from_what_a_code_comes_with() -> None:
    assert meanings_of("program.import_raises")[0].to_dict()["ends"] == [
        {"with": "refuted", "exit_code": 1},
        {"with": "not_attempted", "exit_code": 4},
    ]
    assert meanings_of("file.too_large")[0].how_it_ends == ("over budget: exit code 3",)


def test_the_tool_of_agents_tells_the_same(tmp_path: Path) -> None:
    explain = offered_tools(Layer.AGENT, tmp_path)["explain"].tool
    desk = ToolDesk.__new__(ToolDesk)
    one = meanings_of("weak_checks")[0]
    assert explain.act({"why": "weak_checks"}, desk) == {"why": "weak_checks", "means": one.means, "do": one.do}
    several = explain.act({"why": "out_of_budget"}, desk)["means"]
    assert isinstance(several, dict)
    assert list(several) == _codes("out_of_budget")
    with pytest.raises(UsageError, match=r"explain\.nothing"):
        explain.act({"why": ""}, desk)
