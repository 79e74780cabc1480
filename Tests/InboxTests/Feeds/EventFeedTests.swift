import Inbox
import JSON
import Testing

/// The items that events publish to feeds.
struct EventFeedTests {
    private static func catalog(_ feeds: String, rules: String = rules) throws -> CatalogSet {
        let yaml = """
            catalog: posts
            feeds: {\(rules)}
            events:
              posted: {routes: [{to: everyone, type: POSTED}], data: [item, queries, room.id], feeds: [\(feeds)]}
            types: {POSTED: {text: "new"}}
            """
        return try CatalogSet([Catalog(yaml: yaml, file: "posts.yaml")])
    }

    private static let rules = """
        posts: {access: public, id: id, tags: tags, length: 7}, "query:*": {access: public, id: id}, \
        "typing:*": {access: public, length: 0}
        """

    private static func event(_ data: JSONObject, own: JSONObject? = nil) -> Event {
        let (ada, bob) = (UserID("ada"), UserID("bob"))
        var list = Event.RecipientList(name: "everyone", users: [ada, bob].compactMap(\.self))
        if let ada { list.own[ada] = own }
        return Event(type: "posted", to: [list], data: data)
    }

    private static func items(_ feeds: String, _ event: Event) throws -> [(feed: String, text: String, length: Int)] {
        try catalog(feeds).route(event).items.map {
            ($0.item.feed, String(decoding: $0.item.json, as: UTF8.self), $0.length)
        }
    }

    @Test func `an event's item goes to the feed as its rule says`() throws {
        let items = try Self.items(
            "{feed: posts, item: item}", Self.event(["item": ["id": "p1", "tags": ["cat"]]]))
        #expect(items.map(\.feed) == ["posts"])
        #expect(items.map(\.text) == [#"{"id":"p1","tags":["cat"]}"#])
        #expect(items.map(\.length) == [7])
    }

    @Test func `an event without the item publishes nothing`() throws {
        for data in [[:], ["item": .null]] as [JSONObject] {
            #expect(try Self.items("{feed: posts, item: item}", Self.event(data)).isEmpty)
        }
    }

    @Test func `each element of a list names a feed, those of recipients too, and each feed once`() throws {
        let own: JSONObject = ["queries": [["id": "q2"], ["id": 3], ["id": "q1"]]]
        let event = Self.event(["item": 1, "queries": [["id": "q1"], ["id": "q1"]]], own: own)
        let items = try Self.items(#"{feed: "query:{{id}}", each: queries, item: item}"#, event)
        #expect(items.map(\.feed) == ["query:q1", "query:q2", "query:3"])
    }

    @Test(arguments: [" ", "\u{3000}", "a\u{202E}b", "a\nb"])
    func `a value that makes no feed's name is refused with its place`(_ value: String) throws {
        let rules = #"posts: {access: public}, "*": {access: public}"#
        let catalogs = try Self.catalog(#"{feed: "{{room.id}}", item: item}"#, rules: rules)
        let problem = try #require(throws: EventProblem.self) {
            try catalogs.route(Self.event(["item": "x", "room": ["id": .string(value)]]))
        }
        #expect((problem.code, problem.pointer) == ("invalid_value", "/data/room/id"))
        #expect(problem.message.hasPrefix("expected a value that makes a feed's name of 1 to 200 bytes"))
    }

    @Test func `a name may have a value of the event`() throws {
        let event = Self.event(["item": "x", "room": ["id": "r7"]])
        #expect(try Self.items(#"{feed: "query:{{ room.id }}", item: item}"#, event).map(\.feed) == ["query:r7"])
    }

    /// The catalog's feeds, an event's data, and the place of its mistake.
    private static let refusals: [(feeds: String, data: JSONObject, pointer: String)] = [
        ("{feed: posts, item: item}", ["item": ["tags": [1]]], "/data/item/tags"),
        ("{feed: posts, item: item}", ["item": ["id": ["a"]]], "/data/item/id"),
        (#"{feed: "query:{{room.id}}", item: item}"#, ["item": 1], "/data/room/id"),
        (#"{feed: "query:{{room.id}}", item: item}"#, ["item": 1, "room": ["id": ["a"]]], "/data/room/id"),
        (#"{feed: "query:{{room.id}}", item: item}"#, ["item": 1, "room": ["id": "a\nb"]], "/data/room/id"),
        (
            #"{feed: "query:{{id}}", each: queries, item: item}"#, ["item": 1, "queries": [["id": ""]]],
            "/data/queries/0/id"
        ),
    ]

    @Test(arguments: refusals.indices)
    func `an event whose item or feed makes no sense is refused with the place`(row: Int) throws {
        let row = Self.refusals[row]
        let problem = #expect(throws: EventProblem.self) { try Self.items(row.feeds, Self.event(row.data)) }
        #expect(problem?.pointer == row.pointer)
    }

    @Test(arguments: [
        "{feed: pots, item: item}", "{feed: \"typing:{{room.id}}\", item: item}", "{feed: posts}", "{item: item}",
        "{feed: posts, item: itm}", "{feed: posts, each: queries, item: item}",
        "{feed: \"query:{{room.id}}:{{id}}\", item: item}", "{feed: posts, item: item, when: x}",
    ])
    func `a senseless feed is a mistake of the catalog`(feeds: String) {
        #expect(throws: CatalogError.self) { try Self.catalog(feeds) }
    }
}
