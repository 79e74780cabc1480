import Postgres
import Store

extension StoreError {
    /// What a caller of the store is told of a failure below.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let failure as PostgresFailure: self.init(failure)
        case PostgresPoolRefusal.late(let failure?): self = .unreachable("\(failure)")
        case PostgresPoolRefusal.full, PostgresPoolRefusal.late: self = .overloaded
        case PostgresPoolRefusal.closed: self = .closed
        default: self = .failed(code: 0, message: "\(error)")
        }
    }

    private init(_ failure: PostgresFailure) {
        switch failure.meaning {
        case .outOfSpace: self = .diskFull
        case .connectionLost, .cannotConnect, .readOnly, .shuttingDown: self = .unreachable("\(failure)")
        // The server did not answer at all.
        case .timeOut where failure.isConnectionOver: self = .unreachable("\(failure)")
        // Others were in the way for too long.
        case .timeOut, .tryAgain: self = .overloaded
        case .uniqueViolation, .other: self = .failed(code: 0, message: "\(failure)")
        }
    }
}
