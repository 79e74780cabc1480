/// Why a store could not be checked or mended, for the operator to fix.
package enum VerificationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// - expected: what should be there.
    case noStore(at: String, expected: String)
    /// The tables are those of an older version.
    case olderTables(at: String)
    case newerTables(at: String)
    /// `belfry migrate` or `belfry epochs` has not ended there.
    case unfinished(at: String, command: String)
    /// A server uses the store: it can be checked, and not mended.
    case inUse(at: String)
    /// Any other reason, in the engine's own words.
    case failed(at: String, reason: String)

    package var description: String {
        switch self {
        case .noStore(let place, let expected): "there is no store in \(place): expected \(expected)"
        case .olderTables(let place):
            "\(place) was written by an older version: start this version once, which brings the tables up to date"
        case .newerTables(let place): "\(place) was written by a newer version: use that version's `belfry verify`"
        case .unfinished(let place, let command): "\(place) is unfinished: run `\(command)` again, which continues"
        case .inUse(let place):
            "\(place) is in use by a server, and can be checked only: stop the server to mend it"
        case .failed(let place, let reason): "\(place) cannot be checked: \(reason)"
        }
    }
}
