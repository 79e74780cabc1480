/// One connection to a server on its shard: the session's output becomes writes, input becomes events of the origin.
final class HTTP2ClientConnection: ConnectionHandler {
    static let applicationProtocol = "h2"

    let key: HTTP2Pool.ConnectionKey
    let session: HTTP2ClientSession
    /// The server's address that the connection goes to.
    let address: HTTP2Address
    /// A reference cycle with the connection, which lets go of its handler when it closes.
    private let connection: Connection
    private let origin: HTTP2Origin
    /// The server has sent its first bytes.
    private(set) var isEstablished = false
    /// Why the connection failed, if neither the system nor TLS tells it.
    private var problem: String?
    private var needsFlush = false
    private var lastOutputBytes = 0

    init(
        _ connection: Connection, _ key: HTTP2Pool.ConnectionKey, _ session: HTTP2ClientSession,
        to address: HTTP2Address, of origin: HTTP2Origin
    ) {
        self.connection = connection
        self.key = key
        self.session = session
        self.address = address
        self.origin = origin
    }

    // MARK: Output

    /// Queues the client's preface, which leaves at the end of the handshake.
    func begin(_ on: borrowing OnShard) {
        needsFlush = true
        flush(on)
    }

    /// Gives a request a stream; it leaves with the next ``flush(_:)``.
    func submit(_ exchange: HTTP2Exchange, authority: String) throws(HTTP2Failure) {
        try session.submit(exchange, authority: authority)
        needsFlush = true
    }

    func cancel(_ exchange: HTTP2Exchange) {
        session.cancel(exchange)
        needsFlush = true
    }

    func ping(_ on: borrowing OnShard) {
        do throws(HTTP2Failure) {
            try session.ping()
            needsFlush = true
        } catch {
            fail(error.description, on)
        }
    }

    /// Sends the session's output, unless the server has not taken the last of it yet.
    func flush(_ on: borrowing OnShard) {
        guard needsFlush, connection.refusedBytes == 0 else { return }
        needsFlush = false
        do throws(HTTP2Failure) {
            var output: [UInt8] = []
            output.reserveCapacity(lastOutputBytes)
            try session.takeOutput(into: &output)
            // The next output is probably of a like size, but a single large request must not keep the capacity high.
            lastOutputBytes = min(output.count + output.count / 4, 64 << 10)
            connection.send(output, on)
            guard session.isFinished else { return }
            // Either the last stream has ended after a goodbye, or a mistake of the server ends the connection.
            connection.finish(on)
            origin.closed(self, because: "protocol error", on)
        } catch {
            fail(error.description, on)
        }
    }

    /// Says goodbye, and closes when the output is sent.
    func finish(_ on: borrowing OnShard) {
        // Without memory for a goodbye the connection ends without one.
        try? session.terminate()
        needsFlush = true
        flush(on)
        connection.finish(on)
    }

    /// Closes at once.
    func close(_ on: borrowing OnShard) { connection.close(on) }

    private func fail(_ problem: String, _ on: borrowing OnShard) {
        self.problem = problem
        connection.close(on)
    }

    // MARK: Input

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        if !isEstablished {
            guard connection.applicationProtocol == Self.applicationProtocol else {
                return fail("the server does not choose HTTP/2 (ALPN h2)", on)
            }
            isEstablished = true
        }
        do throws(HTTP2Failure) {
            try session.receive(UnsafeRawBufferPointer(bytes))
            // The session may have answers of its own: settings, windows, PINGs.
            needsFlush = true
            origin.heard(self, on)
        } catch {
            // The library's last frames leave first.
            needsFlush = true
            flush(on)
            fail(error.description, on)
        }
    }

    func peerFinished(_ on: borrowing OnShard) {
        problem = "the server closed the connection"
        connection.close(on)
    }

    func outputDrained(_ on: borrowing OnShard) {
        needsFlush = true
        origin.settle(on)
    }

    func outputBlocked(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}

    func closed(_ on: borrowing OnShard) {
        let reason =
            problem ?? connection.tlsFailure.map { "TLS \($0)" }
            ?? connection.failure.map { SystemCallError("connect", errno: $0).reason }
        origin.closed(self, because: reason ?? "closed", on)
    }
}
