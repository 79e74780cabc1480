import Synchronization

@testable import Transport

/// An HTTP/2 server over TLS on a port that is free, which does with each request what the test says.
final class HTTP2TestServer: Sendable {
    /// A request that has come, and the means to do something about it.
    struct Incoming {
        let request: HTTP2Request
        let stream: Int32
        let handler: Handler

        /// From 1 on, in the order in which connections came.
        var connectionNumber: Int { handler.number }
        /// How many requests have come on its connection, with this one.
        var requestNumber: Int { handler.requests }
        var session: HTTP2ServerSession { handler.session }

        func answer(status: Int = 200, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []) throws {
            try session.respond(to: stream, status: status, headers: headers, body: body)
        }

        /// Sends the request's body back.
        func echo() throws { try answer(body: request.body) }
    }

    typealias Script = @Sendable (Incoming, borrowing OnShard) throws -> Void

    let url: String
    let port: UInt16
    private let host: TestShard
    private let counter: Counter

    /// - Parameters:
    ///   - setUp: called with each new session.
    ///   - ended: called with the number of each connection that is over.
    init(
        _ files: CertificateFiles, limits: HTTP2ServerSession.Limits = .init(), poller: PollerKind = .epoll,
        applicationProtocols: [String] = ["h2"], port: UInt16 = 0, host name: String = "127.0.0.1",
        setUp: @escaping @Sendable (HTTP2ServerSession) -> Void = { _ in },
        ended: @escaping @Sendable (Int) -> Void = { _ in }, script: @escaping Script
    ) throws {
        let (host, counter) = (try TestShard(poller), Counter())
        let tls = try TLSServer(files.settings(applicationProtocols: applicationProtocols))
        let address = try host.listen(at: .tcp(host: name, port: port)) { descriptor, on in
            // A failure shows in the test, whose requests get no answer.
            _ = try? Connection(descriptor: descriptor, tls: tls.current, on: on) { connection in
                Handler(connection, number: counter.next(), limits: limits, setUp: setUp, ended: ended, script: script)
            }
        }
        (self.host, self.counter, self.port) = (host, counter, address.port)
        url = "https://\(address)"
    }

    /// How many connections have come so far.
    var connectionCount: Int { counter.total }

    /// Returns when so much time has passed.
    func wait(for duration: Duration) throws { try host.wait(for: duration) }

    /// Closes everything and gives the port back.
    func stop() throws { try host.stop() }

    private final class Counter: Sendable {
        private let number = Atomic(0)
        var total: Int { number.load(ordering: .relaxed) }
        func next() -> Int { number.add(1, ordering: .relaxed).newValue }
    }

    final class Handler: ConnectionHandler {
        let number: Int
        let session: HTTP2ServerSession
        let connection: Connection
        private let ended: @Sendable (Int) -> Void
        private let script: Script
        fileprivate(set) var requests = 0

        init(
            _ connection: Connection, number: Int, limits: HTTP2ServerSession.Limits,
            setUp: (HTTP2ServerSession) -> Void, ended: @escaping @Sendable (Int) -> Void, script: @escaping Script
        ) {
            guard let session = try? HTTP2ServerSession(limits: limits) else { fatalError("no memory") }
            setUp(session)
            (self.connection, self.number, self.session) = (connection, number, session)
            (self.ended, self.script) = (ended, script)
        }

        func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
            do {
                for case .request(let stream, let request) in try session.receive(UnsafeRawBufferPointer(bytes)) {
                    requests += 1
                    try script(Incoming(request: request, stream: stream, handler: self), on)
                }
                flush(on)
            } catch {
                flush(on)
                connection.finish(on)
            }
        }

        /// Sends what the session has to say.
        func flush(_ on: borrowing OnShard) {
            guard connection.isOpen, let output = try? session.pendingOutput() else { return }
            connection.send(output, on)
            if session.isFinished { connection.finish(on) }
        }

        func peerFinished(_ on: borrowing OnShard) { connection.close(on) }
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) { flush(on) }
        func closed(_ on: borrowing OnShard) { ended(number) }
    }
}
