import COpenSSL
import Dispatch
import Glibc
import Testing

@testable import Transport

/// Encrypted connections over real sockets, against libssl's own client.
@Suite struct TLSConnectionTests {
    typealias Event = RecordingHandler.Event

    private let files: CertificateFiles

    init() throws { files = try CertificateFiles() }

    @Test(arguments: PollerKind.allCases, [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a client's bytes come back`(poller: PollerKind, version: Int32) throws {
        let host = try TestShard(poller)
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.echo)
        let client = try TLSTestClient(to: address, version: version)
        try client.handshake()
        #expect(client.version == version)
        for text in ["a", "some words", String(repeating: "long ", count: 2_000)] {
            try client.send(text)
            #expect(try client.readText(text.utf8.count) == text)
        }
        client.sayGoodbye()
        #expect(try client.readToEnd().isEmpty)
        #expect(server.completedHandshakes == 1 && server.failedHandshakes == 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `many small records that come at once are all heard`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let gate = DispatchSemaphore(value: 0)
        let journal = Journal<Event>()
        let address = try host.listen(
            tls: try TLSServer(files.settings()), journal, react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address)
        try client.handshake()
        try client.send("0")
        #expect(try journal.next() == .received(Array("0".utf8)))
        // One read of the socket gets hundreds of records, and no poller tells of those that lie in the library then.
        host.shard.post { _ in gate.wait() }
        for _ in 0..<3_000 { try client.send("x") }
        gate.signal()
        var received = 0
        while received < 3_000, case .received(let bytes) = try journal.next() { received += bytes.count }
        #expect(received == 3_000)
    }

