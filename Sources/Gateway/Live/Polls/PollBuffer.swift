import JSON
import WireProtocol

/// The frames of a session on their way to a client that polls: when a poll is answered, and with what.
///
/// A frame is kept until a poll says that it has come, so an answer that was lost is given again.
struct PollBuffer {
    enum Step: Equatable {
        /// Nothing to do; look again at this moment, if there is one.
        case wait(until: ContinuousClock.Instant?)
        /// Answer the waiting poll with ``answer``.
        case answer
        /// The client has not come for too long: forget the session.
        case forget
    }

    /// With so many bytes an answer leaves at once, and the session waits until the client has taken them.
    static let enoughBytes = 64 << 10
    /// Between two answers, so that many frames come in few answers. The first after a pause leaves at once.
    static let pace = Duration.milliseconds(100)

    /// The session's name.
    let session: String
    /// How long the client may take from an answer to its next poll.
    private let patience: Duration
    private var frames: [[UInt8]] = []
    private var byteCount = 0
    /// How many frames the client has confirmed: the number of the first one in ``frames``.
    private var confirmed = 0
    private var close: (code: UInt16, reason: String)?
    private var isAwaited = true
    /// Nil before the first answer.
    private var lastAnswer: ContinuousClock.Instant?

    /// A client's first poll waits already.
    init(of session: String, patience: Duration) { (self.session, self.patience) = (session, patience) }

    /// Whether the session has to wait until the client has taken more.
    var isFull: Bool { byteCount >= Self.enoughBytes }

    /// Whether there is something for an answer.
    var hasNews: Bool { !frames.isEmpty || close != nil }

    /// Takes a frame of the session: JSON.
    mutating func append(_ frame: [UInt8]) {
        frames.append(frame)
        byteCount += frame.count
    }

    /// The session has ended, with the code and the reason of a WebSocket's close frame.
    mutating func end(_ code: UInt16, reason: String) { close = close ?? (code, reason) }

    /// The client polls.
    ///
    /// - Parameter after: how many of all frames have come to it.
    /// - Returns: false if these are fewer than it has confirmed before, or more than there are.
    mutating func ask(after: Int) -> Bool {
        let count = after - confirmed
        guard count >= 0, count <= frames.count else { return false }
        byteCount -= frames[..<count].reduce(0) { $0 + $1.count }
        frames.removeFirst(count)
        confirmed = after
        isAwaited = true
        return true
    }

    mutating func step(at now: ContinuousClock.Instant) -> Step {
        guard isAwaited else {
            let end = (lastAnswer ?? now) + patience
            return now < end ? .wait(until: end) : .forget
        }
        guard hasNews else { return .wait(until: nil) }
        if let lastAnswer, close == nil, !isFull, now < lastAnswer + Self.pace {
            return .wait(until: lastAnswer + Self.pace)
        }
        isAwaited = false
        lastAnswer = now
        return .answer
    }

    /// All frames that are not confirmed. `next` is what the client's next poll sends as `after`.
    var answer: HTTPResponse {
        var json = JSONWriter(capacity: byteCount + frames.count + 128)
        json.object { json in
            json.member("session", session)
            json.member("next", confirmed + frames.count)
            json.key("frames")
            json.array { json in
                for frame in frames { json.raw(frame) }
            }
            guard let close else { return }
            json.key("close")
            json.object { json in
                json.member("code", Int(close.code))
                json.member("reason", close.reason)
            }
        }
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: json.bytes)
    }
}
