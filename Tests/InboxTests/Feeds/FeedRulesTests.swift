import Inbox
import JSON
import Testing

struct FeedRulesTests {
    static func catalog(_ feeds: String, name: String = "posts") throws -> Catalog {
        let yaml = """
            catalog: \(name)
            events: {}
            types: {}
            feeds:
            \(feeds.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            """
        return try Catalog(yaml: yaml, file: "\(name).yaml")
    }

    static let rules = """
        posts: {access: public}
        "query:*": {access: {claim: app.queries}}
        "room:*": {access: {topic: "members of *"}}
        "room:lobby": {access: public}
        staff: {access: {topic: staff}}
        beta: {access: {claim: programs}}
        """

    @Test(
        arguments: [
            ("posts", .allowed), ("query:1", .allowed), ("query:2", .allowed), ("query:3", .refused),
            ("room:7", .ifMember(of: "members of 7")), ("room:lobby", .allowed), ("staff", .ifMember(of: "staff")),
            ("beta", .allowed), ("elsewhere", nil),
        ] as [(String, FeedVerdict?)])
    func `a rule tells who may read its feeds`(_ feed: String, _ verdict: FeedVerdict?) throws {
        let catalogs = try CatalogSet([Self.catalog(Self.rules)])
        let token: JSONObject = ["sub": "sarah", "app": ["queries": ["1", 2]], "programs": "beta", "posts": false]
        let claims = FeedClaims(token, named: catalogs.feedClaims)
        #expect(catalogs.feedRule(for: feed)?.verdict(on: feed, with: claims) == verdict)
    }

    @Test func `a token without the claim, or with one of another kind, opens nothing`() throws {
        let catalogs = try CatalogSet([Self.catalog(Self.rules)])
        for token in [[:], ["app": "queries"], ["app": ["queries": ["a": "1"]]], ["app": ["queries": [["1"]]]]]
            as [JSONObject]
        {
            let claims = FeedClaims(token, named: catalogs.feedClaims)
            #expect(catalogs.feedRule(for: "query:1")?.verdict(on: "query:1", with: claims) == .refused)
        }
    }

    @Test func `a claim whose name has dots is found by its whole name first`() throws {
        let claims = FeedClaims(["app.queries": ["1"], "app": ["queries": ["2"]]], named: ["app.queries"])
        let catalogs = try CatalogSet([Self.catalog(Self.rules)])
        #expect(catalogs.feedRule(for: "query:1")?.verdict(on: "query:1", with: claims) == .allowed)
        #expect(catalogs.feedRule(for: "query:2")?.verdict(on: "query:2", with: claims) == .refused)
    }

    @Test func `a feed of length 0 keeps no items, any other does`() throws {
        let catalogs = try CatalogSet([
            Self.catalog(
                """
                'typing:*': {access: public, length: 0}
                posts: {access: public, length: 1}
                users: {access: public}
                """)
        ])
        #expect(catalogs.feedRule(for: "typing:7")?.keepsItems == false)
        #expect(["posts", "users"].allSatisfy { catalogs.feedRule(for: $0)?.keepsItems == true })
    }

    static let mistakes: [(feeds: String, issue: String)] = [
        ("posts: {acces: public}", #"c.yaml:5: feeds.posts.acces: unknown key; did you mean "access"?"#),
        (
            "posts: {id: id}",
            #"c.yaml:5: feeds.posts: "access" is missing; "#
                + "expected who may read the feed: public, {claim: NAME} or {topic: NAME}"
        ),
        ("posts: {access: private}", "c.yaml:5: feeds.posts.access: expected public, {claim: NAME} or {topic: NAME}"),
        ("posts: {access: {claim: a, topic: b}}", "c.yaml:5: feeds.posts.access: expected one of claim and topic"),
        (
            "posts: {access: {topic: 'room:*'}}",
            "c.yaml:5: feeds.posts.access.topic: the feed's name has no *; expected a topic's name without one"
        ),
        (
            "'a*b*': {access: public}",
            "c.yaml:5: feeds.a*b*: expected a feed's name like posts, or a shape with one * like query:*"
        ),
        (
            "' ': {access: public}",
            "c.yaml:5: feeds. : expected a feed's name of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (
            "\"query:\\u202E*\": {access: public}",
            "c.yaml:5: feeds.query:\u{202E}*: "
                + "expected a feed's name of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (
            "posts: {access: {topic: ' '}}",
            "c.yaml:5: feeds.posts.access.topic: "
                + "expected a topic's name of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (
            "posts: {access: public, length: -1}",
            "c.yaml:5: feeds.posts.length: expected a whole number from 0 to 1000000"
        ),
        (
            "posts: {access: public, length: 0, id: id}",
            "c.yaml:5: feeds.posts.id: a feed of length 0 keeps no item that another one could be again; leave id out"
        ),
        ("posts: {access: public, time: ''}", "c.yaml:5: feeds.posts.time: expected a text, found an empty one"),
        (
            "'a*': {access: public}\n'*a': {access: public}",
            #"c.yaml:6: feeds.*a: "a*" is about the same feeds; expected one rule a feed"#
        ),
    ]

    @Test(arguments: mistakes) func `a mistake is told with its place`(_ feeds: String, _ issue: String) throws {
        let error = try #require(throws: CatalogError.self) { try Self.catalog(feeds, name: "c") }
        #expect(error.issues.map(\.description).contains(issue), "\(error)")
    }

    @Test func `two catalogs cannot be about the same feeds`() throws {
        let one = try Self.catalog("'query:*': {access: public}\nposts: {access: public}", name: "one")
        let other = try Self.catalog("'query:new': {access: public}\nusers: {access: public}", name: "other")
        let error = try #require(throws: CatalogError.self) { try CatalogSet([one, other]) }
        #expect(
            error.description == """
                other.yaml:5: feeds.query:new: catalog "one" has "query:*", which is about the same feeds; \
                expected one catalog a feed
                """)
    }
}
