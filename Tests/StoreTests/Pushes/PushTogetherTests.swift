import Inbox
import Push
import Testing

@testable import SQLiteStore
@testable import Store

/// Pushes to many devices, which are found and marked several at a time.
struct PushTogetherTests {
    /// The screens of people with one phone each.
    private struct Screens {
        private var shown: [UserID: Set<String>] = [:]

        mutating func show(_ jobs: [PushJob]) {
            for job in jobs {
                shown[job.user, default: []].subtract(job.message.withdrawn)
                if job.message.content != nil { shown[job.user, default: []].insert(job.message.collapseID) }
            }
        }

        var all: Set<String> { shown.values.reduce(into: []) { $0.formUnion($1) } }
    }

    private func withPhones(
        _ count: Int, yaml: String = StoreFixture.yaml, _ body: (StoreFixture, [UserID]) async throws -> Void
    ) async throws {
        try await withStore(yaml: yaml) { fixture in
            let users = (0..<count).map { UserID.user("user-\($0)") }
            for user in users {
                try await fixture.store.register(.phone(token: user.name), for: user)
                try await fixture.say("to \(user.name)", to: user)
            }
            try await body(fixture, users)
        }
    }

    private func settle(_ outcomes: [PushOutcome], _ fixture: StoreFixture, at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { continuation in
            fixture.store.settle(outcomes, at: now) { continuation.resume(with: $0) }
        }
    }

    private func accepted(_ job: PushJob) -> PushOutcome {
        PushOutcome(job: job, action: .finish, attempt: job.attempt)
    }

    private func finish(_ jobs: [PushJob], _ fixture: StoreFixture, at now: Timestamp = .at(20)) async throws {
        try await settle(jobs.map(accepted), fixture, at: now)
    }

    private func lease(_ fixture: StoreFixture, at now: Int64) async throws -> [PushJob] {
        try await fixture.store.leasePushJobs(100, at: .at(now)).jobs
    }

    /// How many pushes wait. Checks that the writer's count is that of the queue.
    private func waiting(_ fixture: StoreFixture) async throws -> Int64 {
        let told = try await fixture.statistics().pushJobsByProvider
        let counts: PushCounts = try await withCheckedThrowingContinuation { waiting in
            fixture.sqlite.readDatabase({ waiting.resume(with: $0) }) { try PushQueueReader($0).read().counts }
        }
        #expect(told == counts.by(.standard))
        return told.values.reduce(0, +)
    }

    // MARK: Leasing

