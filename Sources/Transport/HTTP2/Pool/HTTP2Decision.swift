import CNghttp2

/// The answers of a pool.
extension HTTP2Pool {
    /// The result of a new request.
    enum Entrance: Equatable {
        case admitted(Ticket)
        /// The maximum of requests waits already.
        case overloaded
        /// The server could not be reached a moment ago.
        case unreachable
    }

    /// Why a request is over without an answer.
    enum Failure: Equatable {
        case timedOut
        case unreachable
        /// The server may have processed the request.
        case connectionLost
        /// The server sent the request back unprocessed for the second time.
        case refused
    }

    enum Ending: Equatable {
        /// The connection was never established.
        case connectTimeout
        /// The peer is gone: nothing would arrive.
        case dead
        case idle
        /// The last request has ended, and no new one may come.
        case drained
    }

    enum Decision: Equatable {
        case connect(ConnectionKey)
        case start(Ticket, on: ConnectionKey)
        /// Tells the caller; the ticket becomes free. A stream on a connection must be reset.
        case fail(Ticket, Failure, on: ConnectionKey?)
        case ping(ConnectionKey)
        case close(ConnectionKey, Ending)
    }
}

extension HTTPClientError {
    /// - Parameter problem: why there is no connection any more.
    init(_ failure: HTTP2Pool.Failure, problem: String) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .unreachable: .transport(code: 0, message: Self.noConnection + problem)
            case .connectionLost: .transport(code: 0, message: "connection lost: \(problem)")
            case .refused: .transport(code: Int(NGHTTP2_REFUSED_STREAM.rawValue), message: "refused")
            }
    }
}
