import Inbox
import JSON
import Logging
import Push
import Store
import Synchronization
import Testing

@testable import Gateway

/// Runs with the real timer; whatever is waited for is waited for as an event.
@Suite(.mayNotHang) struct PushDispatcherTests {
    let clock = JumpingClock()
    let metrics = Metrics(namedApps: [AppName("golf")].compactMap(\.self))

    func job(_ id: Int64, provider: Device.Provider = .apns, in app: AppName = .unnamed) throws -> PushJob {
        let device = Device(id: "phone-\(id)", provider: provider, token: "a1b2", registeredAt: .noon - .seconds(60))
        let content = PushContent(title: "t", body: "b", group: nil, urgency: .normal, data: [:])
        let notification = NotificationID(inbox: 1, sequence: id)
        let message = PushMessage(
            content: content, badge: 1, notification: notification, collapseID: notification.text,
            position: PushMessage.Position(epoch: "e", seq: id), expiry: .noon + .seconds(7_200))
        return PushJob(
            PushJob.Part(id: id, notification: notification),
            to: PushTarget(user: try #require(UserID("renee", in: app)), device: device), message: message,
            attempt: PushAttempt(expiry: message.expiry))
    }

    /// With leases so long that a slow machine hands no job back that waits at hand.
    func dispatcher(
        _ store: PushJobStore, _ sender: ScriptedSender?, fcm: ScriptedSender? = nil, concurrency: Int = 8,
        clockMoved: @escaping @Sendable () -> Duration = { .zero }
    ) -> PushDispatcher {
        var senders: [Device.Provider: any PushSender] = [:]
        senders[.apns] = sender
        senders[.fcm] = fcm
        return PushDispatcher(
            store: store, senders: senders, options: .init(concurrency: concurrency, lease: .seconds(3_600)),
            metrics: metrics, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { [clock] in clock.now }, clockMoved: clockMoved)
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

    func status(_ dispatcher: PushDispatcher) async -> [LaneStatus] {
        await withCheckedContinuation { continuation in dispatcher.status { continuation.resume(returning: $0) } }
    }

    @Test func `a push that is due at the start is sent once and finished`() async throws {
        let store = PushJobStore()
        for id in 1...5 { store.add(try job(Int64(id)), due: .noon - .seconds(1)) }
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        #expect(await settled(store, 5) == [1: .finish, 2: .finish, 3: .finish, 4: .finish, 5: .finish])
        dispatcher.stop()
    }

    @Test func `pushes are sent from where their sender hears of the answers`() async throws {
        let store = PushJobStore()
        for id in 1...2 { store.add(try job(Int64(id)), due: .noon - .seconds(1)) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender, concurrency: 1)
        dispatcher.expectAny()
        var calls = 0
        // The first by what the store has handed out, the second by the first one's answer, given on another thread.
        for await call in sender.calls {
            #expect(call.isOnLaneQueue)
            call.answer(.accepted)
            calls += 1
            if calls == 2 { break }
        }
        dispatcher.stop()
    }

    @Test func `no more are under way than allowed, and each is sent once`() async throws {
        let store = PushJobStore()
        for id in 1...20 { store.add(try job(Int64(id)), due: .noon - .seconds(1)) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender, concurrency: 3)
        dispatcher.expectAny()
        var underWay: [ScriptedSender.Call] = []
        var sent: [Int64] = []
        var answered = 0
        for await call in sender.calls {
            underWay.append(call)
            sent.append(call.id)
            #expect(underWay.count <= 3)
            #expect(metrics.pushes(of: .apns).underWay.level <= 3)
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
        dispatcher.expectAny()
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.time >= due)
        dispatcher.stop()
    }

    @Test func `a job that is due earlier than what is waited for is not kept waiting`() async throws {
        let store = PushJobStore()
        store.add(try job(1), due: .noon + .seconds(3_000))
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        await store.awaitLease()
        let due = clock.now + .milliseconds(20)
        store.add(try job(2), due: due)
        dispatcher.expect(due, for: .apns)
        dispatcher.expect(.noon + .seconds(2_000), for: .apns)
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.id == 2)
        #expect(call.time >= due)
        dispatcher.stop()
    }

    @Test(arguments: [3_599.95, 5_000])
    func `a clock that is set forward leaves nothing to wait as long as was meant before`(seconds: Double) async throws
    {
        let store = PushJobStore()
        let expected = Timestamp.noon + .seconds(3_600)
        store.add(try job(1), due: expected)
        store.holdAnswers()
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        await store.awaitLease()
        store.releaseAnswers()
        // Behind the answer: by now its timer is set.
        _ = await status(dispatcher)
        clock.jump(.seconds(seconds))
        let due = max(expected, clock.now + .milliseconds(30))
        store.add(try job(2), due: due)
        dispatcher.expect(due, for: .apns)
        var calls = sender.calls.makeAsyncIterator()
        let sent = [try #require(await calls.next()), try #require(await calls.next())]
        #expect(sent.map(\.id) == [1, 2])
        #expect(sent[1].time >= due)
        dispatcher.stop()
    }

    @Test func `a job made while the store is asked is not overlooked`() async throws {
        let store = PushJobStore()
        store.holdAnswers()
        let sender = ScriptedSender(always: .accepted)
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        await store.awaitLease()
        store.add(try job(1), due: clock.now)
        dispatcher.expect(clock.now, for: .apns)
        store.releaseAnswers()
        #expect(await sender.calls.first { _ in true }?.id == 1)
        dispatcher.stop()
    }

    @Test func `a push that a provider puts off is sent again at its time`() async throws {
        let clock = clock
        let store = PushJobStore(willSettle: { action in
            if case .retry = action { clock.jump(.milliseconds(980)) }
        })
        store.add(try job(1), due: .noon)
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        var calls = sender.calls.makeAsyncIterator()
        let first = try #require(await calls.next())
        first.answer(.busy(retryAfter: .seconds(1), scope: .device))
        let second = try #require(await calls.next())
        #expect(second.time >= first.time + .seconds(1))
        second.answer(.accepted)
        #expect(await settled(store, 1).keys.contains(1))
        dispatcher.stop()
    }

    @Test func `verdicts become what the attempt decides`() async throws {
        let store = PushJobStore()
        for id in 1...3 { store.add(try job(Int64(id)), due: .noon) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        var answers: [Int64: Verdict] = [1: .accepted, 2: .deviceGone(since: nil), 3: .refused(reason: "BadTopic")]
        for await call in sender.calls {
            if let verdict = answers.removeValue(forKey: call.id) { call.answer(verdict) }
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
        dispatcher.expectAny()
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
        dispatcher.expectAny()
        let call = try #require(await sender.calls.first { _ in true })
        #expect(call.time >= began + .seconds(2))
        dispatcher.stop()
    }

    @Test func `an outcome that the store did not take in is told again, its push not sent again`() async throws {
        let store = PushJobStore()
        store.failSettles(1)
        store.add(try job(1), due: .noon)
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender)
        dispatcher.expectAny()
        var calls = sender.calls.makeAsyncIterator()
        try #require(await calls.next()).answer(.accepted)
        #expect(await settled(store, 1) == [1: .finish])
        #expect(metrics.pushes(of: .apns).countsByVerdict.map(\.count) == [1, 0, 0, 0])
        dispatcher.stop()
    }

    @Test func `of outcomes that the store did not take in together each is told to it again`() async throws {
        let store = PushJobStore()
        store.failSettles(1)
        for id in 1...5 { store.add(try job(Int64(id)), due: .noon) }
        let dispatcher = dispatcher(store, ScriptedSender(always: .accepted))
        dispatcher.expectAny()
        #expect(await settled(store, 5) == [1: .finish, 2: .finish, 3: .finish, 4: .finish, 5: .finish])
        #expect(metrics.pushes(of: .apns).countsByVerdict.map(\.count) == [5, 0, 0, 0])
        dispatcher.stop()
    }

    @Test(arguments: [-3_600, 3_600])
    func `a push that was handed out before the clock was set is judged by the clock of then`(_ seconds: Int64)
        async throws
    {
        let store = PushJobStore()
        store.add(try job(1), due: .noon)
        let sender = ScriptedSender()
        let moved = Mutex(Duration.zero)
        let dispatcher = dispatcher(store, sender, clockMoved: { moved.withLock { $0 } })
        dispatcher.expectAny()
        var calls = sender.calls.makeAsyncIterator()
        let call = try #require(await calls.next())
        clock.jump(.seconds(seconds))
        moved.withLock { $0 = .seconds(seconds) }
        dispatcher.move(by: .seconds(seconds))
        // It would be over by the new clock, or after an hour.
        call.answer(.busy(retryAfter: .seconds(6_000), scope: .device))
        guard case .retry(let due) = await settled(store, 1)[1] else { throw StoreError.closed }
        #expect((6_000..<6_300).contains((due - .noon) / .seconds(1)))
        dispatcher.stop()
    }

    @Test func `an answer counts for the app of the push's person`() async throws {
        let golf = try #require(AppName("golf"))
        let store = PushJobStore()
        for id in 1...3 { store.add(try job(Int64(id), in: id == 1 ? .unnamed : golf), due: .noon) }
        let dispatcher = dispatcher(store, ScriptedSender(always: .accepted))
        dispatcher.expectAny()
        _ = await settled(store, 3)
        #expect(metrics.apps?[.unnamed].verdicts.counts.map(\.count) == [1, 0, 0, 0])
        #expect(metrics.apps?[golf].verdicts.counts.map(\.count) == [2, 0, 0, 0])
        dispatcher.stop()
    }

    @Test func `a provider that never answers holds up no other`() async throws {
        let store = PushJobStore()
        for id in 1...100 { store.add(try job(Int64(id)), due: .noon) }
        for id in 101...300 { store.add(try job(Int64(id), provider: .fcm), due: .noon) }
        let silent = ScriptedSender()
        let dispatcher = dispatcher(store, silent, fcm: ScriptedSender(always: .accepted))
        dispatcher.expectAny()
        #expect(await settled(store, 200).keys.sorted() == Array(101...300))
        // The other lane may be behind with its first requests.
        var calls = silent.calls.makeAsyncIterator()
        for _ in 1...8 { _ = try #require(await calls.next()) }
        let lanes = await status(dispatcher)
        #expect(lanes.map(\.provider) == [.apns, .fcm, .onesignal, .webpush])
        #expect(lanes.map(\.isConfigured) == [true, true, false, false])
        // Jobs that the silent one cannot take stay in the store: a window and half of one are handed out.
        #expect(lanes[0].underWay == 8)
        #expect(lanes[0].atHand <= 4)
        #expect(lanes[1].underWay == 0)
        dispatcher.stop()
    }

    @Test func `while a provider fails its jobs stay in the store as they were`() async throws {
        let store = PushJobStore()
        for id in 1...50 { store.add(try job(Int64(id)), due: .noon) }
        let sender = ScriptedSender()
        let dispatcher = dispatcher(store, sender, concurrency: 4)
        dispatcher.expectAny()
        var calls = sender.calls.makeAsyncIterator()
        try #require(await calls.next()).answer(.busy(retryAfter: .seconds(600), scope: .provider))
        var released = 0
        // One was tried; the two at hand go back without a failure.
        for await case .settled(_, .retry) in store.events {
            released += 1
            if released == 3 { break }
        }
        #expect(store.untriedJobs >= 46)
        #expect(metrics.pushes(of: .apns).isPaused.level == 1)
        dispatcher.stop()
    }

    @Test func `refusals are counted by reason`() async throws {
        let store = PushJobStore()
        for id in 1...3 { store.add(try job(Int64(id)), due: .noon) }
        let dispatcher = dispatcher(store, ScriptedSender(always: .refused(reason: "BadTopic")))
        dispatcher.expectAny()
        _ = await settled(store, 3)
        let counts = metrics.pushes(of: .apns).countsByReason
        #expect(counts.map(\.reason) == ["BadTopic"])
        #expect(counts.map(\.count) == [3])
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
        running?.expectAny()
        await store.awaitLease()
        running?.stop()
        store.releaseAnswers()
        (running, sender) = (nil, nil)
        // Ends when the dispatcher has done all it had to and is gone.
        for await call in calls { Issue.record("job \(call.id) was sent") }
        #expect(metrics.pushesInFlight.level == 0)
    }

    @Test func `pushes under way at the stop are settled, and nothing comes after them`() async throws {
        let store = PushJobStore()
        for id in 1...2 { store.add(try job(Int64(id)), due: .noon) }
        var sender: ScriptedSender? = ScriptedSender()
        let calls = try #require(sender).calls
        var running: PushDispatcher? = dispatcher(store, sender, concurrency: 1)
        running?.expectAny()
        var iterator = calls.makeAsyncIterator()
        var first = await iterator.next()
        running?.stop()
        running?.stop()
        running?.expect(clock.now, for: .apns)
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
    static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.time == right.time }
}
