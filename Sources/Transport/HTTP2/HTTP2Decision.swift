import CNghttp2

/// What a pool can say.
extension HTTP2Pool {
    /// What became of a new request.
    enum Entrance: Equatable {
        case admitted(Ticket)
        /// As many wait already as may.
        case overloaded
        /// The server could not be reached a moment ago.
        case unreachable
    }

    /// Why a request is over without an answer.
    enum Failure: Equatable {
        case timedOut
        case unreachable
        /// It may have been processed.
        case connectionLost
        /// Sent back unprocessed, and a second time as well.
        case refused
    }

    enum Ending: Equatable {
        /// It never came to be.
        case connectTimeout
        /// The peer is gone: nothing that is sent would arrive.
        case dead
        case idle
        /// Its last request is over, and it takes no more.
        case drained
    }

    enum Decision: Equatable {
        case connect(ConnectionKey)
        case start(Ticket, on: ConnectionKey)
        /// Tell the caller; the ticket is nobody's any more. If it is on a connection, its stream is to be reset.
        case fail(Ticket, Failure, on: ConnectionKey?)
        case ping(ConnectionKey)
        case close(ConnectionKey, Ending)
    }
}

extension HTTPClientError {
    /// - Parameter problem: why there is no connection, or no longer.
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
