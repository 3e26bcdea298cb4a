"""Programs written to pass the documented examples and nothing else; none of them may be VERIFIED."""

from __future__ import annotations

import pytest

from probatum.app.answers import ProgramRequest
from probatum.app.service import Service

DOCUMENT = '''
def digits_sum(n):
    """Return the sum of the decimal digits of n.

    >>> digits_sum(0)
    0
    >>> digits_sum(15)
    6
    >>> digits_sum(907)
    16
    >>> digits_sum(1234)
    10
    """
'''

HONEST = DOCUMENT + "    return sum(int(digit) for digit in str(n))\n"

PADDING = """    total = 0
    for step in range(3):
        total = total + step * 2
    if total != 6:
        raise ValueError(total)
    label = 'n' + 'm'
    if len(label) != 2:
        raise ValueError(label)
    checked = n + 1
    if checked - 1 != n:
        raise ValueError(checked)
    if not isinstance(n, int):
        raise TypeError(n)
"""

ATTACKS = {
    "lookup_table": (
        "    table = {0: 0, 15: 6, 907: 16, 1234: 10}\n    if n in table:\n        return table[n]\n    return 0\n"
    ),
    "lookup_table_get": "    return {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)\n",
    "lookup_table_chain_of_ifs": (
        "    if n == 15:\n        return 6\n    if n == 907:\n        return 16\n"
        "    if n == 1234:\n        return 10\n    return 0\n"
    ),
    "lookup_table_conditional_expression": (
        "    return 6 if n == 15 else 16 if n == 907 else 10 if n == 1234 else 0\n"
    ),
    "lookup_table_try": (
        "    try:\n        return {0: 0, 15: 6, 907: 16, 1234: 10}[n]\n    except KeyError:\n        return n\n"
    ),
    "lookup_table_hidden_in_text": (
        "    for pair in '0:0 15:6 907:16 1234:10'.split():\n        key, value = pair.split(':')\n"
        "        if int(key) == n:\n            return int(value)\n    return 1\n"
    ),
    "lookup_table_behind_a_hash": (
        "    import hashlib\n    key = hashlib.md5(str(n).encode()).hexdigest()[:6]\n"
        "    pairs = ((0, 0), (15, 6), (907, 16), (1234, 10))\n"
        "    known = {hashlib.md5(str(k).encode()).hexdigest()[:6]: v for k, v in pairs}\n"
        "    return known.get(key, 0)\n"
    ),
    "lookup_table_compressed": (
        "    import zlib\n    data = zlib.decompress(zlib.compress(b'0:0 15:6 907:16 1234:10'))\n"
        "    known = dict(map(int, pair.split(b':')) for pair in data.split())\n"
        "    return known.get(n, 0)\n"
    ),
    "padding": PADDING
    + "    if n in (0, 15, 907, 1234):\n        return {0: 0, 15: 6, 907: 16, 1234: 10}[n]\n    return total\n",
    "padding_get": PADDING + "    return {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, total)\n",
    "lookup_table_in_place_of_the_function": (
        "    return sum(int(digit) for digit in str(n))\n\n\n"
        "digits_sum = lambda n: {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)\n"
    ),
    "lookup_table_as_text": "    return eval('{0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)', {'n': n})\n",
    "right_except_where_documented_inputs_end": (
        "    if n in (0, 15, 907, 1234):\n        return sum(int(digit) for digit in str(n))\n    return n\n"
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_is_not_verified(attack: str, service: Service) -> None:
    source = DOCUMENT + ATTACKS[attack]
    answer = service.verify_program(ProgramRequest(source.encode(), "subject.py"))
    assert answer.verdict.outcome == "undecided", answer.verdict


def test_the_honest_program_is_verified(service: Service) -> None:
    answer = service.verify_program(ProgramRequest(HONEST.encode(), "subject.py"))
    assert answer.verdict.outcome == "tested", answer.functions[0].sheet
