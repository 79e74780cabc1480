/// Collects the start line and the header fields of a message (RFC 9112 §2).
struct HTTPHeadReader<StartLine: Sendable>: Sendable {
    /// Far more than clients and proxies add, and few enough for a linear search.
    private static var maximumFields: Int { 100 }
    /// Enough for a publisher or a load balancer.
    private static var usualFields: Int { 8 }

    private var lines = HTTPLineReader()
    private var startLine: StartLine?
    private var headers = HTTPHeaders()
    private var bytesRead = 0
    private var hasSkippedEmptyLine = false

    /// Whether the start line is still incomplete.
    var isAtStart: Bool { startLine == nil }
    /// Whether no byte of a message has been read.
    var isFresh: Bool { isAtStart && !hasSkippedEmptyLine && lines.isFresh }

    /// Returns the whole head and begins anew; nil while bytes are missing.
    ///
    /// - Parameter parse: called with the start line as soon as that is complete.
    mutating func next(
        from buffer: inout ReceiveBuffer, maximumBytes: Int,
        parsingStartLine parse: (UnsafeBufferPointer<UInt8>) throws(HTTPViolation) -> StartLine
    ) throws(HTTPViolation) -> (startLine: StartLine, headers: HTTPHeaders)? {
        while let length = try nextLength(in: buffer, maximumBytes: maximumBytes) {
            defer { buffer.skip(length + HTTPLineReader.endBytes) }
            switch (isAtStart, length) {
            case (true, 0):
                // RFC 9112 §2.2: some clients end a body with an extra line end.
                if hasSkippedEmptyLine { throw .badRequest("empty lines where a message should begin") }
                hasSkippedEmptyLine = true
                bytesRead = 0
            case (true, _):
                startLine = try buffer.withFront(length, parse)
                headers.reserveCapacity(Self.usualFields)
            case (false, 0):
                return takeHead()
            case (false, _):
                guard headers.fields.count < Self.maximumFields else {
                    throw HTTPViolation(status: 431, reason: "more than \(Self.maximumFields) header fields")
                }
                headers.add(try buffer.withFront(length, HTTPHeaders.Field.init(parsing:)))
            }
        }
        return nil
    }

    private mutating func takeHead() -> (startLine: StartLine, headers: HTTPHeaders)? {
        let whole = self
        self = HTTPHeadReader()
        return whole.startLine.map { ($0, whole.headers) }
    }

    private mutating func nextLength(
        in buffer: ReceiveBuffer, maximumBytes: Int
    ) throws(HTTPViolation) -> Int? {
        let isAtStart = isAtStart
        let length = try lines.nextLength(
            in: buffer, maximumBytes: maximumBytes - bytesRead,
            tooLong: isAtStart
                ? HTTPViolation(status: 414, reason: "the first line is longer than \(maximumBytes) bytes")
                : HTTPViolation(status: 431, reason: "the head is longer than \(maximumBytes) bytes"))
        bytesRead += length.map { $0 + HTTPLineReader.endBytes } ?? 0
        return length
    }
}
