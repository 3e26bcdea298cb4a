"""Many questions go to the clauses in one message: what one of them does is nobody else's matter."""

from __future__ import annotations

import pytest

from probatum.core.limits import JobLimits
from probatum.programs.loading import read_source
from probatum.programs.running import reading_judge
from probatum.programs.running.checks import DirectCall, ReadCall
from probatum.programs.running.execute import Benches
from probatum.programs.running.judged_calls import ClauseQuestion, agreement, inputs_of, judged_replies, truths
from probatum.programs.running.reading_judge import ReadingJudge, judge_of
from probatum.programs.source import Source
from probatum.programs.units import find_function
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Lost, Program, Raised, Returned

HALF = b'def half(x):\n    """Return half of x."""\n    return x / 2\n'
IS_HALF = Reading("Return half of x.", ReadingKind.RESULT, "checked(x) and result * 2 == x")
HOSTILE = {
    "loops": "while x == 3:\n        pass",
    "uses up its work": "for _ in range(10 ** 9 if x == 3 else 1):\n        pass",
    "ends the process": "import os\n    x == 3 and os._exit(1)",
    "takes all memory": "x == 3 and bytes(10 ** 12)",
    "raises": "assert x != 3",
    "exits": "import sys\n    x == 3 and sys.exit()",
}


def _judge(body: str = "pass", reference: str = "", inputs: tuple[str, ...] = ()) -> ReadingJudge:
    source = read_source(Program(HALF))
    assert isinstance(source, Source)
    helpers = f"def checked(x):\n    {body}\n    return True\n"
    record = ReadingRecord("half", (IS_HALF,), "m", helpers, reference, inputs)
    judge = judge_of(record, find_function(source.module, "half"))
    assert isinstance(judge, ReadingJudge)
    return judge


def _call(value: object) -> DirectCall:
    return DirectCall("half", (value,))


def _half(value: int) -> Returned:
    return Returned(value / 2, (value,))


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_question_that_ends_badly_spoils_no_other(benches: Benches, body: str) -> None:
    asked = [ClauseQuestion(_call(value), _half(value), (0,)) for value in (1, 2, 3, 4)]
    found = truths(_judge(body), asked, benches.first)
    assert [found[0], found[1], found[3]] == [{0: True}] * 3
    assert isinstance(found[2], Lost) or found[2] == {0: None}


def test_every_question_has_the_whole_work_for_itself(benches: Benches) -> None:
    judge = _judge("for _ in range(300_000):\n        pass")
    asked = [ClauseQuestion(_call(value), _half(value), (0,)) for value in range(20)]
    assert truths(judge, asked, benches.first) == [{0: True}] * 20


def test_answers_stay_in_order_over_many_messages(benches: Benches) -> None:
    asked = [ClauseQuestion(_call(value), Returned(value / 2 + value % 2, (value,)), (0,)) for value in range(600)]
    found = truths(_judge(), asked, benches.first)
    assert found == [{0: value % 2 == 0} for value in range(600)]


def test_what_a_faulty_copy_answers_as_the_program_did_is_not_asked_about(benches: Benches) -> None:
    # The helper would end the process.
    judge = _judge(HOSTILE["ends the process"])
    action = ReadCall(_call(3), judge, frozenset({judge.clauses[0].id}), _half(3))
    [same] = judged_replies([action], [_half(3)], benches.first)
    assert isinstance(same, Returned)
    assert same.value == ()


@pytest.mark.parametrize("reply", [Returned(2, (4,)), Returned(2.0, (4.0,)), Returned(3.0, (4,))], ids=repr)
def test_what_only_equals_the_answer_or_does_not_is_asked_about(benches: Benches, reply: Returned) -> None:
    judge = _judge("assert False")
    action = ReadCall(_call(4), judge, frozenset({judge.clauses[0].id}), Returned(2.0, (4,)))
    [told] = judged_replies([action], [reply], benches.first)
    assert isinstance(told, Returned)
    assert told.value == (judge.clauses[0].id,)


def test_an_exception_and_a_lost_reply_are_told_as_they_are(benches: Benches) -> None:
    judge = _judge()
    action = ReadCall(_call(4), judge, frozenset({judge.clauses[0].id}))
    raised = Raised("ValueError", ("ValueError",), "")
    assert judged_replies([action, action], [raised, _half(4)], benches.first) == [raised, Returned((), (4,))]


def test_inputs_and_references_are_asked_together(benches: Benches) -> None:
    judge = _judge(reference="def expected(x):\n    return 1 / x", inputs=("(1,)", "(1 / 0,)", "[2]", "(2,)", "("))
    assert inputs_of(judge, benches.first) == [(1,), None, None, (2,), None]
    answers = [(_call(1), Returned(1.0)), (_call(0), Returned(1.0)), (_call(2), Returned(2.0))]
    assert agreement(judge, answers, benches.first) == [True, None, False]


def test_a_clause_that_comes_to_no_end_is_not_asked_for_ever(benches: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_judge, "LIMITS", JobLimits(cpu_seconds=1, wall_seconds=1.0))
    judge = _judge("x < 3 or 9 ** 9 ** 9 ** 9")
    told = truths(judge, [ClauseQuestion(_call(n), Returned(n / 2, (n,)), (0,)) for n in range(40)], benches.first)
    assert told[:3] == [{0: True}] * 3
    assert all(isinstance(each, Lost) for each in told[3:])
    assert len(judge.exhausted) == 2
    assert not _judge("x < 3 or 9 ** 9 ** 9 ** 9").exhausted
