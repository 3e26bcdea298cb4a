"""An entry that is written into a JSON file is taken out again: every byte is as before, whatever the layout.

What the entry goes into and was empty before goes with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from probatum.app.json_edits import JsonEntry, JsonText
from probatum.app.text_edits import EditError, with_block, without_block

SERVER = JsonEntry(("mcpServers", "probatum"), {"command": "probatum", "args": ["mcp"]})
RUN = "probatum stop-hook"
HOOK = JsonEntry(("hooks", "Stop", RUN), {"hooks": [{"type": "command", "command": RUN}]}, is_item=True)
CURSOR_HOOK = JsonEntry(("hooks", "stop", RUN), {"command": RUN}, is_item=True, also=(("version", 1),))
WORDS = st.text(max_size=5).filter(lambda word: not {*"{}[]"}.intersection(word))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
OTHERS = st.dictionaries(WORDS, VALUES, max_size=3)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t", " \t"])


@st.composite
def files(draw: st.DrawFn) -> str:
    """Any JSON object as any tool would write it, often with the containers that an entry goes into."""
    document = draw(OTHERS)
    if draw(st.booleans()):
        document["mcpServers"] = draw(OTHERS)
        groups = st.lists(VALUES, max_size=2)
        document["hooks"] = draw(OTHERS) | draw(st.just({}) | st.fixed_dictionaries({"Stop": groups, "stop": groups}))
    document = dict(draw(st.permutations(list(document.items()))))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,  ", " : ")]))
    text = json.dumps(document, indent=draw(INDENTS), separators=separators, ensure_ascii=draw(st.booleans()))
    text = text.replace("{}", draw(st.sampled_from(["{}", "{ }", "{\n}", "{\n\n  }"])))
    text = text.replace("[]", draw(st.sampled_from(["[]", "[ ]", "[\n]", "[\n\n  ]"])))
    before, after = (draw(st.text(" \t\n", max_size=3)) for _ in range(2))
    text = before + text + after
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(files(), st.sampled_from([SERVER, HOOK, CURSOR_HOOK]))
@example("{}", SERVER)
@example("{\n}\n", SERVER)
@example('{"mcpServers": {}}', SERVER)
@example('{\n  "mcpServers": {\n  }\n}\n', SERVER)
@example('{\n  "hooks": {"Stop": []}\n}\n', HOOK)
def test_what_is_written_is_taken_out_again_exactly(text: str, entry: JsonEntry) -> None:
    changed = JsonText(text, comments=False).with_entry(entry)
    taken_back = JsonText(changed, comments=False).without_entry(entry)
    before, after, bare = (json.loads(each.removeprefix("\ufeff")) for each in (text, changed, taken_back))
    assert taken_back == text or bare != before
    drop_empty(before, entry.keys[:-1])
    assert bare == before
    assert JsonText(changed, comments=False).found(entry) == entry.value
    place = after
    for key in entry.keys[:-1]:
        place = place[key]
    assert place.pop(0 if entry.is_item else entry.keys[-1]) == entry.value
    drop_empty(after, entry.keys[:-1])
    assert after == before


def drop_empty(document: dict[str, Any], keys: Sequence[str]) -> None:
    """Take out what is on a way and empty."""
    first, *others = keys
    if document.get(first) and others:
        drop_empty(document[first], others)
    if document.get(first) in ({}, []):
        del document[first]


@given(files(), st.data())
def test_comments_stay_where_they_are(text: str, data: st.DataObject) -> None:
    ends = st.sampled_from(["", " // why", " /* a\n b */", "  /* // */ ", "// \xa0"])
    end = "\r\n" if "\r\n" in text else "\n"
    text = end.join(line + data.draw(ends) for line in text.split(end))
    changed = JsonText(text, comments=True).with_entry(SERVER)
    taken_back = JsonText(changed, comments=True).without_entry(SERVER)
    assert taken_back == text or re.sub(r'"mcpServers"\s*:\s*\{\s*\}|[\s,]', "", text) == re.sub(
        r"[\s,]", "", taken_back
    )


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ('{"servers": {"probatum": {},}, /* a */}', "{ /* a */}"),
        ('{"a": 1, "servers": {"probatum": {}, // b\n},}', '{"a": 1, "servers": { // b\n},}'),
        ('{"a": 1, // a\n"servers": {"probatum": {}}}', '{"a": 1, // a\n}'),
        ('{"a": 1, // a\n"servers": {"probatum": {}}, /* b\n */ "c": 2}', '{"a": 1, // a\n /* b\n */ "c": 2}'),
    ],
)
def test_an_entry_between_comments_is_taken_out(text: str, bare: str) -> None:
    entry = JsonEntry(("servers", "probatum"), {})
    assert JsonText(text, comments=True).without_entry(entry) == bare
    JsonText(bare, comments=True)


def test_an_entry_goes_first_in_the_indentation_of_the_file() -> None:
    text = '{\n\t// ours\n\t"servers": {\n\t\t"a": {}, // first\n\t},\n}\n'
    entry = JsonEntry(("servers", "probatum"), {"command": "probatum"})
    changed = JsonText(text, comments=True).with_entry(entry)
    added = '\n\t\t"probatum": {\n\t\t\t"command": "probatum"\n\t\t},'
    assert changed == text.replace('"servers": {', '"servers": {' + added)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"a": 1,}', '{"a": 1} // x', '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": ' * 5000]
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        JsonText(text, comments=False)


@pytest.mark.parametrize("text", ['{"a": 1 /* no end', '{"a": "no end', "{" + '"\\"' * 100_000, "/*" * 100_000])
def test_comments_and_strings_without_an_end_are_refused_soon(text: str) -> None:
    with pytest.raises(EditError):
        JsonText(text, comments=True)


def test_an_entry_that_was_laid_out_anew_is_taken_out_too() -> None:
    text = '{"mcpServers": {"other": {},\n"probatum":\n{"args": ["mcp"], "command": "probatum"}}}'
    assert JsonText(text, comments=False).without_entry(SERVER) == '{"mcpServers": {"other": {}}}'


@given(st.text(max_size=30) | st.text("\r\n a", max_size=8))
def test_a_block_is_taken_out_again_exactly(text: str) -> None:
    block = "<begin>\none\ntwo\n<end>"
    try:
        changed = with_block(text, block)
    except EditError:
        assert text.endswith("\r"), "a line break that is cut off would become another one"
        return
    assert without_block(changed, block) == text
    assert with_block(changed, block) == changed


def test_marks_that_are_no_pair_are_refused() -> None:
    block = "<begin>\none\n<end>"
    for text in ("<begin>", "<end> <begin>", "<begin> <end> <begin> <end>"):
        with pytest.raises(EditError):
            with_block(text, block)
