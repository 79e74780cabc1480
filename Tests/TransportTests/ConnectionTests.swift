import CLinux
import Dispatch
import Glibc
import Support
import Testing

@testable import Transport

@Suite struct ConnectionTests {
    typealias Event = RecordingHandler.Event

    @Test(arguments: PollerKind.allCases)
    func `a client's bytes come back over a real socket`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on, react: RecordingHandler.echo)
        }
        let client = try TestSocket(to: address)
        for text in ["a", "some words", String(repeating: "long ", count: 20_000)] {
            try client.send(text)
            #expect(try client.read(exactly: text.utf8.count) == Array(text.utf8))
        }
        client.finishSending()
        #expect(try client.readToEnd().isEmpty)
        #expect(try host.run { on in on.shard.connectionCount } == 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes queued in one turn leave in one run`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let (client, descriptor) = try TestSocket.pair()
        let id = try host.connect(descriptor, Journal(), react: RecordingHandler.passive)
        try host.run { on in
            for number in UInt8(0)..<10 { on.shard.connection(id, on)?.send([number, number], on) }
        }
        // The socket keeps each write apart.
        #expect(try client.read() == (UInt8(0)..<10).flatMap { [$0, $0] })
    }

    @Test(arguments: PollerKind.allCases)
    func `a peer that stops reading blocks the output and gets all of it in order later`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on) { event, connection, on in
                guard case .received = event else { return }
                for chunk in Self.largeOutput { connection.send(chunk, on) }
            }
        }
        let client = try TestSocket(to: address, receiveBufferBytes: 32 << 10)
        try client.send("all of it")
        #expect(try journal.next(2) == [.received(Array("all of it".utf8)), .outputBlocked])
        let expected = Self.largeOutput.flatMap { $0 }
        #expect(try client.read(exactly: expected.count) == expected)
        #expect(try journal.next() == .outputDrained)
        #expect(journal.rest == [])
    }

    /// 8 MB, no two parts of it alike, in chunks from a byte to more than a send buffer holds.
    private static let largeOutput: [[UInt8]] = {
        var random = SeededRandom(seed: 8)
        var chunks: [[UInt8]] = []
        while chunks.reduce(0, { $0 + $1.count }) < 8 << 20 {
            let words = [1, 10, 1_000, 20_000].randomElement(using: &random) ?? 1
            chunks.append((0..<words).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
        }
        return chunks
    }()

    enum Leaving: CaseIterable { case halfClose, close, reset }

    @Test(arguments: PollerKind.allCases, Leaving.allCases)
    func `the peer's leaving is told once`(poller: PollerKind, leaving: Leaving) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on, react: RecordingHandler.passive)
        }
        var client: TestSocket? = try TestSocket(to: address)
        try client?.send("x")
        #expect(try journal.next() == .received(Array("x".utf8)))
        switch leaving {
        case .halfClose: client?.finishSending()
        case .close: client = nil
        case .reset:
            client?.resetAtEnd()
            client = nil
        }
        if leaving != .reset { #expect(try journal.next() == .peerFinished) }
        #expect(try journal.next() == .closed)
        try host.stop()
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that a peer sent before it left are read to the end`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        // Both ends of such a pair hang up together, and a Dispatch source tells nothing after a hang-up.
        for bytes in [1, 60_000, 150_000] {
            let journal = Journal<Event>()
            let (client, descriptor) = try TestSocket.pair(SOCK_STREAM)
            let gate = DispatchSemaphore(value: 0)
            host.shard.post { _ in gate.wait() }
            host.shard.post { on in
                // A failure shows in the journal, which stays empty.
                _ = try? RecordingHandler.attach(descriptor, journal, on, react: RecordingHandler.passive)
            }
            try client.send([UInt8](repeating: 5, count: bytes))
            shutdown(client.descriptor, Int32(SHUT_RDWR))
            gate.signal()
            var received = 0
            while case .received(let piece) = try journal.next() { received += piece.count }
            #expect(received == bytes)
            #expect(try journal.next() == .closed)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that came while the shard was busy are read to the end, though nothing more comes`(
        poller: PollerKind
    ) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let (client, descriptor) = try TestSocket.pair(SOCK_STREAM)
        let id = try host.connect(descriptor, journal, react: RecordingHandler.passive)
        let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        host.shard.post { _ in
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        let sent = client.sendUntilFull()
        gate.signal()
        // More than the four buffers that one turn reads.
        try #require(sent > 4 * 64 << 10)
        var received = 0
        while received < sent, case .received(let piece) = try journal.next() { received += piece.count }
        #expect(received == sent)
        try host.run { on in on.shard.connection(id, on)?.close(on) }
        #expect(try journal.next() == .closed)
    }

    @Test(arguments: PollerKind.allCases)
    func `a peer that never stops is read as much in each turn as in the first one`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let turns = Journal<ContinuousClock.Instant>()
        let (client, descriptor) = try TestSocket.pair(SOCK_STREAM)
        let reads = 400
        _ = try host.connect(descriptor, journal) { event, connection, on in
            guard case .received = event else { return }
            turns.write(on.now)
            // The socket is full again before it is read again.
            _ = client.sendUntilFull()
        }
        _ = client.sendUntilFull()
        let read = try turns.next(reads)
        let mostInOneTurn = Dictionary(grouping: read) { $0 }.values.map(\.count).max() ?? 0
        // Once for the poller, once for what it need not tell.
        #expect(mostInOneTurn <= 8)
        try host.stop()
    }

    @Test(arguments: PollerKind.allCases)
    func `a peer that leaves during a pause is heard to the end after it`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let ids = Journal<ConnectionID>()
        let address = try host.listen { descriptor, on in
            let connection = try? RecordingHandler.attach(descriptor, journal, on, react: RecordingHandler.passive)
            connection?.setReading(false, on)
            if let connection { ids.write(connection.id) }
        }
        var client: TestSocket? = try TestSocket(to: address)
        let id = try ids.next()
        try client?.send([UInt8](repeating: 5, count: 50_000))
        client = nil
        for _ in 0..<5 { try host.run { _ in } }
        #expect(journal.rest == [])
        try host.run { on in on.shard.connection(id, on)?.setReading(true, on) }
        var received = 0
        while case .received(let piece) = try journal.next() { received += piece.count }
        #expect(received == 50_000)
        #expect(try journal.next() == .closed)
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a peer that has said all still gets an answer`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on) { event, connection, on in
                guard event == .peerFinished else { return }
                connection.send(Array("answer".utf8), on)
                connection.finish(on)
            }
        }
        let client = try TestSocket(to: address)
        client.finishSending()
        #expect(try client.readToEnd() == Array("answer".utf8))
        #expect(try journal.next(2) == [.peerFinished, .closed])
    }

    @Test(arguments: PollerKind.allCases)
    func `finishing with bytes of the peer unread does not reset the connection`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on) { event, connection, on in
                guard case .received = event else { return }
                connection.send(Array("enough".utf8), on)
                connection.finish(on)
            }
        }
        let client = try TestSocket(to: address)
        try client.send([UInt8](repeating: 1, count: 2 << 20))
        #expect(try client.readToEnd() == Array("enough".utf8))
        try client.send("more, and nobody reads it")
        client.finishSending()
        guard case .received = try journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(try journal.next() == .closed)
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that wait when a connection finishes go out, however slowly they are taken`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, journal, on) { event, connection, on in
                guard case .received = event else { return }
                for chunk in Self.largeOutput { connection.send(chunk, on) }
                connection.finish(on)
            }
        }
        let client = try TestSocket(to: address, receiveBufferBytes: 32 << 10)
        try client.send("x")
        #expect(try journal.next(2).last == .outputBlocked)
        try client.send("ignored")
        #expect(try client.readToEnd() == Self.largeOutput.flatMap { $0 })
    }

    @Test(arguments: PollerKind.allCases)
    func `nothing is delivered while reading is paused`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let (client, descriptor) = try TestSocket.pair()
        let id = try host.connect(descriptor, journal) { event, connection, on in
            if event == .received([1]) { connection.setReading(false, on) }
        }
        try client.send([1])
        #expect(try journal.next() == .received([1]))
        try client.send([2])
        for _ in 0..<10 { try host.run { _ in } }
        #expect(journal.rest == [])
        try host.run { on in on.shard.connection(id, on)?.setReading(true, on) }
        #expect(try journal.next() == .received([2]))
    }

    @Test(arguments: PollerKind.allCases)
    func `a deadline is told when it has come`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let (client, descriptor) = try TestSocket.pair()
        let id = try host.connect(descriptor, journal, react: RecordingHandler.passive)
        let deadline = ContinuousClock.now + .milliseconds(30)
        try host.run { on in on.shard.connection(id, on)?.setDeadline(deadline, on) }
        #expect(try journal.next() == .deadlineReached)
        #expect(ContinuousClock.now >= deadline)
        _ = client
    }

    @Test(arguments: PollerKind.allCases)
    func `only the last deadline counts`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let clients = try (0..<3).map { _ in try TestSocket.pair() }
        let order = Journal<Int>()
        let ids = try clients.enumerated().map { number, pair in
            try host.connect(pair.1, Journal()) { event, _, _ in
                if event == .deadlineReached { order.write(number) }
            }
        }
        try host.run { on in
            let connections = ids.compactMap { on.shard.connection($0, on) }
            // Later, then never, then sooner; the middle one would fire first if it still did.
            connections[0].setDeadline(on.now + .milliseconds(10), on)
            connections[0].setDeadline(on.now + .milliseconds(120), on)
            connections[1].setDeadline(on.now + .milliseconds(10), on)
            connections[1].setDeadline(nil, on)
            connections[2].setDeadline(on.now + .seconds(60), on)
            connections[2].setDeadline(on.now + .milliseconds(60), on)
        }
        #expect(try order.next(2) == [2, 0])
        #expect(order.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a connection that was closed is reached by its name no more`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let (peer, descriptor) = try TestSocket.pair()
        let id = try host.connect(descriptor, journal, react: RecordingHandler.passive)
        try host.run { on in
            let connection = on.shard.connection(id, on)
            connection?.close(on)
            connection?.send([1], on)
            connection?.finish(on)
            connection?.close(on)
            #expect(on.shard.connection(id, on) == nil)
        }
        #expect(try journal.next() == .closed)
        withExtendedLifetime(peer) { #expect(journal.rest == []) }
    }
}
