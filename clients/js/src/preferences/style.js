export const preferencesStyle = `
:host{display:block;position:relative;background:var(--surface);border-radius:var(--radius);padding:1.125rem}
.title{margin-block-end:.5rem}
section{padding-block:1rem}
section+section{border-block-start:1px solid var(--line)}
.row{display:flex;align-items:center;flex-wrap:wrap;gap:.5rem .75rem;min-block-size:2.25rem}
.grow{flex:1;min-inline-size:8rem}
h3,legend{font-size:1em;font-weight:650}
.hint{color:var(--muted);font-size:.875em}
.choices{display:grid;grid-template-columns:minmax(0,1fr) 4.5rem 4.5rem;align-items:center;row-gap:.625rem}
.choices>*{justify-self:center}
.choices>.name{justify-self:start;overflow-wrap:anywhere}
.choices .type{padding-inline-start:1rem;color:var(--muted)}
.choices h3:not(:first-child){margin-block-start:.5rem}
.head{color:var(--muted);font-size:.8125em;font-weight:600}
[role=switch]{position:relative;appearance:none;flex:none;margin:0;inline-size:2.5rem;block-size:1.5rem;border-radius:99px;background:light-dark(#85858f,#6d6e79);padding:3px;cursor:pointer;transition:background .15s}
[role=switch]::before{content:"";display:block;inline-size:1.125rem;block-size:1.125rem;border-radius:50%;background:#fff;transition:margin .15s}
[role=switch]:checked{background:var(--accent)}
[role=switch]:checked::before{margin-inline-start:1rem;background:var(--on-accent)}
[role=switch]:indeterminate::before{margin-inline-start:.5rem}
[role=switch]:disabled{opacity:.45;cursor:default}
.pill{padding:.3125rem .875rem;border:1px solid var(--line);border-radius:99px;font-size:.875em;font-weight:600}
.pill:hover{background:var(--raised)}
fieldset{border:0;margin:1rem 0 0;min-inline-size:0}
.week{display:grid;grid-template-columns:repeat(7,1fr);gap:.25rem;margin-block:.375rem .5rem}
.hours>label,.hours input{flex:1;min-inline-size:0}
input[type=time]{padding:.25rem .5rem;border:1px solid var(--line);border-radius:8px;background:var(--raised)}
.day{position:relative;display:inline-grid;place-items:center;min-block-size:2rem;border:1px solid var(--line);border-radius:99px;font-size:.8125em;cursor:pointer}
.day input{position:absolute;inset:0;opacity:0;margin:0;cursor:pointer}
.day:has(:checked){background:var(--accent);color:var(--on-accent);border-color:transparent}
.day:has(:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
ul{list-style:none}
.failed{position:sticky;inset-block-start:0;z-index:1;padding:.5rem .75rem;border-radius:8px;background:var(--raised)}
@media(pointer:coarse){.pill,.day,input[type=time]{min-block-size:2.75rem}[role=switch]::after{content:"";position:absolute;inset:-.625rem -.125rem}.choices{row-gap:1.25rem}}
@media(forced-colors:active){[role=switch]{border:1px solid ButtonText;forced-color-adjust:none;background:Canvas}[role=switch]::before{background:ButtonText;margin-block-start:-1px}[role=switch]:checked{background:Highlight}.day:has(:checked){background:Highlight;color:HighlightText;forced-color-adjust:none}}
`
