"""What differs by syntax: small pairs of files, what is a difference beside what is none."""

# ruff: noqa: E501 - texts of small programs stand in one line

from __future__ import annotations

import ast
import sysconfig
import time
from pathlib import Path

import pytest

from probatum.changes.classes_of_files import FileRole, role_of
from probatum.changes.syntax.definitions import Differences, differences_of

_ROLES = {
    FileRole.SOURCE: ("src/pkg/a.py", "pkg/testing/a.py", "scripts/run.py", "pkg/test/client.py", "a.py"),
    FileRole.TEST: ("tests/test_a.py", "pkg/tests/test_a.py", "a_test.py", "docs/test_a.py", "tests/tests.py"),
    FileRole.SUPPORT: (
        "conftest.py",
        "tests/data/a.json",
        "tests/helpers.py",
        "a/__snapshots__/x.txt",
        "x.pth",
        "tests/projects/one/pyproject.toml",
        "sitecustomize.py",
    ),
    FileRole.CHECKS: (
        "pyproject.toml",
        "tox.ini",
        "tests/pytest.ini",
        ".github/workflows/ci.yml",
        "Makefile",
        ".pre-commit-config.yaml",
        "noxfile.py",
        "sub/setup.cfg",
    ),
    FileRole.DEPENDENCIES: ("requirements.txt", "requirements/dev.in", "requirements-dev.txt", "setup.py", "uv.lock"),
    FileRole.OTHER: ("README.md", "docs/conf.py", "docs/Makefile", "examples/a.py", "pkg/words.txt", "pkg/a.pyi"),
}


@pytest.mark.parametrize(("role", "path"), [(role, path) for role, paths in _ROLES.items() for path in paths])
def test_a_path_has_one_role(role: FileRole, path: str) -> None:
    assert role_of(path) is role


def _compared(base: str, head: str, path: str = "src/a.py") -> Differences:
    return differences_of({path: base.encode()}, {path: head.encode()})


_SAME = {
    "layout": ("def f(a):\n  return (a +\n   1)\n", "def f(a):\n    return a + 1\n"),
    "comments": ("x = 1  # one\n", "# two\nx = 1\n"),
    "quotes": ("x = 'a' 'b'\ny = u'c'\n", 'x = "ab"\ny = "c"\n'),
    "line ends": ("def f():\n    return 1\n", "def f():\r\n    return 1\r\n"),
    "tabs": ("def f():\n    return 1\n", "def f():\n\treturn 1\n"),
    "order of functions": (
        "def f(): return 1\nX = 1\ndef g(): return 2\n",
        "X = 1\ndef g(): return 2\ndef f(): return 1\n",
    ),
    "order of imports": ("import a\nimport b\nfrom c import d, e\n", "import b\nfrom c import e, d\nimport a\n"),
    "byte order mark": ("x = 1\n", "\ufeffx = 1\n"),
    "blank": ("", "\n# nothing\n"),
}


@pytest.mark.parametrize("name", _SAME)
def test_layout_is_no_difference(name: str) -> None:
    found = _compared(*_SAME[name])
    assert (found.units, found.imports, found.annotations, found.documentation, found.layout) == (
        (),
        (),
        (),
        (),
        ("src/a.py",),
    )


_BESIDE = {
    "annotations": (
        "def f(a):\n    x = a\n    return x\n",
        "def f(a: int) -> int:\n    x: int = a\n    return x\n",
        "::f",
    ),
    "documentation": ('def f():\n    "a"\n    return 1\n', "def f():\n    return 1\n", "::f"),
    "imports": ("import a\nx = 1\n", "import b\nx = 1\n", ""),
    "metadata": ("__version__ = '1'\n__all__ = ['f']\n", "__version__ = '2'\n__all__ = []\n", ""),
}


def test_imports_that_annotations_are_written_with_are_annotations() -> None:
    found = _compared("from typing import Any, List\nx = 1\n", "from __future__ import annotations\nx = 1\n")
    assert (found.annotations, found.imports) == (("src/a.py",), ())


@pytest.mark.parametrize("name", _BESIDE)
def test_what_is_beside_behaviour_is_told_apart(name: str) -> None:
    base, head, unit = _BESIDE[name]
    found = _compared(base, head)
    assert found.units == ()
    assert {each: getattr(found, each) for each in _BESIDE} == {
        each: ("src/a.py" + unit,) if each == name else () for each in _BESIDE
    }


