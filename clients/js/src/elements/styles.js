import { sheet } from './dom.js'

const dark = `
  --_surface: var(--belfry-surface, #17181c);
  --_raised: var(--belfry-raised, #212329);
  --_text: var(--belfry-text, #f1f2f4);
  --_muted: var(--belfry-muted, #a3a8b3);
  --_line: var(--belfry-line, #2d3038);
  --_accent: var(--belfry-accent, #8ab0ff);
  --_on-accent: var(--belfry-on-accent, #0c1630);
  --_tint: var(--belfry-tint, #1d2433);
  --_alert: var(--belfry-alert, #ff6b6b);
  --_on-alert: #2a0606;
  --_avatar-text: 88%;
  --_avatar: 30%;
  color-scheme: dark;`

const shared = `
:host {
  --_surface: var(--belfry-surface, #fff);
  --_raised: var(--belfry-raised, #fff);
  --_text: var(--belfry-text, #16181d);
  --_muted: var(--belfry-muted, #5d6470);
  --_line: var(--belfry-line, #e6e8ec);
  --_accent: var(--belfry-accent, #2456d6);
  --_on-accent: var(--belfry-on-accent, #fff);
  --_tint: var(--belfry-tint, #f2f6ff);
  --_alert: var(--belfry-alert, #d92d2d);
  --_on-alert: #fff;
  --_avatar-text: 28%;
  --_avatar: 90%;
  --_radius: var(--belfry-radius, 12px);
  color-scheme: light;
  color: var(--_text);
  font: 400 .9375rem/1.4 var(--belfry-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  -webkit-text-size-adjust: 100%;
}
@media (prefers-color-scheme: dark) { :host(:not([theme=light])) {${dark} } }
:host([theme=dark]) {${dark} }
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
[part~=button] {
  min-block-size: 2rem; padding: .25rem .625rem; border: 0; border-radius: 8px; background: none;
  color: inherit; font: inherit; cursor: pointer;
}
[part~=button]:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
svg { inline-size: 1.25rem; block-size: 1.25rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; display: block; }
p, h2, h3, ul { margin: 0; padding: 0; }
`

const hues = [215, 265, 330, 15, 150, 190]
const colors = { red: 2, orange: 28, yellow: 48, green: 145, teal: 180, blue: 215, purple: 270, pink: 330, gray: 220 }
const paint = (part, hue) => `[part~=${part}] { --_hue: ${hue}; }`

