"""The looks of the HTML report: one sheet of styles for light and dark screens, narrow ones and paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --page: #f6f6f4; --card: #ffffff; --ink: #1d1e20; --soft: #5b5f66; --line: #dfdfdb; --quiet: #f1f1ee;
  --shade: #0000002e;
  --holds: #176b3a; --fails: #b3231d; --undecided: #845400; --note: #5b5f66;
  --holds-tint: #e7f3eb; --fails-tint: #fbeae8; --undecided-tint: #fbf1dd; --note-tint: #eeeeeb;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #16171a; --card: #1e2024; --ink: #e8e8e6; --soft: #a3a7ae; --line: #34373d; --quiet: #26292e;
    --shade: #000000a0;
    --holds: #7fd3a0; --fails: #ff9d94; --undecided: #f0c063; --note: #a3a7ae;
    --holds-tint: #1d3327; --fails-tint: #412321; --undecided-tint: #3a2f18; --note-tint: #2b2e34;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2.5rem 1.25rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
main { max-width: 72rem; margin: 0 auto; }
article {
  margin: 0 0 1.5rem; padding: 2rem 2.25rem 2.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px;
}
h1, h2, h3 { line-height: 1.25; margin: 0; font-weight: 650; }
.name { font-size: 1.3rem; margin-top: .9rem; }
.title { font-size: .95rem; margin: 2.25rem 0 .5rem; }
.lead { white-space: pre-line; font-size: 1.05rem; margin: .4rem 0 0; max-width: 44rem; }
.lead + .lead, .aside { font-size: .95rem; color: var(--soft); }
.aside { margin: .6rem 0 0; }
code, .code { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
bdi, td, th, li, p { unicode-bidi: isolate; }
.mark {
  display: inline-block; padding: .1rem .55rem; border-radius: 99px; white-space: nowrap;
  font-size: .8rem; line-height: 1.45; font-weight: 600;
}
.holds { color: var(--holds); } .fails { color: var(--fails); }
.undecided { color: var(--undecided); } .note { color: var(--note); }
.mark.holds { background: var(--holds-tint); } .mark.fails { background: var(--fails-tint); }
.mark.undecided { background: var(--undecided-tint); } .mark.note { background: var(--note-tint); font-weight: 450; }
.word { font-size: .9rem; letter-spacing: .04em; padding: .2rem .8rem; }
.entries { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.entries li {
  display: grid; grid-template-columns: 7.75rem 1fr; gap: 0 .75rem; padding: .6rem 0;
  border-bottom: 1px solid var(--line);
}
.entries p { margin: 0; white-space: pre-wrap; }
.entries li:last-child, tr:last-child td { border-bottom: 0; }
.place { display: block; margin-top: .25rem; padding-left: .55rem; font-size: .8rem; color: var(--soft); }
.entries .detail, .detail { color: var(--soft); margin-top: .2rem; }
.detail { font-size: .9rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--soft); outline-offset: 3px; }
.drawing {
  margin-top: .75rem; padding: 1.25rem; border-radius: 8px; background-color: var(--quiet);
  background-image: linear-gradient(to right, var(--quiet) 40%, transparent),
    linear-gradient(to left, var(--quiet) 40%, transparent), linear-gradient(to right, var(--shade), transparent),
    linear-gradient(to left, var(--shade), transparent);
  background-position: left, right, left, right; background-repeat: no-repeat;
  background-attachment: local, local, scroll, scroll;
  background-size: 40px 100%, 40px 100%, 14px 100%, 14px 100%;
}
.drawing svg { display: block; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .95rem; }
th, td {
  text-align: start; vertical-align: top; padding: .55rem .75rem .55rem 0; border-bottom: 1px solid var(--line);
}
th { font-size: .8rem; font-weight: 600; color: var(--soft); }
td p { margin: 0; }
.time { width: 8.5rem; font-variant-numeric: tabular-nums; }
.time span, .lane { display: block; font-size: .8rem; color: var(--soft); }
.scale { width: 12rem; } td.scale { padding-right: 1.5rem; }
.scale svg, .dot { display: block; overflow: visible; }
.dot line { stroke: var(--line); } .dot text { font-size: 15px; font-weight: 700; fill: currentColor; }
.dot .plate { fill: var(--card); }
.marked { width: 7.5rem; }
details { margin-top: .75rem; } summary { cursor: pointer; font-size: .9rem; color: var(--soft); }
dl { align-items: baseline; margin: 2.25rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); display: grid;
  grid-template-columns: max-content 1fr; gap: .5rem 1.25rem; }
dt { font-size: .875rem; color: var(--soft); } dd { margin: 0; }
svg text { font-family: inherit; fill: var(--ink); }
.box rect { fill: var(--card); stroke: var(--line); } .box.fails rect { stroke: var(--fails); stroke-width: 2; }
.box.undecided rect { stroke: var(--undecided); stroke-width: 2; stroke-dasharray: 5 3; }
.box .what { font-size: 13px; } .box .small { font-size: 11px; fill: var(--soft); }
.box .small.holds, .tag.holds { fill: var(--holds); } .box .small.fails, .tag.fails { fill: var(--fails); }
.box .small.undecided, .tag.undecided { fill: var(--undecided); } .box .small { font-weight: 500; }
.edge { fill: none; stroke: var(--soft); stroke-width: 1.25; opacity: .65; }
.edge.fails { stroke: var(--fails); stroke-width: 2; stroke-dasharray: 6 4; opacity: 1; }
.edge.undecided { stroke: var(--undecided); stroke-width: 1.75; stroke-dasharray: 2 3; opacity: 1; }
.tag { font-size: 11px; font-weight: 600; paint-order: stroke; stroke: var(--quiet); stroke-width: 4px; }
@media (max-width: 40rem) {
  body { padding: 0; } article { padding: 1.25rem 1rem 1.5rem; border-width: 0 0 1px; border-radius: 0; }
  .entries li { grid-template-columns: 1fr; gap: .25rem; } .place { display: inline; }
  .scale { display: none; } .time { width: 6.5rem; } .marked { width: 6.5rem; }
  dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .75rem; }
}
@media print {
  :root { --page: #fff; --quiet: #fff; } body { padding: 0; font-size: 11pt; }
  article { border: 0; padding: 0; border-radius: 0; } article + article { break-before: page; }
  .entries li, tr { break-inside: avoid; } .title { break-after: avoid; }
  .scroll { overflow: visible; } .drawing { padding: 0; }
  .drawing svg { max-width: 100%; height: auto; }
  .mark { border: 1px solid currentColor; background: none; }
}
"""
