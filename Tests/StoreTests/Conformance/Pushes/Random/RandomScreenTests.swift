import Inbox
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Random pushes of what grows, alone and with others, against a model of what a phone and a browser show.
@Suite(.everyEngine) struct RandomScreenTests {
    @Test(arguments: [Device.Provider.apns, .webpush], Seeds.some(5, of: 30))
    func `a sent notification stays on the screen until it is read, or in a push that contains it`(
        _ provider: Device.Provider, _ seed: UInt64
    ) async throws {
        let screen = try await Screen(provider, seed: seed)
        for _ in 0..<150 { try await screen.step() }
        await screen.fixture.remove()
    }
}

/// The screen of one device of ada's: by collapse id, the notifications that a push stood for.
private final class Screen {
    let fixture: StoreFixture
    private let provider: Device.Provider
    private var random: SeededRandom
    private var now = Timestamp.at(0)
    private var shown: [String: Set<NotificationID>] = [:]
    /// Unread notifications that the trail calls sent.
    private var sent: Set<NotificationID> = []
    private var isSnoozed = false

    init(_ provider: Device.Provider, seed: UInt64) async throws {
        self.provider = provider
        random = SeededRandom(seed: seed)
        fixture = try StoreFixture(yaml: WishTypes.yaml)
        let device = Device(id: "device", provider: provider, token: "https://push.example/1", registeredAt: .at(0))
        try await fixture.store.register(device, for: .ada)
    }

    private func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }

    func step() async throws {
        now = now + .seconds(Int64(1 + random.next(below: chance(10) ? 4_000 : 30)))
        switch random.next(below: 12) {
        case 0..<6:
            let type = ["drawn", "drawn", "sketched", "sketched", "said", "liked"][random.next(below: 6)]
            let room = ["attic", "cellar", "hall"][random.next(below: 3)]
            try await fixture.publish(WishTypes.event(type, in: room), at: now)
        case 6:
            isSnoozed.toggle()
            let end = isSnoozed ? now + .seconds(3_000) : nil
            try await fixture.store.change(.snooze(until: end), for: .ada, at: now)
        case 7 where chance(3):
            let ids = try await fixture.ids(of: .ada).filter { _ in chance(4) }
            try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: now)
            sent.subtract(ids)
        default: try await push()
        }
    }

    private func push() async throws {
        for job in try await fixture.store.leasePushJobs(for: provider, at: now).jobs {
            // If a notification grows while its push is on the way, another push is to follow.
            if chance(3) { try await fixture.publish(WishTypes.event("drawn", in: "attic"), at: now) }
            if chance(6) {
                let attempt = PushAttempt(failures: 1, expiry: job.attempt.expiry)
                try await fixture.store.settle(job, as: .retry(at: now + .seconds(20)), attempt: attempt, at: now)
                // The answer may have been lost on its way back.
                if chance(2) { show(job) }
                continue
            }
            try await fixture.store.settle(job, as: .finish, at: now)
            show(job)
            sent.formUnion(job.parts.compactMap(\.notification))
        }
        let visible = shown.values.reduce(into: Set()) { $0.formUnion($1) }
        let lost = sent.subtracting(visible)
        #expect(lost.isEmpty, "\(lost.map(\.text)) of \(shown)")
    }

    private func show(_ job: PushJob) {
        for id in job.message.withdrawn { shown[id] = nil }
        let parts = Set(job.parts.compactMap(\.notification))
        if !parts.isEmpty { shown[job.message.collapseID] = parts }
    }
}
