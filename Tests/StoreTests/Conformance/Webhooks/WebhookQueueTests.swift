import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct WebhookQueueTests {
    private func withWebhooks(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore(yaml: StoreFixture.yaml, { $0.webhooks = .twoEndpoints }, body)
    }

    /// Ada's only notification, which she has read at second 1: a webhook for each endpoint.
    private func read(_ fixture: StoreFixture) async throws {
        try await fixture.say("one", to: .ada)
        let ids = try await fixture.ids(of: .ada)
        _ = try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: .at(1))
    }

    // MARK: What is told

    @Test func `what a person has seen and read is told to whoever wants to hear of it`() async throws {
        try await withWebhooks { fixture in
            try await fixture.say("one", to: .ada)
            try await fixture.say("two", to: .ada)
            let ids = try await fixture.ids(of: .ada)
            let first = try #require(ids.min { $0.sequence < $1.sequence })
            _ = try await fixture.store.apply(.seen(upTo: 1), for: .ada, at: .at(1))
            _ = try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: .at(2))
            // Nothing changes any more.
            _ = try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: .at(3))
            #expect(fixture.commits.compactMap(\.nextWebhookDue) == [.at(1), .at(2)])
            let all = try await fixture.store.leaseWebhooks(at: .at(9)).webhooks
            #expect(Set(all.map(\.id)).count == 2)
            let read = all.last?.told ?? ""
            #expect(
                all.first?.told
                    == #"{"type":"notification.seen","data":{"user":"ada","notifications":["\#(first.text)"]}}"#)
            #expect(read.hasPrefix(#"{"type":"notification.read","data":{"user":"ada","notifications":["#))
            #expect(ids.allSatisfy { read.contains("\"\($0.text)\"") })
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(9)).webhooks.map(\.told) == [read])
        }
    }

    @Test func `an answer is told once, with its event`() async throws {
        try await withWebhooks { fixture in
            let event = try await fixture.ask(to: .ada)
            let id = try #require(try await fixture.ids(of: .ada).first)
            _ = try await fixture.store.answer("approve", to: id, of: .ada)
            _ = try await fixture.store.answer("reject", to: id, of: .ada, at: .at(2))
            let told = try await fixture.store.leaseWebhooks(at: .at(9)).webhooks.map(\.told)
            let answers = told.filter { $0.contains("answered") }
            #expect(answers.count == 1)
            #expect(answers[0].contains(#""event":"\#(event)","action":"approve","way":"live""#))
            #expect(told.contains { $0.contains("notification.read") })
        }
    }

    @Test func `a push's last verdict is told, and a device that is gone`() async throws {
        try await withWebhooks { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            func push(_ text: String, _ action: PushAction) async throws {
                try await fixture.say(text, to: .ada)
                for job in try await fixture.store.leasePushJobs(at: .at(9)).jobs {
                    try await fixture.store.settle(job, as: action, at: .at(9))
                }
            }
            try await push("one", .finish)
            try await push("two", .abandon(reason: "BadTopic"))
            try await push("three", .forgetDevice)
            let told = try await fixture.store.leaseWebhooks(at: .at(20)).webhooks.map(\.told)
            let verdicts = ["sent", "refused", "gone"].map { verdict in
                told.first { $0.contains(#""verdict":"\#(verdict)""#) } ?? ""
            }
            #expect(verdicts.allSatisfy { $0.contains(#""type":"push.verdict""#) && $0.contains(#""device":"phone""#) })
            #expect(verdicts[1].contains(#""reason":"BadTopic""#))
            #expect(told.filter { $0.contains("device.gone") }.count == 1)
            #expect(told.count == 4)
        }
    }

    @Test func `without endpoints nothing is written`() async throws {
        try await withStore { fixture in
            try await read(fixture)
            #expect(fixture.commits.allSatisfy { $0.nextWebhookDue == nil })
            #expect(try await fixture.store.webhookCounts().isEmpty)
        }
    }

    @Test func `who is erased leaves no webhooks`() async throws {
        try await withWebhooks { fixture in
            try await read(fixture)
            try await fixture.store.erase(.ada)
            #expect(try await fixture.store.webhookCounts().isEmpty)
        }
    }

    // MARK: Handing out

    @Test func `a webhook is handed out once, and again when its lease ends without an outcome`() async throws {
        try await withWebhooks { fixture in
            try await read(fixture)
            let first = try await fixture.store.leaseWebhooks(for: "reads", at: .at(1))
            #expect(first.webhooks.map(\.failures) == [0])
            #expect(first.nextDue == .at(61))
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(60)).webhooks.isEmpty)
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(61)).webhooks == first.webhooks)
            try await fixture.store.settle(.delivered(id: first.webhooks[0].id))
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(999)).nextDue == nil)
            #expect(try await fixture.store.webhookCounts()["reads"] == nil)
        }
    }

    @Test func `as many as asked for are handed out, those that wait longest first`() async throws {
        try await withWebhooks { fixture in
            for second in [3, 1, 2] as [Int64] {
                try await fixture.say("at \(second)", to: .ada)
                let ids = try await fixture.ids(of: .ada)
                _ = try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: .at(second))
            }
            var times: [Int64] = []
            for limit in [2, 2] {
                let leased = try await fixture.store.leaseWebhooks(limit, for: "reads", at: .at(9)).webhooks
                #expect(leased.count <= limit)
                times += leased.map { webhook in
                    [1, 2, 3].first { WebhookID.start(at: .at($0)) == webhook.id.prefix(14) } ?? 0
                }
            }
            #expect(times == [1, 2, 3])
        }
    }

    @Test func `a failed webhook waits, and one that is given up is a dead letter until it is sent again`() async throws
    {
        try await withWebhooks { fixture in
            try await read(fixture)
            let id = try await fixture.store.leaseWebhooks(for: "reads", at: .at(1)).webhooks[0].id
            try await fixture.store.settle(.putOff(id: id, until: .at(20), failures: 1, reason: "status 500"))
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(19)).webhooks.isEmpty)
            let again = try await fixture.store.leaseWebhooks(for: "reads", at: .at(20)).webhooks
            #expect(again.map(\.failures) == [1])
            #expect(again.map(\.id) == [id])
            try await fixture.store.settle(.buried(id: id, at: .at(21), failures: 2, reason: "status 503"))
            #expect(try await fixture.store.webhookCounts()["reads"] == WebhookCount(waiting: 0, dead: 1))
            #expect(
                try await fixture.store.leaseWebhooks(for: "reads", at: .at(9_999)) == .init(webhooks: [], nextDue: nil)
            )
            let letter = DeadLetter(
                id: id, buriedAt: .at(21), failures: 2, reason: "status 503", body: again[0].body)
            #expect(try await fixture.store.deadLetters(of: "reads") == [letter])
            #expect(try await fixture.store.deadLetters(of: "all").isEmpty)
            // A late outcome changes nothing about a dead letter.
            try await fixture.store.settle(.putOff(id: id, until: .at(30), failures: 9, reason: "late"))
            #expect(try await fixture.store.deadLetters(of: "reads") == [letter])

            #expect(try await fixture.store.reviveWebhooks(of: "all", at: .at(40)) == 0)
            #expect(try await fixture.store.reviveWebhooks(of: "reads", at: .at(40)) == 1)
            #expect(fixture.commits.last?.nextWebhookDue == .at(40))
            let revived = try await fixture.store.leaseWebhooks(for: "reads", at: .at(40)).webhooks
            #expect(revived == [Webhook(id: id, failures: 0, body: again[0].body)])
        }
    }

    @Test func `what was made before a time is removed, dead or not`() async throws {
        try await withWebhooks { fixture in
            try await read(fixture)
            #expect(try await fixture.store.removeWebhooks(madeBefore: .at(1)) == 0)
            let id = try await fixture.store.leaseWebhooks(for: "reads", at: .at(1)).webhooks[0].id
            try await fixture.store.settle(.buried(id: id, at: .at(2), failures: 1, reason: "r"))
            // For "all" it is what was seen with it, if anything, and what was read.
            let count = try await fixture.store.webhookCounts().values.reduce(0) { $0 + $1.waiting + $1.dead }
            #expect(try await fixture.store.removeWebhooks(madeBefore: .at(2)) == Int(count))
            #expect(try await fixture.store.webhookCounts().isEmpty)
        }
    }
}
