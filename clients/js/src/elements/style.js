/** What all elements share: colours, which a page may replace, buttons, and what is only for screen readers. */
export const style = `
:host{
--accent:var(--belfry-accent,light-dark(#4f46e5,#a5b4fc));
--on-accent:var(--belfry-on-accent,light-dark(#fff,#15172b));
--surface:var(--belfry-surface,light-dark(#fff,#17181c));
--raised:var(--belfry-raised,light-dark(#f4f4f6,#24262c));
--text:var(--belfry-text,light-dark(#18181b,#f1f1f4));
--muted:var(--belfry-muted,light-dark(#62626b,#a3a4ae));
--line:var(--belfry-line,light-dark(#e6e6ea,#2e3037));
--unread:var(--belfry-unread,light-dark(#f5f5ff,#1e2030));
--alert:var(--belfry-alert,#d92d4a);
--radius:var(--belfry-radius,14px);
color:var(--text);
font:var(--belfry-font,400 .9375rem/1.45 system-ui,sans-serif);
-webkit-tap-highlight-color:transparent}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
*{box-sizing:border-box}
[hidden],:host([hidden]){display:none!important}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
h2,h3,p,ul{margin:0;padding:0}
button,select,input{font:inherit;color:inherit}
button{cursor:pointer;border:0;background:none}
button:disabled{cursor:default}
svg{width:1.25em;height:1.25em;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round;display:block}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.icon{display:grid;place-items:center;inline-size:2.25rem;block-size:2.25rem;padding:0;border-radius:50%;color:var(--muted);flex:none}
.icon:hover:enabled{background:var(--raised);color:var(--text)}
.icon:disabled{opacity:.4}
.link{padding:.25rem 0;color:var(--accent);font-weight:600;border-radius:4px;text-align:start}
.link:hover:enabled{text-decoration:underline}
.link:disabled{color:var(--muted)}
.action{padding:.3125rem .875rem;border-radius:99px;background:var(--accent);color:var(--on-accent);font-weight:600;font-size:.875em}
.action.on{background:var(--raised);color:var(--text)}
.action:hover{filter:brightness(1.08)}
.title{font-size:1.1875em;font-weight:700;line-height:1.3;letter-spacing:-.01em;flex:1}
@media(forced-colors:active){button{border:1px solid ButtonBorder}.icon,.link{border-color:transparent}}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
`

