"""Contracts from folders and files.

A contract is in ``<task>/<version>/``: its words in ``contract.md``, what a machine checks in ``contract.json``. A
task with words alone has a contract that asks for nothing. Refuses: a task or version that could be a path, a link that
leaves the folder, a file that is too large or not regular, an unknown key, a wrong type.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

from probatum.contracts.specification import MAX_NAME, ContractSpec, is_name
from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError, nearest
from probatum.core.frozen import frozen_in_place
from probatum.readers.json_schema.parsing import NotJsonError, strict_json

BUILT_IN: Final = Path(__file__).parent / "built_in"
FORMATS: Final = (1, 2)
UNVERSIONED: Final = "unversioned"
WORDS: Final = "contract.md"
RULES: Final = "contract.json"
SCHEMAS: Final = "schemas"
MAX_SCHEMAS: Final = 100
MAX_BYTES: Final = 1024 * 1024
_FORMAT_KEY: Final = "contract_spec_format"
_SCHEMAS: Final = ("input_schema", "output_schema")
_LISTS: Final = ("success_criteria", "failure_modes")
_POLICIES: Final = ("retry_policy", "verification_policy", "fallback_policy")
_CONTENT: Final = ("task_id", "version", "title", *_SCHEMAS, "schemas", *_LISTS, *_POLICIES)
_KEYS: Final = (_FORMAT_KEY, *_CONTENT)
_SHOWN: Final = 80


class UnknownContractError(UsageError):
    """There is no contract of this task or version."""


def load_contract_spec(task_id: str, version: str = "v1", *, folder: Path | None = None) -> ContractSpec:
    """Return the contract of a task: a built-in one, or one in a folder of ``<task_id>/<version>/``.

    Raises:
        UnknownContractError: there is none; the hint names the nearest.
        NotAttemptedError: there is one, and it cannot be read or is not valid.
    """
    root = BUILT_IN if folder is None else Path(folder)
    _check_known(task_id, "task", root, f"There is no contract {_shown(task_id)}.")
    _check_known(version, "version", root / task_id, f"The contract {task_id!r} has no version {_shown(version)}.")
    spec = _from_folder(root / task_id / version, root, (task_id, version), is_laid_out=True)
    if spec is None:
        raise UnknownContractError("contract.unknown", f"The folder of {task_id!r} {version} holds no contract.")
    return spec


def load_contract(path: Path) -> ContractSpec:
    """Return the contract in a folder, in a ``contract.json``, or that a file with a bare JSON Schema states.

    A bare schema is what the output must satisfy; nothing is asked of the input. Task and version are those that the
    contract states, else the names of its folders.

    Raises:
        UnknownContractError: there is nothing at the path.
        NotAttemptedError: it cannot be read or is not valid.
    """
    path = Path(path)
    if path.is_dir():
        spec = _from_folder(path, path, _names_of(path), is_laid_out=False)
        if spec is None:
            raise UnknownContractError("contract.unknown", f"{_shown(str(path))} holds neither {RULES} nor {WORDS}.")
        return spec
    content = read_inside(path, None, MAX_BYTES)
    if content is None:
        beside = [each.name for each in path.parent.glob("*.json")] if path.parent.is_dir() else []
        hint = nearest(path.name, sorted(beside)[:1000])
        raise UnknownContractError("contract.unknown", f"There is no file {_shown(str(path))}.", hint)
    return contract_in(content, path)


def contract_in(content: bytes, path: Path) -> ContractSpec:
    """Return the contract that a file at this path states with these bytes; raises as `load_contract` does."""
    data = _json_of(content, path.name)
    if isinstance(data, dict) and _FORMAT_KEY in data:
        words = path.parent / WORDS
        names = _names_of(path.parent.absolute())
        rules = _with_schemas(data, path.parent, path.parent)
        return _from_rules(rules, names, words if words.is_file() else None, is_laid_out=False)
    return schema_contract(data, _name_from(path.name.partition(".")[0], "schema"))


def contract_of(data: JsonValue, task_id: str = "given") -> ContractSpec:
    """Return the contract that JSON states: the rules of a ``contract.json``, or a bare JSON Schema for the output.

    Raises NotAttemptedError where it is not valid.
    """
    if isinstance(data, dict) and _FORMAT_KEY in data:
        return _from_rules(data, (task_id, UNVERSIONED), None, is_laid_out=False)
    return schema_contract(data, task_id)


def schema_contract(schema: JsonValue, task_id: str = "schema") -> ContractSpec:
    """Return the contract that a bare JSON Schema states: the output satisfies it.

    Raises NotAttemptedError where it is not a schema, or looks like a contract without its format.
    """
    if isinstance(schema, dict) and "output_schema" in schema:
        _refuse(f"This looks like a contract without {_FORMAT_KEY!r}.", f'Add "{_FORMAT_KEY}": {FORMATS[-1]}.')
    policy = {"verifier_ids": ["contract.schema"]}
    stated = {"task_id": task_id, "version": UNVERSIONED, "output_schema": schema, "verification_policy": policy}
    return _made(stated, None)


def _check_known(name: object, what: str, root: Path, sentence: str) -> None:
    if not is_name(name):
        hint = f"A {what} is named by letters and digits with single dots, dashes or underscores between them."
        raise UnknownContractError("contract.unknown", sentence, hint)
    assert isinstance(name, str)
    try:
        known = sorted(each.name for each in root.iterdir() if is_name(each.name))
    except OSError:
        known = []
    if name not in known:
        hint = nearest(name, known) or (f"Known are {', '.join(known[:10])}." if known else "")
        raise UnknownContractError("contract.unknown", sentence, hint)


def _names_of(folder: Path) -> tuple[str, str]:
    where = folder.absolute()
    version = where.name if is_name(where.name) else UNVERSIONED
    return _name_from(where.parent.name, "contract"), version


def _name_from(text: str, default: str) -> str:
    name = "_".join(part for part in re.split(r"[^A-Za-z0-9]+", text) if part)[:MAX_NAME].strip("_")
    return text if is_name(text) else name or default


def _from_folder(folder: Path, root: Path, names: tuple[str, str], *, is_laid_out: bool) -> ContractSpec | None:
    rules = _json(folder / RULES, root)
    words = read_inside(folder / WORDS, root, MAX_BYTES)
    if rules is not None:
        stated = _with_schemas(rules[0], folder, root)
        return _from_rules(stated, names, None if words is None else folder / WORDS, is_laid_out=is_laid_out)
    if words is None:
        return None
    title = _title(words) or names[0]
    return ContractSpec(*names, title, contract_markdown_path=str(folder / WORDS))


def _with_schemas(rules: JsonValue, folder: Path, root: Path) -> JsonValue:
    """Return the rules with the schemas that lie beside them, each under its ``$id``."""
    stated = rules.get(SCHEMAS) or {} if isinstance(rules, dict) else None
    if not isinstance(rules, dict) or not isinstance(stated, dict):
        return rules
    # Sorted, because a folder lists its files in an order of its own and the first flaw is reported.
    files = sorted((folder / SCHEMAS).glob("*.json"))
    if len(files) > MAX_SCHEMAS:
        _refuse(f"The folder {SCHEMAS!r} holds more than {MAX_SCHEMAS} schemas.")
    every = dict(stated)
    for path in files:
        read = _json(path, root)
        address = read[0].get("$id") if read is not None and isinstance(read[0], dict) else None
        if read is None or not isinstance(address, str):
            _refuse(f"{SCHEMAS}/{path.name} has no '$id' that a '$ref' could name.")
        bare = address.removesuffix("#")
        if bare in every:
            _refuse(f"The schema {_shown(bare)} is there twice, the second time in {SCHEMAS}/{path.name}.")
        every[bare] = read[0]
    return {**rules, SCHEMAS: every} if every else rules


def _title(words: bytes) -> str:
    try:
        text = words.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(f"{WORDS} is not UTF-8 at byte {error.start}.")
    headings = (line[2:].strip() for line in text.splitlines() if line.startswith("# "))
    return next(headings, "")[:200]


def _json(path: Path, root: Path | None) -> tuple[JsonValue] | None:
    """Return what a file holds, in a tuple because JSON may be null; None where there is no file."""
    content = read_inside(path, root, MAX_BYTES)
    return None if content is None else (_json_of(content, path.name),)


def _json_of(content: bytes, name: str) -> JsonValue:
    try:
        # Frozen where it stands, so that the contract need not hold a copy of its own.
        return frozen_in_place(strict_json(content))  # type: ignore[return-value]  # JSON stays JSON
    except NotJsonError as error:
        _refuse(f"{name} is not JSON: {error}")
    except BudgetError as error:
        _refuse(f"{name} is beyond the budget: {error.sentence}")
    except RecursionError:
        _refuse(f"{name} is nested too deep.")


def _from_rules(data: JsonValue, names: tuple[str, str], words: Path | None, *, is_laid_out: bool) -> ContractSpec:
    if not isinstance(data, dict):
        _refuse(f"{RULES} holds no object.")
    stated = data.get(_FORMAT_KEY)
    if type(stated) is not int or stated not in FORMATS:
        _refuse(f"{_FORMAT_KEY!r} is {_shown(stated)}; known are {' and '.join(map(str, FORMATS))}.")
    for key in data:
        if key not in _KEYS and not key.startswith(("$", "x-")):
            _refuse(f"The key {_shown(key)} is unknown.", nearest(key, _KEYS) or "Keys of your own begin with 'x-'.")
    given: dict[str, object] = {"task_id": names[0], "version": names[1]}
    for name, of_folder in list(given.items()):
        if is_laid_out and data.get(name, of_folder) != of_folder:
            _refuse(f"{name!r} is {_shown(data[name])}, but the contract lies in the folder of {of_folder!r}.")
    given |= {key: value for key, value in data.items() if key in _CONTENT and value is not None}
    given.setdefault("title", given["task_id"])
    return _made(given, words)


def _made(given: Mapping[str, object], words: Path | None) -> ContractSpec:
    try:
        return ContractSpec(
            **given,  # type: ignore[arg-type]  # the value itself refuses what has the wrong type
            contract_markdown_path=None if words is None else str(words),
        )
    except ValueError as error:
        _refuse(f"The contract is not valid: {error}.")


def _shown(value: object) -> str:
    return repr(value)[:_SHOWN]


def _refuse(sentence: str, hint: str = "") -> NoReturn:
    raise NotAttemptedError("contract.invalid", sentence, hint)


def read_inside(path: Path, root: Path | None, max_bytes: int) -> bytes | None:
    """Return what a file holds, which must be inside ``root``, links followed, where one is given; None without a file.

    Raises NotAttemptedError where it lies outside, is not a file, is too large or cannot be read. A pipe or a device is
    never waited for.
    """
    try:
        real = path.resolve(strict=True)
        if root is not None and not real.is_relative_to(root.resolve(strict=True)):
            sentence = f"{path.name} is a link that leads out of the contract's folder."
            raise NotAttemptedError("contract.outside", sentence)
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise NotAttemptedError("contract.unreadable", f"{path.name} is not a file.")
            content = stream.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotAttemptedError("contract.unreadable", f"{path.name} cannot be read: {reason}.") from error
    if len(content) > max_bytes:
        raise NotAttemptedError("contract.too_large", f"{path.name} is larger than {max_bytes // 1024} KiB.")
    return content
