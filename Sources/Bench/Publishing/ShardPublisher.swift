import Transport
import WireProtocol

/// Sends one stream's publications when they are due and there is room. Confined to its shard.
final class ShardPublisher {
    private let plan: PublishPlan
    private let stream: Int
    private let delivered: @Sendable () -> Int
    private let framesPerPublication: Int
    private var schedule: Schedule
    private var lanes: [any PublishLane] = []
    /// The index where the search for a lane with room continues, so that all lanes take turns.
    private var nextLane = 0
    private var random: SplitMix64
    private var turn = 0
    private var counts = PublishTally()
    private var isFinished = false
    private let wake: (Int64) -> Void
    /// The time of the next planned step; nil for none.
    private var nextWake: Int64?

    /// - Parameters:
    ///   - wake: plans a call of ``wakeUp(_:)`` at a moment of ``BenchClock``; replaces an earlier plan.
    ///   - stream: the stream's number in its markers.
    ///   - ready: the number of ready sessions.
    ///   - delivered: returns the number of publications that sessions have received.
    ///   - seed: decides the drawn users.
    init(
        _ plan: PublishPlan, stream: Int, schedule: Schedule, ready: Int, seed: UInt64,
        delivered: @escaping @Sendable () -> Int, wake: @escaping (Int64) -> Void
    ) {
        self.plan = plan
        self.stream = stream
        self.schedule = schedule
        self.delivered = delivered
        self.wake = wake
        framesPerPublication = plan.frames(perPublicationTo: ready)
        random = SplitMix64(seed: seed)
    }

    func begin(tokens: TokenSource?, _ on: borrowing OnShard) throws {
        for number in 0..<plan.publishers {
            switch plan.carrier {
            case .requests(let publication): connect(publication, isStream: false, capacity: 1, on)
            case .lines(let publication, let underway): connect(publication, isStream: true, capacity: underway, on)
            case .messages(let message, let isBinary, let session):
                try connect(message, isBinary, session, number, tokens, on)
            }
        }
    }

    private func connect(_ publication: HTTPPublication, isStream: Bool, capacity: Int, _ on: borrowing OnShard) {
        let lane = HTTPLane(publication, isStream: isStream, capacity: capacity, publisher: self)
        lanes.append(lane)
        lane.connect(on)
    }

    private func connect(
        _ message: Template, _ isBinary: Bool, _ session: SessionPlan, _ number: Int, _ tokens: TokenSource?,
        _ on: borrowing OnShard
    ) throws {
        guard case .raw(let speech) = session.speech else { return }
        // Numbers behind those of the sessions.
        let index = session.indices.upperBound + number
        var session = session
        session.indices = index..<(index + 1)
        let url = try WebSocketURL(session.url)
        let sessions = ShardSessions(
            session, url, path: try Template(url.path),
            tls: url.isSecure ? try TLSClientContext(caFile: session.caFile) : nil, sources: [], tokens: tokens,
            delivered: FrameCounter())
        let token = try sessions.token(ofUser: session.user(index))
        let lane = MessageLane(
            message, isBinary: isBinary, speech, to: sessions.target(forSession: index, token: token),
            as: sessions.values(ofSession: index, token: token), publisher: self)
        lanes.append(lane)
        lane.connect(on)
    }

    // MARK: Sending

    /// The planned moment has come.
    func wakeUp(_ on: borrowing OnShard) {
        nextWake = nil
        step(on)
    }

    /// Sends all publications that are due and have room.
    func step(_ on: borrowing OnShard) {
        guard !isFinished else { return }
        let now = BenchClock.now
        while mayGoOn, let lane = laneWithRoom(), let due = schedule.take(at: now) {
            counts.sent += 1
            counts.underway += 1
            let user = nextUser()
            lane.send(
                Template.Values(
                    marker: Marker(stream: stream, due: due), user: plan.userPrefix + String(user),
                    index: counts.sent - 1, payloadBytes: plan.payloadBytes), on)
        }
        sleep(at: BenchClock.now)
    }

    private func sleep(at now: Int64) {
        guard let next = nextStep(at: now), next < nextWake ?? .max else { return }
        nextWake = next
        wake(next)
    }

    /// The time of the next look without an answer before; nil if only an answer or a connection makes room.
    private func nextStep(at now: Int64) -> Int64? {
        guard let due = schedule.nextDue(at: now) else { return nil }
        guard mayGoOn else { return now }
        return due > now ? due : laneWithRoom().map { _ in now }
    }

    /// Whether fewer publications than the limit are under way to the sessions.
    private var mayGoOn: Bool {
        plan.mayGoOn(left: counts.sent - counts.refused, framesEach: framesPerPublication, frames: delivered())
    }

    private func laneWithRoom() -> (any PublishLane)? {
        for _ in lanes.indices {
            let lane = lanes[nextLane]
            nextLane = (nextLane + 1) % lanes.count
            if lane.hasRoom { return lane }
        }
        return nil
    }

    private func nextUser() -> Int {
        switch plan.audience {
        case .everybody: return 0
        case .oneOf(let count, _): return Int.random(in: 0..<count, using: &random)
        case .inTurn(let count):
            defer { turn = (turn + 1) % count }
            return turn
        }
    }

    /// The results so far.
    var tally: PublishTally {
        var tally = counts
        let now = BenchClock.now
        tally.waiting = schedule.waiting(at: now)
        for due in lanes.flatMap(\.underway) { tally.silences.record(now - due) }
        return tally
    }

    /// Stops sending; answers still count.
    func finish() {
        isFinished = true
        let now = BenchClock.now
        schedule.finish(at: now)
        for due in schedule.waitingMoments(at: now) { counts.waits.record(now - due) }
    }

    // MARK: Answers

    /// - Parameter refusal: nil for an accepted publication.
    func answered(dueAt due: Int64, refusal: String?) {
        counts.underway -= 1
        if let refusal { return Self.count(refusal, in: &counts.refusals) }
        counts.accepted += 1
        counts.answers.record(BenchClock.now - due)
    }

    /// Counts a publication on a lane without answers.
    func sentWithoutAnswer() {
        counts.underway -= 1
        counts.accepted += 1
    }

    /// A lane has failed to connect, or lost its connection.
    func connectionFailed(_ reason: String) { Self.count(reason, in: &counts.connectionFailures) }

    /// The most reasons that are counted separately, because each publication may have its own.
    private static let mostReasons = 20

    private static func count(_ reason: String, in reasons: inout [String: Int]) {
        let isKnown = reasons[reason] != nil || reasons.count < mostReasons
        reasons[isKnown ? reason : "other reasons", default: 0] += 1
    }

    func end(_ on: borrowing OnShard) {
        for lane in lanes { lane.end(on) }
        lanes = []
        nextLane = 0
    }
}
