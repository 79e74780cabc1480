/// A catalog with types of every kind.
enum HistoryCatalog {
    static let yaml = """
        catalog: tests
        actor: [id]
        feeds: {"room:*": {access: public, id: id, author: by, tags: tags, length: 12}}
        categories: {talk: {title: Talk}}
        push: {when: always, digest: {title: Tests, body: {one: "one new thing", other: "{{count}} new things"}}}
        events:
          said: {routes: [{to: people, type: SAID}, {to: others, type: NOTED}]}
          liked: {routes: [{to: people, type: LIKED}]}
          added: {routes: [{to: people, type: ADDED}, {to: others, type: LIKED}]}
          drawn: {routes: [{to: people, type: DRAWN}]}
          sketched: {routes: [{to: people, type: SKETCHED}]}
          rang: {routes: [{to: people, type: RANG}]}
          gathered: {routes: [{to: people, type: GATHERED}]}
          scored: {routes: [{to: people, type: SCORED}]}
          ordered: {routes: [{to: people, type: ORDERED}]}
          moved: {routes: [{to: people, type: MOVED}]}
          delivered: {routes: [{to: people, type: DELIVERED}]}
          posted:
            routes: [{to: people, type: NOTED}]
            data: [post, room, text, things]
            feeds: [{feed: "room:{{room}}", item: post}]
        types:
          SAID:
            category: talk
            text: "{{text}}"
            subjects: {room: "{{room}}"}
            push: {when: fallback, title: Said, body: "{{text}}"}
          NOTED: {text: "{{text}}", group: "notes:{{room}}"}
          LIKED:
            text: "{{text}}"
            group: "likes:{{room}}"
            push:
              {perHour: 1, title: Liked, body: "{{text}}", summary: {title: Liked, body: "{{count}} likes"}}
          ADDED:
            category: talk
            text: "{{things}}"
            subjects: {room: "{{room}}"}
            batch: {window: 5m, by: [room], count: things,
                    nouns: {one: one thing, other: "{{count}} things"}, bump: true}
            push: {timing: trailing, title: Added, body: "{{things}}"}
          DRAWN:
            text: "{{things}}"
            batch: {window: 20m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {timing: each, when: fallback, title: Drawn, body: "{{things}}"}
          SKETCHED:
            text: "{{things}}"
            group: sketches
            batch: {window: 20m, by: [room], count: things,
                    nouns: {one: one thing, other: "{{count}} things"}, bump: true}
            push:
              {timing: each, perHour: 1, title: Sketched, body: "{{things}}",
               summary: {title: Sketched, body: "{{count}} sketches"}}
          RANG:
            text: rang
            subjects: {room: "{{room}}"}
            preferences: {inApp: never}
            push: {title: Rang, body: "{{text}}"}
          GATHERED:
            category: talk
            text: "{{things}}"
            preferences: {inApp: never}
            batch: {window: 20m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {timing: each, title: Gathered, body: "{{things}}"}
          ORDERED:
            text: "{{text}}"
            subjects: {room: "{{room}}"}
            activity:
              {event: start, key: "order-{{room}}", type: Order, state: {text: "{{text}}"},
               alert: {title: Order, body: "{{text}}"}}
          MOVED:
            text: "{{text}}"
            preferences: {inApp: never}
            activity: {event: update, key: "order-{{room}}", state: {text: "{{text}}"}}
          DELIVERED:
            text: "{{text}}"
            subjects: {room: "{{room}}"}
            activity: {event: end, key: "order-{{room}}", state: {text: "{{text}}"}}
          SCORED: {text: "{{text}}", push: {title: Score, body: "{{text}}", replaceKey: "match {{room}}"}}
        """
}
