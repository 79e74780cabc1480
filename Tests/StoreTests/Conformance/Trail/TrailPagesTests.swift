import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct TrailPagesTests {
    private func pagesOfTen(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 10 }

    @Test("an event that reaches its people in pages has one trail, and a rehearsal of it tells its first page")
    func pages() async throws {
        try await withStore(yaml: StoreFixture.yaml, pagesOfTen) { fixture in
            let users = (0..<25).map { UserID.user("user-\($0)") }
            let entry = try fixture.entry("said", to: users + [.user("renee")], key: "k")
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.people, rehearsal.recipients.count) == (26, 11))
            _ = try await fixture.publish(entry)
            while try await fixture.store.deliverPage(of: entry.id, by: fixture.catalog)?.state == .working {}
            let report = try await fixture.report(entry.id)
            #expect((report.summary.people, report.summary.created, report.summary.suppressed) == (26, 25, 1))
            #expect(Set(report.recipients.map(\.user)) == Set(users + [.user("renee")]))
            let personal = try #require(try await fixture.store.trail(of: users[20]))
            #expect(personal.entries.map(\.event.id) == [entry.id])
            #expect(personal.entries.first?.event.actor == "renee")
        }
    }

    @Test("a person's trail never ends within an event, however many pages it has")
    func personalPages() async throws {
        try await withStore(
            yaml: StoreFixture.yaml,
            { options in
                options.recipientsPerPage = 2
                options.trailRowsPerLook = 3
            },
            { fixture in
                let users = (0..<9).map { UserID.user("user-\($0)") }
                let entry = try fixture.entry("said", to: users)
                _ = try await fixture.publish(entry)
                while try await fixture.store.deliverPage(of: entry.id, by: fixture.catalog)?.state == .working {}
                let later = try await fixture.event("said", to: users[0])
                for (user, events) in [(users[0], [later, entry.id]), (users[8], [entry.id])] {
                    var found: [String] = []
                    var cursor: String?
                    repeat {
                        let trail = try #require(try await fixture.store.trail(of: user, before: cursor))
                        found += trail.entries.map(\.event.id)
                        cursor = trail.next
                    } while cursor != nil
                    #expect(found == events)
                }
            })
    }

    @Test("quiet hours that began meanwhile put a push off, and the trail says until when")
    func quiet() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", to: .ada)
            _ = try await fixture.store.change(.snooze(until: .at(60)), for: .ada, at: .at(0))
            #expect(try await fixture.store.leasePushJobs(at: .at(1)).jobs.isEmpty)
            #expect(try await fixture.steps(event) == [.putOff(until: .at(60), .snooze)])
            let later = try await fixture.event("said", to: .ada, at: .at(2))
            #expect(
                try await fixture.report(later).recipients.map(\.decision) == [
                    .created(.queued(devices: 1, due: .at(60), hold: .snooze))
                ])
        }
    }
}
