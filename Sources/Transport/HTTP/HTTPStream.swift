package import WireProtocol

/// The answering side of a streamed exchange.
package final class HTTPStream {
    /// A reference cycle with the connection until the exchange ends.
    private let connection: HTTPConnection
    /// Reaches the handler from another thread.
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

    /// Ends the answer; later writes are dropped.
    package func end(_ on: borrowing OnShard) {
        connection.write(HTTPResponse.lastChunk, serial: reference.serial, on)
        connection.streamEnded(serial: reference.serial, on)
    }

    /// Stops or resumes reading the body: backpressure.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) { connection.setStreamReading(isReading, on) }

    /// Counts bytes of the body that cannot be processed yet.
    ///
    /// - Returns: false if there is no room for them; the exchange then breaks off.
    package func hold(_ bytes: Int, _ on: borrowing OnShard) -> Bool {
        guard connection.streamHandler(serial: reference.serial) != nil else { return false }
        return connection.holdBody(bytes, on)
    }

    /// Breaks the exchange off.
    package func breakOff(_ on: borrowing OnShard) {
        if connection.streamHandler(serial: reference.serial) != nil { connection.bodyDisplaced(on) }
    }

    /// The number of answer bytes that the peer has not taken; ``HTTPStreamHandler/drained(_:)`` is called when it has.
    package var refusedBytes: Int { connection.refusedBytes }
}
