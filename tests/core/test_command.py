"""What a kind may declare of its command, and how what was given is read."""

from __future__ import annotations

import re

import pytest
import typer

from probatum.app.kinds import built_in_kinds
from probatum.bench.runner import run_bench
from probatum.cli.application import build
from probatum.core.command import SHARED_OPTIONS, Command, Form, Given, Option
from probatum.core.errors import UsageError
from probatum.language_server.running import run_editor
from probatum.mcp_server.running import run_mcp
from probatum.web.running import run_service


def command_of(**groups: tuple[Option, ...]) -> Command:
    return Command("csv", "Right?", "Say whether it is.", "PATH", "What is judged.", **groups)


@pytest.mark.parametrize("group", ["options", "batch", "demands", "replay"])
@pytest.mark.parametrize("name", ["json", "trust", "max-age", "help", "subject"])
def test_a_kind_cannot_declare_an_option_that_the_command_has_already(group: str, name: str) -> None:
    with pytest.raises(ValueError, match=f"the command 'csv' has an option --{name} already"):
        command_of(**{group: (Option(name, "Mine."),)})


@pytest.mark.parametrize("name", ["json", "subject", "header"])
def test_the_option_that_names_the_subject_is_an_option_like_any_other(name: str) -> None:
    with pytest.raises(ValueError, match=f"the command 'csv' has an option --{name} already"):
        Command("csv", "Right?", "Say so.", "FILE", "A file.", (Option("header", "Mine."),), subject_option=name)
    with pytest.raises(ValueError, match="lower case"):
        Command("csv", "Right?", "Say so.", "FILE", "A file.", subject_option="--evidence")


@pytest.mark.parametrize("groups", [{"options": 2}, {"demands": 1, "replay": 1}])
def test_a_kind_cannot_declare_an_option_twice_for_one_command(groups: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="--header already"):
        command_of(**{group: (Option("header", "Mine."),) * count for group, count in groups.items()})


@pytest.mark.parametrize("group", ["batch", "demands", "replay"])
def test_a_kind_cannot_require_an_option_of_a_command_that_others_share(group: str) -> None:
    with pytest.raises(ValueError, match="requires an option"):
        command_of(**{group: (Option("header", "Mine.", is_required=True),)})


SHORT = re.compile(r"-[a-z]$")


def test_every_option_of_a_shared_command_is_named() -> None:
    kinds = list(built_in_kinds().values())
    declared = {
        option.name
        for each in (kind.command for kind in kinds)
        for option in (*each.options, *each.batch, *each.agents, *each.demands, *each.replay)
    }
    runners = {"bench": run_bench, "serve": run_service, "mcp": run_mcp, "server": run_editor}
    root = typer.main.get_command(build(runners, kinds))
    commands = root.commands  # type: ignore[attr-defined]  # a group of the option parser, which exports no type
    named = ("verify", "check", "batch", "gate", "mcp")
    shared = [*(commands[name] for name in named), commands["proof"].commands["recheck"]]
    own = {
        word.removeprefix("--")
        for command in shared
        for each in command.params
        for word in each.opts
        if not SHORT.match(word)
    }
    positional = {"requests", "answers", "verdict", "ref"}
    assert {name for name in own - declared if name not in positional} | {"help"} == SHARED_OPTIONS
    assert not declared & SHARED_OPTIONS


READ: dict[str, tuple[object, Form]] = {
    "a number given as text": ("0.9", Form.NUMBER),
    "a flag given as a number": (1, Form.FLAG),
    "a number given as a flag": (True, Form.NUMBER),
    "texts given as one text": ("abc", Form.TEXTS),
    "a text given as several": (("a", "b"), Form.TEXT),
    "a text given as a flag": (True, Form.TEXT),
}


@pytest.mark.parametrize("case", READ)
def test_an_option_is_never_read_as_its_default_where_another_form_was_given(case: str) -> None:
    value, form = READ[case]
    given = Given("", {"limit": value})
    readers = {
        Form.TEXT: lambda: given.text("limit"),
        Form.TEXTS: lambda: given.texts("limit"),
        Form.NUMBER: lambda: given.number("limit", 7),
        Form.FLAG: lambda: given.flag("limit"),
    }
    with pytest.raises(UsageError, match=f"The option --limit is a {form.value} for this kind of subject"):
        readers[form]()


def test_what_was_not_given_has_its_default() -> None:
    given = Given("", {"other": None})
    assert (given.text("limit"), given.texts("limit"), given.number("limit", 7), given.flag("limit")) == (
        None,
        (),
        7,
        False,
    )
    assert given.text("other") is None


def test_what_was_given_for_some_options_is_told_from_the_rest() -> None:
    given = Given("a.csv", {"header": "h", "limit": 3})
    assert given.only([Option("limit", "How many.", Form.NUMBER)]) == Given("a.csv", {"limit": 3})
