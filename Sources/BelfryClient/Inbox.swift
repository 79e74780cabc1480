public import Foundation

/// A person's inbox, kept in sync with the server over one connection until it is closed.
///
/// It connects at once, reconnects by itself, and knows whether it is in sync: ``InboxSnapshot/isSynced``. Make one for
/// each signed-in person, keep it, and ``close()`` it when the person signs out. All of it runs on this actor, which
/// never waits for the network.
public actor Inbox {
    /// Returns the person's token, or nil if nobody is signed in. Throws if there is no token now; it is called again
    /// later.
    ///
    /// Runs on no actor. The client never judges by its own clock whether a token has expired.
    public typealias TokenSource = @Sendable (TokenReason) async throws -> String?

    /// Events from sockets, timers, requests and the app's closure, in one order.
    private enum Input: Sendable {
        case begin
        case socket(Int, LiveSocketEvent)
        case fired(InboxCore.Timer, Int)
        case token(Result<String?, any Error>)
        case answer(Int, Result<HTTPAnswer, BelfryError>)
        case left(subscription: Int)
    }

    /// Nil for an invalid address: the client stops before it begins.
    private let address: ServerAddress?
    private let tokens: TokenSource
    private let options: InboxOptions
    private let inputs: AsyncStream<Input>.Continuation
    private var core: InboxCore
    private var socket: (any LiveSocket)?
    /// A replaced timer may have fired already; the number tells them apart.
    private var timers: [InboxCore.Timer: (number: Int, task: Task<Void, Never>)] = [:]
    private var numbers = 0
    /// Running requests, and calls to the app for a token.
    private var work: [Int: Task<Void, Never>] = [:]
    private var calls: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    private var snapshotListeners: [AsyncStream<InboxSnapshot>.Continuation] = []
    private var changeListeners: [AsyncStream<InboxChange>.Continuation] = []
    private var feeds: [Int: AsyncThrowingStream<FeedEntry, any Error>.Continuation] = [:]

    /// Opens the inbox; returns at once.
    ///
    /// - Parameters:
    ///   - url: `wss://…` or `https://…`, with or without `/v1/live`, and with or without a path before that. For any
    ///     other URL the client stops with ``StopReason/invalidAddress``.
    ///   - options: the defaults are right for an app on Apple's systems.
    ///   - token: called first at the beginning, and then whenever the server wants another token.
    public init(url: URL, options: InboxOptions = InboxOptions(), token: @escaping TokenSource) {
        address = ServerAddress(url)
        tokens = token
        self.options = options
        core = InboxCore(isLooking: options.isLookedAt, badge: options.badge, archive: options.archive)
        let (stream, inputs) = AsyncStream.makeStream(of: Input.self)
        self.inputs = inputs
        inputs.yield(.begin)
        // Ends when the inbox is closed or released.
        Task { [weak self] in
            for await input in stream { await self?.take(input) }
        }
    }

    deinit {
        inputs.finish()
        socket?.close()
        for timer in timers.values { timer.task.cancel() }
        for task in work.values { task.cancel() }
        for listener in snapshotListeners { listener.finish() }
        for listener in changeListeners { listener.finish() }
        for entries in feeds.values { entries.finish() }
    }

    // MARK: What it shows

    /// The state to show now.
    public var snapshot: InboxSnapshot { core.snapshot }

    /// The number for the app's icon, by ``InboxOptions/badge``.
    public var badge: Int { core.snapshot.badge }

    /// The current snapshot, and each later one; ends after the snapshot that tells that the client has stopped.
    ///
    /// Each loop has its own sequence. A slow loop misses snapshots in between, and always gets the newest.
    public var snapshots: AsyncStream<InboxSnapshot> {
        let (stream, listener) = AsyncStream.makeStream(of: InboxSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        listener.yield(core.snapshot)
        if core.isFinished { listener.finish() } else { snapshotListeners.append(listener) }
        return stream
    }

    /// Changes from now on; ends when the client has stopped.
    ///
    /// Each loop has its own sequence. Changes wait for a slow loop without a limit.
    public var changes: AsyncStream<InboxChange> {
        let (stream, listener) = AsyncStream.makeStream(of: InboxChange.self)
        if core.isFinished { listener.finish() } else { changeListeners.append(listener) }
        return stream
    }

    /// A copy of the newest part, for ``InboxOptions/archive`` of the next launch; nil before any data has come.
    public var archive: InboxArchive? { core.replica.archive }

    // MARK: Attention

    /// Whether somebody looks: only then does the client acknowledge notifications, which stops their pushes.
    public var isLookedAt: Bool { core.isLooking }

    /// Sets whether somebody looks, such as whether the scene is active.
    ///
    /// If somebody does, a wait for the network ends, and a connection that was silent for too long is replaced.
    public func setAttention(_ isLookedAt: Bool) { perform(core.look(isLookedAt, options.clock.moment)) }

    /// Call it when the network is back, or the process was suspended: ends a wait, unless the server asked for the
    /// wait.
    public func wake() { perform(core.wake(options.clock.moment)) }

    /// Ends the connection for good: waiting calls throw `closed`, and sequences end.
    public func close() { perform(core.stop(.closed)) }

    // MARK: Calls

    /// Starts a call of the core and waits until it is settled.
    func settled(_ begin: (inout InboxCore, Int, Moment) -> [InboxCore.Effect]) async throws -> JSONValue {
        numbers += 1
        let call = numbers
        return try await withCheckedThrowingContinuation { continuation in
            calls[call] = continuation
            perform(begin(&core, call, options.clock.moment))
        }
    }

    /// Follows a feed.
    func follow(_ feed: String, from start: FeedStart) -> AsyncThrowingStream<FeedEntry, any Error> {
        numbers += 1
        let subscription = numbers
        let (stream, entries) = AsyncThrowingStream.makeStream(of: FeedEntry.self)
        entries.onTermination = { [inputs] _ in inputs.yield(.left(subscription: subscription)) }
        feeds[subscription] = entries
        perform(core.follow(feed, from: start, subscription: subscription, options.clock.moment))
        return stream
    }

    // MARK: The world

    private func take(_ input: Input) {
        let moment = options.clock.moment
        switch input {
        case .begin:
            guard core.session.isIdle else { return }
            perform(address == nil ? core.stop(.invalidAddress) : core.begin())
        case .socket(let number, .opened): perform(core.opened(number, moment))
        case .socket(let number, .closed(let code)): perform(core.closed(number, code: code, moment))
        case .socket(let number, .received(let text)):
            // Text that is no JSON is ignored, like a frame of an unknown type.
            guard let message = try? JSONValue(parsing: Data(text.utf8)) else { return }
            perform(core.received(message, from: number, moment))
        case .fired(let timer, let number):
            guard timers[timer]?.number == number else { return }
            timers.removeValue(forKey: timer)
            perform(core.fired(timer, moment))
        case .token(.success(let token)): perform(core.given(token, moment))
        case .token(.failure): perform(core.failedToGive(moment))
        case .answer(let request, let result): perform(core.answered(request, result, moment))
        case .left(let subscription):
            feeds.removeValue(forKey: subscription)
            perform(core.leave(subscription: subscription, moment))
        }
    }

    private func perform(_ effects: [InboxCore.Effect]) {
        for effect in effects {
            switch effect {
            case .open(let number): open(number)
            case .send(let frame, _): socket?.send(frame.text)
            case .close:
                socket?.close()
                socket = nil
            case .timer(let timer, let delay): set(timer, after: delay)
            case .askForToken(let reason): ask(reason)
            case .request(let number, let call, let token): send(number, call, token)
            case .show(let snapshot): snapshotListeners.removeAll { $0.yield(snapshot).isEnd }
            case .tell(let change): changeListeners.removeAll { $0.yield(change).isEnd }
            case .settle(let call, let result): calls.removeValue(forKey: call)?.resume(with: result)
            case .entry(let entry, let subscription): feeds[subscription]?.yield(entry)
            case .ended(let subscription, let error):
                feeds.removeValue(forKey: subscription)?.finish(throwing: error)
            case .finished: finish()
            }
        }
    }

    private func open(_ number: Int) {
        guard let address else { return }
        socket = options.transport.open(address.live, subprotocol: "belfry.v1") { [inputs] event in
            inputs.yield(.socket(number, event))
        }
    }

    private func set(_ timer: InboxCore.Timer, after delay: Int64?) {
        timers.removeValue(forKey: timer)?.task.cancel()
        guard let delay else { return }
        numbers += 1
        let (number, sleep) = (numbers, options.clock.sleep)
        let task = Task { [inputs] in
            // Throws only if the timer is cancelled.
            guard (try? await sleep(delay)) != nil else { return }
            inputs.yield(.fired(timer, number))
        }
        timers[timer] = (number, task)
    }

    private func ask(_ reason: TokenReason) {
        keep { [tokens] in
            do {
                return .token(.success(try await tokens(reason)))
            } catch {
                return .token(.failure(error))
            }
        }
    }

    private func send(_ number: Int, _ call: RESTCall, _ token: String) {
        guard let address else { return }
        let http = options.http
        let request = HTTPCall(call, at: address, token: token)
        keep {
            do {
                return .answer(number, .success(try await http(request)))
            } catch {
                return .answer(number, .failure(.network("\(type(of: error))")))
            }
        }
    }

    /// Runs work whose result is an input; cancelled when the inbox ends.
    private func keep(_ body: @escaping @Sendable () async -> Input) {
        numbers += 1
        let number = numbers
        work[number] = Task { [weak self, inputs] in
            inputs.yield(await body())
            await self?.forget(number)
        }
    }

    private func forget(_ number: Int) { work.removeValue(forKey: number) }

    private func finish() {
        for task in work.values { task.cancel() }
        for listener in snapshotListeners { listener.finish() }
        for listener in changeListeners { listener.finish() }
        (snapshotListeners, changeListeners) = ([], [])
        inputs.finish()
    }
}

extension AsyncStream.Continuation.YieldResult {
    /// Whether the listener has ended.
    fileprivate var isEnd: Bool {
        if case .terminated = self { true } else { false }
    }
}
