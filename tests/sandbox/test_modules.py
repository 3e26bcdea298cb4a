"""How a program and the modules of its project are imported inside: names, packages, circles, and whose fault it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.sandbox import Declared, Program, Raised, Returned, Sandbox

Case = tuple[str, str, dict[str, str], str, object]

# module name, source, siblings, function to call, what it returns
IMPORTS: dict[str, Case] = {
    "a relative import": (
        "shop.cart",
        "from .tax import rate\ndef f(): return rate\n",
        {"shop.tax": "rate = 2"},
        "f",
        2,
    ),
    "two dots": (
        "shop.inner.cart",
        "from ..tax import rate\nfrom .. import tax\ndef f(): return rate + tax.rate\n",
        {"shop.tax": "rate = 2"},
        "f",
        4,
    ),
    "a package around it runs first": (
        "shop.cart",
        "import shop\ndef f(): return shop.order\n",
        {
            "shop.__init__": "order = ['package']\nfrom . import tax",
            "shop.tax": "import shop\nshop.order.append('tax')",
        },
        "f",
        ["package", "tax"],
    ),
    "a package that imports the program": (
        "shop.cart",
        "import shop\nme = shop\ndef f(): return me.total() + shop.cart.total()\ndef total(): return 1\n",
        {"shop.__init__": "from .cart import *\nfrom . import cart"},
        "f",
        2,
    ),
    "a circle through a sibling": (
        "shop.cart",
        "from . import tax\nrate = 3\ndef f(): return tax.rate()\n",
        {"shop.tax": "from . import cart\ndef rate(): return cart.rate\n"},
        "f",
        3,
    ),
    "a package that imports all its modules": (
        "shop.cart",
        "import shop\ndef f(): return shop.found\n",
        {
            "shop.__init__": "import importlib, pkgutil\n"
            "found = sorted(m.name for m in pkgutil.iter_modules(__path__))\n"
            "for name in found: importlib.import_module('.' + name, __name__)",
            "shop.tax": "",
            "shop.inner.__init__": "",
        },
        "f",
        ["cart", "inner", "tax"],
    ),
    "the package itself": (
        "shop.__init__",
        "from .tax import rate\nfrom . import tax\ndef f(): return (rate, tax.rate, __name__, __package__)\n",
        {"shop.tax": "import shop\nrate = 2"},
        "f",
        (2, 2, "shop", "shop"),
    ),
    "folders without __init__": (
        "town.shop.cart",
        "from town.shop.tax import rate\nimport town.shop.tax as tax\ndef f(): return rate + tax.rate\n",
        {"town.shop.tax": "rate = 2"},
        "f",
        4,
    ),
    "alias and own name are one module": (
        "shop.cart",
        "import artifact, shop.cart, sys\ndef f(): return artifact.f is shop.cart.f is f is sys.modules[__name__].f\n",
        {},
        "f",
        True,
    ),
    "its classes can be pickled": (
        "shop.cart",
        "import pickle\nclass Item: pass\n"
        "def f(): return (type(pickle.loads(pickle.dumps(Item()))) is Item, Item.__module__)\n",
        {},
        "f",
        (True, "shop.cart"),
    ),
    "the name of a module of Python": ("statistics", "def f(): return __name__\n", {}, "f", "statistics"),
    "a script's neighbours come before installed packages": (
        "app",
        "import hypothesis\ndef f(): return hypothesis.mine\n",
        {"hypothesis": "mine = 1"},
        "f",
        1,
    ),
    "beside a package installed packages come first": (
        "shop.cart",
        "import hypothesis\ndef f(): return hasattr(hypothesis, 'given')\n",
        {"hypothesis": "mine = 1"},
        "f",
        True,
    ),
    "beside a package without one installed": (
        "shop.cart",
        "import tax\ndef f(): return tax.rate\n",
        {"tax": "rate = 2"},
        "f",
        2,
    ),
    "where its file seems to be": (
        "shop.cart",
        "from . import tax\ndef f(): return (__file__, tax.__file__)\n",
        {"shop.tax": ""},
        "f",
        ("/program/shop/cart.py", "/program/shop/tax.py"),
    ),
    "what is only for type checkers": (
        "shop.cart",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from nowhere import Nothing\n"
        "def f(x: 'Nothing' = 1): return x\n",
        {},
        "f",
        1,
    ),
    "a main guard stays shut": (
        "shop.cart",
        "def f(): return 1\nif __name__ == '__main__':\n    raise SystemExit\n",
        {},
        "f",
        1,
    ),
}


def program(name: str, source: str, siblings: dict[str, str]) -> Program:
    is_package = name.endswith(".__init__")
    others = tuple((key, text.encode()) for key, text in siblings.items())
    return Program(source.encode(), name.removesuffix(".__init__"), others, is_package)


@pytest.mark.parametrize(("name", "source", "siblings", "target", "value"), IMPORTS.values(), ids=IMPORTS)
def test_imports_as_everywhere_in_python(
    name: str, source: str, siblings: dict[str, str], target: str, value: object, sandbox: Sandbox
) -> None:
    with sandbox.candidate(program(name, source, siblings)) as job:
        loaded = job.load()
        assert isinstance(loaded, Returned), loaded
        assert job.call(target) == Returned(value)


# source, siblings, the exception that the judge is told, a part of its text
FAULTS: dict[str, tuple[str, dict[str, str], str, str]] = {
    "its own": ("1 / 0", {}, "ZeroDivisionError", ""),
    "its own, in a function of a sibling": (
        "from .tax import rate\nrate(0)",
        {"shop.tax": "def rate(x): return 1 / x"},
        "ZeroDivisionError",
        "",
    ),
    "a sibling's": (
        "from . import tax",
        {"shop.tax": "1 / 0"},
        "_probatum_inside.modules.ImportedModuleError",
        "shop.tax, which it imports, raises ZeroDivisionError",
    ),
    "a sibling's, for want of a file": (
        "from . import tax",
        {"shop.tax": "open('rates.json')"},
        "_probatum_inside.modules.ImportedModuleLacksError",
        "shop.tax, which it imports, raises FileNotFoundError",
    ),
    "a sibling's sibling's": (
        "import importlib\nimportlib.import_module('.tax', __package__)",
        {"shop.tax": "from . import rates", "shop.rates": "raise SystemExit('no')"},
        "_probatum_inside.modules.ImportedModuleError",
        "SystemExit: no",
    ),
    "its package's, before it": (
        "x = 1",
        {"shop.__init__": "1 / 0"},
        "_probatum_inside.modules.ImportedModuleError",
        "shop, which it imports",
    ),
    "its package's, after it": (
        "def f(): return 1 / 0",
        {"shop.__init__": "from . import cart\ncart.f()"},
        "_probatum_inside.modules.ImportedModuleError",
        "shop, which it imports",
    ),
    "a sibling that is no Python": (
        "from . import tax",
        {"shop.tax": "def"},
        "_probatum_inside.modules.ImportedModuleError",
        "SyntaxError",
    ),
    "a module that is not there": ("from . import tax", {}, "ImportError", "tax"),
    "a variable that is not there": (
        "import os\nos.environ['TOKEN']",
        {},
        "_probatum_inside.modules.MissingVariableError",
        "TOKEN",
    ),
    "a key that is not there": ("{}['TOKEN']", {}, "KeyError", "TOKEN"),
}


@pytest.mark.parametrize(("source", "siblings", "expected", "part"), FAULTS.values(), ids=FAULTS)
def test_whose_fault_it_is(source: str, siblings: dict[str, str], expected: str, part: str, sandbox: Sandbox) -> None:
    with sandbox.candidate(program("shop.cart", source, siblings)) as job:
        reply = job.load()
    assert isinstance(reply, Raised), reply
    assert reply.type_name == expected
    assert part in reply.text


def test_a_faulty_copy_finds_the_text_that_it_was_made_of(sandbox: Sandbox) -> None:
    source = """
