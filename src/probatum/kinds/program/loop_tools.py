"""The tools of an agent that writes code, as data: what they are called, what they take, and what their codes mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from probatum.programs.decide import Level
from probatum.readings import vocabulary as words
from probatum.verification.desk import AgentTool, Desk

RULES: Final = (
    "Write in Python what each sentence under 'say' says, and nothing that the code might do: you do not see it."
    " Answer {CARD: {ID: CLAUSE, ..., 'inputs': [...], 'helpers': '...'}}."
    " A CLAUSE is a Python expression over the parameters, as they were before the call, and `result`; it is true after"
    " every legal call. Or, with its prefix:"
    " `effect: ` the same with NAME__after, an argument after the call;"
    " `raises ERROR: ` an expression over the parameters, ERROR is due where it is true;"
    " `requires: ` which calls are legal;"
    " `session: ` statements that use the program and end in assert, for objects and several calls (`tmp_path` is an"
    " empty folder);"
    " `-` the words say nothing about behaviour;"
    " `?` they cannot be said in code. Several clauses: a list. Parts of a sentence: {'its words': CLAUSE, ...}."
    " Say all that the words settle, and nothing that they leave open."
    " 'inputs': 8 to 15 legal calls as argument tuples in text, such as \"([3, 1], 2)\", with limits and documented"
    " errors; of methods {'get': [\"(Cache(2), 'a')\"]}, each with its object first."
    " 'helpers': imports of pure modules, constants and functions that clauses and inputs may use."
    " Code only computes: no attributes that begin with _, no files, clock or chance."
)
GUIDE: Final = (
    f"{RULES}\n\nBuilt-ins: {', '.join(sorted(words.BUILTINS - words.ERRORS))}, and exceptions.\n\n"
    f"Modules: {', '.join(sorted(words.MODULES))}; in sessions also"
    f" {', '.join(sorted(words.SESSION_MODULES - words.MODULES))}; and the packages that the program imports.\n"
)
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


def _meanings() -> dict[str, str]:
    return dict(json.loads(files(__package__).joinpath("meanings.json").read_text(encoding="utf-8")))


def _ask(arguments: Mapping[str, object], desk: Desk) -> Mapping[str, object]:
    # Deferred: a kind is loaded long before one of its tools is used.
    from probatum.kinds.program.loop import ask

    return ask(arguments, desk)


def _answer(arguments: Mapping[str, object], desk: Desk) -> Mapping[str, object]:
    from probatum.kinds.program.loop import answer

    return answer(arguments, desk)


def _verify(arguments: Mapping[str, object], desk: Desk) -> Mapping[str, object]:
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
            "after": {"type": "string", "description": "Go on behind this card, as an answer with 'more' says."},
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
    f" that shows the fault, or what is still open. Answer refused sentences (under 'no') again alone. {RULES}",
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
    meanings=_meanings,
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
)
AGENT_TOOLS: Final = (ASK, ANSWER, VERIFY)
