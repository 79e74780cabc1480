import Postgres
import Store

extension StoreError {
    /// What a caller of the store is told of a failure below.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let failure as PostgresFailure where failure.meaning == .outOfSpace: self = .diskFull
        case PostgresPoolRefusal.full, PostgresPoolRefusal.late: self = .overloaded
        case PostgresPoolRefusal.closed: self = .closed
        default: self = .failed(code: 1, message: "\(error)")
        }
    }
}
