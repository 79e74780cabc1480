import Support

@testable import Transport

/// Drives a pool with events in any order that a network can bring, and watches its decisions.
struct HTTP2PoolModel {
    private enum Place: Equatable {
        case waiting
        case connection(Int)
    }

    private struct Peer {
        var isOpen = false
        var saidGoodbye = false
        var limit = HTTP2Member.assumedStreams
        var streams = 0
    }

    private var pool: HTTP2Pool
    private var now = ContinuousClock.now
    private let maximumConnections: Int
    private var places: [HTTP2Pool.Ticket: Place] = [:]
    private var refusals: [HTTP2Pool.Ticket: Int] = [:]
    private var peers: [Int: Peer] = [:]
    private(set) var entered = 0
    private(set) var ended = 0
    private(set) var mistakes: [String] = []

    init(connections: Int) {
        var settings = HTTP2ClientSettings()
        settings.connectionsPerOrigin = connections
        settings.waitingRequests = 20
        settings.firstPause = .seconds(1)
        maximumConnections = connections
        pool = HTTP2Pool(settings)
    }

    mutating func step(using random: inout SeededRandom) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: enter(timeout: .seconds(Int.random(in: 1...30, using: &random)))
        case 40..<60: finish(using: &random)
        case 60..<65: refuse(using: &random)
        case 65..<70:
            if let key = peers.filter({ $0.value.isOpen }).keys.sorted().randomElement(using: &random) {
                peers[key]?.limit = Int.random(in: 0...5, using: &random)
                pool.limited(key, toStreams: peers[key]?.limit ?? 0)
            }
        case 70..<73:
            if let key = peers.filter({ $0.value.isOpen }).keys.sorted().randomElement(using: &random) {
                peers[key]?.saidGoodbye = true
                pool.wentAway(key)
            }
        case 73..<76: close(using: &random)
        case 76..<86:
            if let key = peers.filter({ !$0.value.isOpen }).keys.sorted().randomElement(using: &random) {
                peers[key]?.isOpen = true
                pool.connected(key, at: now)
            }
        case 86..<90:
            if let key = peers.keys.sorted().randomElement(using: &random) { pool.heard(key, at: now) }
        default:
            now += .milliseconds(Int.random(in: 0...4_000, using: &random))
            pool.advance(to: now, jitter: Double.random(in: 0..<1, using: &random))
        }
        takeDecisions()
    }

    /// Lets all time pass: everything must end.
    mutating func finish() {
        for _ in 0..<100 {
            now += .seconds(1)
            pool.advance(to: now, jitter: 0)
            takeDecisions()
        }
        if !places.isEmpty { mistakes.append("\(places.count) never ended") }
    }

    private mutating func enter(timeout: Duration) {
        guard case .admitted(let ticket) = pool.enter(deadline: now + timeout, at: now) else { return }
        entered += 1
        if places[ticket] != nil { mistakes.append("ticket \(ticket) given twice") }
        places[ticket] = .waiting
        refusals[ticket] = 0
    }

    private func flight(using random: inout SeededRandom) -> (ticket: Int, key: Int)? {
        let flights = places.compactMap { ticket, place -> (ticket: Int, key: Int)? in
            if case .connection(let key) = place { (ticket, key) } else { nil }
        }
        return flights.sorted { $0.ticket < $1.ticket }.randomElement(using: &random)
    }

    private mutating func finish(using random: inout SeededRandom) {
        guard let (ticket, key) = flight(using: &random) else { return }
        end(ticket)
        peers[key]?.streams -= 1
        pool.finished(ticket, wasAnswered: Bool.random(using: &random), at: now)
    }

    private mutating func refuse(using random: inout SeededRandom) {
        guard let (ticket, key) = flight(using: &random) else { return }
        places[ticket] = .waiting
        refusals[ticket, default: 0] += 1
        peers[key]?.streams -= 1
        pool.refused(ticket, at: now)
    }

    private mutating func close(using random: inout SeededRandom) {
        guard let key = peers.keys.sorted().randomElement(using: &random) else { return }
        peers[key] = nil
        pool.closed(key, at: now, jitter: Double.random(in: 0..<1, using: &random))
        takeDecisions()
        if places.values.contains(.connection(key)) { mistakes.append("a closed connection keeps requests") }
    }

    private mutating func end(_ ticket: Int) {
        if places.removeValue(forKey: ticket) == nil { mistakes.append("ticket \(ticket) ended twice") }
        ended += 1
    }

    private mutating func takeDecisions() {
        while let decision = pool.next(at: now) { take(decision) }
    }

    private mutating func take(_ decision: HTTP2Pool.Decision) {
        switch decision {
        case .connect(let key):
            if peers[key] != nil { mistakes.append("key \(key) given twice") }
            peers[key] = Peer()
            let fresh = peers.values.count { !$0.saidGoodbye }
            if fresh > maximumConnections + mutedAllowance { mistakes.append("\(fresh) connections") }
        case .start(let ticket, let key):
            if places[ticket] != .waiting { mistakes.append("ticket \(ticket) does not wait") }
            guard let peer = peers[key], peer.isOpen, !peer.saidGoodbye else {
                return mistakes.append("started on a connection that takes nothing")
            }
            if peer.streams >= peer.limit { mistakes.append("more streams than allowed") }
            peers[key]?.streams += 1
            places[ticket] = .connection(key)
        case .fail(let ticket, let failure, let key):
            if let key { peers[key]?.streams -= 1 }
            if failure == .refused, refusals[ticket] != 2 { mistakes.append("refused \(refusals[ticket] ?? 0) times") }
            end(ticket)
        case .ping(let key): if peers[key] == nil { mistakes.append("PING to nobody") }
        case .close(let key, _): if peers.removeValue(forKey: key) == nil { mistakes.append("closed twice") }
        }
    }

    /// Connections that answer no requests are used no more without any word of theirs.
    private var mutedAllowance: Int { 3 * maximumConnections }
}
