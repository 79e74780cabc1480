import Inbox
import JSON
import Testing

/// When the apps' pushes leave, how many, and in which words and times.
struct AppPolicyTests {
    private static func rounds(_ row: String) throws -> AppCase {
        try #require(RoundsCases.all.first { $0.row == row })
    }

    @Test(arguments: [
        ("T1.10", "New followers", "12 people started following you", "Alex started following you"),
        ("T1.11", "New upvotes", "12 people upvoted your post", "Alex upvoted your post"),
    ])
    func `golf: followers and upvotes are pushed once an hour, with how many people it was`(
        _ row: String, _ title: String, _ body: String, _ ofOne: String
    ) throws {
        let catalog = try App.rounds.catalog()
        let content = try Self.rounds(row).content(in: catalog)
        let type = try #require(catalog.notificationType(named: content.type))
        #expect(type.push.perHour == 1)
        #expect(type.preferences.push && !type.preferences.isRequired)
        let summary = try #require(content.push?.summary)
        #expect((summary.title.text(count: 12), summary.body.text(count: 20, people: 12)) == (title, body))
        #expect(summary.body.text(count: 3, people: 1) == ofOne)
    }

    @Test func `golf: all upvotes of a person count together, those of other posts too`() throws {
        let catalog = try App.rounds.catalog()
        let groups = try ["p1", "p2"].map { post in
            let event = Event(
                type: "post_upvoted", actor: ["id": "u", "firstName": "Alex"],
                to: [.init(name: "author", users: Rooms.users("you"))],
                data: ["post": ["id": .string(post), "text": "words"]])
            return try catalog.content(event).push?.group
        }
        #expect(groups == ["upvotes", "upvotes"])
    }

    @Test func `golf: all other types are pushed one by one, and a cancellation at once`() throws {
        let catalog = try App.rounds.catalog()
        let paced = catalog.notificationTypes.filter { $0.push.perHour != nil }.map(\.name)
        #expect(paced.sorted() == ["NEW_FOLLOWER", "POST_UPVOTED"])
        let urgent = catalog.notificationTypes.filter { $0.push.urgency == .urgent }.map(\.name)
        #expect(urgent == ["ROUND_CANCELED"])
    }

    @Test(arguments: [(1, "A new round request"), (3, "3 new round requests")])
    func `golf: requests for one round read as one line`(_ count: Int, _ text: String) throws {
        let content = try Self.rounds("T1.1").content(in: App.rounds.catalog())
        #expect(content.group == "requests:r7")
        #expect(content.groupText?.text(count: count) == text)
        #expect(content.push?.groupText?.text(count: count) == text)
    }

    @Test(
        arguments: [
            ("T1.9", "America/Los_Angeles", nil, "New time: Jul 4, 2025 at 8:30\u{202f}AM"),
            ("T1.9", "Pacific/Auckland", nil, "New time: Jul 5, 2025 at 3:30\u{202f}AM"),
            ("T1.9", nil, nil, "New time: Jul 4, 2025 at 3:30\u{202f}PM"),
            ("T1.9", "Europe/Berlin", "de", "4. Juli 2025 um 17:30 Uhr"),
            ("T1.4", "Pacific/Auckland", nil, "Saturday Nine at Pebble Beach on Jul 5, 2025"),
            ("T1.2", "Pacific/Auckland", "de-AT", "Saturday Nine, Pebble Beach, am 5. Juli 2025"),
        ] as [(String, String?, String?, String)])
    func `golf: times are those of the reader's clocks and language`(
        _ row: String, _ zone: String?, _ locale: String?, _ preview: String
    ) throws {
        let content = try Self.rounds(row).content(
            in: App.rounds.catalog(), for: Reader(locale: locale, zone: zone))
        #expect(try content.members["preview"]?.string == preview)
        #expect(content.push?.body == preview)
    }

    @Test func `golf: every type has its words in German`() throws {
        let catalog = try App.rounds.catalog()
        #expect(catalog.languages == ["de"])
        for row in RoundsCases.all {
            let (english, german) = (try row.content(in: catalog), try row.content(in: catalog, for: .german))
            #expect(english.displayText != german.displayText, "\(row.row)")
            #expect(english.push?.title != german.push?.title || english.push?.body != german.push?.body, "\(row.row)")
            #expect(english.groupText?.text(count: 2) != german.groupText?.text(count: 2), "\(row.row)")
            #expect(english.push?.data == german.push?.data, "\(row.row)")
            #expect(try german.members["title"]?.string == german.displayText, "\(row.row)")
        }
        #expect(catalog.category(named: "requests")?.title(in: "de") == "Anfragen")
    }

