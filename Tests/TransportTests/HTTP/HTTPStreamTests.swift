import Testing
import WireProtocol

@testable import Transport

@Suite struct HTTPStreamTests {
    /// Answers each piece of the body with its length in a line, and says what happens.
    private final class Counter: HTTPStreamHandler {
        enum Event: Hashable, Sendable {
            case opened
            case received(Int)
            case bodyEnded, drained, cancelled
        }

        private let journal: Journal<Event>
        private let references: Journal<HTTPStreamReference>
        private let pausesAfterFirst: Bool
        private(set) var stream: HTTPStream?
        private var total = 0

        init(_ journal: Journal<Event>, _ references: Journal<HTTPStreamReference>, pausesAfterFirst: Bool = false) {
            self.journal = journal
            self.references = references
            self.pausesAfterFirst = pausesAfterFirst
        }

        func opened(_ stream: HTTPStream, _ on: borrowing OnShard) {
            self.stream = stream
            stream.start(200, ["Content-Type": "text/plain"], on)
            references.write(stream.reference)
            journal.write(.opened)
        }

        func received(_ bytes: [UInt8], _ on: borrowing OnShard) {
            total += bytes.count
            journal.write(.received(bytes.count))
            if pausesAfterFirst, total == bytes.count { stream?.setReading(false, on) }
        }

        func bodyEnded(_ on: borrowing OnShard) {
            journal.write(.bodyEnded)
            stream?.write(Array("\(total)".utf8), on)
            stream?.end(on)
            // Too late: must not show up in the next answer.
            stream?.write(Array("late".utf8), on)
        }

        func drained(_ on: borrowing OnShard) { journal.write(.drained) }
        func cancelled(_ on: borrowing OnShard) { journal.write(.cancelled) }
    }

    private let journal = Journal<Counter.Event>()
    private let references = Journal<HTTPStreamReference>()

    private func server(_ poller: PollerKind, pausesAfterFirst: Bool = false) throws -> TestHTTPServer {
        try TestHTTPServer(poller, limits: HTTPLimits(bodyBytes: 10)) { [journal, references] head, on in
            head.path == "/stream"
                ? .stream(Counter(journal, references, pausesAfterFirst: pausesAfterFirst))
                : TestHTTPServer.echo(head, on)
        }
    }

    private static let head = "POST /stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: PollerKind.allCases)
    func `body and answer flow at the same time and the connection goes on`(poller: PollerKind) throws {
        let client = try server(poller).connect()
        try client.send(Self.head)
        // The answer begins before the body does, which may be longer than a collected one.
        let head = try client.readText(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Transfer-Encoding: chunked\r\n"))
        try client.send("b\r\nhello world\r\n")
        #expect(try journal.next(2) == [.opened, .received(11)])
        try client.send("0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readText(through: "0\r\n\r\n") == "2\r\n11\r\n0\r\n\r\n")
        #expect(try client.readResponse().text == "GET /next ")
        #expect(try journal.next() == .bodyEnded)
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a stream that pauses makes the client wait and goes on where it was`(poller: PollerKind) throws {
        let server = try server(poller, pausesAfterFirst: true)
        let client = try server.connect()
        try client.send(Self.head + "1\r\na\r\n2\r\nbc\r\n")
        #expect(try journal.next(2) == [.opened, .received(1)])
        try client.send("3\r\ndef\r\n0\r\n\r\n")
        for _ in 0..<5 { try server.host.run { _ in } }
        #expect(journal.rest == [])
        try references.next().post { handler, on in (handler as? Counter)?.stream?.setReading(true, on) }
        #expect(try journal.next(3) == [.received(2), .received(3), .bodyEnded])
        #expect(String(decoding: try client.read(exactly: 3), as: UTF8.self) == "HTT")
    }

    @Test(arguments: PollerKind.allCases)
    func `a stream hears when the client has taken what waited`(poller: PollerKind) throws {
        let server = try server(poller)
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        try client.send(Self.head)
        #expect(try journal.next() == .opened)
        let count = 8 << 20
        let reference = try references.next()
        reference.post { handler, on in
            (handler as? Counter)?.stream?.write([UInt8](repeating: 1, count: count), on)
        }
        // The second letter is read in a later turn than the first, so after the first one's output has met the socket.
        // In a single turn, a client that read meanwhile could take all of it without ever making it wait.
        for _ in 0..<2 { try server.host.run { _ in } }
        let backlog = Journal<Int>()
        reference.post { handler, _ in backlog.write((handler as? Counter)?.stream?.refusedBytes ?? -1) }
        #expect(try backlog.next() > 0)
        _ = try client.readText(through: "\r\n\r\n")
        #expect(try client.readText(through: "\r\n") == "800000\r\n")
        #expect(try client.read(exactly: count) == [UInt8](repeating: 1, count: count))
        #expect(try journal.next() == .drained)
    }

    @Test(arguments: [true, false])
    func `a client that goes away in between cancels the stream once`(withReset: Bool) throws {
        let server = try server(.epoll)
        var client: TestSocket? = try server.connect()
        try client?.send(Self.head + "1\r\na\r\n")
        #expect(try journal.next(2) == [.opened, .received(1)])
        if withReset { client?.resetAtEnd() }
        client = nil
        #expect(try journal.next() == .cancelled)
        try references.next().post { _, _ in Issue.record("the exchange was over") }
        try server.host.stop()
        #expect(journal.rest == [])
    }

    @Test func `a body that breaks the rules ends the stream without a second answer`() throws {
        let client = try server(.epoll).connect()
        try client.send(Self.head + "nonsense\r\n")
        #expect(try journal.next(2) == [.opened, .cancelled])
        let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
        // No last chunk either: the client must see that the answer is not whole.
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(!answer.contains("problem") && !answer.contains("0\r\n\r\n"))
    }

    @Test func `a client of HTTP 1.0, which knows no chunks, is refused`() throws {
        let client = try server(.epoll).connect()
        try client.send("POST /stream HTTP/1.0\r\nContent-Length: 1\r\n\r\nx")
        #expect(try client.readResponse().status == 505)
        #expect(try client.readToEnd().isEmpty)
        #expect(journal.rest == [])
    }
}
