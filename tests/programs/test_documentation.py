"""What documentation is: where it may be written beside the docstring, and what of a file is none."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.programs.as_shown import as_shown
from probatum.programs.extract import extract_module
from probatum.programs.parsing.not_counted import not_counted
from probatum.programs.running.shown_names import Shown, ShownName, ShownText
from probatum.programs.source import parsed
from probatum.programs.specification import RUN_TIME, FunctionSpec
from tests.cli.programs import HOLDING
from tests.programs.parsing import source_of
from tests.services import ProgramRequest, Service

WORDS = "It is never negative."
_BASE = f'class Base:\n    def f(self, x):\n        """{WORDS}"""\n        return x\n\n'
_DERIVED = "class C(Base):\n    def f(self, x):\n        return x\n"
# The source, and the name whose documentation it is.
PLACES: Mapping[str, tuple[str, str]] = {
    "docstring": (f'def f(x):\n    """{WORDS}"""\n    return x\n', "f"),
    "class docstring": (f'class C:\n    """{WORDS}"""\n', "C"),
    "attribute docstring": (f'class C:\n    x: int\n    """{WORDS}"""\n', "C"),
    "attribute docstring with a value": (f'class C:\n    """C."""\n    x = 3\n    """{WORDS}"""\n', "C"),
    "attribute docstring in __init__": (
        f'class C:\n    def __init__(self, x):\n        self.x = x\n        """{WORDS}"""\n',
        "C",
    ),
    "string behind a method": (f'class C:\n    """C."""\n    def f(self):\n        return 3\n    """{WORDS}"""\n', "C"),
    "string behind what has a docstring": (f'def f(x):\n    """F."""\n    return x\n"""{WORDS}"""\n', "f"),
    "string in the else of a class": (
        f'class C:\n    """C."""\n    if A:\n        pass\n    else:\n        """{WORDS}"""\n',
        "C",
    ),
    "field(doc=)": (f'class C:\n    x: int = field(default=3, doc="{WORDS}")\n', "C"),
    "Field(description=)": (f'class C:\n    x: int = Field(description="{WORDS}")\n', "C"),
    "annotated field": (f'class C:\n    x: Annotated[int, "{WORDS}"]\n', "C"),
    "annotated parameter": (f'def f(x: Annotated[int, "{WORDS}"]):\n    return x\n', "f"),
    "annotated keyword": (f'def f(*, x: Annotated[int, "{WORDS}"] = 3):\n    return x\n', "f"),
    "annotated part": (f'def f(x: list[Annotated[int, "{WORDS}"]]):\n    return x\n', "f"),
    "annotated result": (f'def f(x) -> typing.Annotated[int, "{WORDS}"]:\n    return x\n', "f"),
    "Doc": (f'def f(x: Annotated[int, Doc("{WORDS}")]):\n    return x\n', "f"),
    "default with help": (f'def f(x=Option(3, help="{WORDS}")):\n    return x\n', "f"),
    "overload": (f'@overload\ndef f(x: int) -> int:\n    """{WORDS}"""\ndef f(x):\n    return x\n', "f"),
    "overload beside a docstring": (
        f'@overload\ndef f(x: int) -> int:\n    """{WORDS}"""\ndef f(x):\n    """F."""\n    return x\n',
        "f",
    ),
    "setter": (
        "class C:\n    @property\n    def f(self):\n        return 1\n    @f.setter\n"
        f'    def f(self, x):\n        """{WORDS}"""\n',
        "C.f",
    ),
    "other branch": (
        f'if A:\n    def f(x):\n        """{WORDS}"""\n        return x\nelse:\n    def f(x):\n        return x\n',
        "f",
    ),
    "base class": (_BASE + _DERIVED, "C.f"),
    "base class further up": (_BASE + "class Between(Base):\n    pass\n" + _DERIVED.replace("Base", "Between"), "C.f"),
    "generic protocol": (_BASE.replace("Base:", "Base(Protocol[T]):") + _DERIVED.replace("Base", "Base[int]"), "C.f"),
}
NO_DOCUMENTATION: Mapping[str, tuple[str, str]] = {
    "comment above": (f"# {WORDS}\ndef f(x):\n    return x\n", "f"),
    "comment below": (f"def f(x):\n    # {WORDS}\n    return x\n", "f"),
    "comment for a field": (f"class C:\n    #: {WORDS}\n    x: int\n", "C"),
    "module docstring": (f'"""{WORDS}"""\ndef f(x):\n    return x\n', "f"),
    "replaced definition": (f'def f(x):\n    """{WORDS}"""\ndef f(x):\n    return x\n', "f"),
    "base that is not there": (_DERIVED, "C.f"),
    "base that is itself": (_DERIVED.replace("Base", "C"), "C.f"),
    "type that is a text": (f'def f(x: Annotated["{WORDS}", 3]):\n    return x\n', "f"),
    "default": (f'def f(x="{WORDS}"):\n    return x\n', "f"),
}


def _spec(source: str, name: str) -> FunctionSpec:
    return next(each for each in extract_module(source).functions if each.qualname == name)


@pytest.mark.parametrize("place", PLACES)
def test_it_is_documentation(place: str) -> None:
    source, name = PLACES[place]
    said = [each for each in _spec(source, name).statements if each.text == WORDS]
    assert [source.split("\n")[each.span.line - 1].count(WORDS) for each in said] == [1]


@pytest.mark.parametrize("place", NO_DOCUMENTATION)
def test_it_is_no_documentation(place: str) -> None:
    assert not _spec(*NO_DOCUMENTATION[place]).statements


IMPORTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "from": ("from shop.base import Base\n", {}),
    "from, renamed": ("from shop.base import Base as Other\nBase = Other\nclass C(Other):\n", {}),
    "module": ("import shop.base\nclass C(shop.base.Base):\n", {}),
    "module, renamed": ("import shop.base as b\nclass C(b.Base):\n", {}),
    "module of a package": ("from shop import base\nclass C(base.Base):\n", {}),
    "star": ("from shop.base import *\n", {}),
    "passed on by the package": ("from shop import Base\n", {"shop.__init__": "from .base import Base\n"}),
    "under a condition": ("try:\n    from shop.base import Base\nexcept ImportError:\n    pass\n", {}),
}


@pytest.mark.parametrize("way", IMPORTS)
def test_a_docstring_is_inherited_from_another_file_of_the_project(way: str) -> None:
    head, further = IMPORTS[way]
    body = "    def f(self, x):\n        return x\n"
    source = head + body if head.endswith("):\n") else head + "class C(Base):\n" + body
    files = {"shop.__init__": "", "shop.base": _BASE, **further}
    found = source_of(source, tuple((name, text.encode()) for name, text in files.items()))
    [method] = [each for each in found.module.functions if each.qualname == "C.f"]
    assert [(each.text, each.source) for each in method.statements] == [(WORDS, "shop.base")]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"shop.base": "class Base("},
        {"shop.base": "from shop.base import Base\n"},
        {"shop.base": "from shop.other import Base\n", "shop.other": "from shop.base import Base\n"},
        {"shop.base": "Base = object\n"},
        {"shop.base": "# coding: no-such-encoding\n"},
    ],
)
def test_a_base_that_cannot_be_read_documents_nothing(files: Mapping[str, str]) -> None:
    source = "from shop.base import Base\n" + _DERIVED
    found = source_of(source, tuple((name, text.encode()) for name, text in files.items()))
    assert not any(each.statements for each in found.module.functions)


SHOWN: Mapping[str, tuple[str, str, list[str]]] = {
    "nothing more": ('"""F.\n\n    More."""', "F.\n\n    More.", []),
    "without its indentation": ('"""F.\n\n    More."""', "F.\n\nMore.", []),
    "more": ('"""F."""', f"F. {WORDS}", [WORDS]),
    "something else": ('"""F."""', WORDS, [WORDS]),
    "where there was none": ("pass", WORDS, [WORDS]),
    "a signature": ("pass", "f(x: int, y: list = <factory>) -> None", []),
    "what only looks like a signature": ("pass", "f(never below zero)", ["f(never below zero)"]),
}


@pytest.mark.parametrize("case", SHOWN)
def test_what_import_adds_to_the_docstring_is_documentation(case: str) -> None:
    body, document, more = SHOWN[case]
    source = source_of(f"def f(x):\n    {body}\n    return x\n")
    found = as_shown(source, Shown({"f": ShownName("f", True, True, "", "f")}, (ShownText("f", "f", document),)))
    assert [each.text for each in found.module.functions[0].statements if each.source == RUN_TIME] == more
    assert (found is source) is (not more)


ADDING: Mapping[str, str] = {
    "decorator": "def told(function):\n    function.__doc__ += WORDS\n    return function\n\n@told\n{f}",
    "assigned": "{f}\nf.__doc__ = f.__doc__ + WORDS\n",
    "formatted": '{f}\nf.__doc__ = f"{{f.__doc__}} {{WORDS}}"\n',
    "setattr": "{f}\nsetattr(f, '__doc__', WORDS)\n",
    "loop": "{f}\nfor each in (f,):\n    each.__doc__ += WORDS\n",
}
_F = HOLDING.decode().replace('"""Prices."""', "").replace("net_price", "f")


@pytest.mark.parametrize("way", ADDING)
def test_what_import_adds_is_open(way: str, service: Service) -> None:
    source = 'WORDS = " Rounded. It is never {}.".format("negative")\n' + ADDING[way].format(f=_F)
    answer = service.verify_program(ProgramRequest(source.encode(), "subject.py", "f"))
    assert answer.verdict.constraint_id == "program.statement_unchecked"
    assert "of its __doc__ at run time" in str(answer.verdict.developer_fields)


def test_what_typing_says_of_its_own_names_is_no_documentation_of_a_program(service: Service) -> None:
    source = "from typing import Hashable\n" + _F.replace(") -> int", ", key: Hashable = 0) -> int")
    answer = service.verify_program(ProgramRequest(source.encode(), "subject.py", "f"))
    assert answer.verdict.constraint_id == "program.tested", answer.verdict


def test_a_failing_example_that_import_adds_refutes(service: Service) -> None:
    source = _F + 'f.__doc__ += "\\n".join(["", "", ">>> f(4, 0)", "{}"]).format(12)\n'
    answer = service.verify_program(ProgramRequest(source.encode(), "subject.py"))
    assert answer.verdict.constraint_id == "program.counterexample"


NOT_COUNTED: Mapping[str, tuple[str, str]] = {
    "nothing": ("def f(x):\n    return x\n", ""),
    "module docstring": ('"""One."""\n', "Not counted: the module docstring (line 1)"),
    "comments": (
        '"""One\ntwo."""\n# A\n# comment.\n\nx = 1  # Another.\n# type: ignore\n"""X."""\n',
        "Not counted: the module docstring (lines 1 to 2), a text (line 8), 2 comments",
    ),
}


@pytest.mark.parametrize("case", NOT_COUNTED)
def test_what_is_not_counted_is_named(case: str) -> None:
    text, line = NOT_COUNTED[case]
    assert not_counted(text, parsed(text)) == line


def test_a_module_docstring_that_calls_things_in_prose_is_read() -> None:
    source = '"""Prose with call(1) == 2 and f(x) in it.\n\n>>> LIMIT\n5\n"""\nLIMIT = 5\n'
    assert [each.expression for each in extract_module(source).examples] == ["LIMIT"]
