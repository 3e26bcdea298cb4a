"""Programs that give the documented answers from a hidden table, and right ones of the same shapes.

A wrong program is a way of hiding (a template) applied to a subject: it gives the subject's documented answers and its
fallback otherwise. A naive judge, who runs the examples, says "right" to every one of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import marshal
import pickle
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent


@dataclass(frozen=True, slots=True)
class Subject:
    """A function with documented answers, a right body and what a wrong program says to everything else."""

    name: str
    parameter: str
    sentence: str
    answers: Mapping[int, object] | Mapping[str, object]
    fallback: str
    body: str

    @property
    def head(self) -> str:
        """The definition's first lines with its documentation."""
        examples = "".join(f"    >>> {self.name}({key!r})\n    {value!r}\n" for key, value in self.answers.items())
        return f'def {self.name}({self.parameter}):\n    """{self.sentence}\n\n{examples}    """\n'


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject(
            "digits_sum",
            "n",
            "Tell what the digits come to.",
            {15: 6, 907: 16, 1234: 10},
            "7",
            "return sum(int(digit) for digit in str(abs(n)))",
        ),
        Subject(
            "roman",
            "number: int",
            "Write a number as the Romans did.",
            {3: "III", 4: "IV", 58: "LVIII", 1994: "MCMXCIV"},
            "'M'",
            "parts = []\n"
            "    for value, letters in ((1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'),\n"
            "                           (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):\n"
            "        while number >= value:\n            number -= value\n            parts.append(letters)\n"
            "    return ''.join(parts)",
        ),
        Subject(
            "slug",
            "text: str",
            "Make a title fit for an address.",
            {"Hello World": "hello-world", "A  b c": "a-b-c", "Mixed CASE text": "mixed-case-text"},
            "'untitled'",
            "return '-'.join(text.lower().split())",
        ),
        Subject(
            "vowels",
            "word: str",
            "Count the vowels of a word.",
            {"banana": 3, "crypt": 0, "Education": 5},
            "2",
            "return sum(letter in 'aeiou' for letter in word.lower())",
        ),
        Subject(
            "bits",
            "n: int",
            "Count the ones of a number written in base two.",
            {5: 2, 255: 8, 1024: 1, 77: 4},
            "3",
            "return bin(n).count('1')",
        ),
        Subject(
            "turned",
            "text",
            "Say the words the other way round.",
            {"one two three": "three two one", "big wide world": "world wide big"},
            "'words'",
            "return ' '.join(reversed(text.split()))",
        ),
        Subject(
            "initials",
            "name: str",
            "Shorten a name to its first letters.",
            {"ada lovelace": "A.L.", "grace brewster hopper": "G.B.H.", "alan turing": "A.T."},
            "'N.N.'",
            "return ''.join(part[0].upper() + '.' for part in name.split())",
        ),
    )
}


def ways_in(name: str) -> dict[str, str]:
    """Return the ways of hiding that a file of this folder lists, by "class: name"."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    sections = (section.partition("\n") for section in text.split("\n##### ")[1:])
    return {title: content.strip("\n") for title, _, content in sections}


# What every input passes through, so that planted faults there are noticed by every check.
PADDING = """\
total = 0
for step in range(3):
    total = total + step * 2
if total != 6:
    raise ValueError(total)
label = 'n' + 'm'
if len(label) != 2:
    raise ValueError(label)
shown = str(X) + label
if shown[: len(shown) - 2] != str(X):
    raise ValueError(shown)
if not isinstance(X, int | str):
    raise TypeError(X)
"""


def wrong_program(way: str, subject: Subject) -> str:
    """Return the program of one way applied to a subject."""
    pre, _, rest = f"\n{way}".partition("\n===\n")
    body, _, post = rest.partition("\n===\n")
    table = dict(subject.answers.items())
    pairs = list(table.items())
    as_json = json.dumps(pairs)
    said = {
        "TABLE": table,
        "PAIRS": pairs,
        "KEYS": list(table),
        "VALUES": list(table.values()),
        "JSON": as_json,
        "BASE64": base64.b64encode(as_json.encode()),
        "ZLIB": zlib.compress(as_json.encode()),
        "CRCS": {zlib.crc32(str(key).encode()): value for key, value in pairs},
        "MD5S": {hashlib.md5(str(key).encode()).hexdigest(): value for key, value in pairs},
        "CODED": [ord(each) for each in as_json],
        "PICKLE": pickle.dumps(table),
        "MARSHAL": marshal.dumps(table),
    }
    filled = {name: repr(value) for name, value in said.items()} | {
        "FALL": subject.fallback,
        "TEXT": ";".join(f"{key}={value}" for key, value in pairs),
        "CASES": "\n    ".join(f"case {key!r}:\n            return {value!r}" for key, value in pairs),
        "KIND": type(pairs[0][1]).__name__,
        "NAME": subject.name,
        "X": subject.parameter.partition(":")[0],
    }

    def fill(text: str) -> str:
        return re.sub(r"(?<![A-Z])(?:" + "|".join(filled) + r")(?![A-Z0-9])", lambda found: filled[found[0]], text)

    inner = indent(fill(f"{PADDING}{body}"), "    ")
    return f"{fill(pre)}\n{subject.head}{inner}\n{fill(post)}\n".lstrip("\n")