    @Test(arguments: PollerKind.allCases)
    func `records inside the library are heard after a pause`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let (journal, ids) = (Journal<Event>(), Journal<ConnectionID>())
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            guard event == .received([1]) else { return }
            connection.setReading(false, on)
            ids.write(connection.id)
        }
        let client = try TLSTestClient(to: address)
        try client.handshake()
        try client.send([1])
        let id = try ids.next()
        for number in UInt8(2)...5 { try client.send([number]) }
        for _ in 0..<5 { try host.run { _ in } }
        #expect(try journal.next() == .received([1]))
        #expect(journal.rest == [])
        try host.run { on in on.shard.connection(id, on)?.setReading(true, on) }
        var received: [UInt8] = []
        while received.count < 4, case .received(let bytes) = try journal.next() { received += bytes }
        #expect(received == [2, 3, 4, 5])
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that a client sends one by one arrive`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let address = try host.listen(
            tls: try TLSServer(files.settings()), Journal(), react: RecordingHandler.echo)
        // The library's client talks to us, and a byte at a time goes on to the server.
        let pipe = try BytewisePipe(to: address)
        let client = try TLSTestClient(over: pipe.near)
        try client.handshake()
        try client.send("byte by byte")
        #expect(try client.readText(12) == "byte by byte")
    }

    @Test(arguments: PollerKind.allCases, [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a peer that stops reading blocks the output and gets all of it in order later`(
        poller: PollerKind, version: Int32
    ) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let output = (UInt8(0)..<180).map { [UInt8](repeating: $0, count: 50_000) }
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            guard event == .received([7]) else { return }
            for chunk in output { connection.send(chunk, on) }
        }
        let client = try TLSTestClient(to: address, version: version, receiveBufferBytes: 32 << 10)
        try client.handshake()
        try client.send([7])
        #expect(try journal.next(2) == [.received([7]), .outputBlocked])
        #expect(try client.read(exactly: 9_000_000) == output.flatMap { $0 })
        #expect(try journal.next() == .outputDrained)
    }

    @Test(arguments: PollerKind.allCases)
    func `keys may be changed at any time`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let address = try host.listen(
            tls: try TLSServer(files.settings()), Journal(), react: RecordingHandler.echo)
        let client = try TLSTestClient(to: address, version: TLS1_3_VERSION)
        try client.handshake()
        for round in UInt8(0)..<4 {
            // The server has to answer with a change of its own (RFC 8446 §4.6.3).
            SSL_key_update(client.session, SSL_KEY_UPDATE_REQUESTED)
            try client.send([round])
            #expect(try client.read(exactly: 1) == [round])
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `keys may be changed while nothing can be written`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            if event == .received([7]) { connection.send([UInt8](repeating: 8, count: 4 << 20), on) }
        }
        let client = try TLSTestClient(to: address, version: TLS1_3_VERSION, receiveBufferBytes: 32 << 10)
        try client.handshake()
        try client.send([7])
        #expect(try journal.next(2) == [.received([7]), .outputBlocked])
        // The server has to answer with a change of its own before it may read on: RFC 8446 §4.6.3.
        for _ in 0..<3 {
            SSL_key_update(client.session, SSL_KEY_UPDATE_REQUESTED)
            try client.send([9])
        }
        #expect(try client.read(exactly: 4 << 20) == [UInt8](repeating: 8, count: 4 << 20))
        var received: [UInt8] = []
        while received.count < 3 {
            if case .received(let bytes) = try journal.next() { received += bytes }
        }
        #expect(received == [9, 9, 9])
        try client.send([7])
        #expect(try client.read(exactly: 1_000) == [UInt8](repeating: 8, count: 1_000))
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that asks for new keys without end and takes nothing is left`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            if event == .received([7]) { connection.send([UInt8](repeating: 8, count: 8 << 20), on) }
        }
        let client = try TLSTestClient(to: address, version: TLS1_3_VERSION, receiveBufferBytes: 32 << 10)
        try client.handshake()
        try client.send([7])
        #expect(try journal.next(2) == [.received([7]), .outputBlocked])
        #expect(throws: TLSTestClient.Failure.self) {
            for _ in 0..<20_000 {
                SSL_key_update(client.session, SSL_KEY_UPDATE_REQUESTED)
                try client.send([9])
            }
        }
        var last = try journal.next()
        while last != .closed { last = try journal.next() }
    }

    @Test(arguments: PollerKind.allCases)
    func `a client may not renegotiate`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let address = try host.listen(
            tls: try TLSServer(files.settings()), Journal(), react: RecordingHandler.echo)
        let client = try TLSTestClient(to: address, version: TLS1_2_VERSION)
        try client.handshake()
        SSL_renegotiate(client.session)
        let failure = #expect(throws: TLSTestClient.Failure.self) { try client.handshake() }
        #expect(failure?.reason.contains("no renegotiation") == true)
    }

    @Test(arguments: PollerKind.allCases, [false, true])
    func `a goodbye is an end, and an answer still goes out`(poller: PollerKind, closesSocket: Bool) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            guard event == .peerFinished else { return }
            connection.send(Array("answer".utf8), on)
            connection.finish(on)
        }
        let client = try TLSTestClient(to: address)
        try client.handshake()
        client.sayGoodbye()
        if closesSocket { client.socket.finishSending() }
        #expect(try client.readToEnd() == Array("answer".utf8))
        client.socket.finishSending()
        #expect(try journal.next(2) == [.peerFinished, .closed])
    }

    @Test(arguments: PollerKind.allCases)
    func `finishing says goodbye, and unread input does not take it back`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(tls: try TLSServer(files.settings()), journal) { event, connection, on in
            guard case .received = event else { return }
            connection.send(Array("enough".utf8), on)
            connection.finish(on)
        }
        let client = try TLSTestClient(to: address)
        try client.handshake()
        try client.send([UInt8](repeating: 1, count: 1 << 20))
        #expect(try client.readToEnd() == Array("enough".utf8))
        try client.send("more, and nobody reads it")
        client.socket.finishSending()
        guard case .received = try journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(try journal.next() == .closed)
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a record cut short by the peer's leaving is an end`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(
            tls: try TLSServer(files.settings()), journal, react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address)
        try client.handshake()
        // Five of the 256 bytes of application data come.
        try client.socket.send([23, 3, 3, 1, 0, 1, 2, 3, 4, 5])
        client.socket.finishSending()
        #expect(try journal.next(2) == [.peerFinished, .closed])
    }

    @Test(arguments: PollerKind.allCases)
    func `a forged record ends the connection`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Event>()
        let address = try host.listen(
            tls: try TLSServer(files.settings()), journal, react: RecordingHandler.passive)
        let client = try TLSTestClient(to: address)
        try client.handshake()
        try client.socket.send([23, 3, 3, 0, 20] + [UInt8](repeating: 5, count: 20))
        #expect(try journal.next() == .closed)
    }
}
