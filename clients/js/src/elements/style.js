/** The style of all elements: colours, which a page may replace, buttons, and texts for screen readers only. */
export const style = `
:host{
--accent:var(--belfry-accent,light-dark(#4f46e5,#a5b4fc));
--on-accent:var(--belfry-on-accent,light-dark(#fff,#15172b));
--surface:var(--belfry-surface,light-dark(#fff,#17181c));
--text:var(--belfry-text,light-dark(#18181b,#f1f1f4));
--raised:var(--belfry-raised,color-mix(in srgb,var(--text) 5%,var(--surface)));
--muted:var(--belfry-muted,color-mix(in srgb,var(--text) 68%,var(--surface)));
--line:var(--belfry-line,color-mix(in srgb,var(--text) 12%,var(--surface)));
--unread:var(--belfry-unread,color-mix(in srgb,var(--accent) 6%,var(--surface)));
--alert:var(--belfry-alert,#d92d4a);
--radius:var(--belfry-radius,14px);
color:var(--text);
font:var(--belfry-font,.9375rem/1.45 system-ui,sans-serif)}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
*{box-sizing:border-box}
:where([part],.icon,p,ul,legend){margin:0;padding:0}
:where([part],p,li,legend,.status *){unicode-bidi:plaintext;text-align:match-parent}
::slotted([slot=footer]){padding:.75rem 1.125rem}
[hidden],:host([hidden]){display:none!important}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
button,input{font:inherit;color:inherit}
button{cursor:pointer;border:0;background:none}
svg{inline-size:1.25em;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round;display:block}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.icon{display:grid;place-items:center;inline-size:2.25rem;block-size:2.25rem;border-radius:50%;color:var(--muted);flex:none}
.icon:hover{background:var(--raised);color:var(--text)}
button:disabled{opacity:.45;pointer-events:none}
.link{padding-block:.25rem;color:var(--accent);font-weight:600;border-radius:4px}
.link:hover{text-decoration:underline}
.title{font-size:1.1875em;line-height:1.3;flex:1}
@media(forced-colors:active){button{border:1px solid}}
@media(prefers-reduced-motion){*{animation:none!important;transition:none!important}}
@media(pointer:coarse){.icon{inline-size:2.75rem;block-size:2.75rem}.link,.action{min-block-size:2.75rem}}
`

