import Inbox
import Push
import Support
import Testing

@testable import SQLiteStore
@testable import Store

/// The number of waiting pushes that the writer keeps, against a count of the queue's rows.
struct WaitingPushesTests {
    private final class Stream {
        static let users: [UserID] = [.ada, .bob, .cleo]
        /// Most have phones of one kind, so that several outcomes come together. Browsers keep no marks, so their jobs
        /// go another way.
        static let providers: [Device.Provider] = [.apns, .apns, .fcm, .webpush]

        var fixture: StoreFixture
        var random: SeededRandom
        var now = Timestamp.at(0)
        var leased: [PushJob] = []
        var published = 0
        let epochs = Epochs()

        init(seed: UInt64) async throws {
            random = SeededRandom(seed: seed)
            let epochs = epochs
            fixture = try StoreFixture(yaml: QuietTypes.yaml) { $0.makeEpoch = { epochs.next() } }
            fixture.live.connect(.bob)
            for user in Self.users { try await register(user) }
        }

        private func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }
        private func pick<Element>(_ list: [Element]) -> Element { list[random.next(below: list.count)] }

        /// Returns which it was, for who looks for a mistake.
        func step() async throws -> Int {
            now = now + .seconds(Int64(random.next(below: chance(20) ? 4_000 : 4)))
            let (store, user) = (fixture.store, pick(Self.users))
            let kind = random.next(below: 18)
            switch kind {
            case 0..<6: try await publish(to: user)
            case 6: store.acknowledge(user, upTo: Int64(random.next(below: published + 1)), at: now)
            case 7:
                let ids = try await fixture.ids(of: user).filter { _ in chance(3) }
                try await store.apply(chance(3) ? .remove(.ids(ids)) : .read(.ids(ids)), for: user, at: now)
            case 8: try await register(user)
            case 9: _ = try await store.unregister("phone-\(random.next(below: 2))", of: user)
            case 10: if chance(4) { _ = try await store.erase(user) }
            case 11:
                epochs.fail()  // no inbox can be made
                let strange = try fixture.entry("said", to: [user, .user("stranger-\(published)")])
                await #expect(throws: StoreError.self) { try await self.fixture.publish(strange, at: now) }
                epochs.mend()
            case 12:
                let entry = try fixture.entry("shouted", to: Self.users)
                _ = try await store.rehearse(Publication(publisher: "b", entries: [entry], now: now))
            case 13: if chance(3) { try await reopen() }
            case 14..<16: leased += try await store.leasePushJobs(6, for: pick(Self.providers), at: now).jobs
            default: try await settleSome()
            }
            return kind
        }

        private func publish(to user: UserID) async throws {
            published += 1
            let type = pick(["said", "shouted", "added", "upvoted", "scored", "noted"])
            let expiresAt: Timestamp? = chance(8) ? now + .seconds(2) : nil
            _ = try await fixture.publish(
                fixture.entry(type, "\(published)", to: [user], expiresAt: expiresAt), at: now)
        }

        private func register(_ user: UserID) async throws {
            let name = "phone-\(random.next(below: 2))"
            // A token that another person has moves to this one.
            let token = chance(8) ? "shared" : "\(user.name) \(name)"
            let device = Device(id: name, provider: pick(Self.providers), token: token, registeredAt: now)
            try await fixture.store.register(device, for: user)
        }

        private func settleSome() async throws {
            guard !leased.isEmpty else { return }
            let provider = pick(leased).device.provider
            var outcomes: [PushOutcome] = []
            leased.removeAll { job in
                guard job.device.provider == provider, !chance(3) else { return false }
                outcomes.append(PushOutcome(job: job, action: someAction(), attempt: job.attempt))
                return true
            }
            outcomes.shuffle(using: &random)
            try await fixture.store.settle(outcomes, at: now)
        }

        private func someAction() -> PushAction {
            switch random.next(below: 8) {
            case 0: .retry(at: now + .seconds(3))
            case 1: .retry(at: now)
            case 2: .abandon(reason: "no")
            case 3: .forgetDevice
            default: .finish
            }
        }

        /// Reopens the store; pushes that were on their way are settled by nobody then.
        private func reopen() async throws {
            let epochs = epochs
            leased = []
            fixture = try await fixture.reopened { $0.makeEpoch = { epochs.next() } }
            fixture.live.connect(.bob)
        }

        func counted() async throws -> [Device.Provider: Int64] {
            let counts: PushCounts = try await withCheckedThrowingContinuation { waiting in
                fixture.sqlite.readDatabase({ waiting.resume(with: $0) }) { try PushQueueReader($0).read().counts }
            }
            return counts.by(.standard)
        }
    }

    @Test(arguments: Seeds.some(3, of: 12))
    func `the writer's counts are those of the queue, whatever happens`(_ seed: UInt64) async throws {
        let stream = try await Stream(seed: seed)
        var longest: Int64 = 0
        for _ in 0..<300 {
            let kind = try await stream.step()
            // Writes are committed in order: by then an acknowledgement is, too.
            try await stream.fixture.store.append("1", to: "feed")
            let statistics = try await stream.fixture.statistics()
            try #require(try await stream.counted() == statistics.pushJobsByProvider, "after a step of kind \(kind)")
            longest = max(longest, statistics.pushJobs)
        }
        #expect(longest > 1)
        await stream.fixture.remove()
    }
}