    @Test func `rooms: every type has its words in German, elements too`() throws {
        let catalog = try App.rooms.catalog()
        for row in RoomsCases.pushes {
            let (english, german) = (try row.content(in: catalog), try row.content(in: catalog, for: .german))
            #expect(english.displayText != german.displayText, "\(row.row)")
        }
        let event = Rooms.elementAdded(["photo", "photo", "note", "video"])
        let type = try #require(catalog.notificationType(named: "ELEMENT_ADDED"))
        let content = type.content(for: event, reader: .german, at: Timestamp(milliseconds: 0), growing: nil)
        #expect(content.displayText == "renee hat 2 Fotos, eine Notiz und ein Video zu Awesome Fun hinzugefügt")
    }

    @Test func `posts: of several searches that match the first is named, and all are told, in the backend's order`()
        throws
    {
        let ids = ["q8", "q3", "q5"]
        let own: JSONObject = [
            "queries": .array(ids.map { ["id": .string($0), "title": .string("search \($0)")] })
        ]
        let event = Event(
            type: "post_created", actor: ["id": "u1", "name": "Ada"],
            to: [
                .init(
                    name: "matched", users: Rooms.users("you"),
                    own: Dictionary(Rooms.users("you").map { ($0, own) }) { $1 })
            ],
            data: ["post": ["id": "p42"]])
        let group = try #require(try App.posts.catalog().route(event).groups.first)
        let content = group.type.content(for: event, own: own, at: Timestamp(milliseconds: 0), growing: nil)
        #expect(content.displayText == "'search q8' matched a post from Ada")
        #expect(try content.members["queries"]?.array?.map { $0.at(["id"]) } == ["q8", "q3", "q5"])
        let push = try #require(content.push)
        #expect(push.body == "'search q8' matched a post from Ada")
        #expect((push.data["queryId"], push.data["queryIds"]) == ("q8", "q8,q3,q5"))
    }

    @Test(arguments: App.allCases)
    func `one push for what quiet hours held back names the app and how many there are`(_ app: App) throws {
        let cases = [App.rooms: RoomsCases.pushes, .rounds: RoundsCases.all, .posts: PostsCases.all]
        let digest = try #require(try (cases[app] ?? IssuesCases.all)[0].content(in: app.catalog()).push?.digest)
        #expect(digest.title.text(count: 5) == (try app.catalog().title()))
        #expect(digest.body.text(count: 5) == "5 new notifications")
    }

    @Test(
        arguments: [
            (.rooms, "T0.8", ["actor:user-123", "room:r1"]), (.rounds, "T1.1", ["actor:u1", "round:r7"]),
            (.rounds, "T1.13", ["actor:u3", "post:p9", "thread:c5"]),
            (.issues, "T4.2", ["actor:user-2", "issue:abc123"]),
            (.issues, "T4.3", ["actor:user123", "conversation:xyz789"]), (.posts, "T3.2", ["actor:u1", "post:p42"]),
        ] as [(App, String, [String])])
    func `the subjects that can be muted are named`(_ app: App, _ row: String, _ subjects: [String]) throws {
        let all = RoomsCases.pushes + RoundsCases.all + PostsCases.all + IssuesCases.all
        let found = try #require(all.first { $0.row == row })
        let event = try found.event()
        let type = try #require(try app.catalog().route(event).groups.first?.type)
        #expect(type.subjects(of: event) == subjects)
    }

    @Test func `issues: a receipt's or an issue's status is told in words, and one without words as it is`() throws {
        let row = try #require(IssuesCases.all.first { $0.row == "T4.5" })
        var event = try row.event()
        event.data["issue"] = ["id": "1", "title": "Leak", "status": "on ice"]
        #expect(try App.issues.catalog().content(event).displayText == "'Leak' is now on ice")
    }

    @Test(arguments: [App.issues, .posts])
    func `a push wakes the app, so that it can load what is new before it is opened`(_ app: App) throws {
        for row in app == .issues ? IssuesCases.all : PostsCases.all {
            #expect(try row.content(in: app.catalog()).push?.wakesApp == true, "\(row.row)")
        }
    }

    @Test(arguments: App.allCases)
    func `pushes have the system's sound, but for a like of a comment, which has none`(_ app: App) throws {
        let cases = [App.rooms: RoomsCases.pushes, .rounds: RoundsCases.all, .posts: PostsCases.all]
        for row in cases[app] ?? IssuesCases.all {
            let content = try row.content(in: app.catalog())
            let push = try #require(content.push)
            #expect(push.sound == (content.type == "COMMENT_LIKE" ? nil : "default"), "\(row.row)")
        }
    }

    @Test func `a catalog that says nothing of a sound has the system's`() throws {
        let yaml = """
            catalog: c
            events: {e: {routes: [{to: all, type: X}]}}
            types: {X: {text: t, push: {title: t, body: b}}}
            """
        let event = Event(type: "e", actor: nil, to: [.init(name: "all", users: Rooms.users("you"))], data: [:])
        #expect(try Catalog(yaml: yaml, file: "c.yaml").content(event).push?.sound == "default")
    }
}

extension Reader {
    fileprivate static let german = Reader(locale: "de")
}
