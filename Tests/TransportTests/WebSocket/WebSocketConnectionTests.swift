import Glibc
import Support
import Testing

@testable import Transport
@testable import WireProtocol

@Suite struct WebSocketConnectionTests {
    typealias Event = RecordingWebSocket.Event

    /// A server's and a client's end, joined by a real socket; each on a shard of its own.
    private final class Link: Sendable {
        let server: TestHTTPServer
        let clientHost: TestShard
        /// The events that each end has heard.
        let (atServer, atClient) = (Journal<Event>(), Journal<Event>())
        let serverEnd: WebSocketReference
        let clientEnd: WebSocketReference

        init(_ poller: PollerKind, deflate: DeflateSettings? = nil) throws {
            let serverEnds = Journal<WebSocketReference>()
            server = try TestHTTPServer(
                poller, decide: RecordingWebSocket.accepting(atServer, serverEnds, deflate: deflate))
            clientHost = try TestShard(poller)
            let clientEnds = Journal<WebSocketReference>()
            try clientHost.run { [server, atClient] on in
                WebSocketConnector.connect(
                    try Self.target(server.address),
                    handler: RecordingWebSocket(atClient, clientEnds, deflate: deflate),
                    on
                ) { failure, _ in Issue.record(failure) }
            }
            clientEnd = try clientEnds.next()
            serverEnd = try serverEnds.next()
        }

