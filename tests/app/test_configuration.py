"""``[tool.probatum]``: which file counts, and what it may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.configuration import (
    DEFAULT_BASELINE,
    RUN,
    Configuration,
    configurable,
    configured,
    read_configuration,
)
from probatum.core.command import Form, Given, Option
from probatum.core.errors import NotAttemptedError, UsageError

OPTIONS = (
    Option("level", "How much.", is_configurable=True),
    Option("min-strength", "How strong.", Form.NUMBER, is_configurable=True),
    Option("exclude", "What not.", Form.TEXTS, is_configurable=True),
    Option("allow-unchecked", "Whether.", Form.FLAG, is_configurable=True),
    Option("python", "Which."),
)


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text)
    return folder / "pyproject.toml"


def read(folder: Path) -> Configuration:
    return read_configuration(str(folder), OPTIONS)


def test_without_a_file_nothing_is_said(tmp_path: Path) -> None:
    assert read(tmp_path).values == {}
    assert read(tmp_path).root == Path()


def test_the_nearest_file_with_a_table_counts(tmp_path: Path) -> None:
    outer = written(tmp_path, '[tool.probatum]\nlevel = "quick"\nmin-strength = 0.5\n')
    inner = written(tmp_path / "a", '[tool.probatum]\nlevel = "thorough"\n')
    written(tmp_path / "a" / "b", '[project]\nname = "probatum"\n')
    found = read(tmp_path / "a" / "b" / "c.py::f")
    assert (found.file, found.values) == (inner, {"level": "thorough"})
    assert read(tmp_path / "d").file == outer
    assert found.root == inner.parent


def test_an_empty_table_is_one(tmp_path: Path) -> None:
    written(tmp_path, '[tool.probatum]\nlevel = "quick"\n')
    inner = written(tmp_path / "a", "[tool.probatum]\n")
    assert (read(tmp_path / "a").file, read(tmp_path / "a").values) == (inner, {})


def test_standard_input_stands_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, '[tool.probatum]\nlevel = "quick"\n')
    monkeypatch.chdir(tmp_path)
    assert read(Path("-")).file == file


def test_paths_count_from_the_file(tmp_path: Path) -> None:
    text = '[tool.probatum]\nexclude = ["gen", "a/b"]\nbaseline = "k.txt"\n'
    written(tmp_path, text)
    assert read(tmp_path).values == {
        "exclude": ["gen", str(tmp_path / "a" / "b")],
        "baseline": str(tmp_path / "k.txt"),
    }


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("level = 1", "'level' is a text, got '1'"),
        ("level = true", "'level' is a text"),
        ("min-strength = true", "'min-strength' is a number"),
        ('min-strength = "0.5"', "'min-strength' is a number"),
        ('exclude = "a"', "'exclude' is a list of texts"),
        ("exclude = [1]", "'exclude' is a list of texts"),
        ("allow-unchecked = 1", "'allow-unchecked' is a flag"),
        ("jobs = []", "'jobs' is a number"),
        ("no-cache = 0", "'no-cache' is a flag"),
    ],
)
def test_a_value_of_another_form_is_refused(line: str, told: str, tmp_path: Path) -> None:
    file = written(tmp_path, f"[tool.probatum]\n{line}\n")
    with pytest.raises(UsageError, match=told) as raised:
        read(tmp_path)
    assert raised.value.code == "configuration.invalid"
    assert str(file) in raised.value.sentence


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("levl", "Did you mean 'level'?"),
        ("min_strength", "Did you mean 'min-strength'?"),
        ("fail_on", "Did you mean 'fail-on'?"),
        ("python", "Only a command line can say it: --python"),
        ("store", "Only a command line can say it: --store"),
        ("unsafe-no-isolation", "Only a command line can say it: --unsafe-no-isolation"),
        ("acceptance", "Only a command line can say it: --acceptance"),
        ("zzz", "See all of them with: probatum config"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest(key: str, hint: str, tmp_path: Path) -> None:
    written(tmp_path, f'[tool.probatum]\n{key} = "x"\n')
    with pytest.raises(UsageError, match="unknown key") as raised:
        read(tmp_path)
    assert (raised.value.code, raised.value.hint) == ("configuration.unknown", hint)


@pytest.mark.parametrize("text", ["[tool.probatum\n", "[tool.probatum]\nlevel = \n", '[tool.probatum]\na = "\n'])
def test_a_broken_file_is_refused(text: str, tmp_path: Path) -> None:
    written(tmp_path, text)
    with pytest.raises(UsageError, match="is not TOML") as raised:
        read(tmp_path)
    assert raised.value.code == "configuration.not_toml"


def test_a_broken_file_that_does_not_name_probatum_is_left_alone(tmp_path: Path) -> None:
    file = written(tmp_path, '[tool.probatum]\nlevel = "quick"\n')
    written(tmp_path / "a", "[tool.black\n")
    assert read(tmp_path / "a").file == file


def test_a_table_is_a_table(tmp_path: Path) -> None:
    written(tmp_path, "[tool]\nprobatum = 1\n")
    with pytest.raises(UsageError, match=r"tool\.probatum is not a table"):
        read(tmp_path)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "[tool.probatum]\n")

    def refused(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(NotAttemptedError, match="could not be read"):
        read(tmp_path)


def test_what_a_file_may_say() -> None:
    names = {each.name for each in configurable(OPTIONS)}
    assert names == {
        "level",
        "min-strength",
        "exclude",
        "allow-unchecked",
        *(each.name for each in RUN if each.is_configurable),
    }
    assert DEFAULT_BASELINE in next(each.help for each in RUN if each.name == "baseline")


def test_what_is_given_counts_more(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.probatum]\njobs = 2\n")
    for options, jobs in (({}, 2), ({"jobs": 3}, 3)):
        told, _ = configured(Given(str(tmp_path), options), (*OPTIONS, *RUN))
        assert told.number("jobs", 1) == jobs
        assert "level" not in told.options
