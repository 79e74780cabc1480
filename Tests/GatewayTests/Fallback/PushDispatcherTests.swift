import Gateway
import Inbox
import JSON
import Logging
import Push
import Storage
import Synchronization
import Testing

/// Runs with the real timer; whatever is waited for is waited for as an event.
@Suite(.timeLimit(.minutes(1))) struct PushDispatcherTests {
    let clock = JumpingClock()
    let metrics = Metrics()

    func job(_ id: Int64, provider: Device.Provider = .apns) throws -> PushJob {
        let device = Device(id: "phone-\(id)", provider: provider, token: "a1b2", registeredAt: .noon - .seconds(60))
        let content = PushContent(title: "t", body: "b", group: nil, urgency: .normal, data: [:])
        return PushJob(
            id: id, user: try user("renee"), notification: NotificationID(inbox: 1, sequence: id), rev: 1,
            content: content, device: device, badge: 1, attempt: PushAttempt(expiry: .noon + .seconds(7_200)))
    }

    func dispatcher(
        _ store: PushJobStore, _ sender: ScriptedSender?, concurrency: Int = 8
    ) -> PushDispatcher {
        var senders: [Device.Provider: any PushSender] = [:]
        senders[.apns] = sender
        return PushDispatcher(
            store: store, senders: senders, options: .init(concurrency: concurrency), metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { [clock] in clock.now })
    }

    /// The settled jobs, until there are so many.
    func settled(_ store: PushJobStore, _ count: Int) async -> [Int64: PushAction] {
        var actions: [Int64: PushAction] = [:]
        for await case .settled(let id, let action) in store.events {
            actions[id] = action
            if actions.count == count { break }
        }
        return actions
    }

    @Test func `what is due at the start is sent once and finished`() async throws {
        let store = PushJobStore()
        for id in 1...5 { store.add(try job(Int64(id)), due: .noon - .seconds(1)) }
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        #expect(await settled(store, 5) == [1: .finish, 2: .finish, 3: .finish, 4: .finish, 5: .finish])
        dispatcher.stop()
    }

    @Test func `no more are under way than allowed, and each is sent once`() async throws {
        let store = PushJobStore()
        for id in 1...20 { store.add(try job(Int64(id)), due: .noon - .seconds(1)) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender, concurrency: 3)
        dispatcher.start()
        var underWay: [ScriptedSender.Call] = []
        var sent: [Int64] = []
        var answered = 0
        for await call in sender.calls {
            underWay.append(call)
            sent.append(call.job.id)
            #expect(underWay.count <= 3)
            #expect(metrics.pushesInFlight.level <= 3)
            // Three are sent before any is answered; then each answer makes room for one.
            guard sent.count >= 3 else { continue }
            underWay.removeFirst().answer(.accepted)
            answered += 1
            if answered == 18 { break }
        }
        for call in underWay { call.answer(.accepted) }
        #expect(await settled(store, 20).count == 20)
        #expect(sent.sorted() == Array(1...20))
        dispatcher.stop()
    }

    @Test func `a job that becomes due is sent at its time`() async throws {
        let store = PushJobStore()
        let due = clock.now + .milliseconds(30)
        store.add(try job(1), due: due)
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.time >= due)
        dispatcher.stop()
    }

    @Test func `a job that is due earlier than what is waited for is not kept waiting`() async throws {
        let store = PushJobStore()
        store.add(try job(1), due: .noon + .seconds(3_000))
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        _ = await store.events.first { _ in true }
        let due = clock.now + .milliseconds(20)
        store.add(try job(2), due: due)
        dispatcher.expect(due)
        dispatcher.expect(.noon + .seconds(2_000))
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.job.id == 2)
        #expect(call.time >= due)
        dispatcher.stop()
    }

    @Test func `a job made while the store is asked is not overlooked`() async throws {
        let store = PushJobStore()
        store.holdAnswers()
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        _ = await store.events.first { _ in true }
        store.add(try job(1), due: clock.now)
        dispatcher.expect(clock.now)
        store.releaseAnswers()
        #expect(await sender.calls.first { _ in true }?.job.id == 1)
        dispatcher.stop()
    }

    @Test func `what a provider puts off is sent again at its time`() async throws {
        let clock = clock
        let store = PushJobStore(willSettle: { action in
            if case .retry = action { clock.jump(.milliseconds(980)) }
        })
        store.add(try job(1), due: .noon)
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        var calls = sender.calls.makeAsyncIterator()
        let first = try #require(await calls.next())
        first.answer(.busy(retryAfter: .seconds(1)))
        let second = try #require(await calls.next())
        #expect(second.time >= first.time + .seconds(1))
        #expect(second.job.attempt.failures == 1)
        second.answer(.accepted)
        #expect(await settled(store, 1).keys.contains(1))
        dispatcher.stop()
    }

    @Test func `verdicts become what the attempt decides`() async throws {
        let store = PushJobStore()
        for id in 1...3 { store.add(try job(Int64(id)), due: .noon) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender)
        dispatcher.start()
        var answers: [Int64: Verdict] = [1: .accepted, 2: .deviceGone(since: nil), 3: .refused(reason: "BadTopic")]
        for await call in sender.calls {
            if let verdict = answers.removeValue(forKey: call.job.id) { call.answer(verdict) }
            if answers.isEmpty { break }
        }
        #expect(
            await settled(store, 3) == [1: .finish, 2: .forgetDevice, 3: .abandon(reason: "BadTopic")])
        dispatcher.stop()
    }

    @Test func `a push for a provider that nobody configured is abandoned with that reason`() async throws {
        let store = PushJobStore()
        store.add(try job(1, provider: .fcm), due: .noon)
        let dispatcher = dispatcher(store, nil)
        dispatcher.start()
        #expect(await settled(store, 1) == [1: .abandon(reason: "fcm is not configured")])
        dispatcher.stop()
    }

    @Test func `a store that fails is asked again a second later`() async throws {
        let clock = clock
        // The dispatcher looks at the clock once for when to ask again, and once for how long that is from now.
        let store = PushJobStore(willFail: { clock.jumpAfterNextLook(.milliseconds(980)) })
        store.failLeases(2)
        store.add(try job(1), due: .noon)
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        let began = clock.now
        dispatcher.start()
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.time >= began + .seconds(2))
        dispatcher.stop()
    }

    // MARK: The end

    @Test func `after the stop nothing is sent, not even what the store hands out still`() async throws {
        let store = PushJobStore()
        store.add(try job(1), due: .noon)
        store.holdAnswers()
        var sender: ScriptedSender? = ScriptedSender(always: .accepted)
        let calls = try #require(sender).calls
        var running: PushDispatcher? = dispatcher(store, sender)
        running?.start()
        _ = await store.events.first { _ in true }
        running?.stop()
        store.releaseAnswers()
        (running, sender) = (nil, nil)
        // Ends when the dispatcher has done all it had to and is gone.
        for await call in calls { Issue.record("job \(call.job.id) was sent") }
        #expect(metrics.pushesInFlight.level == 0)
    }

    @Test func `what is under way at the stop is settled, and nothing comes after it`() async throws {
        let store = PushJobStore()
        for id in 1...2 { store.add(try job(Int64(id)), due: .noon) }
        var sender: ScriptedSender? = ScriptedSender()
        let calls = try #require(sender).calls
        var running: PushDispatcher? = dispatcher(store, sender, concurrency: 1)
        running?.start()
        var iterator = calls.makeAsyncIterator()
        var first = await iterator.next()
        running?.stop()
        running?.stop()
        running?.expect(clock.now)
        first?.answer(.accepted)
        #expect(await settled(store, 1) == [1: .finish])
        (running, sender, first) = (nil, nil, nil)
        #expect(await iterator.next() == nil)
    }

    @Test func `one that was never started goes without harm`() async {
        var sender: ScriptedSender? = ScriptedSender()
        let calls = sender?.calls
        var idle: PushDispatcher? = dispatcher(PushJobStore(), sender)
        let isThere = idle != nil
        (idle, sender) = (nil, nil)
        #expect(isThere)
        #expect(await calls?.first { _ in true } == nil)
    }
}

extension ScriptedSender.Call: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.job.id == right.job.id && left.time == right.time }
}
