import Support
import Testing

@testable import BelfryClient

/// After any events in any order, once it is quiet, the client shows what the server has.
struct HistoryTests {
    @Test(arguments: Seeds.some(12, of: 60))
    func `after a random history the client shows what the server has`(_ seed: Int) {
        var history = History(seed: UInt64(seed))
        for _ in 0..<400 { history.step() }
        history.settle()
        let snapshot = history.world.snapshot
        #expect(
            snapshot.isSynced && snapshot.unread == history.server.unread && snapshot.unseen == history.server.unseen)
        let shown = snapshot.items.map { "\($0.id) \($0.rev) \($0.isRead) \($0.isSeen)" }
        #expect(shown == Array(history.server.shown.prefix(shown.count)))
        #expect(snapshot.hasMore || shown.count == history.server.shown.count)
        #expect(history.disagreements == 0, "the number and the rows agree at each moment at which all rows are there")
    }
}

/// One client, one server, and chance.
private struct History {
    let world = World()
    var server = ModelServer()
    var disagreements = 0
    private var random: SeededRandom
    /// Pages that were read already, and are on their way.
    private var pages: [JSONValue] = []
    private var isOpen = false
    private var socket = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func step() {
        let number = Int.random(in: 0..<100, using: &random)
        let id = server.ids.randomElement(using: &random) ?? "n0"
        switch number {
        case 0..<18: server.publish()
        case 18..<26: server.grow(id, comesUp: Bool.random(using: &random))
        case 26..<30: server.apply("read", ids: [id], upTo: 0)
        case 30..<32: server.apply("seen", ids: nil, upTo: server.seq)
        case 32..<36: server.apply("remove", ids: [id], upTo: 0)
        case 36..<42: world.call { $0.command(.read, ids: [id], call: $1, $2) }
        case 42..<44: world.call { $0.command(.read, upTo: nil, call: $1, $2) }
        case 44..<47: world.call { $0.command(.remove, ids: [id], call: $1, $2) }
        case 47..<49: world.call { $0.command(.seen, upTo: nil, call: $1, $2) }
        case 49..<53: world.call { $0.more(call: $1, $2) }
        case 53..<55: server.beat()
        case 55..<57: server.fold()
        case 57..<59: cut(1006)
        case 59..<60: cut(4200)
        case 60..<61:
            server.restore()
            cut(1006)
        case 61..<63: server.refuses.toggle()
        case 63..<66: world.run { $0.look(Bool.random(using: &random), $1) }
        case 66..<69: readPage()
        case 69..<73: answer(fails: Int.random(in: 0..<8, using: &random) == 0)
        case 73..<75: world.freeze(Int64.random(in: 0..<60_000, using: &random))
        default: world.advance(Int64.random(in: 0..<400, using: &random))
        }
        exchange(upTo: Int.random(in: 0..<6, using: &random))
        let snapshot = world.snapshot
        let rows = snapshot.items.count { !$0.isRead }
        if snapshot.isSynced, !snapshot.hasMore, rows != snapshot.unread { disagreements += 1 }
    }

    /// Everything goes through, and nothing new happens.
    mutating func settle() {
        server.refuses = false
        for _ in 0..<60 {
            exchange(upTo: .max)
            while !world.requests.isEmpty {
                readPage()
                answer(fails: false)
                exchange(upTo: .max)
            }
            world.advance(2_000)
            server.beat()
        }
        exchange(upTo: .max)
    }

    /// Lets all that the client says arrive, and so many of the server's frames.
    private mutating func exchange(upTo count: Int) {
        connect()
        if !world.isConnected, isOpen { lose() }
        for frame in world.sent where isOpen { server.receive(frame) }
        world.sent = []
        for _ in 0..<min(count, server.down.count) where !server.down.isEmpty {
            world.server(server.down.removeFirst())
            if !world.isConnected || socket != world.sockets { lose() }
            connect()
            for frame in world.sent where isOpen { server.receive(frame) }
            world.sent = []
        }
    }

    /// The newest socket is opened.
    private mutating func connect() {
        guard world.isConnected, socket != world.sockets else { return }
        if isOpen { lose() }
        (socket, isOpen) = (world.sockets, true)
        world.open()
    }

    private mutating func lose() {
        isOpen = false
        server.cut()
        pages = []
    }

    private mutating func cut(_ code: Int) {
        guard world.isConnected, isOpen else { return }
        lose()
        world.close(code)
    }

    /// The server reads the page that was asked for first; it is answered later.
    private mutating func readPage() {
        guard world.requests.count > pages.count else { return }
        let path = world.requests[pages.count].call.path
        let before = path.split(separator: "=", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        pages.append(server.page(before: before))
    }

    private mutating func answer(fails: Bool) {
        guard !world.requests.isEmpty else { return }
        if fails {
            if !pages.isEmpty { pages.removeFirst() }
            world.failRequest()
        } else if !pages.isEmpty {
            world.answer(200, pages.removeFirst())
        }
    }
}
