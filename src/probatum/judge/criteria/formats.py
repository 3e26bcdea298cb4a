"""Criteria about notation: ``valid: json``, ``yaml``, ``python``, or ``sql`` with a dialect (sqlite by default).

The output's one text is read by the parser of the language; of Python, every program in the output. Refuses to decide
what the parser here may not know: SQL that is no single query, YAML without its parser installed.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from probatum.core.errors import ProbatumError
from probatum.core.json_text import DEEPEST, DepthError, decoded_within, strict_decoder
from probatum.core.limits import ExtentError, require_shallow
from probatum.exact.sql.reading import DIALECTS, RefutedError, read_query
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView

if TYPE_CHECKING:
    import yaml  # type: ignore[import-untyped]  # it comes without types

_MOST_NESTED: Final = "the text is too large or nested too deeply"
_LONGEST_YAML: Final = 200_000
"""Characters: its parser is slow."""


def valid_ruling(rest: str, view: OutputView, _tools: CriteriaTools) -> CriterionRuling:
    """Return whether the output is valid in a language."""
    language, _, dialect = rest.lower().partition(" ")
    if language not in _READERS or (dialect and (language != "sql" or dialect.strip() not in DIALECTS)):
        return unknown(f"a language is one of {', '.join(_READERS)}, sql with one of {', '.join(DIALECTS)}")
    if language == "json" and not isinstance(view.output, str):
        return ruled(True, Basis.EXACT, "the output is a JSON value")
    texts = [each.source for each in view.code] if language == "python" and view.code else [view.text]
    flaws = [_flaw(language, each, dialect.strip() or DIALECTS[0]) for each in texts if each is not None]
    if not flaws or None in flaws:
        return unknown(_MOST_NESTED if flaws else "the output is not one text")
    flaw = next(filter(None, flaws), "")
    if flaw.startswith("?"):
        return unknown(flaw[1:])
    return ruled(not flaw, Basis.STRUCTURE, flaw or f"the text is valid {language}")


def _flaw(language: str, text: str, dialect: str) -> str | None:
    """Return what is wrong with a text, empty where nothing is; None for too much, with ``?`` what is not decided."""
    try:
        return _READERS[language](text, dialect)
    except (RecursionError, MemoryError):
        return None


def _json(text: str, _dialect: str) -> str | None:
    try:
        decoded_within(DEEPEST, text, strict_decoder(str, str))
    except DepthError:
        return None
    except ValueError as error:
        return str(error)[:200]
    return ""


def _yaml(text: str, _dialect: str) -> str | None:
    try:
        import yaml
    except ImportError:
        return "?PyYAML is not installed; run: pip install pyyaml"
    if len(text) > _LONGEST_YAML:
        return None
    try:
        for document in yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if flaw := _repeated_key(document):
                return flaw
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        return " ".join(str(error).split())[:200]
    return ""


def _repeated_key(document: yaml.Node | None) -> str:
    """Return what is wrong with a document in which a mapping has a key twice; empty where none has."""
    waiting, seen = [document], set[int]()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen or isinstance(node.value, str):
            continue
        seen.add(id(node))
        is_mapping = node.id == "mapping"
        pairs = node.value if is_mapping else ()
        keys = Counter((key.tag, key.value) for key, _ in pairs if isinstance(key.value, str))
        for (_, name), count in keys.items():
            if count > 1:
                return f"line {node.start_mark.line + 1}: the key {name[:40]!r} is there {count} times"
        waiting += [each for pair in node.value for each in pair] if is_mapping else node.value
    return ""


def _python(text: str, _dialect: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(require_shallow(ast.parse(text), len(text)), "output", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except ExtentError:
        return None
    except ValueError:
        return "the text holds a null character"
    return ""


def _sql(text: str, dialect: str) -> str:
    try:
        read_query(text.strip().removesuffix(";"), dialect)
    except RefutedError as error:
        return f"?{str(error)[:200]}"
    except ProbatumError as error:
        return error.sentence[:200] if error.code == "sql.syntax" else f"?{error.sentence[:200]}"
    return ""


_READERS: Final[Mapping[str, Callable[[str, str], str | None]]] = {
    "json": _json,
    "yaml": _yaml,
    "python": _python,
    "sql": _sql,
}
