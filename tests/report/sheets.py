"""Sheets for the formats that draw: a small one about evidence, and texts that try to be more than text."""

from __future__ import annotations

from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.sheet import Diagram, Edge, Entry, Mark, Moment, Section, Sheet, Vertex

MOMENTS = (
    Moment("2026-01-31", "The window ends"),
    Moment("2026-01-18T01:00:30+01:00", "price = 99,180", "1.06 % below Coinbase", Mark.FAILS, "Kraken"),
    Moment("2026-01-17T23:59:00Z", "price = 100,240", "", Mark.HOLDS, "Coinbase"),
    Moment("in January", "status = Final", "", Mark.UNDECIDED, "blog"),
)
DIAGRAM = Diagram(
    (
        Vertex("e1", "Coinbase", "evidence", Mark.HOLDS),
        Vertex("e2", "Kraken", "evidence"),
        Vertex("c1", "price = 100,240.00 USD, as of the second Saturday of January", "claim", Mark.FAILS),
        Vertex("c2", "price = 99,180.00 USD", "claim", Mark.FAILS),
        Vertex("d", "price > 100000", "predicate", Mark.UNDECIDED),
        Vertex("p", "policy"),
    ),
    (
        Edge("e1", "c1", "extracted"),
        Edge("e2", "c2", "extracted"),
        Edge("c1", "c2", "1.06 % apart", Mark.FAILS),
        Edge("c1", "d", "", Mark.UNDECIDED),
        Edge("c2", "d", "", Mark.UNDECIDED),
        Edge("e2", "d"),
        Edge("d", "d", "again"),
        Edge("d", "e1", "asks again"),
    ),
)
SECTIONS = (
    Section(
        "What the evidence says",
        (
            Entry(Mark.FAILS, "price: 100,240 and 99,180", 3, ("1.06 % apart", "allowed: 0.5 %")),
            Entry(Mark.HOLDS, '>>> price("BTC")\n    100240'),
            Entry(Mark.NOTE, "1 quotation is not used"),
        ),
    ),
)


def verdict() -> DiagnosticResult:
    decision = decide(Outcome.UNDECIDED, "program.clause_undecided", {"name": "btc"})
    return DiagnosticResult.unverifiable(decision.agent_message, decision.developer_fields())


def sheet(moments: tuple[Moment, ...] = MOMENTS, diagram: Diagram = DIAGRAM) -> Sheet:
    repeat, following = "probatum audit --prompt p.json --evidence e.json", "Add a third source."
    return Sheet("btc_above_100k", verdict(), "Two sources disagree.", SECTIONS, repeat, following, moments, diagram)


HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "an attribute": '" onload="alert(1)',
    "a click": '"]; click A "javascript:alert(1)"',
    "the end of the drawing": "</title></svg></style><script>",
    "the end of a comment": "-->",
    "a comment": "<!-- ",
    "a fence": "```",
    "a fence of waves": "~~~",
    "ticks": "` `` a `",
    "a tick": "`",
    "a code span that ends": "a`<b>`@x",
    "a word of Mermaid": "end",
    "a directive": '%%{init: {"theme": "dark"}}%%',
    "an entity": "&lt;b&gt; #quot; &#60;",
    "an icon": "fa:fa-car",
    "a shape": "x@{shape: rect}",
    "a list": "1. one",
    "another list": "- one",
    "a heading": "# one",
    "a quotation": "> one",
    "a rule": "---",
    "a table": "| a |\\| b",
    "a link": "[a](javascript:alert(1)) ![b](https://example.com/x.png)",
    "an address": "https://example.com www.example.com a@example.com @user #1 GH-1",
    "emphasis": "**a** __b__ *c* _d_ ~~e~~ $x$",
    "backslashes": "\\\\",
    "lines": "a\n# b\n\n    c\r\n- d\n",
    "a fence among lines": "a\n```\n# b\n````\n<b>",
    "turned": "\u202eabc\u200b\ufeff",
    "control characters": "\x00\x1b[31m",
    "no text": "\ud800",
    "no characters": "\ufffe\uffff",
    "a long name": "x" * 100_000,
    "wide letters": "日本語のとても長い名前がここにあります",
    "nothing": "",
    "a space": " ",
}


def hostile_sheet(text: str) -> Sheet:
    """Return a sheet that has this text wherever a subject can put one."""
    entries = tuple(Entry(mark, text, 1, (text, text)) for mark in Mark)
    moments = tuple(Moment(text, text, text, mark, text) for mark in Mark)
    vertices = tuple(Vertex(f"{text}{mark}", text, text, mark) for mark in Mark)
    edges = tuple(Edge(one.id, other.id, text, one.mark) for one in vertices for other in vertices)
    diagram = Diagram(vertices, edges, text)
    return Sheet(text, verdict(), text, (Section(text, entries),), text, text, moments, diagram)