_ANNOTATIONS = [
    ("class A:\n    x: int = 1\n", "class A:\n    x: str = 1\n", False),
    ("@dataclass\nclass A:\n    x: int = 1\n", "@dataclass\nclass A:\n    x: str = 1\n", False),
    ("@dataclass\nclass A:\n    x = 1\n", "@dataclass\nclass A:\n    x: int = 1\n", True),
    ("@dataclass\nclass A:\n    x: int = 1\n", "@dataclass\nclass A:\n    x: ClassVar[int] = 1\n", True),
    ("class A(BaseModel):\n    x: int\n", "class A(BaseModel):\n    x: str\n", True),
    ("def f(a: int): return a\n", "def f(a: Annotated[int, Query(gt=0)]): return a\n", True),
    ("T = TypeVar('T')\n", "T = TypeVar('T', bound=int)\n", False),
    ("if TYPE_CHECKING:\n    import a\n", "x: int\n", False),
    (
        "@overload\ndef f(a: int): ...\ndef f(a): return a\n",
        "@overload\ndef f(a: str): ...\ndef f(a): return a\n",
        False,
    ),
]


@pytest.mark.parametrize(("base", "head", "is_behaviour"), _ANNOTATIONS)
def test_an_annotation_counts_where_something_reads_it(base: str, head: str, is_behaviour: bool) -> None:
    assert bool(_compared(base, head).units) is is_behaviour


_CHANGED = {
    "statement": (
        "def f(a):\n    b = 1\n    return b\n",
        "def f(a):\n    b = 2\n    return b\n",
        {"::f": ((2,), (2,))},
    ),
    "default": ("def f(a=1): return a\n", "def f(a=2): return a\n", {"::f": ((1,), (1,))}),
    "decorator": ("def f():\n    return 1\n", "@cache\ndef f():\n    return 1\n", {"::f": ((1, 2), (1,))}),
    "async": ("def f(): return 1\n", "async def f(): return 1\n", {"::f": ((1,), (1,))}),
    "attribute of something else": ("a.b().c = 1\n", "a.b().c = 2\n", {"": ((1,), (1,))}),
    "member of something else": ("a[0] += 1\n", "a[0] += 2\n", {"": ((1,), (1,))}),
    "version that does something": ("__version__ = f(1)\n", "__version__ = f(2)\n", {"": ((1,), (1,))}),
    "constant": ("import a\nX = 1\n", "import a\nX = 2\n", {"": ((2,), (2,))}),
    "bases": ("class A(B):\n    x = 1\n", "class A(C):\n    x = 1\n", {"::A": ((1,), (1,))}),
    "class body": ("class A:\n    x = 1\n", "class A:\n    x = 1\n    y = 2\n", {"::A": ((3,), ())}),
    "nested class": (
        "class A:\n    class B:\n        def f(self): return 1\n",
        "class A:\n    class B:\n        def f(self): return 2\n",
        {"::A.B.f": ((3,), (3,))},
    ),
    "nested function": (
        "def f():\n    def g():\n        return 1\n    return g\n",
        "def f():\n    def g():\n        return 2\n    return g\n",
        {"::f": ((3,), (3,))},
    ),
    "setter": (
        "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass\n",
        "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): self.v = v\n",
        {"::A.x#2": ((5,), ())},
    ),
    "conditional definition": (
        "if sys.version_info > (3, 12):\n    def f(): return 1\nelse:\n    def f(): return 2\n",
        "if sys.version_info > (3, 12):\n    def f(): return 1\nelse:\n    def f(): return 3\n",
        {"::f#2": ((4,), (4,))},
    ),
    "other condition": (
        "if A:\n    def f(): return 1\n",
        "if B:\n    def f(): return 1\n",
        {"": ((1,), (1,))},
    ),
    "lambda": ("f = lambda a: a\n", "f = lambda a: -a\n", {"": ((1,), (1,))}),
    "match": (
        "def f(a):\n    match a:\n        case 1:\n            return 1\n",
        "def f(a):\n    match a:\n        case 2:\n            return 1\n",
        {"::f": ((3,), (3,))},
    ),
    "wrapped": (
        "def f(a):\n    b = a\n    return b\n",
        "def f(a):\n    if a:\n        b = a\n    return b\n",
        {"::f": ((2,), ())},
    ),
    "out of the loop": (
        "def f(a):\n    for b in a:\n        if b:\n            return b\n",
        "def f(a):\n    for b in a:\n        if b:\n            pass\n        return b\n",
        {"::f": ((5,), (4,))},
    ),
    "into else": (
        "def f(a):\n    if a:\n        x = 1\n        y = 2\n    return 1\n",
        "def f(a):\n    if a:\n        x = 1\n    else:\n        y = 2\n    return 1\n",
        {"::f": ((5,), (4,))},
    ),
    "header over lines": (
        "def f(a):\n    if (a and\n            1):\n        # why\n        return 1\n",
        "def f(a):\n    if (a and\n            2):\n        # why\n        return 1\n",
        {"::f": ((2, 3), (2, 3))},
    ),
}


