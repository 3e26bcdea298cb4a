"""The tools of an agent that writes code, as data: what they are called and what they take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.kinds.program.reading_rules import GUIDE, RULES
from probatum.programs.decide import Level
from probatum.verification.desk import AgentTool, ToolDesk

_PATHS: Final = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Python files, folders, or PATH::NAME for one function or class.",
}
_CHANGED: Final = {
    "type": "boolean",
    "description": "Only functions that changed since the last commit; 'paths' is then '.' by default.",
}
_ALL: Final = {"type": "boolean", "description": "No limit on the length of the answer."}
_LEVEL: Final = {"enum": [each.value for each in Level], "description": "How much work to do; standard by default."}


def _ask(arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    # Deferred: a kind is loaded long before one of its tools is used.
    from probatum.kinds.program.loop import ask

    return ask(arguments, desk)


def _answer(arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    from probatum.kinds.program.loop import answer

    return answer(arguments, desk)


def _verify(arguments: Mapping[str, object], desk: ToolDesk) -> Mapping[str, object]:
    from probatum.kinds.program.loop import verify

    return verify(arguments, desk)


ASK: Final = AgentTool(
    "ask",
    "Do Python functions do what their documentation says? First step, after you wrote or changed some: returns for"
    " each function or class a card with its signature and the documented sentences that no check covers yet, by id."
    " Then call 'answer' with what the sentences mean in code.",
    {
        "type": "object",
        "properties": {
            "paths": _PATHS,
            "changed": _CHANGED,
            "after": {
                "type": "string",
                "description": "Go on behind this card, with the same paths; see 'more'.",
            },
            "all": _ALL,
            "rules": {"type": "boolean", "description": "Repeat the rules of 'answer' in the reply."},
        },
        "additionalProperties": False,
    },
    _ask,
)
ANSWER: Final = AgentTool(
    "answer",
    "Second step: say in code what the sentences of the cards mean. The code is tried, kept beside the program as"
    " proposals for a person to accept, and the functions are verified: the reply has the verdict of each, with a call"
    " that shows the fault, or what is still open. Answer refused sentences (under 'no') again alone; your helpers and"
    f" inputs stay, and a sentence that you answer again is replaced. {RULES}",
    {
        "type": "object",
        "required": ["answers"],
        "properties": {
            "answers": {
                "type": "object",
                "description": "By key of a card (PATH::NAME): an object from ids of sentences to clauses.",
                "additionalProperties": {"type": "object"},
            },
            "verify": {"type": "boolean", "description": "False adds the readings and verifies nothing."},
            "reader": {"type": "string", "description": "Your name, for whoever reviews the readings."},
            "level": _LEVEL,
            "all": _ALL,
        },
        "additionalProperties": False,
    },
    _answer,
    writes=True,
    guide=GUIDE,
)
VERIFY: Final = AgentTool(
    "verify",
    "Verify Python functions against their documentation and the readings that there are: one verdict each, the weakest"
    " first. refuted: a call that shows it, mend the code. undecided: what is open or weak, and what to do. verified:"
    " with a proof; 'by: proposed' says that it rests on readings that nobody accepted. Runs the code in a sandbox.",
    {
        "type": "object",
        "properties": {"paths": _PATHS, "changed": _CHANGED, "level": _LEVEL, "all": _ALL},
        "additionalProperties": False,
    },
    _verify,
    at_stop=True,
)
AGENT_TOOLS: Final = (ASK, ANSWER, VERIFY)
