/// Collects the start line and the header fields of a message (RFC 9112 §2).
struct HTTPHeadReader: Sendable {
    /// Far more than clients and proxies add, and few enough to search one by one.
    private static let maximumFields = 100

    private var lines = HTTPLineReader()
    private var startLine: [UInt8]?
    private var headers = HTTPHeaders()
    private var bytesRead = 0
    private var hasSkippedEmptyLine = false

    /// Whether the start line has not come whole.
    var isAtStart: Bool { startLine == nil }

    /// Returns the whole head and begins anew, or returns nil while bytes are missing.
    ///
    /// - Parameter checkStartLine: called once with the start line, as soon as it is there.
    mutating func next(
        from buffer: inout ReceiveBuffer, maximumBytes: Int,
        checkStartLine: ([UInt8]) throws(HTTPViolation) -> Void = { _ in }
    ) throws(HTTPViolation) -> (startLine: [UInt8], headers: HTTPHeaders)? {
        while let line = try nextLine(from: &buffer, maximumBytes: maximumBytes) {
            switch (startLine, line.isEmpty) {
            case (nil, true):
                // RFC 9112 §2.2: some clients end a body with one line end too many.
                if hasSkippedEmptyLine { throw .badRequest("empty lines where a message should begin") }
                hasSkippedEmptyLine = true
                bytesRead = 0
            case (nil, false):
                try checkStartLine(line)
                startLine = line
            case (let startLine?, true):
                let head = (startLine, headers)
                self = HTTPHeadReader()
                return head
            case (_?, false):
                guard headers.fields.count < Self.maximumFields else {
                    throw HTTPViolation(status: 431, reason: "more than \(Self.maximumFields) header fields")
                }
                headers.add(try HTTPHeaders.Field(parsing: line))
            }
        }
        return nil
    }

    private mutating func nextLine(
        from buffer: inout ReceiveBuffer, maximumBytes: Int
    ) throws(HTTPViolation) -> [UInt8]? {
        let tooLong =
            isAtStart
            ? HTTPViolation(status: 414, reason: "the first line is longer than \(maximumBytes) bytes")
            : HTTPViolation(status: 431, reason: "the head is longer than \(maximumBytes) bytes")
        let line = try lines.next(from: &buffer, maximumBytes: maximumBytes - bytesRead, tooLong: tooLong)
        bytesRead += line.map { $0.count + 2 } ?? 0
        return line
    }
}
