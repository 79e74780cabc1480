package import WireProtocol

/// Takes a request's body as it comes and answers meanwhile; called on the connection's shard.
package protocol HTTPStreamHandler: AnyObject {
    /// The stream is there; begins with ``HTTPStream/start(_:_:_:)``.
    func opened(_ stream: HTTPStream, _ on: borrowing OnShard)
    func received(_ bytes: [UInt8], _ on: borrowing OnShard)
    /// The whole body has come.
    func bodyEnded(_ on: borrowing OnShard)
    /// The peer has taken all of the answer so far.
    func drained(_ on: borrowing OnShard)
    /// The connection is gone before the answer was ended; the last call.
    func cancelled(_ on: borrowing OnShard)
}

/// The answering side of a streamed exchange.
package final class HTTPStream {
    /// Held both ways until the exchange ends.
    private let connection: HTTPConnection
    /// For reaching the handler from another thread.
    package let reference: HTTPStreamReference

    init(_ connection: HTTPConnection, reference: HTTPStreamReference) {
        self.connection = connection
        self.reference = reference
    }

    package func start(_ status: Int, _ headers: HTTPHeaders, _ on: borrowing OnShard) {
        connection.startStream(status, headers, serial: reference.serial, on)
    }

    package func write(_ bytes: [UInt8], _ on: borrowing OnShard) {
        connection.write(HTTPResponse.chunk(bytes), serial: reference.serial, on)
    }

    /// Ends the answer; what is written after that goes nowhere.
    package func end(_ on: borrowing OnShard) {
        connection.write(HTTPResponse.lastChunk, serial: reference.serial, on)
        connection.streamEnded(serial: reference.serial, on)
    }

    /// Backpressure: whether more of the body is wanted now.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) { connection.setStreamReading(isReading, on) }

    /// How many bytes of the answer the peer has not taken yet.
    package var backlog: Int { connection.backlog }
}

/// Names a streamed exchange for those who are on no shard.
package struct HTTPStreamReference: Sendable {
    let shard: Shard
    let connection: ConnectionID
    let serial: UInt64

    /// Calls `body` on the shard, unless the exchange is over by then.
    package func post(_ body: @escaping @Sendable (any HTTPStreamHandler, borrowing OnShard) -> Void) {
        shard.post { on in
            let connection = on.shard.connection(connection, on)?.handler as? HTTPConnection
            if let handler = connection?.streamHandler(serial: serial) { body(handler, on) }
        }
    }
}
