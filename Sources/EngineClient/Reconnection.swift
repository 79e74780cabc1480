import JSON
package import Transport
package import WireProtocol

/// Reconnects a client whose session has ended: decides when, from which position, and when to stop.
package struct Reconnection: Sendable {
    package enum Decision: Sendable, Hashable {
        case connect(after: Duration)
        /// A retry cannot help.
        case stop
    }

    /// The longest first delay. It also applies if the close code says to come back now, because many clients may come.
    private static let shortest = Duration.milliseconds(250)
    /// A person waits for the connection.
    private static let longest = Duration.seconds(8)

    /// The position for the next session: the last received change. Nil before the first session.
    package private(set) var resume: ClientFrame.Hello.Resume?
    /// The last change of ``resume``'s epoch with a shown notification. It is acknowledged again, because the last
    /// session may have ended before the server got that. It may be behind ``resume``, for example after a gap, which
    /// shows none.
    package private(set) var shown: Int64?
    private var feeds: [String: ResumePoint] = [:]
    /// The time when the current session became ready.
    private var ready: ContinuousClock.Instant?
    /// The failures since the last session that lasted. A session that ends at once is a failure too: the server has no
    /// room, or the client sends too much.
    private var failures = 0

    package init() {}

    /// The place of the last received item; nil for a feed that was not followed yet.
    package func place(in feed: String) -> ResumePoint? { feeds[feed] }

    // MARK: Events

    /// Takes in a shown frame.
    package mutating func received(_ frame: ReceivedFrame, at now: ContinuousClock.Instant) {
        switch frame.type {
        case "ready":
            ready = now
            // A new epoch counts from the start.
            if frame.object["recovered"]?.bool != true { shown = nil }
            // The position in the `ready` of a resumed session is ahead of the changes that follow.
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

    /// There is no connection.
    ///
    /// - Parameter jitter: uniform in `0..<1`.
    package mutating func failed(_ failure: WebSocketConnector.Failure, jitter: Double) -> Decision {
        switch failure {
        case .unreachable, .timedOut, .closed: return tryAgain(jitter)
        // The server, or a proxy before it, has no room or is about to start.
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
            feeds[feed] = ResumePoint(epoch: frame.epoch, offset: offset)
        } else if frame.object["recovered"]?.bool == false {
            // The newest items follow, and none of this epoch was received.
            feeds[feed] = ResumePoint(epoch: frame.epoch, offset: 0)
        }
    }

    private mutating func advance(_ feed: String, to offset: Int64?) {
        guard let offset, let place = feeds[feed], offset > place.offset else { return }
        feeds[feed] = ResumePoint(epoch: place.epoch, offset: offset)
    }

    // MARK: Delays

    private mutating func comeBack(at now: ContinuousClock.Instant, _ jitter: Double) -> Decision {
        // If sessions end sooner, the delays are meant for these ends.
        if let ready, now - ready > Self.longest { failures = 0 }
        ready = nil
        return tryAgain(jitter)
    }

    /// A client that never had a session stops at once, because the address is mostly wrong.
    private mutating func tryAgain(_ jitter: Double) -> Decision {
        guard resume != nil else { return .stop }
        let window = min(Self.longest, Self.shortest * (1 << min(failures, 10)))
        failures += 1
        return .connect(after: window * ((1 + jitter) / 2))
    }
}
