#include "gradus/report/html_assets.hpp"

namespace gradus::report {

// Light by default, dark where the reader prefers it; one column that also fits a phone; on paper
// every step is shown.
const std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #fbfbf9; --card: #ffffff; --ink: #1c2128; --soft: #636c76; --line: #e4e4df;
  --accent: #1a6e5c; --tint: #e9f3f0; --bar: #8cc5b6; --shadow: 0 1px 3px rgb(20 30 40 / .07);
  --s0: #1a6e5c; --s1: #b3541e; --s2: #3b5bb5; --s3: #8a3d8f; --s4: #8a6d00; --s5: #0e7c93;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --card: #1c2024; --ink: #e4e6e8; --soft: #9aa4ad; --line: #2e343a;
    --accent: #6fd0b8; --tint: #1d302c; --bar: #2f6b5d; --shadow: none;
    --s0: #3fae93; --s1: #e08a4f; --s2: #8aa4f0; --s3: #cf8ad4; --s4: #d3b23c; --s5: #4fb9d0;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding: 5rem; }
body {
  margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.25rem 6rem;
  background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -.015em; margin: 0; }
h1, h2, h3, p, dd, dt { overflow-wrap: anywhere; }
td, th { overflow-wrap: break-word; }
td.word { min-width: 5.5rem; max-width: 34rem; }
.subtitle { color: var(--soft); font-size: 1.05rem; margin: .35rem 0 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 1rem; }
main > p { max-width: 46rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem .6rem; margin: .8rem 0; }
dl > div {
  border: 1px solid var(--line); border-radius: .5rem; padding: .25rem .65rem .3rem;
  background: var(--card); max-width: 100%;
}
dt { color: var(--soft); font-size: .76rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.formula {
  background: var(--tint); border-left: 3px solid var(--accent); border-radius: 0 .4rem .4rem 0;
  padding: .6rem .9rem; margin: .8rem 0; overflow-x: auto;
  font-family: "STIX Two Math", Cambria, "Latin Modern Math", "DejaVu Serif", Georgia, serif;
  font-size: 1.04rem;
}
.formula p { margin: 0; line-height: 2; padding-left: 1.2rem; text-indent: -1.2rem; }
.formula math { font-family: inherit; text-indent: 0; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .93rem; }
caption { text-align: left; color: var(--soft); font-size: .82rem; padding-bottom: .25rem; }
th, td { padding: .28rem .9rem .28rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; font-size: .82rem; }
tbody th { font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { width: 9rem; padding-right: 0; vertical-align: middle; }
.bar i { display: block; height: .7rem; min-width: 1px; border-radius: .2rem;
  background: var(--bar); }
tr.marked th, tr.marked td { font-weight: 650; background: var(--tint); }
.rest { color: var(--soft); font-size: .85rem; margin: .3rem 0 0; }
.spark { width: 7rem; padding-right: 0; vertical-align: middle; }
.spark svg { display: block; width: 100%; height: 1.5rem; }
.spark rect { fill: var(--bar); }
.headline { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .8rem; }
.headline > div { padding: .7rem 1rem .8rem; border-radius: .8rem; box-shadow: var(--shadow); }
.headline dt { font-size: .85rem; }
.big { font-size: 1.75rem; font-weight: 650; letter-spacing: -.02em; line-height: 1.25; }
.detail { color: var(--soft); font-size: .85rem; }
figure {
  background: var(--card); border: 1px solid var(--line); border-radius: .8rem;
  box-shadow: var(--shadow); padding: 1rem 1.2rem; margin: 1rem 0;
}
figcaption { font-weight: 600; }
figure svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
figure .rest { margin: .2rem 0 .5rem; }
summary { cursor: pointer; color: var(--soft); font-size: .88rem; width: max-content; padding: .3rem 0; }
summary:focus-visible, th button:focus-visible { outline: 3px solid var(--bar); outline-offset: 1px; }
details[open] > .scroll { max-height: 24rem; overflow: auto; }
.save { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .4rem; }
.tip {
  position: fixed; z-index: 2; max-width: 20rem; padding: .3rem .6rem; border-radius: .4rem;
  background: var(--ink); color: var(--page); font-size: .82rem; pointer-events: none;
  font-variant-numeric: tabular-nums;
}
.tip[hidden] { display: none; }
dialog {
  width: min(96vw, 80rem); height: 94vh; padding: 1rem; border: 1px solid var(--line);
  border-radius: .8rem; background: var(--card); color: var(--ink); overflow: hidden;
}
dialog[open] { display: flex; flex-direction: column; gap: .8rem; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog svg { flex: 1; min-height: 0; width: 100%; touch-action: none; cursor: grab; }
.save button { min-height: 2.1rem; font-size: .82rem; padding: .15rem .7rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.figures figure { margin: 0; min-width: 0; display: flex; flex-direction: column; }
.figures figure > .scroll { flex: 1; display: flex; align-items: center; margin: .6rem 0; }
.figures figure > .scroll > svg { flex: 0 1 auto; min-width: 0; margin: auto; }
figure.wide > .scroll { display: block; }
figure.wide { grid-column: 1 / -1; }
figure.wide svg { max-width: none; }
th button { all: unset; cursor: pointer; }
th button::after { content: " ↕"; opacity: .45; }
th[aria-sort=ascending] button::after { content: " ↑"; opacity: 1; }
th[aria-sort=descending] button::after { content: " ↓"; opacity: 1; }
.step {
  background: var(--card); border: 1px solid var(--line); border-radius: .8rem;
  box-shadow: var(--shadow); padding: 1.1rem 1.3rem; margin: 1rem 0;
}
.step h3 { display: flex; gap: .75rem; align-items: baseline; font-size: 1.08rem; margin: 0; }
.step .n {
  flex: none; min-width: 1.9rem; height: 1.9rem; padding: 0 .45rem; border-radius: 1rem;
  background: var(--accent); color: var(--card); text-align: center; line-height: 1.9rem;
  font-size: .85rem; font-variant-numeric: tabular-nums;
}
.path { color: var(--soft); font-size: .85rem; margin: .15rem 0 0 2.65rem; }
.conclusion { margin: .8rem 0 0; }
.conclusion::before { content: "→ "; color: var(--accent); }
nav {
  display: none; position: sticky; top: 0; z-index: 1; gap: .5rem; align-items: center;
  padding: .6rem 0; background: var(--page); border-bottom: 1px solid var(--line);
}
.live nav { display: flex; }
nav output { color: var(--soft); font-size: .9rem; flex: 1; font-variant-numeric: tabular-nums; }
button {
  font: inherit; font-size: .92rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .8rem; min-height: 2.5rem;
  cursor: pointer;
}
button:hover:enabled { border-color: var(--accent); }
button:focus-visible { outline: 3px solid var(--bar); outline-offset: 1px; }
button:disabled { opacity: .45; cursor: default; }
.single .step:not(.now) { display: none; }
footer { color: var(--soft); font-size: .82rem; margin-top: 3rem; }
@media (max-width: 40rem) {
  body { padding: 1.25rem .9rem 4rem; }
  h1 { font-size: 1.5rem; }
  .step { padding: .9rem; }
  .path { margin-left: 0; }
  .bar { width: 5rem; }
  nav .wide { display: none; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb;
    --accent: #1a6e5c; --tint: #f3f3f3; --bar: #bbb; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { display: none !important; }
  .single .step:not(.now) { display: block; }
  .step, figure { break-inside: avoid; box-shadow: none; }
  details, .save, .tip { display: none; }
}
)css";

}  // namespace gradus::report