    @Test(arguments: [1, 15, 16, 17, 40])
    func `however many leave together, each says what its own user is told`(_ count: Int) async throws {
        try await withPhones(count) { fixture, users in
            let jobs = try await lease(fixture, at: 10)
            #expect(jobs.map(\.body).sorted() == users.map { "to \($0.name)" }.sorted())
            for job in jobs {
                #expect(job.body == "to \(job.user.name)")
                #expect(job.device.token == job.user.name)
                #expect(job.message.collapseID == job.message.notification?.text)
            }
            try await finish(jobs, fixture)
            #expect(try await waiting(fixture) == 0)
            for user in users { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(30)) }
            let badges = try await lease(fixture, at: 60)
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(jobs.map(\.message.collapseID)))
        }
    }

    @Test func `among many that were found, what was read and whose device went since does not leave`() async throws {
        try await withPhones(40) { fixture, users in
            try await fixture.say("next", to: users[8], at: .at(1))
            // This finds them all, and takes the first. Sixteen at a time are looked up of the others.
            let first = try await fixture.store.leasePushJobs(1, at: .at(10)).jobs
            #expect(first.map(\.user) == [users[0]])
            let read = [1, 8, 16, 17, 18, 39].map { users[$0] }
            for user in read { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(11)) }
            let gone = [4, 9, 32].map { users[$0] }
            for user in gone { #expect(try await fixture.store.unregister("phone", of: user)) }
            let others = users.dropFirst().filter { !read.contains($0) && !gone.contains($0) }
            let jobs = try await lease(fixture, at: 12)
            // A person who was passed over gets the next push.
            #expect(jobs.map(\.user) == others + [users[8]])
            #expect(jobs.map(\.body) == others.map { "to \($0.name)" } + ["next"])
            #expect(jobs.map(\.device.token) == jobs.map(\.user.name))
            try await finish(first + jobs, fixture)
            #expect(try await waiting(fixture) == 0)
            for user in read { try await fixture.say("more", to: user, at: .at(21)) }
            #expect(Set(try await lease(fixture, at: 22).map(\.user)) == Set(read))
        }
    }

    // MARK: Settling

    @Test func `the first and the last of many are both settled, and nothing between them is`() async throws {
        try await withPhones(40) { fixture, users in
            let jobs = try await lease(fixture, at: 10)
            try await finish([jobs[0], jobs[39]], fixture)
            #expect(try await waiting(fixture) == 38)
            let others = Array(jobs[1..<39])
            try await finish(others, fixture)
            #expect(try await waiting(fixture) == 0)
            for user in users { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(30)) }
            let badges = try await lease(fixture, at: 60)
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(jobs.map(\.message.collapseID)))
        }
    }

    @Test func `among many, what was read on its way is withdrawn`() async throws {
        try await withPhones(40) { fixture, users in
            let jobs = try await lease(fixture, at: 10)
            #expect(jobs.count == users.count)
            let meanwhile = jobs.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
            for job in meanwhile { try await fixture.store.apply(.read(.upTo(1)), for: job.user, at: .at(15)) }
            try await finish(jobs, fixture)
            #expect(try await waiting(fixture) == Int64(meanwhile.count))
            let badges = try await lease(fixture, at: 60)
            #expect(Set(badges.map(\.user)) == Set(meanwhile.map(\.user)))
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(meanwhile.map(\.message.collapseID)))
        }
    }

    @Test func `among many, what was acknowledged on its way is counted once and known to be shown`() async throws {
        try await withPhones(40) { fixture, users in
            let jobs = try await lease(fixture, at: 10)
            let meanwhile = jobs.enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
            for job in meanwhile { fixture.store.acknowledge(job.user, upTo: 1) }
            // Writes are committed in order: by then the acknowledgements are, too.
            try await fixture.store.append("1", to: "feed")
            #expect(try await waiting(fixture) == Int64(users.count - meanwhile.count))
            try await finish(jobs, fixture)
            #expect(try await waiting(fixture) == 0)
            for user in users { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(30)) }
            let badges = try await lease(fixture, at: 60)
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(jobs.map(\.message.collapseID)))
        }
    }

    @Test func `among many, a fold, a growth, a replaced push and a number are each settled as if alone`()
        async throws
    {
        try await withPhones(40, yaml: QuietTypes.yaml) { fixture, users in
            var screens = Screens()
            func send(_ jobs: [PushJob], at now: Int64) async throws {
                try await finish(jobs, fixture, at: .at(now))
                screens.show(jobs)
            }
            let (folding, growing, replacing, reading) = (users[3], users[9], users[20], users[33])
            try await send(try await lease(fixture, at: 10), at: 11)
            try await fixture.publish("upvoted", "zero", to: folding, at: .at(20))
            try await fixture.publish("scored", "1:0", to: replacing, at: .at(20))
            try await send(try await lease(fixture, at: 20), at: 20)
            for text in ["one", "two"] { try await fixture.publish("upvoted", text, to: folding, at: .at(21)) }
            for user in users {
                switch user {
                case folding: break
                case growing: try await fixture.add(1, to: user, at: .at(3_600))
                case replacing: try await fixture.publish("scored", "2:0", to: user, at: .at(3_600))
                case reading: try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(3_600))
                default: try await fixture.say("more", to: user, at: .at(3_600))
                }
            }
            // By their users, so that what is unusual stands among the others.
            let jobs = try await lease(fixture, at: 3_620).sorted { $0.user.name < $1.user.name }
            #expect(Set(jobs.map(\.user)) == Set(users))
            for job in jobs where job.user != reading {
                let expected = [folding: "2 upvotes", growing: "one thing", replacing: "2:0"][job.user] ?? "more"
                #expect(job.body == expected)
            }
            try await fixture.add(1, to: growing, at: .at(3_621))
            try await send(jobs, at: 3_622)
            #expect(try await waiting(fixture) == 1)
            let renewal = try await fixture.job(at: .at(3_630))
            #expect((renewal.user, renewal.body) == (growing, "2 things"))
            try await send([renewal], at: 3_631)
            #expect(try await waiting(fixture) == 0)
            for user in users { try await fixture.store.apply(.read(.upTo(.max)), for: user, at: .at(3_700)) }
            let badges = try await lease(fixture, at: 3_720)
            #expect(Set(badges.map(\.user)) == Set(users).subtracting([reading]))
            #expect(badges.allSatisfy { $0.message.badge == 0 })
            try await send(badges, at: 3_721)
            #expect(screens.all == [])
            #expect(try await waiting(fixture) == 0)
        }
    }

    // MARK: Outcomes that come late

    @Test(arguments: [false, true])
    func `among many, a late word that a device is gone takes along what it was told`(isLast: Bool) async throws {
        try await withPhones(20) { fixture, users in
            try await fixture.store.register(.phone(token: "ada's"), for: .ada)
            let event = try await fixture.event("said", to: .ada, at: .at(-1))
            let late = try #require(try await fixture.store.leasePushJobs(1, at: .at(10)).jobs.first)
            #expect(late.user == .ada)
            let jobs = try await lease(fixture, at: 40)
            #expect(Set(jobs.map(\.user)) == Set(users).union([.ada]))
            let word = PushOutcome(job: late, action: .forgetDevice, attempt: late.attempt)
            let outcomes = jobs.map(accepted)
            try await settle(isLast ? outcomes + [word] : [word] + outcomes, fixture, at: .at(41))
            #expect(try await fixture.store.devices(of: .ada).isEmpty)
            #expect(try await waiting(fixture) == 0)
            let steps = try await fixture.steps(event)
            #expect(steps.filter { $0 == .sent }.count == 1)
            #expect(steps.contains(.deviceGone))
            for user in users + [.ada] { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(50)) }
            let badges = try await lease(fixture, at: 60)
            let shown = jobs.filter { $0.user != .ada }.map(\.message.collapseID)
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(shown))
        }
    }

    @Test func `a late yes to a fold moves nothing that was accepted after it to the fold's place`() async throws {
        try await QuietTypes.withQuiet { fixture in
            for actor in ["renee", "pete"] {
                _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: actor), at: .at(7_100))
            }
            let fold = try await fixture.job(at: .at(7_160))
            #expect(fold.message.count == 2)
            fixture.store.acknowledge(.ada, upTo: 2)
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: "pete"), at: .at(7_170))
            // The fold's lease is over.
            let grown = try await fixture.job(at: .at(7_190))
            #expect((grown.body, grown.message.count) == ("2 things", 1))
            try await finish([fold, grown], fixture, at: .at(7_191))
            let id = try #require(grown.message.notification)
            try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(7_200))
            #expect(try await fixture.job(at: .at(7_210)).message.withdrawn == [grown.message.collapseID])
        }
    }
}
