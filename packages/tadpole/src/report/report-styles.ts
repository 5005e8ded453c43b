/** The report's style sheet: system fonts, colours as variables for a light and a dark scheme, one column on a phone. */
export const reportStyles = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f8fa; --ink: #1f2328; --muted: #57606a; --line: #d8dee4;
  --blue: #0b62c4; --orange: #b35900; --purple: #7a3db8; --green: #1a7f4b; --grey: #7d8590; --red: #b3261e;
  --added: #e3f5e9; --removed: #fdeaea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --panel: #1d2126; --ink: #e6e9ec; --muted: #9aa4ae; --line: #333a42;
    --blue: #6cb0ff; --orange: #f0a35e; --purple: #c39bf0; --green: #5cc98b; --grey: #8b949e; --red: #ff8a80;
    --added: #17301f; --removed: #3a1d1d;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 1.5rem 1.5rem 5rem; }
nav { position: sticky; top: 0; z-index: 1; display: flex; gap: 1.25rem; overflow-x: auto; padding: .6rem max(1.5rem, calc(50% - 520px + 1.5rem)); background: var(--paper); border-bottom: 1px solid var(--line); font-size: 14px; }
nav a { color: var(--muted); text-decoration: none; white-space: nowrap; }
nav a:hover { color: var(--ink); }
a { color: var(--blue); }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .25rem 0 1.25rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 0 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: .9rem; margin: 0 0 .5rem; color: var(--muted); font-weight: 600; }
header h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
section { margin-top: 3.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.kicker, .note, figcaption, .empty { color: var(--muted); font-size: 13.5px; }
.kicker { margin: 0; overflow-wrap: anywhere; }
figcaption { max-width: 75ch; margin-top: .25rem; }
.empty { padding: .75rem 1rem; background: var(--panel); border-radius: 6px; }
.chart { margin: 1rem 0 1.5rem; }
.scroll { overflow-x: auto; }
.chart svg { display: block; max-width: 100%; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .5rem; padding: 0; list-style: none; font-size: 13.5px; }
.legend i { display: inline-block; width: .75em; height: .75em; margin-right: .45em; border-radius: 50%; }
.legend b { margin-right: .45em; }
.iteration { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.iteration h3 { margin-top: 0; }
.iteration h4 { margin: 1.5rem 0 .5rem; }
.iteration .pair h4 { margin-top: .5rem; }
.result { display: grid; grid-template-columns: 600px 1fr; gap: 2rem; align-items: center; }
.result > * { min-width: 0; }
.tiles { display: grid; gap: 1px; margin: 1.5rem 0 2rem; padding: 0; list-style: none; background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.tiles.wide { grid-template-columns: repeat(4, 1fr); }
.tiles li { padding: .8rem 1rem; background: var(--paper); }
.tiles b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--muted); font-size: 13px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem 2.5rem; }
.pair > * { min-width: 0; }
.pair ul { margin: 0; padding-left: 1.1rem; }
.pair .chart { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 600; font-size: 13px; }
.number { text-align: right; padding-right: 0; padding-left: .75rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.text { min-width: 6.5rem; overflow-wrap: anywhere; }
.clip { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; max-width: 60ch; }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: .6rem .75rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; margin: .75rem 0 1rem; font-size: 14px; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
details { margin: .75rem 0; }
summary { cursor: pointer; font-weight: 600; font-size: .9rem; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin: 0 0 .75rem; font-size: 14px; }
.filters select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 5px; padding: .15rem .3rem; }
.filters output { color: var(--muted); }
.viewer { display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 1.25rem; }
#trajectory-list { margin: 0; padding: 0; list-style: none; max-height: 85vh; overflow-y: auto; position: sticky; top: 3.25rem; border: 1px solid var(--line); border-radius: 8px; align-self: start; }
#trajectory-list a { display: flex; flex-wrap: wrap; gap: .1rem .4rem; padding: .5rem .75rem; color: inherit; text-decoration: none; border-bottom: 1px solid var(--line); }
#trajectory-list a:hover { background: var(--panel); }
#trajectory-list a[aria-current] { background: var(--panel); box-shadow: inset 3px 0 var(--blue); }
.entry-task { flex-basis: 100%; font: 12.5px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.entry-moment { color: var(--muted); font-size: 12.5px; margin-right: auto; }
#trajectory-detail { min-width: 0; scroll-margin-top: 3.5rem; }
#trajectory-detail h3 { margin-top: 0; overflow-wrap: anywhere; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; font-size: 14px; overflow-wrap: anywhere; }
.chip { display: inline-block; padding: 0 .5em; border: 1px solid var(--line); border-radius: 1em; color: var(--muted); font: 600 12px/1.6 system-ui, sans-serif; white-space: nowrap; }
.chip.solved { color: var(--green); border-color: currentColor; }
.chip.not-solved, .chip.failed { color: var(--orange); border-color: currentColor; }
.evidence { outline: 2px solid var(--red); outline-offset: 4px; }
.chip.flagged { color: var(--red); border-color: currentColor; margin-left: .4em; }
.turn { margin: 1.25rem 0 0; padding: 1rem 0 0; }
.call { margin: .5rem 0; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; }
.call-name { font-weight: 600; margin-bottom: .35rem; }
.block { margin: .4rem 0; }
.block-title { color: var(--muted); font-size: 12.5px; }
.arguments { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .25rem 0 .5rem; font-size: 13px; }
.arguments dt { color: var(--muted); }
.arguments dd { margin: 0; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
.block pre { max-height: 24rem; overflow: auto; }
.edit { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
.edit > * { min-width: 0; }
.removed pre, pre .removed { background: var(--removed); }
.added pre, pre .added { background: var(--added); }
.patch span { display: block; }
.plain { list-style: none; padding: 0; font-size: 14px; overflow-wrap: anywhere; }
@media (max-width: 760px) {
  main { padding: 1rem 1rem 4rem; }
  nav { padding: .6rem 1rem; }
  h1 { font-size: 1.35rem; }
  .tiles.wide { grid-template-columns: 1fr 1fr; }
  .result { gap: 0; }
  .result .tiles { margin-top: 0; }
  .pair, .viewer, .edit, .result { grid-template-columns: 1fr; }
  #trajectory-list { position: static; max-height: 40vh; }
  .chart .scroll svg { max-width: none; }
  .pair .chart .scroll svg { max-width: 100%; }
  .result .chart .scroll svg { width: 100%; min-width: 440px; }
}
@media print {
  nav, .viewer, .filters { display: none; }
}
`;
