import Deliveries
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct RetractTests {
    @Test("an event that is taken back leaves every inbox, with its counts and pushes") func plain() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", "secret", to: .ada, .bob, key: "k")
            try await fixture.say("stays", to: .ada)
            try await fixture.store.apply(.read(.upTo(1)), for: .bob)
            let retraction = try await fixture.store.retract("k", try StoreFixture.catalogs(), at: .at(3))
            #expect(retraction == Retraction(event: event, removed: 2, pushesCancelled: 1))
            #expect(try await fixture.texts(of: .ada) == ["stays"])
            #expect(try await fixture.texts(of: .bob) == [])
            let (ada, bob) = (try await fixture.store.state(of: .ada), try await fixture.store.state(of: .bob))
            #expect((ada.unread, ada.unseen, ada.total, ada.seq) == (1, 1, 1, 3))
            #expect((bob.unread, bob.unseen, bob.total, bob.seq) == (0, 0, 0, 3))
            guard case .removed(.ids(let ids)) = fixture.told(to: .ada).last?.kind else {
                Issue.record("nobody was told")
                return
            }
            #expect(ids.map(\.sequence) == [1])
            #expect(try await fixture.store.leasePushJobs(at: .at(9)).jobs.map(\.body) == ["stays"])
            #expect(try await fixture.steps(event) == [.cancelled(.retracted), .retracted])
            #expect(try await fixture.report(event).event.retractedAt == .at(3))
            let statistics = try await fixture.statistics()
            #expect((statistics.contents, statistics.unreadDrift) == (1, 0))
        }
    }

    @Test("a push that is on the screen is withdrawn from it") func shown() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.event("said", to: .ada, key: "k")
            let job = try await fixture.job(at: .at(0))
            try await fixture.store.settle(job, as: .finish)
            _ = try await fixture.store.retract("k", try StoreFixture.catalogs(), at: .at(3))
            let badge = try await fixture.job(at: .at(60))
            #expect((badge.message.content == nil, badge.message.badge) == (true, 0))
            #expect(badge.message.withdrawn == [job.message.collapseID])
        }
    }

    @Test("taking back again changes nothing, and an unknown key is none") func again() async throws {
        try await withStore { fixture in
            let catalogs = try StoreFixture.catalogs()
            let event = try await fixture.event("said", to: .ada, key: "k")
            #expect(try await fixture.store.retract("k", by: "other", catalogs) == nil)
            #expect(try await fixture.store.retract("other", catalogs) == nil)
            #expect(try await fixture.store.retract("k", catalogs)?.removed == 1)
            #expect(try await fixture.store.retract("k", catalogs) == Retraction(event: event))
            #expect(try await fixture.store.state(of: .ada).seq == 2)
        }
    }

    @Test("a key that was taken back publishes anew") func replaced() async throws {
        try await withStore { fixture in
            let catalogs = try StoreFixture.catalogs()
            _ = try await fixture.event("said", "one", to: .ada, key: "k")
            _ = try await fixture.store.retract("k", catalogs)
            let second = try await fixture.event("said", "two", to: .ada, key: "k")
            #expect(try await fixture.texts(of: .ada) == ["two"])
            #expect(try await fixture.store.retract("k", catalogs) == Retraction(event: second, removed: 1))
            #expect(try await fixture.texts(of: .ada) == [])
        }
    }

    @Test("a notification that the person removed before is passed over") func removedBefore() async throws {
        try await withStore { fixture in
            let event = try await fixture.event("said", to: .ada, .bob, key: "k")
            try await fixture.store.apply(.remove(.upTo(1)), for: .ada)
            let retraction = try await fixture.store.retract("k", try StoreFixture.catalogs())
            #expect(retraction == Retraction(event: event, removed: 1))
            #expect(try await fixture.store.state(of: .ada).seq == 2)
        }
    }

    // MARK: Batches

    private static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          added: {routes: [{to: people, type: ADDED}]}
        types:
          ADDED:
            text: "{{actor}} added {{things}}"
            batch:
              {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"},
               samples: {thumbnails: 3}}
        """

    @Test("a batch shrinks by what one of its events had put into it, and its text says so") func shrink() async throws
    {
        try await withStore(yaml: Self.yaml) { fixture in
            let catalogs = try StoreFixture.catalogs(Self.yaml)
            _ = try await fixture.event("added", to: .ada, .bob, key: "one", things: 1)
            let second = try await fixture.event("added", to: .ada, .bob, key: "two", things: 2)
            #expect(try await fixture.texts(of: .ada) == ["renee added 3 things"])
            let retraction = try await fixture.store.retract("two", catalogs)
            #expect(retraction == Retraction(event: second, updated: 2))
            for user in [UserID.ada, .bob] {
                let notification = try #require(try await fixture.store.page(of: user).notifications.first)
                #expect(notification.content.displayText == "renee added one thing")
                #expect((notification.rev, notification.seq) == (3, 3))
                #expect(notification.content.batch?.samples == [0])
                let state = try await fixture.store.state(of: user)
                #expect((state.seq, state.unread, state.total) == (3, 1, 1))
                guard case .update(let told) = fixture.told(to: user).last?.kind else {
                    Issue.record("nobody was told")
                    return
                }
                #expect(told.content.displayText == "renee added one thing")
            }
            // Both still show one content, and the batch is open as before.
            #expect(try await fixture.statistics().contents == 1)
            _ = try await fixture.event("added", to: .ada, things: 4)
            #expect(try await fixture.texts(of: .ada) == ["renee added 5 things"])
            #expect(try await fixture.steps(second) == [.shrunk])
        }
    }

    @Test("a batch goes when the last of its events is taken back, whichever came first") func empty() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            let catalogs = try StoreFixture.catalogs(Self.yaml)
            _ = try await fixture.event("added", to: .ada, key: "one", things: 1)
            _ = try await fixture.event("added", to: .ada, key: "two", things: 2)
            #expect(try await fixture.store.retract("one", catalogs)?.updated == 1)
            #expect(try await fixture.texts(of: .ada) == ["renee added 2 things"])
            let last = try #require(try await fixture.store.retract("two", catalogs))
            #expect((last.updated, last.removed) == (0, 1))
            #expect(try await fixture.texts(of: .ada) == [])
            let statistics = try await fixture.statistics()
            #expect((statistics.contents, statistics.unreadDrift) == (0, 0))
        }
    }

    @Test("a batch whose type no catalog knows any more stays as it is") func unknownType() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            let event = try await fixture.event("added", to: .ada, key: "one", things: 2)
            let retraction = try await fixture.store.retract("one", try CatalogSet([]))
            #expect(retraction == Retraction(event: event))
            #expect(try await fixture.texts(of: .ada) == ["renee added 2 things"])
        }
    }

    @Test("a batch stays as it is when its catalog's texts ask by now for more than the event has")
    func otherTexts() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            let yaml = Self.yaml.replacing("{{actor}} added {{things}}", with: "{{actor}} added {{things}} to {{room}}")
            _ = try await fixture.event("added", to: .ada, key: "one", things: 1)
            let event = try await fixture.event("added", to: .ada, key: "two", things: 2)
            let retraction = try await fixture.store.retract("two", try StoreFixture.catalogs(yaml))
            #expect(retraction == Retraction(event: event))
            #expect(try await fixture.texts(of: .ada) == ["renee added 3 things"])
        }
    }

    @Test("an event's data for a person alone go with its notification, and spoil no other")
    func ownData() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            let catalogs = try StoreFixture.catalogs(Self.yaml)
            func publish(_ key: String, own: [UserID: JSONObject], to users: UserID...) async throws {
                let list = Event.RecipientList(name: "people", users: users, own: own)
                let event = Event(
                    type: "added", key: key, actor: ["id": "renee", "username": "renee"], to: [list],
                    data: ["things": [1]])
                _ = try await fixture.publish(fixture.entry(event))
            }
            try await publish("one", own: [.ada: ["things": [1, 2]]], to: .ada)
            try await publish("two", own: [:], to: .bob)
            try await publish("three", own: [.bob: ["things": [1, 2]]], to: .bob)
            #expect(try await fixture.texts(of: .ada) == ["renee added 2 things"])
            #expect(try await fixture.store.retract("one", catalogs)?.removed == 1)
            #expect(try await fixture.texts(of: .ada) == [])
            // The store has not kept how many of the three came from this event.
            let last = try #require(try await fixture.store.retract("three", catalogs))
            #expect((last.removed, last.updated) == (0, 0))
            #expect(try await fixture.texts(of: .bob) == ["renee added 3 things"])
        }
    }

    // MARK: Many recipients

    @Test("many recipients are dealt with in steps, each once, and others' writes go on between them")
    func steps() async throws {
        try await withStore(yaml: StoreFixture.yaml, stepsOfTen) { fixture in
            let users = (0..<45).map { UserID.user("user-\($0)") }
            let entry = try fixture.entry("added", to: users, key: "two", things: 2)
            _ = try await fixture.publish(try fixture.entry("added", to: users, things: 1))
            _ = try await fixture.publish(entry)
            let retraction = try await fixture.store.retract("two", try StoreFixture.catalogs())
            #expect(retraction == Retraction(event: entry.id, updated: 45))
            for user in users { #expect(try await fixture.texts(of: user) == ["renee added one thing"]) }
            let commits = fixture.commits.count { !$0.inboxes.isEmpty }
            #expect(commits == 7)
        }
    }

    @Test("an event that is taken back on its way reaches nobody else")
    func onItsWay() async throws {
        try await withStore(yaml: StoreFixture.yaml, pagesOfTen) { fixture in
            let users = (0..<25).map { UserID.user("user-\($0)") }
            let entry = try fixture.entry("said", to: users, key: "k")
            _ = try await fixture.publish(entry)
            _ = try await fixture.store.deliverPage(of: entry.id, by: fixture.catalog)
            let catalogs = try StoreFixture.catalogs()
            #expect(try await fixture.store.retract("k", catalogs) == Retraction(event: entry.id, removed: 10))
            let broadcast = try await fixture.store.deliverPage(of: entry.id, by: fixture.catalog)
            #expect(broadcast?.state == .abandoned("its publisher took it back"))
            for user in users { #expect(try await fixture.texts(of: user) == []) }
            // The next event with the key is another one.
            let next = try fixture.entry("said", "anew", to: [.ada], key: "k")
            #expect(try await fixture.publish(next).first?.isReplay == false)
        }
    }

    private func pagesOfTen(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 10 }

    private func stepsOfTen(_ options: inout SQLiteStoreOptions) { options.retractionsPerStep = 10 }
}
