"""Examples that call another name than that of the function whose document they stand in.

Some documents call the function by a former name or a stand-in; most such lines are about something else, and the
program is not to blame for what they show. Refuses to count one unless the name can only mean the function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probatum.programs.examples.clauses import Doubt, Findings, Found, Owner
from probatum.programs.examples.contract_code import DECLARED
from probatum.programs.parsing.scanning import word_set
from probatum.programs.specification import Unread, ValueIs

_STAND_INS = word_set("candidate solution solve func function fn f foo my_func my_function your_function")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
_STEM = 4


def keep_own(findings: Findings, described: Owner, text: str, *, is_contract: bool) -> None:
    """Take the examples about other names out of the findings, and note each as what it is.

    A contract that speaks of another name demands that it is there as well.
    """
    named = {each.called for each in findings.examples if each.called.rpartition(".")[2] != described.name} - {""}
    strangers = named - _STAND_INS
    if not is_contract and _is_alias(strangers, findings.examples, described.name, text):
        return
    foreign = [each for each in findings.examples if each.called in strangers]
    findings.examples[:] = [each for each in findings.examples if each.called not in strangers]
    demanded = [(each.begin, each.end, each.called) for each in foreign]
    if is_contract:
        called = [(each, _CALL.search(text, each.begin, each.end)) for each in findings.doubts]
        demanded += [(each.begin, each.end, found[1]) for each, found in called if found]
    for begin, end, name in demanded:
        if is_contract and name not in described.known | {described.name}:
            is_there = ValueIs(True, "True")
            findings.examples.append(Found(begin, end, f"callable({name})", is_there, DECLARED))
        elif not is_contract:
            reason = f"it is about {name}, which the file does not define"
            findings.doubts.append(Doubt(begin, end, reason, Unread.NOT_ITS_OWN))


def _is_alias(strangers: set[str], examples: Sequence[Found], name: str, text: str) -> bool:
    """True where every example calls one other name, which the text mentions nowhere else and which is akin."""
    if len(strangers) != 1 or any(each.called not in strangers for each in examples):
        return False
    [other] = strangers
    if re.search(rf"(?<![\w.]){re.escape(other)}(?![\w(])", text) or re.search(rf"\b{re.escape(name)}\(", text):
        return False
    own, others = _words(name), _words(other)
    # Names of as many words are those of siblings: encode_text and decode_text, miles_to_km and km_to_miles.
    return len(own) != len(others) and any(a[:_STEM] == b[:_STEM] for a in own for b in others if len(a) >= _STEM)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]
