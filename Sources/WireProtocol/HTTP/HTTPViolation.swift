/// Why bytes are no acceptable HTTP message, as the status to answer with before the connection is closed.
package struct HTTPViolation: Error, Sendable, Hashable {
    package let status: Int
    /// For the peer's developer; holds nothing that the peer sent.
    package let reason: String

    package init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }

    static func badRequest(_ reason: String) -> HTTPViolation { HTTPViolation(status: 400, reason: reason) }
}
