/// The sink's page: a phone for each device with its icon and lock screen, and the newest requests.
///
/// Plain HTML that requests `/state.json` every second. The texts of pushes are inserted as text, never as HTML.
enum LockScreenPage {
    static let html = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Belfry sink: lock screens</title>
        <style>
        :root {
          color-scheme: light dark;
          --page: light-dark(#f3f4f6, #101215); --ink: light-dark(#1b1d21, #eceef1); --dim: light-dark(#565c66, #a2a9b4);
          --card: light-dark(#ffffff, #262a31); --edge: light-dark(#c9ced6, #3a4049);
          --sky: light-dark(#cfdcf2, #1b2333); --bad: light-dark(#b3261e, #ff8a80); --good: light-dark(#1b6e3c, #7fd99a);
        }
        body { margin: 0; padding: 1.5rem; background: var(--page); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif; }
        h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 .75rem; }
        h3, h4, p, ul { margin: 0; } ul { padding: 0; list-style: none; }
        .dim { color: var(--dim); font-size: .85rem; }
        #phones { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1.25rem; }
        .phone { background: var(--sky); border: 1px solid var(--edge); border-radius: 1.75rem; padding: 1.25rem 1rem;
          max-height: 34rem; overflow: auto; }
        .phone header { display: flex; gap: .75rem; align-items: center; margin-bottom: .75rem; }
        .phone h3 { font-size: .8rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        .icon { position: relative; flex: none; width: 3rem; height: 3rem; border-radius: .75rem; background: #35507e; color: #fff;
          display: grid; place-items: center; font-weight: 700; }
        .badge { position: absolute; top: -.45rem; right: -.45rem; min-width: 1.35rem; padding: 0 .3rem; border-radius: 1rem;
          background: #c62828; color: #fff; font-size: .8rem; text-align: center; box-sizing: border-box; }
        .stack { margin-bottom: .9rem; } .stack h4 { font-size: .8rem; font-weight: 600; margin: 0 .4rem .25rem; }
        .card { background: var(--card); border-radius: 1rem; padding: .6rem .8rem; margin-bottom: .3rem; }
        .card p { overflow-wrap: anywhere; white-space: pre-wrap; } .card .title { font-weight: 600; }
        table { border-collapse: collapse; width: 100%; font-size: .85rem; }
        th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--edge); vertical-align: top; }
        td { overflow-wrap: anywhere; } .bad { color: var(--bad); } .good { color: var(--good); }
        .table { overflow-x: auto; }
        </style>
        </head>
        <body>
        <h1>Lock screens</h1>
        <p class="dim" id="counts" role="status">Waiting for the sink …</p>
        <main>
        <h2 id="phones-title">Phones</h2>
        <section id="phones" aria-labelledby="phones-title"><p class="dim">No push has come yet.</p></section>
        <h2 id="requests-title">Newest requests</h2>
        <div class="table">
        <table aria-labelledby="requests-title">
        <thead><tr><th scope="col">No.</th><th scope="col">Time</th><th scope="col">Service</th><th scope="col">Device</th>
        <th scope="col">Answer</th><th scope="col">Fault</th><th scope="col">Shows</th></tr></thead>
        <tbody id="requests"></tbody>
        </table>
        </div>
        </main>
        <script>
        "use strict";
        const byId = (id) => document.getElementById(id);
        function make(tag, className, ...children) {
          const node = document.createElement(tag);
          if (className) node.className = className;
          node.append(...children.filter((child) => child !== null));
          return node;
        }
        const time = (at) => new Date(at).toLocaleTimeString();
        const short = (text) => text.length > 64 ? text.slice(0, 30) + "…" + text.slice(-30) : text;

        function card(of) {
          const replaced = of.pushes > 1 ? `, replaced ${of.pushes - 1}×` : "";
          return make("li", "card",
            of.title ? make("p", "title", of.title) : null, of.body ? make("p", "", of.body) : null,
            make("p", "dim", time(of.at) + replaced));
        }
        function activity(of) {
          const state = of.content["content-state"] ?? of.content.state;
          return make("section", "card",
            make("p", "title", `Live Activity: ${of.event}`), make("p", "", JSON.stringify(state)),
            make("p", "dim", `${of.pushes} pushes`));
        }
        function stack(of) {
          return make("section", "stack",
            make("h4", "", (of.thread ?? "Other") + (of.cards.length > 1 ? ` · ${of.cards.length}` : "")),
            make("ul", "", ...of.cards.map(card)));
        }
        function phone(of) {
          const icon = make("div", "icon", "B");
          if (of.badge > 0) {
            const badge = make("span", "badge", String(of.badge));
            badge.setAttribute("role", "img");
            badge.setAttribute("aria-label", `badge ${of.badge}`);
            icon.append(badge);
          }
          const name = make("h3", "", short(of.device));
          name.title = of.device;
          const screen = make("article", "phone",
            make("header", "", icon, make("div", "", name, make("p", "dim", of.provider))),
            ...of.activities.map(activity),
            ...(of.stacks.length ? of.stacks.map(stack) : [make("p", "dim", "Nothing on the screen.")]));
          // It scrolls: by keyboard, too.
          screen.tabIndex = 0;
          screen.setAttribute("aria-label", `${of.provider} ${short(of.device)}`);
          return screen;
        }
        function request(of) {
          const answer = of.status === undefined ? "none" : String(of.status);
          const reply = of.reply === undefined ? "" : " " + (typeof of.reply === "string" ? of.reply : JSON.stringify(of.reply));
          const shows = of.shown ? `${of.shown.length} devices`
            : "title" in of ? [of.title, of.body].filter(Boolean).join(": ") || (of.badge === null ? "nothing" : `badge ${of.badge}`) : "";
          return make("tr", "",
            make("td", "", String(of.number)), make("td", "", time(of.at)), make("td", "", of.provider),
            make("td", "", short(of.device ?? "")), make("td", of.status < 300 ? "good" : "bad", answer + reply),
            make("td", "", of.fault ?? ""), make("td", "", shows));
        }

        let before = "";
        async function refresh() {
          try {
            const text = await (await fetch("/state.json")).text();
            if (text !== before) {
              const state = JSON.parse(text);
              before = text;
              byId("counts").textContent = `${state.requests} requests, ${state.accepted} accepted`;
              if (state.phones.length) byId("phones").replaceChildren(...state.phones.map(phone));
              byId("requests").replaceChildren(...state.recent.map(request));
            }
          } catch {
            before = "";
            byId("counts").textContent = "The sink does not answer.";
          }
          setTimeout(refresh, 1000);
        }
        refresh();
        </script>
        </body>
        </html>
        """#
}
