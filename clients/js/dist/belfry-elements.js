import{connect as xt}from"./belfry.js";var F={title:"Notifications",today:"Today",yesterday:"Yesterday",week:"This week",earlier:"Earlier",empty:"You are all caught up",emptyHint:"New notifications appear here.",loading:"Loading\u2026",readAll:"Mark all as read",remove:"Remove",unread:"Unread",why:"Why did I get this?",noReason:"The reasons are not kept any more.",failed:"That did not work. Try again.",follow:"Follow back",following:"Following",open:"Open",older:"Show older notifications",connecting:"Connecting\u2026",waiting:r=>`No connection. Next attempt at ${r}.`,stopped:"Not connected. Sign in again to see what is new.",photos:r=>`and ${r} more`,others:r=>r===1?"1 more":`${r} more`,fewer:"Show fewer",arrived:r=>`${r} new notifications`,bell:r=>r?`Notifications, ${r} unread`:"Notifications",close:"Close"};var f=(r,t)=>{try{let e=new URL(r,t);if(typeof r=="string"&&/^https?:$/.test(e.protocol))return e.href}catch{}};var L=new Map,_=new Set,T,D,P=r=>D=r,nt=r=>{T=r;for(let t of _)t.inbox=r;_.clear()},at=r=>async({reason:t})=>{let e=new URL(r,document.baseURI);e.searchParams.set("reason",t);let i=await fetch(e,{credentials:"same-origin",cache:"no-store"});if(i.status===401||i.status===403)return null;if(!i.ok)throw new Error("no token: status "+i.status);return(await i.text()).trim()},B=r=>{let t=r.getAttribute("token-url");if(!t)return T||_.add(r),T;let e=r.getAttribute("server")||new URL(import.meta.url).origin,i=e+" "+t;return L.has(i)||L.set(i,D({url:e,token:at(t)})),L.get(i)},H=r=>_.delete(r);var g,lt=r=>{g||(g=document.createElement("div"),g.setAttribute("role","status"),Object.assign(g.style,{position:"fixed",inlineSize:"1px",blockSize:"1px",overflow:"hidden",clipPath:"inset(50%)"})),document.body.append(g),g.textContent=r},R=new WeakMap,O=(r,t)=>{let e=R.get(r);if(!e){R.set(r,e={elements:new Set});let i=[],s,o=[r.on("new",a=>{i.push(a),s||=setTimeout(()=>{let[n]=e.elements;n&&lt(i[1]?n.label("arrived",i.length):i[0].displayText),i=[],s=0},500)}),r.on("activate",({id:a,data:n})=>{let[m]=e.elements,u=r.snapshot.items.find(d=>d.id===a);m?.activate({id:a,deepLink:u?.deepLink??n,notification:u})})];e.end=()=>{o.forEach(a=>a()),clearTimeout(s),R.delete(r)}}return e.elements.add(t),()=>{e.elements.delete(t),e.elements.size||e.end()}};var v=class extends HTMLElement{#t;#r=[];#s=0;#e={};constructor(t){super(),this.attachShadow({mode:"open",delegatesFocus:!1}).adoptedStyleSheets=t}get inbox(){return this.#t}set inbox(t){t!==this.#t&&(this.#i(),this.#t=t,this.isConnected&&this.#o())}get labels(){return this.#e}set labels(t){this.#e=t,this.relabel?.(),this.invalidate()}label(t,...e){let i=this.#e[t]??F[t];return typeof i=="function"?i(...e):i}get language(){return this.closest("[lang]")?.lang||navigator.language}connectedCallback(){for(let t of["inbox","labels"]){if(!Object.hasOwn(this,t))continue;let e=this[t];delete this[t],this[t]=e}this.#t?this.#o():this.inbox=B(this)}disconnectedCallback(){H(this),this.#i()}#o(){!this.#t||this.#r[0]||(this.#r=[this.#t.subscribe(()=>this.invalidate()),O(this.#t,this)],this.joined?.(this.#t),this.invalidate())}#i(){cancelAnimationFrame(this.#s),this.#s=0;for(let t of this.#r.splice(0))t()}invalidate(){this.#s||=requestAnimationFrame(()=>{this.#s=0,this.#t&&this.isConnected&&this.render(this.#t.snapshot)})}activate(t){let{id:e,deepLink:i,notification:s}=t;if(s&&!s.isRead&&this.run(this.#t.read([e])),!this.tell("belfry-activate",t))return;let o=f(i?.url,document.baseURI);o&&location.assign(o)}tell(t,e){return this.dispatchEvent(new CustomEvent(t,{detail:e,bubbles:!0,composed:!0,cancelable:!0}))}run(t){t.catch(e=>this.tell("belfry-error",e))}};var l=(r,t,...e)=>{let i=document.createElement(r);return t&&i.setAttribute("part",t),i.append(...e),i},p=(r,t,e)=>{let i=l("button","button "+r,t);return i.type="button",i.addEventListener("click",s=>{s.stopPropagation(),e(s)}),i},c=(r,t)=>{r.textContent!==t&&(r.textContent=t)},h=(r,t)=>{r.hidden!==t&&(r.hidden=t)},A=r=>{let t=document.createElementNS("http://www.w3.org/2000/svg","svg"),e=document.createElementNS(t.namespaceURI,"path");return e.setAttribute("d",r),t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true"),t.append(e),t},j=(r,t)=>{let e=r.firstChild;for(let i of t)i===e?e=e.nextSibling:r.insertBefore(i,e);for(;e;){let i=e.nextSibling;e.remove(),e=i}},I=r=>{let t=new CSSStyleSheet;return t.replaceSync(r),t};var W=`
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
  color-scheme: dark;`,X=`
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
@media (prefers-color-scheme: dark) { :host(:not([theme=light])) {${W} } }
:host([theme=dark]) {${W} }
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
`,ct=[215,265,330,15,150,190],dt={red:2,orange:28,yellow:48,green:145,teal:180,blue:215,purple:270,pink:330,gray:220},q=(r,t)=>`[part~=${r}] { --_hue: ${t}; }`,Y=I(`${X}
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
${ct.map((r,t)=>q("hue-"+t,r)).join("")}
${Object.entries(dt).map(([r,t])=>q(r,t)).join("")}
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
`),G=I(`${X}
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
`);var ht="M18 8a6 6 0 0 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M13.7 21a2 2 0 0 1-3.4 0",J=99,pt=["explain","grouped","theme"],z=class extends v{static get observedAttributes(){return pt}constructor(){super([G]),this.badge=l("span","badge"),this.badge.setAttribute("aria-hidden","true"),this.toggle=p("bell",A(ht),()=>this.open=!this.open),this.toggle.append(this.badge),this.toggle.setAttribute("aria-haspopup","dialog"),this.list=l("belfry-inbox","inbox"),this.list.setAttribute("exportparts","header, title, read-all, group, item, unread, avatar, text, preview, thumbnail, action, time, dot, remove, empty, status"),this.shut=p("close","",()=>this.open=!1),this.shut.slot="actions",this.list.append(this.shut),this.panel=l("div","panel",this.list),this.panel.setAttribute("role","dialog"),this.panel.hidden=!0,this.panel.tabIndex=-1,this.shadowRoot.append(this.toggle,this.panel),this.addEventListener("keydown",t=>{t.key!=="Escape"||!this.open||(t.stopPropagation(),this.open=!1)}),this.outside=t=>{t.composedPath().includes(this)||(this.open=!1)}}get open(){return!this.panel.hidden}set open(t){if(t===this.open)return;this.panel.hidden=!t,this.toggle.setAttribute("aria-expanded",t),document[t?"addEventListener":"removeEventListener"]("pointerdown",this.outside,!0),t?(this.#t(),this.panel.focus()):this.shadowRoot.activeElement&&this.toggle.focus(),this.tell("belfry-toggle",{open:t})}attributeChangedCallback(t,e,i){i===null?this.list.removeAttribute(t):this.list.setAttribute(t,i)}disconnectedCallback(){this.open=!1,super.disconnectedCallback()}joined(t){this.list.inbox=t,this.relabel()}relabel(){this.list.labels=this.labels,c(this.shut,this.label("close")),this.panel.setAttribute("aria-label",this.label("title"))}#t(){this.inbox?.snapshot.unseen&&this.run(this.inbox.seen())}render({unread:t,unseen:e}){let i=this.getAttribute("count")==="unseen"?e:t;c(this.badge,i>J?J+"+":String(i)),h(this.badge,!i),this.toggle.setAttribute("aria-label",this.label("bell",i)),this.open&&document.hasFocus()&&this.#t()}};var K=r=>new Date(r.getFullYear(),r.getMonth(),r.getDate()),mt=(r,t)=>Math.round((K(t)-K(r))/864e5),Q=(r,t)=>{let e=mt(r,t);return e<1?"today":e<2?"yesterday":e<7?"week":"earlier"},V=r=>new Date(r.getFullYear(),r.getMonth(),r.getDate()+1)-r,M={hour:"numeric",minute:"2-digit"},ut={today:M,yesterday:M,week:{weekday:"short",...M},earlier:{day:"numeric",month:"short",year:"numeric"},whole:{dateStyle:"full",timeStyle:"short"}},Z=r=>{let t={};return(e,i)=>(t[i]||=new Intl.DateTimeFormat(r,ut[i])).format(e)};var U=(r,t)=>t.split(".").reduce((e,i)=>e?.[i],r),tt=(r,t)=>{for(let e of r.querySelectorAll("[data-text]"))c(e,String(U(t,e.dataset.text)??""));for(let e of["src","href"])for(let i of r.querySelectorAll(`[data-${e}]`)){let s=f(U(t,i.dataset[e]),document.baseURI);s?i[e]=s:i.removeAttribute(e)}for(let e of r.querySelectorAll("[data-if]")){let i=U(t,e.dataset.if);e.hidden=Array.isArray(i)?!i.length:!i}};var ft=6,bt="M18 6 6 18M6 6l12 12",gt=r=>r?.name||r?.firstName||r?.username||"",et=r=>r.split(/\s+/,2).map(t=>[...t][0]??"").join("").toUpperCase(),vt=r=>[...r].reduce((t,e)=>(t*31+e.codePointAt(0))%997,7)%ft,yt=0,S=class{item;#t=[];#r="";constructor(t,e){this.host=t;let i="n"+ ++yt;this.text=l("p","text"),this.text.id=i,this.node=l("article","item"),this.node.tabIndex=-1,this.node.row=this,this.node.setAttribute("aria-labelledby",i),this.node.addEventListener("click",()=>t.open(this.item)),this.template=e,this.avatar=l("span","avatar"),this.avatar.setAttribute("aria-hidden","true"),this.preview=l("p","preview"),this.preview.dir=this.text.dir="auto",this.thumbnails=l("div","thumbnails"),this.actions=l("div","actions"),this.time=l("time","time"),this.reasons=l("ul","reasons"),this.why=p("why","",()=>this.#c()),this.toggle=p("toggle","",()=>t.toggle(this.item)),this.nested=l("div","nested"),this.dot=l("span","dot"),this.dot.setAttribute("role","img"),this.removal=p("remove",A(bt),()=>t.remove(this));let s=l("div","meta",this.time,this.why),o=e?[e.content.cloneNode(!0)]:[this.text,this.preview,this.thumbnails,this.actions,s];this.custom=e&&l("div","custom",...o),e&&(this.text.hidden=!0);let a=l("div","body",...e?[this.text,this.custom]:o,this.reasons,this.toggle,this.nested);this.node.append(...e?[]:[this.avatar],a,this.dot,this.removal)}update(t,e,i,s){let{host:o}=this,a=[e,i.length,s,o.version].join();if(this.item===t&&this.#r===a&&!i.length)return;let n=this.item!==t||this.#r!==a;this.item=t,this.#r=a,n&&this.#s(t,e,i.length,s),this.#n(s?i:[],e)}#s(t,e,i,s){let{host:o}=this,a=new Date(t.createdAt);this.node.part=t.isRead?"item":"item unread",h(this.dot,t.isRead),this.dot.setAttribute("aria-label",o.label("unread")),this.removal.setAttribute("aria-label",o.label("remove")),this.template?tt(this.custom,t):(this.#o(t),this.#i(t),this.#l(t),this.time.dateTime=t.createdAt,isNaN(a)||(c(this.time,o.clock(a,e)),this.time.title=o.clock(a,"whole")),c(this.why,o.label("why")),h(this.why,!o.hasAttribute("explain"))),this.#e(t),h(this.toggle,!i),c(this.toggle,s?o.label("fewer"):o.label("others",i)),this.toggle.setAttribute("aria-expanded",s)}#e({title:t,displayText:e,body:i,preview:s,actor:o}){let a=t||e,n=t||["name","firstName","username"].map(u=>o?.[u]).find(u=>u&&a.startsWith(u))||"";(this.text.textContent!==a||this.text.firstChild?.textContent!==n)&&this.text.replaceChildren(l("b","actor",n),a.slice(n.length));let m=s||i||(t&&t!==e?e:"");c(this.preview,m),h(this.preview,!m)}#o({actor:t,style:e,category:i}){let s=gt(t),o=f(t?.avatarUrl,document.baseURI),a=o||et(s);this.avatar.part=`avatar hue-${e?.color?"color "+e.color.replace(/\W/g,""):vt(t?.id??i??"")}`,this.avatar.known!==a&&(this.avatar.known=a,this.avatar.replaceChildren(o?it(o,"avatar-image","",()=>c(this.avatar,et(s))):a||"\u2022"))}#i({thumbnails:t,batchCount:e}){let i=Array.isArray(t)?t:[];h(this.thumbnails,!i.length);let s=JSON.stringify([i,e]);if(!i.length||this.thumbnails.key===s)return;this.thumbnails.key=s;let o=i.map(n=>f(n?.url??n,document.baseURI)).filter(Boolean),a=e-i.length;this.thumbnails.replaceChildren(...o.map(n=>it(n,"thumbnail","")),...a>0?[l("span","rest",this.host.label("photos",a))]:[])}#l(t){let{host:e}=this,i=n=>()=>e.act(n,this.item),s=[];if(typeof t.isFollowingBack=="boolean"){let n=p("action follow",e.label(t.isFollowingBack?"following":"follow"),i("follow"));n.setAttribute("aria-pressed",t.isFollowingBack),s.push(n)}let o=t.cta?.label??t.cta;typeof o=="string"&&s.push(p("action cta",o,i(t.cta.action??"cta"))),h(this.actions,!s.length);let a=s.map(n=>n.textContent).join();this.actions.key!==a&&(this.actions.key=a,this.actions.replaceChildren(...s))}#n(t,e){!t.length&&!this.#t.length||(this.#t=t,this.host.fillWith(this.nested,t,(i,s)=>i.update(s,e,[],!1)))}async#c(){let{host:t,reasons:e}=this,i=(...s)=>e.replaceChildren(...s.map(o=>l("li","",o)));if(e.firstChild)return e.replaceChildren();i(t.label("loading"));try{let{events:s=[],steps:o=[]}=await t.inbox.explain(this.item.id),a=[...s,...o].map(({text:n})=>n).filter(Boolean);i(...a.length?a:[t.label("noReason")])}catch{i(t.label("failed"))}}},it=(r,t,e,i)=>{let s=l("img",t);return Object.assign(s,{loading:"lazy",decoding:"async",referrerPolicy:"no-referrer",alt:e,src:r}),s.addEventListener("error",i??(()=>s.remove())),s};var rt=(r,t)=>{let e,i,s,o;r.addEventListener("pointerdown",n=>{o=!1,e=n.pointerType!=="mouse"&&!n.target.closest("button, a")&&n.target.closest("article"),i=n,s=e&&e.offsetWidth}),r.addEventListener("pointermove",n=>{let m=n.clientX-i?.clientX;!e||n.pointerId!==i.pointerId||!o&&Math.abs(m)<10||(o||e.setPointerCapture(n.pointerId),o=!0,e.style.translate=m+"px",e.style.opacity=1-Math.abs(m)/s)});let a=n=>{!e||n.pointerId!==i.pointerId||(e.style.translate=e.style.opacity="",o&&n.type==="pointerup"&&Math.abs(n.clientX-i.clientX)>s*.35&&t(e.row),e=null)};r.addEventListener("pointerup",a),r.addEventListener("pointercancel",a),r.addEventListener("click",n=>o&&n.stopPropagation(),!0)};var N=30,wt=300,k=["today","yesterday","week","earlier"],C=class extends v{static get observedAttributes(){return["grouped","explain","lang"]}version=0;#t=new Map;#r=new Set;#s=new Set;#e=N;#o={};#i;#l=[];#n;#c;#a;#d=!0;constructor(){super([Y]),this.heading=l("h2","title"),this.heading.id="title",this.readAll=p("read-all","",()=>this.run(this.inbox.read())),this.status=l("p","status"),this.note=l("div","empty");let t=(i,...s)=>{let o=l("slot","",...s);return o.name=i,o},e=l("header","header",t("header",this.heading),this.readAll,t("actions"));this.note.append(t("empty",this.emptyText=l("p","empty-title"),this.emptyHint=l("p","empty-hint"))),this.list=l("div","list");for(let i of k)this.#o[i]=this.#g(i);this.list.append(...k.map(i=>this.#o[i].node)),this.more=p("more","",()=>this.#p()),this.list.addEventListener("keydown",i=>this.#k(i)),this.list.addEventListener("focusin",i=>this.#b(i.target.closest("article"))),rt(this.list,i=>this.remove(i)),this.shadowRoot.append(e,this.status,this.list,this.note,this.more),this.relabel()}#g(t){let e=l("h3","group"),i=l("div","feed");return e.id=t,i.setAttribute("role","feed"),i.setAttribute("aria-labelledby","title "+t),{heading:e,feed:i,node:l("section","section",e,i)}}relabel(){this.version++,this.clock=Z(this.language),c(this.heading,this.label("title")),c(this.readAll,this.label("readAll")),c(this.emptyText,this.label("empty")),c(this.emptyHint,this.label("emptyHint")),c(this.more,this.label("older"));for(let t of k)c(this.#o[t].heading,this.label(t))}attributeChangedCallback(){this.relabel(),this.invalidate()}connectedCallback(){super.connectedCallback(),this.#a=new IntersectionObserver(([t])=>t.isIntersecting&&this.#p(),{rootMargin:"600px",scrollMargin:"600px"}),this.#a.observe(this.more),this.#h()}disconnectedCallback(){super.disconnectedCallback(),this.#a.disconnect(),clearTimeout(this.#c),clearTimeout(this.#n)}joined(){this.#t.clear(),this.#e=N,this.#d=!0}#h(){this.#c=setTimeout(()=>{this.invalidate(),this.#h()},V(new Date)+1e3)}async#p(){if(!this.inbox)return;let{items:t,more:e}=this.inbox.snapshot;if(this.#e<t.length)this.#e+=N;else if(e)await this.inbox.more().catch(()=>{});else return;this.invalidate()}render(t){let{items:e,unread:i,status:s,more:o}=t;this.#l=e,this.#y(t),h(this.readAll,!i),h(this.note,e.length>0||s==="connecting"&&!t.synced),h(this.more,!o&&this.#e>=e.length);let a=new Date,n={today:[],yesterday:[],week:[],earlier:[]},m=new Map;for(let d of e.slice(0,this.#e)){let b=Q(new Date(d.createdAt),a),y=this.hasAttribute("grouped")&&d.group?b+d.group:d.id,w=m.get(y);if(w)w.others.push(d);else{let x={item:d,key:y,others:[]};m.set(y,x),n[b].push(x)}}this.#r=new Set;let u=[];for(let d of k){let{feed:b,node:y}=this.#o[d],w=n[d].map(({item:x,others:ot,key:$})=>{let E=this.#m(x,u);return E.key=$,E.update(x,d,ot,this.#s.has($)),E.node});h(y,!w.length),j(b,w)}for(let[d,b]of this.#t)this.#r.has(d)||this.#v(d,b);this.#w(u),this.#x(),clearTimeout(this.#n),this.#n=setTimeout(()=>this.#_(),wt),this.more.hidden||(this.#a.unobserve(this.more),this.#a.observe(this.more))}#m(t,e){this.#r.add(t.id);let i=this.#t.get(t.id);return i||(i=new S(this,this.querySelector(":scope > template[slot=item]")),this.#t.set(t.id,i),e?.push(i)),i}#v(t,e){this.#t.delete(t),this.#i===e&&(this.#i=void 0)}fillWith(t,e,i){j(t,e.map(s=>{let o=this.#m(s);return i(o,s),o.node}))}#y({status:t,reason:e,retryAt:i}){let s=t==="live"?"":this.label(t,this.clock(i??0,"today"));this.status.part="status "+t,c(this.status,e==="closed"?"":s),h(this.status,!this.status.textContent)}#w(t){let e=this.#d||t.length>3||matchMedia("(prefers-reduced-motion: reduce)").matches;if(this.#d&&=!this.#t.size,!e)for(let{node:i}of t)i.animate?.([{opacity:0,translate:"0 -8px"},{}],{duration:220,easing:"ease-out"})}get#u(){return[...this.list.querySelectorAll("article")]}#f(t,e){if(t){t.node.tabIndex=e;for(let i of t.node.querySelectorAll("button, a"))i.closest("article")===t.node&&(i.tabIndex=e)}}#b(t){!t||t.row===this.#i||(this.#f(this.#i,-1),this.#i=t.row,this.#f(this.#i,0))}#x(){this.#i||this.#b(this.list.querySelector("article"))}#k(t){let e=t.target;if(e.localName!=="article"){t.key==="Escape"&&e.closest("article")?.focus();return}let i=this.#u,s=i.indexOf(e),o={ArrowDown:s+1,PageDown:s+1,ArrowUp:s-1,PageUp:s-1,Home:0,End:i.length-1};if(t.key in o)i[o[t.key]]?.focus();else if(t.key==="Enter"||t.key===" ")this.open(e.row.item);else if(t.key==="Delete"||t.key==="Backspace")this.remove(e.row);else return;t.preventDefault()}#_(){for(let t of k){let e=this.#o[t].feed.children,i=!this.inbox.snapshot.more&&this.#e>=this.#l.length;for(let s=0;s<e.length;s++)e[s].setAttribute("aria-posinset",s+1),e[s].setAttribute("aria-setsize",i||!e[s].closest("section").matches(":last-of-type")?e.length:-1)}}open(t){this.activate({id:t.id,deepLink:t.deepLink,notification:t})}remove(t){let e=this.#u,i=e.indexOf(t.node);t.node.matches(":focus-within")&&(e[i+1]??e[i-1])?.focus(),this.run(this.inbox.remove([t.item.id]))}toggle(t){let{key:e}=this.#t.get(t.id);this.#s.delete(e)||this.#s.add(e),this.invalidate()}act(t,e){this.tell("belfry-action",{action:t,notification:e})}};P(xt);var st=(r,t)=>customElements.get(r)||customElements.define(r,t);st("belfry-inbox",C);st("belfry-bell",z);export{z as BelfryBell,C as BelfryInbox,nt as provide};
