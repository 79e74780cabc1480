import Transport
import WireProtocol

/// One shard's part of the load: decides when its sessions open or come back, and counts their frames.
final class ShardSessions {
    /// A round in which sessions open or come back in turn.
    private struct Round {
        var schedule: Schedule
        /// The due time of all sessions that go at once, whenever the tool gets to them; nil if each has its own time.
        let allDue: Int64?
        /// The index of the next session.
        var next = 0
        let isOpening: Bool
        let isEndless: Bool
    }

    /// The most connections begun in one turn: in between, input is read.
    private static let stepsPerTurn = 100

    let plan: SessionPlan
    private let url: WebSocketURL
    private let path: Template
    private let tls: TLSClientContext?
    private let sources: [IPAddress]
    private let tokens: TokenSource?
    private let delivered: FrameCounter
    private var sessions: [LoadSession] = []
    private var rounds: [Round] = []
    var counts = SessionCounts()
    private(set) var tally = SessionTally()
    /// Publications that were due earlier do not count.
    private var measuringSince = Int64.max

    init(
        _ plan: SessionPlan, _ url: WebSocketURL, path: Template, tls: TLSClientContext?, sources: [IPAddress],
        tokens: TokenSource?, delivered: FrameCounter
    ) {
        self.plan = plan
        self.url = url
        self.path = path
        self.tls = tls
        self.sources = sources
        self.tokens = tokens
        self.delivered = delivered
        sessions = plan.indices.map { LoadSession(index: $0, shard: self) }
    }

    // MARK: Coming and going

    func open(rate: Double?, at now: Int64) {
        begin(rate: rate, at: now, isOpening: true, isEndless: false)
    }

    /// Lets each session vanish and come back, in turn.
    func comeBack(rate: Double?, isEndless: Bool, at now: Int64) {
        begin(rate: rate, at: now, isOpening: false, isEndless: isEndless)
    }

    private func begin(rate: Double?, at now: Int64, isOpening: Bool, isEndless: Bool) {
        rounds.append(
            Round(
                schedule: Schedule(rate: rate, start: now, end: .max), allDue: rate == nil ? now : nil,
                isOpening: isOpening, isEndless: isEndless))
    }

    /// Ends all rounds: no further session opens or goes.
    func stay() { rounds = [] }

    /// - Returns: whether another session is due right now.
    func step(_ on: borrowing OnShard) -> Bool {
        let now = BenchClock.now
        var steps = 0
        for index in rounds.indices {
            while steps < Self.stepsPerTurn, rounds[index].next < sessions.count {
                guard let moment = rounds[index].schedule.take(at: now) else { break }
                let due = rounds[index].allDue ?? moment
                let session = sessions[rounds[index].next]
                rounds[index].next += 1
                steps += 1
                if rounds[index].isOpening { session.connect(due: due, on) } else { session.comeBack(due: due, on) }
                if rounds[index].isEndless, rounds[index].next == sessions.count { rounds[index].next = 0 }
            }
        }
        rounds.removeAll { $0.next >= sessions.count }
        return steps >= Self.stepsPerTurn
    }

    func end(_ on: borrowing OnShard) {
        rounds = []
        for session in sessions { session.end(on) }
    }

    // MARK: Needs of a session

    func token(ofUser user: String) throws -> String { try tokens?(user) ?? "" }

    func values(ofSession index: Int, token: String) -> Template.Values {
        Template.Values(
            marker: Marker(stream: 0, due: 0), user: plan.user(index), index: index, payloadBytes: 0, token: token)
    }

    func target(forSession index: Int, token: String) -> WebSocketConnector.Target {
        let values = values(ofSession: index, token: token)
        var headers = HTTPHeaders()
        for header in plan.headers {
            headers.add(header.name, String(decoding: header.value.rendered(values), as: UTF8.self))
        }
        let path = String(decoding: path.rendered(values), as: UTF8.self)
        var target = WebSocketConnector.Target(
            url: url.at(path), tls: tls, subprotocols: plan.subprotocols, headers: headers)
        if !sources.isEmpty { target.source = sources[index % sources.count] }
        return target
    }

    // MARK: Measuring

    func measure(since moment: Int64) {
        measuringSince = moment
        tally.deliveries = [:]
        tally.acks = [:]
        tally.returns = Latencies()
        counts.returned = 0
        counts.frames = SessionCounts().frames
    }

    func tallyOpening(_ nanoseconds: Int64, isReturn: Bool) {
        if isReturn {
            tally.returns.record(nanoseconds)
            tally.lastReturn = BenchClock.now
            counts.returned += 1
        } else {
            tally.openings.record(nanoseconds)
        }
    }

    /// - Returns: the last marker that belongs to the measurement.
    @discardableResult
    func tallyMarkers(in message: UnsafeRawBufferPointer) -> Marker? {
        var position = 0
        var last: Marker?
        while let marker = Marker.next(in: message, from: &position) {
            guard marker.due >= measuringSince else { continue }
            // A text may show a publication in several places; the next publication has another time.
            guard marker != last else { continue }
            last = marker
            counts.frames[marker.stream] += 1
            delivered.add(1)
            tally.deliveries[marker.stream, default: Latencies()].record(BenchClock.now - marker.due)
        }
        return last
    }

    func tallyConfirmation(in message: UnsafeRawBufferPointer) {
        var position = 0
        guard let marker = Marker.next(in: message, from: &position), marker.due >= measuringSince else { return }
        tally.acks[marker.stream, default: Latencies()].record(BenchClock.now - marker.due)
    }
}
