/// Cuts lines that end in CR LF (RFC 9112 §2.2), looking at each byte once however slowly they come.
struct HTTPLineReader: Sendable {
    private var scanned = 0

    /// Whether no byte of the next line has been looked at.
    var isFresh: Bool { scanned == 0 }

    /// What ends a line.
    static let endBytes = 2

    /// Removes and returns the next line without its end, or nil while bytes are missing.
    ///
    /// - Parameters:
    ///   - maximumBytes: the longest line, with its end.
    ///   - tooLong: what a longer line is.
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

    /// How long the next line is without its end, as ``next(from:maximumBytes:tooLong:)`` would return it. It stays in
    /// the buffer, and has to be removed before the next call.
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