@pytest.mark.parametrize("name", _CHANGED)
def test_a_change_is_told_by_its_unit_and_lines(name: str) -> None:
    base, head, expected = _CHANGED[name]
    found = _compared(base, head)
    assert {each.name: (each.changed_lines, each.base_lines) for each in found.units} == {
        "src/a.py" + name: lines for name, lines in expected.items()
    }
    assert all(each.kind == "changed" for each in found.units)


_F = "def f(a):\n    b = a + 1\n    return b * 2\n"


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ({"a.py": _F}, {"b.py": _F}, []),
        ({"a.py": _F + "X = 1\nY = 1\n", "b.py": ""}, {"a.py": "X = 1\nY = 1\n", "b.py": _F}, ["moved b.py::f"]),
        ({"a.py": _F}, {"a.py": _F.replace("f(", "g(")}, ["moved a.py::g"]),
        ({"a.py": "def f(): return 1\n"}, {"a.py": "def g(): return 1\n"}, ["added a.py::g", "removed a.py::f"]),
        ({"a.py": _F}, {}, ["removed a.py::f"]),
        ({}, {"a.py": _F}, ["added a.py::f"]),
    ],
)
def test_what_is_the_same_elsewhere_is_moved(base: dict[str, str], head: dict[str, str], expected: list[str]) -> None:
    found = differences_of(*({path: text.encode() for path, text in tree.items()} for tree in (base, head)))
    assert [f"{each.kind} {each.name}" for each in found.units] == expected


def test_a_file_is_renamed_by_bytes_syntax_or_most_of_its_functions() -> None:
    one, two = _F, "class A:\n    def m(self):\n        return [1]\n    def n(self):\n        return [2]\n"
    base = {"a.py": one, "c.py": two, "data.bin": "x"}
    head = {"b.py": one + "# more\n", "d.py": two + "def new(): return 3\n", "moved.bin": "x"}
    found = differences_of(*({path: text.encode() for path, text in tree.items()} for tree in (base, head)))
    assert found.renamed_files == (("a.py", "b.py"), ("c.py", "d.py"), ("data.bin", "moved.bin"))
    assert [each.name for each in found.units] == ["d.py::new"]


_T = "import a\nN = 1\ndef helper(): return N\ndef test_a():\n    assert helper()\nclass TestB:\n    def test_b(self): assert 1\n"
_TESTS = {
    "edited": (_T.replace("assert 1", "assert 2"), {"edited": ("tests/test_x.py::TestB::test_b",)}),
    "docstring": (_T.replace("    assert helper()", "    'why'\n    assert helper()"), {}),
    "added": (_T + "def test_c(): assert 1\n", {"added": ("tests/test_x.py::test_c",)}),
    "with what it needs": (
        "import c\n" + _T + "M = 2\ndef double(): return M\ndef test_c(): assert double()\n",
        {"added": ("tests/test_x.py::test_c",)},
    ),
    "renamed": (
        _T.replace("test_a", "test_z"),
        {"added": ("tests/test_x.py::test_z",), "removed": ("tests/test_x.py::test_a",)},
    ),
    "helper": (_T.replace("return N", "return 3"), {"shared": ("tests/test_x.py",)}),
    "constant": (_T.replace("N = 1", "N = 2"), {"shared": ("tests/test_x.py",)}),
    "other import": (_T.replace("import a", "import b as a"), {"shared": ("tests/test_x.py",)}),
    "fixture": (_T + "@pytest.fixture\ndef it(): return 1\n", {"shared": ("tests/test_x.py",)}),
    "setup": (_T + "    def setup_method(self): pass\n", {"shared": ("tests/test_x.py",)}),
    "mark": (_T + "pytestmark = 3\n", {"shared": ("tests/test_x.py",)}),
    "call": (_T + "_ = patch()\n", {"shared": ("tests/test_x.py",)}),
}