export const inboxStyles = sheet(`${shared}
:host { display: block; background: var(--_surface); container-type: inline-size; }
[part~=header] {
  position: sticky; inset-block-start: 0; z-index: 2; display: flex; align-items: center; gap: .25rem;
  padding: .75rem .75rem .5rem 1rem; padding-inline: 1rem .75rem; background: var(--_surface);
}
[part~=title] { flex: 1; font-size: 1.125rem; font-weight: 650; letter-spacing: -.01em; }
slot[name=header] { display: block; flex: 1; }
[part~=read-all] { color: var(--_accent); font-size: .875rem; font-weight: 550; }
[part~=status] { padding: .375rem 1rem; background: var(--_line); color: var(--_text); font-size: .8125rem; animation: appear .2s 1.5s both; }
@keyframes appear { from { opacity: 0; } }
[part~=group] { padding: .75rem 1rem .25rem; color: var(--_muted); font-size: .75rem; font-weight: 600; letter-spacing: .02em; }
article {
  position: relative; display: flex; gap: .75rem; padding: .75rem 1rem; cursor: pointer; touch-action: pan-y;
  content-visibility: auto; contain-intrinsic-size: auto 4.75rem; overflow-wrap: anywhere;
}
article:hover { background: color-mix(in srgb, var(--_text) 4%, transparent); }
article[part~=unread] { background: var(--_tint); }
article:focus-visible { outline-offset: -2px; border-radius: 6px; }
[part~=avatar] {
  flex: none; display: grid; place-items: center; inline-size: 2.5rem; block-size: 2.5rem; border-radius: 50%; overflow: hidden;
  background: hsl(var(--_hue, 220) 70% var(--_avatar)); color: hsl(var(--_hue, 220) 60% var(--_avatar-text));
  font-size: .875rem; font-weight: 600;
}
[part~=avatar-image] { inline-size: 100%; block-size: 100%; object-fit: cover; }
${hues.map((hue, index) => paint('hue-' + index, hue)).join('')}
${Object.entries(colors).map(([name, hue]) => paint(name, hue)).join('')}
[part~=gray] { filter: saturate(.2); }
[part~=body] { flex: 1; min-inline-size: 0; }
[part~=text], [part~=preview] { text-align: match-parent; }
[part~=text] b { font-weight: 600; }
[part~=preview] { color: var(--_muted); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
[part~=meta] { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; color: var(--_muted); font-size: .8125rem; }
[part~=time] { padding-block: .125rem; }
[part~=why], [part~=toggle] { min-block-size: 1.5rem; padding: 0 .25rem; color: var(--_muted); font-size: .8125rem; text-decoration: underline; text-underline-offset: 2px; text-decoration-color: var(--_line); }
[part~=toggle] { margin: .25rem -.25rem 0; color: var(--_accent); text-decoration: none; font-weight: 550; }
[part~=reasons] { list-style: none; color: var(--_muted); font-size: .8125rem; }
[part~=reasons] li { margin-block-start: .375rem; padding-inline-start: .625rem; border-inline-start: 2px solid var(--_line); }
[part~=thumbnails] { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem; margin-block: .5rem .25rem; }
[part~=thumbnail] { inline-size: 3.25rem; block-size: 3.25rem; border-radius: 8px; object-fit: cover; background: var(--_line); }
[part~=rest] { color: var(--_muted); font-size: .8125rem; }
[part~=actions] { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .5rem .25rem; }
[part~=action] { border: 1px solid var(--_line); font-size: .875rem; font-weight: 550; background: var(--_raised); }
[part~=follow][aria-pressed=false], [part~=cta] { border-color: transparent; background: var(--_accent); color: var(--_on-accent); }
[part~=follow][aria-pressed=false]:hover, [part~=cta]:hover { background: color-mix(in srgb, var(--_accent) 88%, var(--_text)); }
[part~=nested]:not(:empty) { margin-block-start: .25rem; border-inline-start: 2px solid var(--_line); }
[part~=nested] article { padding-block: .375rem; padding-inline: .75rem 0; }
[part~=nested] [part~=avatar] { inline-size: 1.75rem; block-size: 1.75rem; font-size: .6875rem; }
[part~=dot] { flex: none; inline-size: .5rem; block-size: .5rem; margin-block-start: .5rem; border-radius: 50%; background: var(--_accent); }
[part~=remove] {
  position: absolute; inset-block-start: .5rem; inset-inline-end: .5rem; display: grid; place-items: center;
  inline-size: 2rem; padding: 0; color: var(--_muted); background: var(--_raised); border: 1px solid var(--_line); opacity: 0;
}
[part~=remove] svg { inline-size: .875rem; block-size: .875rem; }
article:hover > [part~=remove], article:focus-within > [part~=remove] { opacity: 1; }
@media (hover: hover) { article:not(:hover, :focus-within) > [part~=body] > [part~=meta] [part~=why] { opacity: 0; } }
@media (hover: none) { [part~=remove] { display: none; } article:focus-visible > [part~=remove] { display: grid; } }
[part~=empty] { padding: 3.5rem 1.5rem; text-align: center; color: var(--_muted); }
[part~=empty-title] { color: var(--_text); font-weight: 600; }
[part~=more] { display: block; margin: .5rem auto 1rem; color: var(--_accent); }
@container (max-width: 22rem) { [part~=header], article { padding-inline: .75rem; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  [part~=dot] { background: Highlight; forced-color-adjust: none; }
  [part~=avatar], [part~=action], [part~=remove] { border: 1px solid; }
}
`)

export const bellStyles = sheet(`${shared}
:host { position: relative; display: inline-block; }
[part~=bell] { position: relative; display: grid; place-items: center; inline-size: 2.75rem; block-size: 2.75rem; padding: 0; border-radius: 50%; }
[part~=bell] svg { inline-size: 1.5rem; block-size: 1.5rem; }
[part~=badge] {
  position: absolute; inset-block-start: .25rem; inset-inline-end: .125rem; min-inline-size: 1.125rem; padding-inline: .25rem;
  border-radius: 1rem; background: var(--_alert); color: var(--_on-alert); font-size: .6875rem; font-weight: 700; line-height: 1.125rem; text-align: center;
}
[part~=panel] {
  position: absolute; z-index: var(--belfry-layer, 1000); inset-block-start: calc(100% + .5rem); inset-inline-end: 0;
  inline-size: 24rem; max-block-size: min(36rem, 80vh); overflow: auto; overscroll-behavior: contain;
  border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); box-shadow: 0 12px 40px rgb(0 0 0 / .18);
}
:host([align=start]) [part~=panel] { inset-inline: 0 auto; }
[part~=panel]:focus-visible { outline: none; }
[part~=close] { font-size: .875rem; }
@media (min-width: 30.01rem) { [part~=close] { display: none; } }
@media (max-width: 30rem) {
  [part~=panel] { position: fixed; inset: 0; inline-size: auto; max-block-size: none; border: 0; border-radius: 0; }
}
@media (forced-colors: active) { [part~=badge] { border: 1px solid; } }
`)
