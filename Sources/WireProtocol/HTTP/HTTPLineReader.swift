/// Cuts lines that end in CR LF (RFC 9112 §2.2), looking at each byte once however slowly they come.
struct HTTPLineReader: Sendable {
    private var scanned = 0

    /// Removes and returns the next line without its end, or nil while bytes are missing.
    ///
    /// - Parameters:
    ///   - maximumBytes: the longest line, with its end.
    ///   - tooLong: what a longer line is.
    mutating func next(
        from buffer: inout ReceiveBuffer, maximumBytes: Int, tooLong: HTTPViolation
    ) throws(HTTPViolation) -> [UInt8]? {
        let available = min(buffer.count, maximumBytes)
        guard let end = buffer.offset(of: .lineFeed, in: scanned..<available) else {
            if available == maximumBytes { throw tooLong }
            scanned = available
            return nil
        }
        guard end > 0, buffer[end - 1] == .carriageReturn else {
            throw .badRequest("a line ends in LF without CR")
        }
        scanned = 0
        var line = buffer.take(end + 1)
        line.removeLast(2)
        return line
    }
}
