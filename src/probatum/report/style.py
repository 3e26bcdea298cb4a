"""The looks of the HTML report: one sheet of styles for light and dark screens, narrow ones and paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f4, #16171a); --card: light-dark(#ffffff, #1e2024); --quiet: light-dark(#f1f1ee, #26292e);
  --ink: light-dark(#1d1e20, #e8e8e6); --soft: light-dark(#5b5f66, #a3a7ae); --line: light-dark(#dfdfdb, #34373d);
}
.holds { --mark: light-dark(#176b3a, #7fd3a0); } .fails { --mark: light-dark(#b3231d, #ff9d94); }
.undecided { --mark: light-dark(#845400, #f0c063); } .note { --mark: var(--soft); }
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2.5rem 1.25rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
}
main { max-width: 72rem; margin: 0 auto; }
article { margin: 0 0 1.5rem; padding: 2rem 2.25rem; background: var(--card); border-radius: 12px; }
article, .box { border: 1px solid var(--line); }
p, dl, dd, ol { margin: 0; padding: 0; }
.name { font-size: 1.3rem; line-height: 1.25; margin: .9rem 0 0; }
.title { font-size: .95rem; margin: 2.25rem 0 .5rem; }
.lead { font-size: 1.05rem; margin-top: .4rem; max-width: 44rem; }
.lead + .lead, .detail { font-size: .95em; color: var(--soft); }
.small, th, dt, summary { font-size: .8rem; font-weight: 400; color: var(--soft); }
code, .code { font: .875rem/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
bdi, td, p, .box { unicode-bidi: isolate; } p { white-space: pre-wrap; }
.mark, .state { color: var(--mark); font-size: .8rem; font-weight: 600; white-space: nowrap; }
.mark {
  display: inline-block; padding: .1rem .55rem; border-radius: 99px;
  background: color-mix(in srgb, var(--mark) 12%, transparent);
}
.word { font-size: .9rem; letter-spacing: .04em; padding: .2rem .8rem; }
.entries { list-style: none; border-top: 1px solid var(--line); }
.entries li { display: grid; grid-template-columns: 7.75rem 1fr; gap: .25rem .75rem; padding: .6rem 0; }
.entries .small { display: block; padding-left: .55rem; }
.entries li, th, td { border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .95rem; }
th, td { text-align: start; vertical-align: top; padding: .55rem .75rem .55rem 0; }
th:first-child { width: 30%; } th:last-child { width: 7.5rem; }
td .small, .scale { display: block; }
.scale { overflow: visible; stroke: var(--line); } .scale circle { fill: var(--mark); stroke: none; }
.drawing { margin-bottom: .75rem; padding: 1rem; border-radius: 8px; background: var(--quiet); overflow-x: auto; }
.drawing svg { display: block; overflow: visible; } summary { cursor: pointer; }
.box { height: 100%; padding: .3rem .7rem; background: var(--card); border-radius: 8px; }
.box { font-size: 13px; line-height: 16px; }
.box.fails, .box.undecided { border: 2px solid var(--mark); }
.box .small { display: block; } .box .small, .state { font-size: 11px; } .state { float: inline-end; }
.edge { fill: none; stroke: var(--soft); stroke-width: 1.25; opacity: .65; }
.edge.fails, .edge.undecided { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 5 3; opacity: 1; }
.tag { font-size: 11px; font-weight: 600; text-anchor: middle; fill: var(--mark); }
.tag { paint-order: stroke; stroke: var(--quiet); stroke-width: 4px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.25rem; }
dl { margin-top: 2.25rem; align-items: baseline; }
@media (max-width: 40rem) {
  body { padding: 0; } article { padding: 1.25rem 1rem; }
  .entries li, dl { grid-template-columns: 1fr; gap: .25rem; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --quiet: #fff; }
  body, article { padding: 0; border: 0; font-size: 11pt; } article + article { break-before: page; }
  li, tr { break-inside: avoid; } .title { break-after: avoid; }
  .drawing svg { max-width: 100%; height: auto; } .mark { border: 1px solid; background: none; }
}
"""
