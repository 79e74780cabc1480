import COpenSSL
import Dispatch
import Glibc
import Support
import Testing

@testable import Transport

@Suite struct TLSHandshakeTests {
    typealias Event = RecordingHandler.Event

    private let files: CertificateFiles

    init() throws { files = try CertificateFiles() }

    enum Silence: CaseIterable { case fromTheStart, inTheMiddle }

    @Test(arguments: PollerKind.allCases, Silence.allCases)
    func `a handshake that is not done in time ends the connection`(poller: PollerKind, silence: Silence) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let server = try TLSServer(files.settings(handshakeTimeout: .milliseconds(60)))
        let begin = ContinuousClock.now
        let address = try host.listen(tls: server, journal, react: RecordingHandler.passive)
        let client = try TestSocket(to: address)
        // The head of a record with a greeting that never comes.
        // A client that a busy machine holds up sends it after the end, which may be refused.
        if silence == .inTheMiddle { try? client.send([22, 3, 1, 1, 0, 1, 0, 0]) }
        #expect(try journal.next() == .closed)
        #expect(ContinuousClock.now - begin >= .milliseconds(60))
        #expect((try? client.readToEnd())?.isEmpty != false)
        #expect(server.failedHandshakes == 1)
        #expect(host.shard.connectionCount == 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a deadline counts from the end of the handshake`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let server = try TLSServer(files.settings())
        let address = try host.listen { descriptor, on in
            let connection = try? RecordingHandler.attach(
                descriptor, tls: server.current, journal, on, react: RecordingHandler.passive)
            connection?.setDeadline(on.now + .milliseconds(100), on)
        }
        let client = try TLSTestClient(to: address)
        // Longer than the deadline, and nobody minds: it has not begun to count.
        try host.wait(for: .milliseconds(150))
        #expect(journal.rest == [])
        // Looked at before the handshake: a client that is not scheduled after it would miss the server's end of it.
        let begin = ContinuousClock.now
        try client.handshake()
        #expect(try journal.next() == .deadlineReached)
        #expect(ContinuousClock.now - begin >= .milliseconds(50))
    }

    @Test(arguments: PollerKind.allCases)
    func `a shard takes a few steps a turn, however many wait`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let (journal, waiting) = (Journal<Event>(), Journal<Int>())
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, journal, react: RecordingHandler.echo)
        let clients = try (0..<40).map { _ in try TLSTestClient(to: address) }
        while host.shard.connectionCount < clients.count { try host.run { _ in } }
        let gate = DispatchSemaphore(value: 0)
        host.shard.post { _ in gate.wait() }
        for client in clients { try client.greet() }
        host.shard.post { on in Self.watchTurns(waiting, hasSeenSome: false, on) }
        gate.signal()
        var counts = [try waiting.next()]
        while counts.last != 0 || counts.allSatisfy({ $0 == 0 }) { counts.append(try waiting.next()) }
        let steps = zip(counts, counts.dropFirst()).map { $0 - $1 }
        #expect(counts.max() ?? 0 > HandshakeLine<Int>.stepsPerTurn)
        #expect(steps.allSatisfy { $0 <= HandshakeLine<Int>.stepsPerTurn })
        for client in clients { try client.handshake() }
        for client in clients {
            try client.send("still there?")
            #expect(try client.readText(12) == "still there?")
        }
        #expect(server.completedHandshakes == clients.count)
    }

    /// Writes down, once a turn, how many wait, until some have waited and none does any more.
    private static func watchTurns(_ waiting: Journal<Int>, hasSeenSome: Bool, _ on: borrowing OnShard) {
        let count = on.shard.handshakes.waitingCount
        waiting.write(count)
        if count == 0, hasSeenSome { return }
        on.shard.post { on in watchTurns(waiting, hasSeenSome: hasSeenSome || count > 0, on) }
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that leaves while waiting costs nothing`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.passive)
        let gate = DispatchSemaphore(value: 0)
        var clients = try (0..<30).map { _ in try TLSTestClient(to: address) }
        while host.shard.connectionCount < clients.count { try host.run { _ in } }
        host.shard.post { _ in gate.wait() }
        for client in clients {
            try client.greet()
            client.socket.resetAtEnd()
        }
        clients = []
        gate.signal()
        let end = ContinuousClock.now + .patience
        while host.shard.connectionCount > 0, ContinuousClock.now < end { try host.run { _ in } }
        #expect(host.shard.connectionCount == 0)
        #expect(server.completedHandshakes == 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `plain HTTP on the port of TLS ends without a reset`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, journal, react: RecordingHandler.passive)
        let client = try TestSocket(to: address)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + String(repeating: "x", count: 100_000))
        _ = try client.readToEnd()
        client.finishSending()
        #expect(try journal.next() == .closed)
        #expect(server.failedHandshakes == 1)
    }

    @Test(arguments: PollerKind.allCases)
    func `a client without a common protocol is told so`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let server = try TLSServer(files.settings(applicationProtocols: ["http/1.1"]))
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address, protocols: ["h2"])
        let failure = #expect(throws: TLSTestClient.Failure.self) { try client.handshake() }
        #expect(failure?.reason.contains("no application protocol") == true)
        let other = try TLSTestClient(to: address, protocols: ["h2", "http/1.1"])
        try other.handshake()
    }

    @Test(arguments: [(TLSVersion.tls12, true), (.tls13, false)])
    func `the oldest version is the setting's`(minimum: TLSVersion, accepts12: Bool) throws {
        let host = try TestShard(.epoll)
        let server = try TLSServer(files.settings(minimumVersion: minimum))
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address, version: TLS1_2_VERSION)
        if accepts12 {
            try client.handshake()
        } else {
            #expect(throws: TLSTestClient.Failure.self) { try client.handshake() }
        }
    }

    @Test(arguments: ["AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA"])
    func `ciphers without forward secrecy or authentication are refused`(cipher: String) throws {
        let host = try TestShard(.epoll)
        let address = try host.listen(
            tls: try TLSServer(files.settings()), Journal(), react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address, version: TLS1_2_VERSION)
        SSL_set_cipher_list(client.session, cipher)
        #expect(throws: TLSTestClient.Failure.self) { try client.handshake() }
    }
}

extension TLSTestClient {
    /// Sends what a handshake begins with, and waits for nothing.
    fileprivate func greet() throws {
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        #expect(throws: Failure.self) { try handshake() }
        _ = fcntl(socket.descriptor, F_SETFL, 0)
    }
}