export const inboxStyle = `
:host{display:flex;flex-direction:column;min-block-size:0;max-block-size:100%;background:var(--surface);border-radius:var(--radius);overflow:hidden;container-type:inline-size}
.header{display:flex;align-items:center;gap:.25rem;padding:.875rem .75rem .625rem 1.125rem;padding-inline:1.125rem .75rem;flex:none}
::slotted([slot=header]){flex:1}
.status{display:flex;flex-wrap:wrap;column-gap:.75rem;align-items:center;padding:.375rem 1.125rem;background:var(--raised);font-size:.875em;flex:none}
.scroller{overflow-y:auto;overscroll-behavior:contain;flex:1;min-block-size:0;scrollbar-width:thin;scrollbar-color:var(--line) transparent;padding-block-end:.5rem}
.date{position:sticky;inset-block-start:0;z-index:1;padding:.5rem 1.125rem .375rem;background:var(--surface);color:var(--muted);font-size:.8125em;font-weight:600}
article{position:relative;display:grid;grid-template-columns:2.5rem minmax(0,1fr);column-gap:.75rem;padding:.75rem .75rem;margin-inline:.375rem;border-radius:calc(var(--radius) - 4px);cursor:pointer;touch-action:pan-y;content-visibility:auto;contain-intrinsic-block-size:auto 4.5rem}
article:focus{outline-offset:-2px}
article:hover{background:color-mix(in srgb,var(--text) 6%,var(--surface))}
.unread{background:var(--unread)}
.unread:hover{background:color-mix(in srgb,var(--accent) 14%,var(--surface))}
.content,.content+.body{grid-column:1/-1}
.unread+.unread{margin-block-start:2px}
.in-group{margin-inline-start:2.5rem}
.avatar{position:relative;display:grid;place-items:center;inline-size:2.5rem;block-size:2.5rem;border-radius:50%;overflow:hidden;font-weight:600;font-size:.875em;background:light-dark(hsl(var(--hue) 62% 90%),hsl(var(--hue) 32% 27%));color:light-dark(hsl(var(--hue) 60% 26%),hsl(var(--hue) 70% 88%))}
.avatar img{position:absolute;inset:0;inline-size:100%;block-size:100%;object-fit:cover}
.body{display:flex;flex-direction:column;align-items:start;min-inline-size:0;padding-inline-end:1.25rem}
.text{color:inherit;text-decoration:none;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}
.text b{font-weight:650}
.read .text{color:var(--muted)}
.read b{color:var(--text)}
time{color:var(--muted);font-size:.8125em}
.preview,.link,.rest,.reason li{unicode-bidi:plaintext}
.preview{color:var(--muted);font-size:.9375em;overflow-wrap:anywhere}
.dot{position:absolute;inset-block-start:.875rem;inset-inline-end:.875rem;inline-size:.5625rem;block-size:.5625rem;border-radius:50%;background:var(--accent);border:0 solid Highlight}
.tools{position:absolute;inset-block-end:.375rem;inset-inline-end:.5rem;display:flex;border-radius:99px;background:var(--raised);opacity:0}
.tools .icon{inline-size:1.875rem;block-size:1.875rem}
article:is(:hover,:focus-visible,:has(:focus-visible)) .tools{opacity:1}

.thumbnails{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem;margin-block-start:.5rem}
.thumbnail{position:relative;inline-size:3.25rem;block-size:3.25rem;border-radius:8px;overflow:hidden;background:var(--line)}
.thumbnail img{inline-size:100%;block-size:100%;object-fit:cover;display:block}
.video::after,.video::before{content:"";position:absolute;inset:0;margin:auto}
.video::after{inline-size:1.5rem;block-size:1.5rem;border-radius:50%;background:#000a}
.video::before{z-index:1;inline-size:0;block-size:0;border:.3125rem solid transparent;border-left:.5rem solid #fff;border-right:0;transform:translateX(1px)}
.rest{color:var(--muted);font-size:.875em;padding-inline-start:.125rem}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem;margin-block-start:.5rem}
.reason{list-style:none;margin-block-start:.5rem;padding:.625rem .75rem;border-radius:8px;background:var(--raised);font-size:.875em;cursor:auto;align-self:stretch}
article:hover .reason{background:var(--surface)}
.reason li+li{margin-block-start:.25rem}
.empty{padding:3.5rem 1.5rem;text-align:center;color:var(--muted)}
.empty svg{inline-size:3rem;block-size:3rem;margin:0 auto .75rem;stroke-width:1.25;opacity:.7}
.empty-title{color:var(--text);font-weight:600}
.end{display:grid;place-items:center;padding:.75rem}
.loading::before{content:"";display:block;block-size:16rem;margin:.5rem 1.125rem;opacity:.6;background:repeating-linear-gradient(var(--raised) 0 3.5rem,transparent 3.5rem 4.25rem);animation:pulse 1.4s ease-in-out infinite alternate}
.fresh{animation:arrive .3s ease-out}
.grown .text{animation:grow 1.2s ease-out}
@keyframes arrive{from{opacity:0;transform:translateY(-8px)}}
@keyframes grow{from{color:var(--accent)}}
@keyframes pulse{to{opacity:.25}}
@container(max-width:26rem){.header,.status,.date{padding-inline-start:1rem}article{padding-inline:.625rem}}
@media(hover:none){.tools{opacity:1;background:none}article:hover{background:none}article.unread:hover{background:var(--unread)}}
@media(forced-colors:active){.dot{border-width:.28rem;forced-color-adjust:none}.avatar,.thumbnail{border:1px solid CanvasText}.unread{border-inline-start:3px solid Highlight}}
`

export const bellStyle = `
:host{display:inline-block;vertical-align:middle}
.bell{position:relative;display:grid;place-items:center;inline-size:2.75rem;block-size:2.75rem;padding:0;border-radius:50%}
.bell:hover,.bell[aria-expanded=true]{background:var(--raised)}
.bell svg,.bell ::slotted(svg){inline-size:1.5rem;block-size:1.5rem}
.badge{position:absolute;inset-block-start:.125rem;inset-inline-start:50%;min-inline-size:1.25rem;padding:0 .3125rem;border-radius:99px;background:var(--alert);color:#fff;font:700 .6875rem/1.25rem system-ui,sans-serif;text-align:center;box-shadow:0 0 0 2px var(--surface)}
.panel{position:fixed;inset:var(--top) var(--right) var(--bottom) var(--left);margin:0;padding:0;inline-size:min(25.5rem,100vw - 1rem);block-size:fit-content;max-block-size:min(42rem,var(--room));border:1px solid var(--line);border-radius:var(--radius);background:var(--surface);color:inherit;box-shadow:0 12px 40px light-dark(#18181b2e,#000b);overflow:hidden}
.panel:popover-open{display:flex;flex-direction:column;animation:open .16s ease-out}
.panel belfry-inbox{flex:1}
.close{display:none}
@keyframes open{from{opacity:0;transform:translateY(-6px)}}
@media(max-width:30rem){.panel{inset:0;inline-size:100vw;max-inline-size:none;block-size:100dvh;max-block-size:none;border:0;border-radius:0}.close{display:grid;order:2}}
@media(forced-colors:active){.bell{border:1px solid ButtonBorder}.badge{border:1px solid}}
`
