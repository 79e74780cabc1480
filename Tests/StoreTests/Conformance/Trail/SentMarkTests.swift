import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// An accepted push is told from its mark in the queue, and by the trail once the mark is gone.
@Suite(.everyEngine) struct SentMarkTests {
    @Test func `the time of an accepted push is told as long as its mark is there, and then the time of the read`()
        async throws
    {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(2))
            #expect(try await told(event, fixture) == [.init(.sent, 2)])
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(3))
            #expect(try await told(event, fixture) == [.init(.sent, 2), .init(.withdrawn(.read), 3)])
            #expect(try await fixture.report(event).summary.pushes.sent == 1)
        }
    }

    @Test func `a push to a device is told as sent after the device has gone`() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(2))
            #expect(try await fixture.store.unregister("phone", of: .ada))
            #expect(try await told(event, fixture) == [.init(.sent, 2)])
        }
    }

    @Test func `a push is told as sent although a device has more on its screen than is known`() async throws {
        try await withPhone { fixture in
            var events: [String] = []
            for number in Int64(0)..<100 {
                events.append(try await fixture.event("said", to: .ada, at: .at(number)))
                try await fixture.store.settle(try await fixture.job(at: .at(number)), as: .finish, at: .at(number))
            }
            for (number, event) in events.enumerated() {
                #expect(try await told(event, fixture) == [.init(.sent, Int64(number))])
            }
        }
    }

    @Test func `a push that was read on its way was sent, and is told once`() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(2))
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            #expect(try await told(event, fixture) == [.init(.cancelled(.read), 2), .init(.sent, 3)])
        }
    }

    @Test func `a push that a browser took is told`() async throws {
        try await withStore { fixture in
            var browser = Device.phone()
            browser.provider = .webpush
            try await fixture.store.register(browser, for: .ada)
            let event = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(of: .webpush, at: .at(1))
            try await fixture.store.settle(job, as: .finish, at: .at(2))
            #expect(try await told(event, fixture) == [.init(.sent, 2)])
        }
    }

    @Test func `a device that came back under another provider was sent to by the first one`() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(2))
            let other = Device(id: "phone", provider: .fcm, token: "token-2", registeredAt: .at(3))
            try await fixture.store.register(other, for: .ada)
            #expect(try await fixture.report(event).recipients.first?.steps.map(\.provider) == [.apns])
            #expect(try await fixture.store.unregister("phone", of: .ada))
            #expect(try await fixture.report(event).recipients.first?.steps.map(\.provider) == [.apns])
        }
    }

    @Test func `a push that was read under another provider was sent through the first one`() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(2))
            let other = Device(id: "phone", provider: .fcm, token: "token-2", registeredAt: .at(3))
            try await fixture.store.register(other, for: .ada)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(4))
            #expect(try await told(event, fixture) == [.init(.sent, 2), .init(.withdrawn(.read), 4)])
            #expect(try await fixture.report(event).recipients.first?.steps.map(\.provider) == [.apns, .fcm])
        }
    }

    @Test func `a notification that has grown since is told as sent through the provider of its time`() async throws {
        try await withStore(yaml: QuietTypes.yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("added", to: .ada, at: .at(1))
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(1))
            let other = Device(id: "phone", provider: .fcm, token: "token-2", registeredAt: .at(2))
            try await fixture.store.register(other, for: .ada)
            _ = try await fixture.event("added", to: .ada, at: .at(3))
            try await fixture.store.settle(try await fixture.job(of: .fcm, at: .at(3)), as: .finish, at: .at(3))
            #expect(try await told(event, fixture) == [.init(.sent, 1), .init(.sent, 3)])
            #expect(try await fixture.report(event).recipients.first?.steps.map(\.provider) == [.apns, .fcm])
        }
    }

    @Test func `each push of a batch that has grown is told`() async throws {
        try await withStore(yaml: QuietTypes.yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            var events: [String] = []
            for second in Int64(1)...3 {
                events.append(try await fixture.event("added", to: .ada, at: .at(second)))
                try await fixture.store.settle(
                    try await fixture.job(at: .at(second)), as: .finish, at: .at(second))
            }
            #expect(try await told(events[0], fixture) == [.init(.sent, 1), .init(.sent, 2), .init(.sent, 3)])
            #expect(try await told(events[2], fixture) == [.init(.sent, 3)])
        }
    }

    private struct Told: Equatable {
        let step: TrailStep
        let at: Timestamp

        init(_ step: TrailStep, _ second: Int64) { (self.step, at) = (step, .at(second)) }
        init(_ step: TrailedRecipient.Step) { (self.step, at) = (step.step, step.at) }
    }

    private func told(_ event: String, _ fixture: StoreFixture) async throws -> [Told] {
        try await fixture.report(event).recipients.flatMap(\.steps).map { Told($0) }
    }

    private func withPhone(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }
}
