package import WireProtocol

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

    /// Counts so many bytes of the body that cannot be worked on yet.
    ///
    /// - Returns: false if there is no room for them: then the exchange breaks off.
    package func hold(_ bytes: Int, _ on: borrowing OnShard) -> Bool {
        guard connection.streamHandler(serial: reference.serial) != nil else { return false }
        return connection.holdBody(bytes, on)
    }

    /// Breaks the exchange off.
    package func breakOff(_ on: borrowing OnShard) {
        if connection.streamHandler(serial: reference.serial) != nil { connection.bodyDisplaced(on) }
    }

    /// How many bytes of the answer wait because the peer does not take them; ``HTTPStreamHandler/drained(_:)`` tells
    /// when it has.
    package var refusedBytes: Int { connection.refusedBytes }
}
