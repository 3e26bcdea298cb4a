"""Export of rows of text in several formats; each writer registers itself when the module is loaded."""

from collections.abc import Callable

Writer = Callable[[list[str]], str]
WRITERS: dict[str, Writer] = {}


def _writer(*names: str) -> Callable[[Writer], Writer]:
    def register(function: Writer) -> Writer:
        for name in names:
            WRITERS[name] = function
        return function

    return register


@_writer("csv")
def _csv(cells: list[str]) -> str:
    return ",".join(f'"{cell}"' if "," in cell else cell for cell in cells)


@_writer("md", "markdown")
def _markdown(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def export(cells: list[str], name: str) -> str:
    """Write one row in the format of that name; case does not matter.

    Raises:
        LookupError: there is no such format.

    >>> export(["a", "b"], "csv")
    'a,b'
    >>> export(["a,b", "c"], "CSV")
    '"a,b",c'
    >>> export([], "csv")
    ''
    >>> export(["a", "b"], "md")
    '| a | b |'
    >>> export(["a"], "Markdown")
    '| a |'
    >>> export(["a"], "pdf")
    Traceback (most recent call last):
        ...
    LookupError: no format 'pdf'; there are: csv, markdown, md
    """
    writer = WRITERS.get(name.lower())
    if writer is None:
        raise LookupError(f"no format {name!r}; there are: {', '.join(sorted(WRITERS))}")
    return writer(cells)
