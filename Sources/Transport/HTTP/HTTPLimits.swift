/// Limits of one HTTP connection.
package struct HTTPLimits: Sendable {
    package var headBytes: Int
    package var bodyBytes: Int
    /// From a request's first byte to the end of its head.
    package var headTimeout: Duration
    /// From the head to the end of a collected body.
    package var bodyTimeout: Duration
    /// The longest time without a byte of a body.
    package var bodyStallTimeout: Duration
    /// Between requests.
    package var idleTimeout: Duration

    package init(
        headBytes: Int = 16 << 10, bodyBytes: Int = 1 << 20, headTimeout: Duration = .seconds(10),
        bodyTimeout: Duration = .seconds(60), bodyStallTimeout: Duration? = nil, idleTimeout: Duration = .seconds(75)
    ) {
        self.headBytes = headBytes
        self.bodyBytes = bodyBytes
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.bodyStallTimeout = bodyStallTimeout ?? bodyTimeout
        self.idleTimeout = idleTimeout
    }
}