export const inboxStyle = `
:host{display:flex;flex-direction:column;min-block-size:0;max-block-size:100%;background:var(--surface);border-radius:var(--radius);overflow:hidden}
.header{display:flex;align-items:center;gap:.25rem;padding-block:.875rem .625rem;padding-inline:1.125rem .75rem}
::slotted([slot=header]){flex:1}
.status{padding:.375rem 1.125rem;background:var(--raised);font-size:.875em}
.scroller{overflow-y:auto;overscroll-behavior:contain;flex:1;min-block-size:0;padding-block-end:.5rem}
.gap{overflow-anchor:none}
.date{position:sticky;inset-block-start:0;z-index:1;padding:.5rem 1.125rem .375rem;background:var(--surface);color:var(--muted);font-size:.8125em;font-weight:600}
.item{position:relative;overflow-wrap:anywhere;display:grid;grid-template-columns:2.5rem minmax(0,1fr);column-gap:.75rem;padding:.75rem;margin-inline:.375rem;border-block-end:2px solid transparent;border-radius:calc(var(--radius) - 4px);background-clip:padding-box;cursor:pointer;touch-action:pan-y;scroll-margin:2.25rem 0 .25rem}
.item:focus{outline-offset:-2px}
.unread{background-color:var(--unread)}
.in-group{margin-inline-start:2.5rem}
.avatar{position:relative;display:grid;place-items:center;inline-size:2.5rem;block-size:2.5rem;border-radius:50%;overflow:hidden;font-weight:600;font-size:.875em;background:light-dark(hsl(var(--hue) 62% 90%),hsl(var(--hue) 32% 27%));color:light-dark(hsl(var(--hue) 60% 26%),hsl(var(--hue) 70% 88%))}
.avatar img,.thumbnail img{position:absolute;inset:0;inline-size:100%;block-size:100%;object-fit:cover}
.content,.content+.body{grid-column:1/-1;position:relative}
.body{display:flex;flex-direction:column;align-items:start;padding-inline-end:1.25rem}
.text{color:inherit;text-decoration:none;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}
.read .text,time,.preview,.more-pictures{color:var(--muted)}
.text b{font-weight:650;color:var(--text)}
time{font-size:.8125em}
.dot{position:absolute;inset-block-start:.875rem;inset-inline-end:.875rem;inline-size:.5625rem;block-size:.5625rem;border-radius:50%;background:var(--accent);border:0 solid Highlight}
.tools{position:absolute;inset-block-end:0;inset-inline-end:.25rem;display:flex;border-radius:99px;background:var(--raised);opacity:0}
.thumbnails,.buttons,.status{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem}
.thumbnails,.buttons,.explanation{margin-block-start:.5rem}
.thumbnail{position:relative;inline-size:3.25rem;block-size:3.25rem;border-radius:8px;overflow:hidden;background:var(--line)}
.video::after{content:"▶";position:absolute;inset:0;margin:auto;inline-size:1.5rem;block-size:1.5rem;border-radius:50%;background:#000a;color:#fff;font:.75em/1.5rem system-ui;text-align:center}
.action{padding:.3125rem .875rem;border-radius:99px;background:var(--accent);color:var(--on-accent);font-weight:600;font-size:.875em}
.on{background:var(--raised);color:var(--text)}
.explanation{list-style:none;padding:.625rem .75rem;border-radius:8px;background:var(--raised);font-size:.875em;cursor:auto}
.empty{padding:3.5rem 1.5rem;text-align:center;color:var(--muted)}
.empty svg{inline-size:3rem;margin:0 auto .75rem}
.empty-title{color:var(--text);font-weight:600}
.end{display:grid;place-items:center;padding:.75rem}
.loading{min-block-size:16rem;background:repeating-linear-gradient(var(--raised) 0 3.5rem,transparent 3.5rem 4.25rem)}
.fresh{animation:arrive .3s}
.grown .text{animation:grow 1.2s}
@keyframes arrive{from{opacity:0;transform:translateY(-8px)}}
@keyframes grow{from{color:var(--accent)}}
@media(hover){.item:hover{background-color:color-mix(in srgb,var(--accent) 9%,var(--surface))}}
@media(hover:none){.tools{opacity:1;background:none}.item{padding-block-end:1.5rem}}
.item:is(:hover,:focus-visible,:has(:focus-visible)) .tools{opacity:1}
@media(forced-colors:active){.dot{border-width:.28rem;forced-color-adjust:none}.avatar,.thumbnail{border:1px solid}.unread{border-inline-start:3px solid Highlight}}
`

export const bellStyle = `
:host{display:inline-block;vertical-align:middle}
.button{position:relative;display:grid;place-items:center;inline-size:2.75rem;block-size:2.75rem;border-radius:50%}
.button:hover,[aria-expanded=true]{background:var(--raised)}
svg,::slotted(svg){inline-size:1.5rem;block-size:1.5rem}
.badge{position:absolute;inset-block-start:.125rem;inset-inline-start:50%;min-inline-size:1.25rem;padding-inline:.3125rem;border-radius:99px;background:var(--alert);color:#fff;font:700 .6875rem/1.25rem system-ui,sans-serif;text-align:center;box-shadow:0 0 0 2px var(--surface)}
.panel{position:fixed;inline-size:min(25.5rem,100vw - 1rem);block-size:fit-content;border:1px solid var(--line);border-radius:var(--radius);background:var(--surface);color:inherit;box-shadow:0 12px 40px light-dark(#18181b2e,#000b);overflow:hidden}
.panel:popover-open{display:flex;flex-direction:column;animation:open .16s}
.inbox{flex:1}
.close{display:none}
@keyframes open{from{opacity:0;transform:translateY(-6px)}}
@media(max-width:30rem){.panel{inset:0!important;inline-size:100%;block-size:100%;max-block-size:none!important;border:0;border-radius:0}.close{display:grid;order:2}}
@media(forced-colors:active){.badge{border:1px solid}}
`