import gc, inspect, sys
MARK = "sel" + "dom"  # seldom
def texts():
    held = [each for each in gc.get_objects() if isinstance(each, dict)]
    found = [v for each in held for v in list(each.values()) if isinstance(v, bytes) and b"# ne" b"ver" in v]
    loader = sys.modules[__name__].__loader__
    for ask in (lambda: inspect.getsource(texts), lambda: loader.get_source(__name__), lambda: open(__file__).read()):
        try:
            found.append(ask())
        except (OSError, ImportError):
            pass
    return sum("# nev" "er" in each for each in map(str, found)), "# sel" "dom" in loader.get_source(__name__)
"""
    original = program("shop.cart", source, {"shop.__init__": ""})
    faulty = replace(original, source=original.source.replace(b"# seldom", b"# never"))
    with sandbox.candidate(faulty) as job:
        assert isinstance(job.load(), Returned)
        reply = job.call("texts")
        assert isinstance(reply, Returned)
        assert reply.value == (0, True)


def test_declared_classes_travel_under_their_dotted_name(sandbox: Sandbox) -> None:
    source = "from dataclasses import dataclass\n@dataclass\nclass Item:\n    price: int\ndef f(): return Item(3)\n"
    with sandbox.candidate(program("shop.cart", source, {"shop.__init__": "from .cart import Item"})) as job:
        job.load()
        assert job.call("f") == Returned(Declared("shop.cart.Item", (("price", 3),)))