@pytest.mark.parametrize("name", _TESTS)
def test_tests_have_a_table_of_their_own(name: str) -> None:
    head, expected = _TESTS[name]
    tests = _compared(_T, head, "tests/test_x.py").tests
    given = {each: getattr(tests, each) for each in ("added", "removed", "edited", "moved", "shared")}
    assert {each: value for each, value in given.items() if value} == expected


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("def f(a): return a\n", "def f(a, b=1): return a\n", ("`src/a.py::f` takes (a, b=…) instead of (a)",)),
        ("def f(a): return a\n", "x = 1\n", ("`src/a.py::f` is removed",)),
        ("def f(a): return a\n", "from b import f\n", ()),
        ("def _f(a): return a\n", "x = 1\n", ()),
        ("class A:\n    def m(self): return 1\n", "x = 1\n", ("`src/a.py::A` is removed",)),
        ("def f(a): return a\n", "def f(a: int): return a + 1\n", ()),
    ],
)
def test_public_names_are_watched(base: str, head: str, expected: tuple[str, ...]) -> None:
    assert _compared(base, head).api == expected


def test_every_other_file_is_in_one_list() -> None:
    paths = (
        "pkg/__init__.py",
        "pkg/words.json",
        "README.md",
        "tox.ini",
        "uv.lock",
        "tests/data/a.txt",
        "tests/conftest.py",
    )
    found = differences_of(dict.fromkeys(paths, b"a = 1"), dict.fromkeys(paths, b"a = 2"))
    lists = (found.data, found.others, found.checks, found.dependencies, found.support)
    assert lists == (
        ("pkg/words.json",),
        ("README.md",),
        ("tox.ini",),
        ("uv.lock",),
        ("tests/conftest.py", "tests/data/a.txt"),
    )


@pytest.mark.parametrize(
    "content",
    [b"def f(:\n", b"\xff\xfe", b"# coding: none-such\n", b"x = '\0'", b"x = " + b"(" * 5000],
)
def test_what_is_not_python_is_listed_as_such(content: bytes) -> None:
    fine = b"def f(): return 1\n"
    (bad,) = differences_of({"a.py": fine}, {"a.py": content}).unreadable
    assert (bad.path, bad.in_head, bool(bad.reason)) == ("a.py", True, True)
    assert differences_of({"a.py": fine}, {"a.py": content}).units == ()
    assert [each.kind for each in differences_of({"a.py": content}, {"a.py": fine}).units] == ["added"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ("def f(a):\n" + "    a += 1\n" * 3000, "def f(a):\n" + "    a += 2\n    a += 1\n" * 1500),
        ("".join(f"X{n} = {n}\n" for n in range(3000)), "".join(f"X{n} = {n + n % 2}\n" for n in range(3000))),
        (
            "".join(f"def f{n}(): return {n}\n" for n in range(3000)),
            "".join(f"def g{n}(): return {n}\n" for n in range(3000)),
        ),
        (
            "def f(a):\n    if a: a = 1\n" + "    elif a: a = 2\n" * 700,
            "def f(a):\n    if a: a = 3\n" + "    elif a: a = 2\n" * 699,
        ),
        ("x = 1" + " + 1" * 900 + "\n", "x = 1" + " + 1" * 901 + "\n"),
    ],
)
def test_large_files_take_no_long_time(base: str, head: str) -> None:
    start = time.process_time()
    assert _compared(base, head).units
    assert time.process_time() - start < 10


def _installed(every: int) -> list[Path]:
    return sorted(Path(sysconfig.get_path("purelib")).glob("[a-p]*/*.py"))[::every]


def test_installed_packages_written_anew_have_no_difference() -> None:
    base = {f"src/{index}.py": path.read_bytes() for index, path in enumerate(_installed(25))}
    head = {path: ast.unparse(ast.parse(content)).encode() for path, content in base.items()}
    found = differences_of(base, head)
    assert len(base) > 10
    assert (found.units, found.imports, found.annotations, found.documentation) == ((), (), (), ())
    assert differences_of(base, base).layout == ()
