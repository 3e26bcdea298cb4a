"""Options that kinds declare as data, as options of the command line.

A command is a function with a parameter ``given``; in its place the option parser sees one option for each that is
declared.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

import typer

from probatum.core.command import Form, Given, Option

GIVEN = "given"
SUBJECT = "subject"
_CONTEXT = "context"
_TYPES: Mapping[Form, Any] = {
    Form.TEXT: str | None,
    Form.TEXTS: list[str] | None,
    Form.NUMBER: float | None,
    Form.FLAG: bool,
}


def with_declared(
    command: Callable[..., int],
    options: Sequence[Option],
    *,
    without: Collection[str] = (),
    leading: Option | None = None,
    subject_default: str | None = None,
) -> Callable[..., int]:
    """Return the command with one option for each that is declared, where its own ``given`` stands.

    ``without`` names parameters of its own that it keeps at their defaults; ``leading`` is an argument before them;
    ``subject_default`` is the subject where none is named.
    """

    def run(**values: object) -> int:
        # The parser hands over a context of its own class, which need not be the annotated one.
        context = cast("typer.Context", values.pop(_CONTEXT))
        options_given = {}
        for option in options if leading is None else (leading, *options):
            value = values.pop(_parameter(option))
            source = context.get_parameter_source(_parameter(option))
            # What was typed counts even where it is the default: a kind that declares it too may have another one.
            if source is not None and source.name != "DEFAULT":
                options_given[option.name] = value
        asked = values.get(SUBJECT, "")
        subject, *others = asked if isinstance(asked, list | tuple) else [asked]
        try:
            return command(**values, given=Given(str(subject), options_given, tuple(map(str, others))))
        except BaseException as error:
            # Only what a command returns is an exit code: a kind that exits or panics has answered nothing.
            is_ours = isinstance(error, Exception) and not isinstance(error, typer.Exit)
            if is_ours or isinstance(error, KeyboardInterrupt):
                raise
            raise RuntimeError(f"{type(error).__name__} ended the command from within") from error

    own = inspect.signature(command, eval_str=True)
    context = inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context] if leading is None else [context, _argument(leading)]
    for parameter in own.parameters.values():
        if parameter.name in without:
            continue
        own_one = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        if parameter.name == SUBJECT and subject_default is not None:
            own_one = [own_one[0].replace(default=subject_default)]
        parameters += [_declared(each) for each in options] if parameter.name == GIVEN else own_one
    run.__name__ = command.__name__
    run.__doc__ = command.__doc__
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]  # what the parser looks at
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def bare_values(options: Iterable[Option]) -> dict[str, str]:
    """Return what options mean whose value may be left out, by the option as it is written."""
    return {f"--{option.name}": option.bare for option in options if option.bare and not option.is_joined}


def joined_values(options: Iterable[Option]) -> dict[str, str]:
    """Return the same of options whose value is always joined to them."""
    return {f"--{option.name}": option.bare for option in options if option.bare and option.is_joined}


def _argument(option: Option) -> inspect.Parameter:
    written = typer.Argument(metavar=option.metavar, help=option.help, show_default=False)
    return inspect.Parameter(_parameter(option), inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[str, written])


def _declared(option: Option) -> inspect.Parameter:
    written = typer.Option(
        f"--{option.name}",
        *option.also,
        help=option.help,
        metavar=option.metavar or None,
        show_default=option.default is not None,
    )
    default = option.default if option.default is not None else False if option.form is Form.FLAG else None
    kind = str if option.is_required else _TYPES[option.form]
    return inspect.Parameter(
        _parameter(option),
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if option.is_required else default,
        annotation=Annotated[kind, written],
    )


def _parameter(option: Option) -> str:
    return f"declared_{option.name.replace('-', '_')}"
