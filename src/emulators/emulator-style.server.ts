/** The stylesheet of all emulator pages. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #ffffff; --ink: #1d1c1a; --quiet: #5c5952; --rule: #d9d5cb;
  --field: #86827a; --accent: #0b5f59; --on-accent: #ffffff; --bad: #a3200d; --bad-paper: #fdf1ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --sheet: #201f1c; --ink: #efece5; --quiet: #b3aea3; --rule: #3b3934;
    --field: #837e74; --accent: #6fd0c6; --on-accent: #0c1f1d; --bad: #ff9d8c; --bad-paper: #34201c;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: var(--paper); color: var(--ink); }
body { margin: 0; overflow-wrap: break-word; }
.band { padding: .625rem 1.25rem; border-bottom: 1px solid var(--rule); font-size: .875rem; color: var(--quiet); }
.band strong { color: var(--ink); margin-right: .5rem; }
main { max-width: 30rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
main:has(.wide) { max-width: 60rem; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .25rem; text-wrap: balance; }
h2 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0 1rem; }
a { color: var(--accent); text-underline-offset: .18em; }
.quiet { color: var(--quiet); font-size: .875rem; }
.total { font-size: 2.25rem; line-height: 1.1; font-weight: 600; letter-spacing: -.02em; margin: .25rem 0 1.25rem; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--rule); }
th { font-weight: 600; }
th:last-child, td:last-child { padding-right: 0; }
td.sum, th.sum { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot td, tfoot th { border-top: 2px solid var(--ink); font-weight: 600; }
.scroll { overflow-x: auto; }
form { margin: 1.5rem 0 0; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: .375rem; }
label { display: block; font-size: .9375rem; font-weight: 500; }
.field { margin: 0 0 1rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0 1rem; }
input:where(:not([type=radio], [type=checkbox])), select {
  width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--sheet); border: 1px solid var(--field); border-radius: .375rem;
}
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
input[type=radio], input[type=checkbox] { width: 1.125rem; height: 1.125rem; margin: 0 .5rem 0 0; accent-color: var(--accent); flex: none; }
.choice { display: flex; align-items: center; min-height: 2.75rem; font-weight: 400; }
.error { color: var(--bad); font-size: .875rem; margin: .25rem 0 0; }
.alert { color: var(--bad); background: var(--bad-paper); border: 1px solid currentColor; border-radius: .375rem; padding: .75rem 1rem; margin: 0 0 1rem; }
.hint { color: var(--quiet); font-size: .875rem; margin: .25rem 0 0; }
button {
  width: 100%; min-height: 3rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem;
}
button.plain { color: var(--accent); background: transparent; }
button:hover { filter: brightness(1.08); }
.wide form { max-width: 30rem; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; }
.row > * { flex: 1 1 10rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.way { margin-top: 1.25rem; }
.way a { display: inline-block; padding: .625rem 0; }
details { border-top: 1px solid var(--rule); margin-top: 1.5rem; padding-top: .5rem; }
details + details { margin-top: .5rem; }
summary { cursor: pointer; padding: .5rem 0; font-weight: 500; }
code, pre { font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { white-space: pre-wrap; background: var(--sheet); border: 1px solid var(--rule); border-radius: .375rem; padding: 1rem; margin: 1rem 0; }
code.number { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; }
form:has(input[value=bank]:checked) .card-only, form:has(input[value=card]:checked) .bank-only { display: none; }
@media (forced-colors: active) { button { border: 2px solid ButtonText; } }
@media (max-width: 22rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
`
