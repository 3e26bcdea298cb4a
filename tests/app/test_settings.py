"""What the environment may say, and what is taken when it says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.settings import read_settings
from probatum.core.errors import UsageError

STORES = {
    "an option wins over all": ({"PROBATUM_STORE": "/b", "XDG_DATA_HOME": "/c"}, Path("/a"), Path("/a")),
    "then the store variable": ({"PROBATUM_STORE": "/b", "XDG_DATA_HOME": "/c"}, None, Path("/b")),
    "then the data folder": ({"XDG_DATA_HOME": "/c"}, None, Path("/c/probatum/proofs.sqlite")),
    "an empty store variable names nothing": (
        {"PROBATUM_STORE": "", "XDG_DATA_HOME": "/c"},
        None,
        Path("/c/probatum/proofs.sqlite"),
    ),
}


@pytest.mark.parametrize(("environment", "asked", "expected"), STORES.values(), ids=STORES)
def test_where_proofs_are_kept(environment: dict[str, str], asked: Path | None, expected: Path) -> None:
    assert read_settings(environment).store_path(asked) == expected


@pytest.mark.parametrize("data_home", ["", "relative/folder"])
def test_without_an_absolute_data_folder_the_home_folder_is_taken(
    data_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    found = read_settings({"XDG_DATA_HOME": data_home}).store_path()
    assert found == Path("/home/ada/.local/share/probatum/proofs.sqlite")


def test_without_any_home_an_error_says_how_to_name_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(UsageError, match="--store DIR") as caught:
        read_settings({}).store_path()
    assert caught.value.code == "store.no_home"


def test_keys_have_their_own_place() -> None:
    assert read_settings({"XDG_DATA_HOME": "/data"}).keys_path() == Path("/data/probatum/keys")
    assert read_settings({"PROBATUM_KEYS": "/safe"}).keys_path() == Path("/safe")


def test_verdicts_are_recorded_only_where_a_ledger_is_named() -> None:
    assert read_settings({}).recording_path() is None
    assert read_settings({"PROBATUM_LEDGER": "log.sqlite"}).recording_path() == Path("log.sqlite")
    assert read_settings({"PROBATUM_LEDGER": "log.sqlite"}).ledger_path(Path("mine")) == Path("mine")
    with pytest.raises(UsageError, match="No ledger is named"):
        read_settings({}).ledger_path()


def test_switches() -> None:
    plain = read_settings({})
    assert (plain.colour, plain.dumb_terminal, plain.debug) == (True, False, False)
    asked = read_settings({"NO_COLOR": "1", "TERM": "dumb", "PROBATUM_DEBUG": "1"})
    assert (asked.colour, asked.dumb_terminal, asked.debug) == (False, True, True)


def test_an_empty_no_color_means_nothing() -> None:
    assert read_settings({"NO_COLOR": ""}).colour


def test_colour_can_be_forced_and_forbidding_it_comes_first() -> None:
    assert read_settings({"FORCE_COLOR": "1"}).force_colour
    assert not read_settings({"FORCE_COLOR": ""}).force_colour
    assert not read_settings({"FORCE_COLOR": "1", "NO_COLOR": "1"}).force_colour