        static func target(_ address: SocketAddress) throws -> WebSocketConnector.Target {
            WebSocketConnector.Target(url: try WebSocketURL("ws://\(address)"))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `text goes both ways, short and long`(poller: PollerKind) throws {
        let link = try Link(poller)
        let messages = ["", "hi", "zażółć", String(repeating: "long ", count: 60_000)].map { Array($0.utf8) }
        for message in messages {
            link.clientEnd.act { webSocket, on in webSocket.send(text: message, on) }
            #expect(try link.atServer.next() == .text(message))
            link.serverEnd.act { webSocket, on in webSocket.send(text: message, on) }
            #expect(try link.atClient.next() == .text(message))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `compressed text goes both ways, long and short, in one read and in many`(poller: PollerKind) throws {
        let link = try Link(poller, deflate: DeflateSettings(thresholdBytes: 20, level: 1, windowBits: 15))
        var random = SeededRandom(seed: 1)
        let noise = String(decoding: (0..<300_000).map { _ in UInt8(0x20 + random.next(below: 90)) }, as: UTF8.self)
        for text in ["", "hi", String(repeating: "again ", count: 80_000), noise] {
            let message = Array(text.utf8)
            link.clientEnd.act { webSocket, on in webSocket.send(text: message, on) }
            #expect(try link.atServer.next() == .text(message))
            link.serverEnd.act { webSocket, on in webSocket.send(text: message, on) }
            #expect(try link.atClient.next() == .text(message))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `a ping is a sign of life, and so is its pong`(poller: PollerKind) throws {
        let link = try Link(poller)
        link.serverEnd.act { webSocket, on in webSocket.ping(on) }
        #expect(try link.atClient.next() == .alive)
        #expect(try link.atServer.next() == .alive)
        link.clientEnd.act { webSocket, on in webSocket.ping(on) }
        #expect(try link.atServer.next() == .alive)
        #expect(try link.atClient.next() == .alive)
    }

    @Test(arguments: PollerKind.allCases, [true, false])
    func `either side may close, and both learn the code`(poller: PollerKind, byServer: Bool) throws {
        let link = try Link(poller)
        let closer = byServer ? link.serverEnd : link.clientEnd
        closer.act { webSocket, on in
            webSocket.send(text: Array("last words".utf8), on)
            webSocket.close(4001, reason: "enough", on)
            webSocket.send(text: Array("too late".utf8), on)
        }
        let (began, heard) = byServer ? (link.atServer, link.atClient) : (link.atClient, link.atServer)
        #expect(try heard.next() == .text(Array("last words".utf8)))
        let told = WebSocketEnding(code: 4001, reason: "enough", isClean: true, initiator: .peer, violation: nil)
        #expect(try heard.next() == .closed(told))
        let own = WebSocketEnding(code: 4001, reason: "", isClean: true, initiator: .us, violation: nil)
        #expect(try began.next() == .closed(own))
        // Both sockets are gone, and nothing more was said.
        #expect(try link.server.host.run { on in on.shard.connectionCount } == 0)
        #expect(try link.clientHost.run { on in on.shard.connectionCount } == 0)
        #expect(began.rest == [] && heard.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `both sides may close at once`(poller: PollerKind) throws {
        let link = try Link(poller)
        link.serverEnd.act { webSocket, on in webSocket.close(4001, reason: "", on) }
        link.clientEnd.act { webSocket, on in webSocket.close(4002, reason: "", on) }
        guard case .closed(let atServer) = try link.atServer.next(),
            case .closed(let atClient) = try link.atClient.next()
        else { throw TestSocket.UnexpectedEnd() }
        #expect(atServer.isClean && atClient.isClean)
    }

    @Test(arguments: PollerKind.allCases)
    func `an end that has paused reading still closes in good order`(poller: PollerKind) throws {
        let link = try Link(poller)
        link.serverEnd.act { webSocket, on in
            webSocket.setReading(false, on)
            webSocket.close(1000, reason: "", on)
        }
        let ending = WebSocketEnding(code: 1000, reason: "", isClean: true, initiator: .us, violation: nil)
        #expect(try link.atServer.next() == .closed(ending))
    }

    @Test(arguments: PollerKind.allCases)
    func `a connection that breaks off tells both that it was nobody's wish`(poller: PollerKind) throws {
        let link = try Link(poller)
        try link.clientHost.stop()
        let ending = WebSocketEnding(code: 1006, reason: "", isClean: false, initiator: .nobody, violation: nil)
        #expect(try link.atServer.next() == .closed(ending))
        #expect(try link.atClient.next() == .closed(ending))
    }

    @Test(arguments: PollerKind.allCases)
    func `a handler that keeps a WebSocket beyond its end does no harm`(poller: PollerKind) throws {
        let (journal, later) = (Journal<Event>(), Journal<Int>())
        let server = try TestHTTPServer(
            poller,
            decide: RecordingWebSocket.accepting(journal, Journal()) { event, webSocket, on in
                guard case .closed = event else { return }
                on.shard.schedule(at: on.now, on) { on in
                    webSocket.send(text: [1], on)
                    webSocket.ping(on)
                    webSocket.close(1000, reason: "", on)
                    webSocket.setReading(false, on)
                    webSocket.setDeadline(on.now, on)
                    later.write(webSocket.backlog)
                }
            })
        var client: TestSocket? = try server.connect()
        try client?.upgrade()
        client = nil
        guard case .closed = try journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(try later.next() == 0)
        try server.host.stop()
        #expect(journal.rest == [])
    }

    // MARK: Connecting

    @Test(arguments: PollerKind.allCases, ["127.0.0.1", "localhost"])
    func `nobody listens: unreachable, with the system's reason`(poller: PollerKind, name: String) throws {
        let host = try TestShard(poller)
        let socket = try Listener.open(.tcp(host: "127.0.0.1", port: 0))
        let address = SocketAddress.tcp(host: name, port: socket.address.port)
        // The kernel does not hand the same port out again so soon.
        close(socket.descriptor)
        let failures = Journal<String>()
        try host.run { on in
            WebSocketConnector.connect(
                try Link.target(address), handler: RecordingWebSocket(Journal(), Journal()), on
            ) { failure, _ in failures.write(failure.description) }
        }
        #expect(try failures.next() == "connect \(address): Connection refused")
        try host.stop()
        #expect(failures.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a name of several addresses is tried until one answers`(poller: PollerKind) throws {
        let server = try TestHTTPServer(poller, decide: RecordingWebSocket.accepting(Journal(), Journal()))
        let (host, references) = (try TestShard(poller), Journal<WebSocketReference>())
        try host.run { on in
            // Here and there that is ::1 first, where nobody listens.
            WebSocketConnector.connect(
                try Link.target(.tcp(host: "localhost", port: server.address.port)),
                handler: RecordingWebSocket(Journal(), references), on
            ) { failure, _ in Issue.record(failure) }
        }
        _ = try references.next()
    }

    @Test(arguments: PollerKind.allCases)
    func `a server that knows no WebSockets refuses`(poller: PollerKind) throws {
        let server = try TestHTTPServer(poller) { _, _ in .answer(HTTPResponse(status: 404)) }
        let failures = Journal<WebSocketConnector.Failure>()
        try server.host.run { on in
            WebSocketConnector.connect(
                try Link.target(server.address), handler: RecordingWebSocket(Journal(), Journal()), on
            ) { failure, _ in failures.write(failure) }
        }
        guard case .refused(.refused(status: 404, _, _)) = try failures.next() else {
            Issue.record("expected a refusal")
            return
        }
        try server.host.stop()
        #expect(failures.rest.isEmpty)
    }

    @Test(arguments: PollerKind.allCases, ["ws", "wss"])
    func `a server that hangs up before it answers is a failure of its own`(poller: PollerKind, scheme: String) throws {
        let host = try TestShard(poller)
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, Journal(), on) { event, connection, on in
                if case .received = event { connection.close(on) }
            }
        }
        let target = WebSocketConnector.Target(
            url: try WebSocketURL("\(scheme)://\(address)"), tls: try TLSClientContext())
        let failures = Journal<WebSocketConnector.Failure>()
        try host.run { on in
            WebSocketConnector.connect(target, handler: RecordingWebSocket(Journal(), Journal()), on) { failure, _ in
                failures.write(failure)
            }
        }
        let failure = try failures.next()
        guard case .closed = failure else {
            Issue.record("expected it to be closed, not \(failure)")
            return
        }
        try host.stop()
        #expect(failures.rest.isEmpty)
    }
}
