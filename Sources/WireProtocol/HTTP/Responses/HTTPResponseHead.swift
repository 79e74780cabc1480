/// A status line and its header fields, as a client reads them (RFC 9112 §4).
package struct HTTPResponseHead: Sendable {
    package let status: Int
    package let headers: HTTPHeaders

    /// Reads "HTTP/1.1 101 Switching Protocols"; the phrase may be missing.
    init(startLine: [UInt8], headers: HTTPHeaders) throws(HTTPViolation) {
        let parts = startLine.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2 else { throw .badRequest("the status line is malformed") }
        _ = try HTTPVersion.minor(parsing: parts[0])
        let digits = parts[1]
        guard digits.count == 3, digits.allSatisfy(\.isDigit), let first = digits.first, first != UInt8(ascii: "0")
        else { throw .badRequest("the status is not a number of three digits") }
        status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        self.headers = headers
    }
}
