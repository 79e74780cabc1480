/// Cuts lines that end in CR LF (RFC 9112 §2.2). Looks at each byte once, however slowly bytes come.
struct HTTPLineReader: Sendable {
    private var scanned = 0

    /// Whether no byte of the next line has been read.
    var isFresh: Bool { scanned == 0 }

    /// The length of a line's end.
    static let endBytes = 2

    /// Removes and returns the next line without its end; nil while bytes are missing.
    ///
    /// - Parameters:
    ///   - maximumBytes: the longest line, with its end.
    ///   - tooLong: the error for a longer line.
    mutating func next(
        from buffer: inout ReceiveBuffer, maximumBytes: Int, tooLong: @autoclosure () -> HTTPViolation
    ) throws(HTTPViolation) -> [UInt8]? {
        guard let length = try nextLength(in: buffer, maximumBytes: maximumBytes, tooLong: tooLong()) else {
            return nil
        }
        var line = buffer.take(length + Self.endBytes)
        line.removeLast(Self.endBytes)
        return line
    }

    /// The length of the next line without its end. The line stays in the buffer, and must be removed before the next
    /// call. See ``next(from:maximumBytes:tooLong:)``.
    mutating func nextLength(
        in buffer: ReceiveBuffer, maximumBytes: Int, tooLong: @autoclosure () -> HTTPViolation
    ) throws(HTTPViolation) -> Int? {
        let available = min(buffer.count, maximumBytes)
        guard let end = buffer.offset(of: .lineFeed, in: scanned..<available) else {
            if available == maximumBytes { throw tooLong() }
            scanned = available
            return nil
        }
        guard end > 0, buffer[end - 1] == .carriageReturn else {
            throw .badRequest("a line ends in LF without CR")
        }
        scanned = 0
        return end - 1
    }
}
