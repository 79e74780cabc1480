/// Why a pool did not begin a job. Nothing was asked of the server.
package enum PostgresPoolRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too many wait already.
    case full
    /// No reader was free in time; with the last failure to connect, if that is why.
    case late(PostgresFailure?)
    case closed

    package var description: String {
        switch self {
        case .full: "too many wait for a reader of PostgreSQL"
        case .late(let failure?): "no reader of PostgreSQL in time; \(failure)"
        case .late(nil): "no reader of PostgreSQL in time"
        case .closed: "the readers of PostgreSQL are closed"
        }
    }
}
