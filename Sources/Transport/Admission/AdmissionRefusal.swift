import WireProtocol

/// Why a connection is refused.
package enum AdmissionRefusal: Int, Sendable, CaseIterable {
    case tooManyConnections
    case tooManyConnectionsFromAddress
    case connectingTooFast

    /// Stable, for clients and metrics.
    package var code: String {
        switch self {
        case .tooManyConnections: "too_many_connections"
        case .tooManyConnectionsFromAddress: "too_many_connections_from_address"
        case .connectingTooFast: "connecting_too_fast"
        }
    }

    private var detail: String {
        switch self {
        case .tooManyConnections: "this server has the largest number of connections that it accepts"
        case .tooManyConnectionsFromAddress: "your address has the largest number of connections that one may have"
        case .connectingTooFast: "more clients are connecting than this server accepts in a second"
        }
    }

    /// The answer to the first request.
    ///
    /// - Parameter jitter: uniform in 0..<1. It spreads the returns of refused clients over 25 seconds, because places
    ///   seldom become free at once. A client that was too fast may return after a second.
    func problem(jitter: Double) -> Problem {
        let retryAfter =
            switch self {
            case .connectingTooFast: 1
            case .tooManyConnections, .tooManyConnectionsFromAddress: 5 + Int(jitter * 26)
            }
        return Problem(status: 503, code: code, detail: detail, retryAfter: retryAfter)
    }
}
