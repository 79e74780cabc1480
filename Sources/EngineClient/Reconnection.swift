import JSON
package import Transport
package import WireProtocol

/// Brings a client back whose session has ended: when, from which place, and when not any more.
package struct Reconnection: Sendable {
    package enum Decision: Sendable, Hashable {
        case connect(after: Duration)
        /// Trying again cannot help.
        case stop
    }

    /// The first delay, or less; also where the close code says to come back now: many may.
    private static let shortest = Duration.milliseconds(250)
    /// A person waits for it.
    private static let longest = Duration.seconds(8)

    /// What the next session goes on from: the last change that was told. Nil before the first session.
    package private(set) var resume: ClientFrame.Hello.Resume?
    /// The last change of ``resume``'s epoch with a notification that was shown: what is to be acknowledged again, as
    /// the last session may have ended before that was heard. Behind ``resume`` after a gap, say, which shows none.
    package private(set) var shown: Int64?
    private var feeds: [String: FeedPosition] = [:]
    /// When the session that there is was ready.
    private var ready: ContinuousClock.Instant?
    /// Since the last session that lasted: one that ends at once, since the server has no room or the client says too
    /// much, is a failure, too.
    private var failures = 0

    package init() {}

    /// The place of the last item that was told; nil for a feed that was not followed yet.
    package func place(in feed: String) -> FeedPosition? { feeds[feed] }

    // MARK: Events

    /// A frame was shown.
    package mutating func received(_ frame: ReceivedFrame, at now: ContinuousClock.Instant) {
        switch frame.type {
        case "ready":
            ready = now
            // Another epoch counts anew.
            if frame.object["recovered"]?.bool != true { shown = nil }
            // That of one that resumes is ahead of what it tells next.
            if resume == nil { begin(frame) }
        case "reset": begin(frame)
        case "new", "update":
            shown = frame.seq ?? shown
            advance(to: frame.seq)
        case "read", "removed", "seen": advance(to: frame.seq)
        case "gap":
            let end = frame.object["to"]?.int
            if let feed = frame.object["feed"]?.string { advance(feed, to: end) } else { advance(to: end) }
        case "feed": begin(feed: frame)
        case "item":
            if let feed = frame.object["feed"]?.string { advance(feed, to: frame.object["offset"]?.int) }
        default: break
        }
    }

    /// No connection came of it.
    ///
    /// - Parameter jitter: uniform in `0..<1`.
    package mutating func failed(_ failure: WebSocketConnector.Failure, jitter: Double) -> Decision {
        switch failure {
        case .unreachable, .timedOut, .closed: return tryAgain(jitter)
        // The server, or a proxy in front of it, has no room or is about to start.
        case .refused(.refused(let status, _, _)) where status >= 500 || status == 429: return tryAgain(jitter)
        case .refused, .insecure: return .stop
        }
    }

    /// - Parameter jitter: uniform in `0..<1`.
    package mutating func closed(code: UInt16, at now: ContinuousClock.Instant, jitter: Double) -> Decision {
        switch LiveCloseAdvice(closeCode: code) {
        case .stop: .stop
        case .backOff, .comeBackNow: comeBack(at: now, jitter)
        }
    }

    /// The server was silent for too long.
    ///
    /// - Parameter jitter: uniform in `0..<1`.
    package mutating func fellSilent(at now: ContinuousClock.Instant, jitter: Double) -> Decision {
        comeBack(at: now, jitter)
    }

    // MARK: Places

    private mutating func begin(_ frame: ReceivedFrame) {
        guard let epoch = frame.epoch, let seq = frame.seq else { return }
        resume = .init(epoch: epoch, seq: seq)
    }

    private mutating func advance(to seq: Int64?) {
        guard let seq, let resume, seq > resume.seq else { return }
        self.resume = .init(epoch: resume.epoch, seq: seq)
    }

    private mutating func begin(feed frame: ReceivedFrame) {
        guard let feed = frame.object["feed"]?.string, let offset = frame.object["offset"]?.int else { return }
        if feeds[feed] == nil {
            feeds[feed] = FeedPosition(epoch: frame.epoch, offset: offset)
        } else if frame.object["recovered"]?.bool == false {
            // Its newest items follow, and none of this epoch was told.
            feeds[feed] = FeedPosition(epoch: frame.epoch, offset: 0)
        }
    }

    private mutating func advance(_ feed: String, to offset: Int64?) {
        guard let offset, let place = feeds[feed], offset > place.offset else { return }
        feeds[feed] = FeedPosition(epoch: place.epoch, offset: offset)
    }

    // MARK: Delays

    private mutating func comeBack(at now: ContinuousClock.Instant, _ jitter: Double) -> Decision {
        // Where sessions end sooner than that, it is their ends that the delays are for.
        if let ready, now - ready > Self.longest { failures = 0 }
        ready = nil
        return tryAgain(jitter)
    }

    /// Who never had a session is told at once what is wrong: mostly it is the address.
    private mutating func tryAgain(_ jitter: Double) -> Decision {
        guard resume != nil else { return .stop }
        let window = min(Self.longest, Self.shortest * (1 << min(failures, 10)))
        failures += 1
        return .connect(after: window * ((1 + jitter) / 2))
    }
}
