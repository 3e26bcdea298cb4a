"""Files of installed packages, judged where they are, and the data files of a project's own packages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from probatum.app.proofs import recheck_proof, show_proof
from probatum.kinds.program.asking import card_of
from probatum.kinds.program.demand import DemandedProgram
from probatum.kinds.program.proof import program_of
from probatum.programs import units
from probatum.programs.loading import read_source
from probatum.programs.projects import data_files
from probatum.programs.source import Source
from probatum.proof.stores import MemoryStore
from probatum.verification.observed import NotJudged
from tests.kinds.test_packages import DOCUMENTED, outcome, request_for, verified
from tests.kinds.test_project import make, project_at
from tests.sandbox.environments import VERSION, make_environment
from tests.services import Service

PLACE = f"env/lib/{VERSION}/site-packages"
PARCEL = {
    "parcel/__init__.py": "from . import weights, rates\nfrom .tool import double\n",
    "parcel/weights.py": "import other_tool\nfrom .tool import double\nFOUR = double(2)\n",
    "parcel/rates.py": "import pathlib\nTWO = int((pathlib.Path(__file__).parent / 'data' / 'two.txt').read_text())\n",
    "parcel/data/two.txt": "2",
    "parcel/data/name.txt": "it",
    "parcel/tool.py": (
        "import pathlib\nfrom importlib.resources import files\nfrom .rates import TWO\n"
        "NAME = (pathlib.Path(__file__).parent / 'data' / 'name.txt').read_text() == 'it'\n"
        "SAME = files(__package__).joinpath('data', 'name.txt').read_text() == 'it'\n"
        + DOCUMENTED.replace("x * 2", "x * TWO * NAME * SAME")
    ),
    "other_tool.py": "",
}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def installed(tmp_path: Path, store: MemoryStore) -> Iterator[Service]:
    interpreter = make_environment(tmp_path / "env", PARCEL, ("parcel", "1.2"))
    with Service(store, python=str(interpreter)) as opened:
        yield opened


def artifact_of(service: Service, store: MemoryStore, path: Path) -> str:
    answer = verified(service, path)
    assert outcome(answer) == ("tested", "program.tested"), answer.verdict.developer_fields
    assert answer.verdict.proof_ref is not None
    return answer.verdict.proof_ref


def test_the_rest_of_an_installed_package_is_loaded_from_where_it_is(
    installed: Service, store: MemoryStore, tmp_path: Path
) -> None:
    reference = artifact_of(installed, store, tmp_path / PLACE / "parcel" / "tool.py")
    document = show_proof(reference, store).document
    assert document["contract"]["content"]["further"] == {}  # type: ignore[index]  # a JSON object
    assert {"id": "package parcel", "version": "1.2"} in document["verifiers"]  # type: ignore[operator]  # a list
    assert recheck_proof(reference, store, installed.recheckers(), replay=True).holds


def test_the_file_of_an_installed_package_is_judged(installed: Service, tmp_path: Path) -> None:
    path = tmp_path / PLACE / "parcel" / "__init__.py"
    path.write_text(PARCEL["parcel/__init__.py"] + DOCUMENTED.replace("x * 2", "x * rates.TWO"))
    assert outcome(verified(installed, path)) == ("tested", "program.tested")


def test_what_is_installed_beside_changes_no_byte_of_a_proof(
    installed: Service, store: MemoryStore, tmp_path: Path
) -> None:
    path = tmp_path / PLACE / "parcel" / "tool.py"
    before = artifact_of(installed, store, path)
    for name in ("rates", "weights", "numbers_of_others"):
        (tmp_path / PLACE / f"{name}.py").write_text("")
        metadata = tmp_path / PLACE / f"{name}-9.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9\n")
        (metadata / "RECORD").write_text(f"{name}.py,,\n")
    with Service(store, python=str(tmp_path / "env")) as crowded:
        assert artifact_of(crowded, store, path) == before


def test_a_file_that_is_installed_for_another_python_is_not_run(store: MemoryStore, tmp_path: Path) -> None:
    make_environment(tmp_path / "env", PARCEL)
    with Service(store) as own:
        answer = verified(own, tmp_path / PLACE / "parcel" / "tool.py")
    assert outcome(answer) == ("not_attempted", "program.missing_package")
    assert "--python INTERPRETER" in answer.sheet.next_step


def test_a_source_beside_its_compiled_form_is_not_what_runs(tmp_path: Path) -> None:
    make({f"site-packages/tool{EXTENSION_SUFFIXES[0]}": "", "site-packages/tool.py": DOCUMENTED}, tmp_path)
    with pytest.raises(AssertionError):
        request_for(tmp_path / "site-packages" / "tool.py")


def test_a_proof_about_an_installed_file_is_none_about_a_copy(
    installed: Service, store: MemoryStore, tmp_path: Path
) -> None:
    path = tmp_path / PLACE / "parcel" / "tool.py"
    artifact = show_proof(artifact_of(installed, store, path), store).document
    demanded = DemandedProgram(installed.environment, str(path))
    assert demanded.unmet(artifact, path.read_bytes()) == ()
    make(PARCEL, tmp_path)
    copy = replace(demanded, place=str(tmp_path / "parcel" / "tool.py"))
    assert any("installed package" in each for each in copy.unmet(artifact, path.read_bytes()))


def test_a_project_that_is_larger_than_a_run_may_be_is_read_where_it_is_installed(tmp_path: Path) -> None:
    parts = {f"site-packages/big/part{number}.py": "x = 1\n" for number in range(300)}
    init = "".join(f"from . import part{number}\n" for number in range(300))
    make({**parts, "site-packages/big/__init__.py": init, "site-packages/big/tool.py": "from . import part7"}, tmp_path)
    project = project_at(tmp_path / "site-packages/big/tool.py", b"from . import part7")
    assert (project.module, project.modules) == ("big.tool", ())


BASES = {
    "site-packages/kit/__init__.py": "",
    "site-packages/kit/base.py": (
        'class Base:\n    def __init__(self, n: int = 3) -> None:\n        """Keep n."""\n        self.n = n\n'
        '    def size(self) -> int:\n        """Return the size."""\n        return self.n\n'
        '    def twice(self) -> int:\n        """Return twice the size."""\n        return 2 * self.n\n'
    ),
    "site-packages/kit/thing.py": (
        'from .base import Base\nfrom . import unused\nclass Thing(Base):\n    """A thing."""\n'
        "    def size(self) -> int:\n        return 1\n"
    ),
    "site-packages/kit/unused.py": "",
}


@pytest.mark.parametrize("folder", ["site-packages", "own"])
def test_a_reader_sees_constructors_and_methods_that_are_inherited(folder: str, tmp_path: Path) -> None:
    make({name.replace("site-packages", folder): text for name, text in BASES.items()}, tmp_path)
    request = request_for(tmp_path / folder / "kit" / "thing.py")
    assert ("kit.unused" in dict(request.siblings)) is (folder == "own")
    source = read_source(program_of(request), request.tree)
    assert isinstance(source, Source)
    [unit] = units.readable_units(source.module, "Thing")
    thing = card_of(unit, source, ())
    assert thing["sig"] == "class Thing(n: int = 3)"
    assert thing["inherited"] == [
        {"signature": "def Base.__init__(self, n: int=3) -> None", "documentation": "Keep n."},
        {"signature": "def Base.twice(self) -> int", "documentation": "Return twice the size."},
    ]
    assert list(thing["say"].values()) == ["A thing.", "Return the size."]  # type: ignore[union-attr]  # an object


# what stands in the module, files beside it, those that are given
DATA: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "by its name": ("open('text.txt')", {"text.txt": "a", "other.txt": ""}, ["text.txt"]),
    "by a folder": (
        "'data'",
        {"data/a.bin": "", "data/in/b.bin": "", "more/c.bin": ""},
        ["data/a.bin", "data/in/b.bin"],
    ),
    "by its ending": ("f'{name}.json'", {"en.json": "", "de.json": "", "text.txt": ""}, ["de.json", "en.json"]),
    "as part of a path": ("'../shop/data/text.txt'", {"data/text.txt": ""}, ["data/text.txt"]),
    "nothing of it": ("x = 1", {"secret.pem": "", "text.txt": ""}, []),
    "hidden ones": ("'.env' + 'data'", {".env": "", "data/.key": "", ".data/x": ""}, []),
    "those of another package": ("'data'", {"inner/__init__.py": "", "inner/data/x": ""}, []),
    "code": ("'data'", {"data/tool.py": "", "data/tool.pyc": ""}, []),
}


@pytest.mark.parametrize("name", DATA)
def test_data_files_that_the_code_speaks_of_are_given(name: str, tmp_path: Path) -> None:
    code, beside, given = DATA[name]
    make(
        {"shop/__init__.py": code, "shop/app.py": "", **{f"shop/{path}": text for path, text in beside.items()}},
        tmp_path,
    )
    project = project_at(tmp_path / "shop" / "app.py", b"")
    assert [path for path, _ in project.files] == [f"shop/{path}" for path in given]


def test_links_are_no_data_files(tmp_path: Path) -> None:
    make({"shop/__init__.py": "'data'", "shop/app.py": "", "secret": "x", "shop/data/a": ""}, tmp_path)
    (tmp_path / "shop" / "data" / "link").symlink_to(tmp_path / "secret")
    assert dict(project_at(tmp_path / "shop" / "app.py", b"").files) == {"shop/data/a": b""}


def test_what_is_too_large_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(data_files, "MAX_BYTES", 10)
    make({"shop/__init__.py": "'data'", "shop/app.py": "", "shop/data/a": "x" * 11, "shop/data/b": "x" * 9}, tmp_path)
    project = project_at(tmp_path / "shop" / "app.py", b"")
    assert (dict(project.files), project.left_out) == ({"shop/data/b": b"x" * 9}, ("shop/data/a",))


SHOP = {
    "shop/__init__.py": "",
    "shop/rates.py": PARCEL["parcel/rates.py"],
    "shop/data/two.txt": "2",
    "shop/app.py": "from .rates import TWO\n" + DOCUMENTED.replace("x * 2", "x * TWO"),
}


def test_a_data_file_is_bound_in_the_proof(store: MemoryStore, tmp_path: Path) -> None:
    make(SHOP, tmp_path)
    path = tmp_path / "shop" / "app.py"
    with Service(store) as own:
        reference = artifact_of(own, store, path)
        assert recheck_proof(reference, store, own.recheckers(), replay=True).holds
        artifact = show_proof(reference, store).document
        demanded = DemandedProgram(own.environment, str(path))
        assert demanded.unmet(artifact, path.read_bytes()) == ()
        (tmp_path / "shop" / "data" / "two.txt").write_text("3")
        assert demanded.unmet(artifact, path.read_bytes()) == ("the file shop/data/two.txt is another now",)
        assert outcome(verified(own, path)) == ("refuted", "program.counterexample")


def test_what_was_left_out_is_named_where_the_program_needs_it(
    monkeypatch: pytest.MonkeyPatch, store: MemoryStore, tmp_path: Path
) -> None:
    monkeypatch.setattr(data_files, "MAX_BYTES", 0)
    make(SHOP, tmp_path)
    with Service(store) as own:
        answer = verified(own, tmp_path / "shop" / "app.py")
    assert outcome(answer) == ("not_attempted", "program.needs_resource")
    assert isinstance(answer.observed, NotJudged)
    assert "shop/data/two.txt" in answer.sheet.next_step


LATE = "import time\nif time.time() < 1_200_000_000:\n    raise TypeError('dates are not what they were')\n"


def test_a_package_that_does_not_load_in_a_made_up_time_is_loaded_before(store: MemoryStore, tmp_path: Path) -> None:
    interpreter = make_environment(tmp_path / "env", {"late_dates.py": LATE}, ("late_dates", "1"))
    path = tmp_path / "subject.py"
    path.write_text("import late_dates\n\n\n" + DOCUMENTED)
    with Service(store, python=str(interpreter)) as opened:
        assert outcome(verified(opened, path)) == ("tested", "program.tested")


MANY = """class Many:
    def __getattr__(self, name):
        return type(self)()

    def __call__(self):
        return 1


func = Many()
"""


def test_an_object_that_answers_to_any_name_has_no_endless_documentation(store: MemoryStore, tmp_path: Path) -> None:
    interpreter = make_environment(tmp_path / "env", {"many.py": MANY}, ("many", "1"))
    path = tmp_path / "subject.py"
    path.write_text("from many import func\n\n\n" + DOCUMENTED)
    with Service(store, python=str(interpreter)) as opened:
        assert outcome(verified(opened, path))[1] != "program.too_large"
