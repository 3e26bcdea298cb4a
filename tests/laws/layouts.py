"""Layouts of documentation, and sentences in many languages to put into them: nothing of either may get lost."""

from __future__ import annotations

import random
import textwrap

MARK = "@@"
SENTENCES = {
    "english": ("Negative numbers are ignored", "The sum is never above 100", "Returns None for an empty list"),
    "german": ("Negative Zahlen werden ignoriert", "Summen über 100 werden zu 100 gekürzt"),
    "french": ("Les nombres négatifs sont ignorés", "La somme ne dépasse jamais 100"),
    "spanish": ("Los números negativos se ignoran", "¿La suma? Nunca más de 100"),
    "russian": ("Отрицательные числа не учитываются", "Сумма не больше ста"),
    "chinese": ("忽略负数", "总和永远不会超过一百"),
    "japanese": ("負の数は無視される", "合計は百を超えない"),
    "arabic": ("يتم تجاهل الأرقام السالبة", "المجموع لا يتجاوز مئة"),
    "greek": ("Οι αρνητικοί αριθμοί αγνοούνται",),
    "hindi": ("ऋणात्मक संख्याएँ छोड़ दी जाती हैं",),
    "korean": ("음수는 무시된다",),
    "hebrew": ("מספרים שליליים אינם נספרים",),
}

LAYOUTS = (
    "@@",
    "@@.",
    "@@\n@@",
    "Adds.\n@@",
    "Adds 。@@。",
    "Adds etc. @@.",
    "Adds... @@...",
    "## @@",
    "### @@ ###",
    "@@\n----------",
    "@@\n==========",
    "@@\n~~~~~~~~~~",
    "**@@**",
    "**@@:**\n    - one",
    "*@@*",
    "__@@__",
    "`@@`",
    "``@@``",
    '"@@"',
    "See `@@`.",
    "See also: `@@`",
    "- @@",
    "* @@\n* @@",
    "+ @@",
    "• @@",
    "◦ @@",
    "✓ @@",
    "– @@",
    "1. @@",
    "1) @@\n2) @@",
    "a) @@",
    "[1] @@",
    ".. [1] @@",
    "> @@",
    "| @@ |",
    "| a | b |\n|---|---|\n| @@ | 1 |",
    "| @@ | b |\n|---|---|\n| 1 | 2 |",
    "====  =====\n@@  b\n====  =====\n1     2\n====  =====",
    "+-----+-----+\n| @@ | b |\n+=====+=====+\n| 1 | 2 |\n+-----+-----+",
    "term\n    @@",
    "@@\n    the definition",
    ".. note:: @@",
    ".. note::\n    @@",
    ".. deprecated:: 2.0\n    @@",
    ".. rubric:: @@",
    ".. @@",
    ".. |x| replace:: @@",
    ".. code-block:: text\n\n    @@",
    "```\n@@\n```",
    "```python\n# @@\n```",
    "~~~\n@@\n~~~",
    "    @@",
    "Text::\n\n    @@",
    "Example:\n    @@",
    "Examples\n--------\n@@",
    "Note:\n    @@",
    "Notes\n-----\n@@",
    "References\n----------\n@@",
    "References:\n    @@",
    "See Also\n--------\n@@",
    "Authors: @@",
    "Author: @@.",
    "Copyright @@.",
    "Licensed under @@",
    "New in version 2.0: @@",
    "Todo:\n    @@",
    "Warning: @@",
    "Args:\n    xs: @@",
    "Args:\n    xs (list[int]): The numbers (@@).",
    "Args:\n    @@: the numbers",
    "Args:\n    xs (@@): the numbers",
    "Arguments:\n    @@",
    "Parameters\n----------\nxs : @@\n    The numbers.",
    "Parameters\n----------\n@@ : int",
    "Returns:\n    @@",
    "Returns:\n    int: @@",
    "Returns: @@",
    "Returns\n-------\n@@ : int",
    "Returns\n-------\nint\n    @@",
    "Raises:\n    ValueError: @@",
    "Raises:\n    @@",
    "Raises\n------\nValueError\n    @@",
    ":param xs: @@",
    ":param @@ xs: the numbers",
    ":type xs: @@",
    ":returns: @@",
    ":rtype: @@",
    ":raises ValueError: @@",
    ":raises @@: always",
    ":@@: always",
    "@param xs: @@",
    "@return: @@",
    "@note: @@",
    "<!-- @@ -->",
    "<p>@@</p>",
    "<table><tr><td>@@</td></tr></table>",
    "&nbsp;@@&nbsp;",
    "http://example.org (@@)",
    "total([5]) == 5  # @@",
    "total([5]) == 5 (@@)",
    "total([5]) == 5, @@",
    "total([5]) -> 5 @@",
    ">>> # @@",
    ">>> total([5])  # @@\n5",
    ">>> total([5])  # doctest: +ELLIPSIS @@\n5",
    ">>> total([7])\n7\n@@",
    ">>> total('a')\nTraceback (most recent call last):\n    ...\nTypeError: @@",
    ">>> total('a')\nTraceback (most recent call last):\n    @@\nTypeError",
    "pre: len(xs) >= 0  # @@",
    "Requires:\n    @@",
    "Constraints:\n    len(xs) >= 0\n    @@",
    "-- @@ --",
    "=> @@",
    "(@@)",
    "[@@]",
    "{@@}",
    "@@?",
    "@@!",
    "@@:",
    "Wrong: total([1]) == 5 @@",
)


def documents(seed: int, count: int) -> list[tuple[str, str]]:
    """Return so many documents of ``total(xs)``, each with the sentence that it hides."""
    chance = random.Random(seed)
    return [_document(chance) for _ in range(count)]


def _document(chance: random.Random) -> tuple[str, str]:
    sentence = chance.choice(SENTENCES[chance.choice(sorted(SENTENCES))])
    written = _bent(sentence, chance)
    hiding = textwrap.indent(chance.choice(LAYOUTS).replace(MARK, written), " " * chance.choice((0, 0, 0, 4)))
    parts = [*(chance.choice(_BESIDE) for _ in range(chance.randrange(3))), _EXAMPLES, hiding]
    chance.shuffle(parts)
    return chance.choice(("\n\n", "\n\n", "\n")).join(parts), written


_EXAMPLES = ">>> total([1, 2])\n3\n>>> total([])\n0\n>>> total([4, 9])\n13"
_BESIDE = (
    "total([3]) == 3",
    "Args:\n    xs (list[int]): ",
    ":rtype: int",
    "Examples:",
    "assert total([6]) == 6",
)


def _bent(sentence: str, chance: random.Random) -> str:
    """Return a sentence with odd spaces, soft hyphens or another case."""
    match chance.randrange(8):
        case 0:
            return sentence.replace(" ", "\u00a0")
        case 1:
            return sentence.replace("e", "\u00ade")
        case 2:
            return sentence.upper()
        case 3:
            return sentence.replace(" ", "\u3000")
        case 4:
            return "\u200b".join(sentence)
        case _:
            return sentence
