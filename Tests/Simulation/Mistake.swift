/// A mistake that is planted to see whether the simulation finds it.
enum Mistake: String, CaseIterable {
    /// The disk says that it has written what it loses when the process dies.
    case lyingDisk
    /// Sessions are not told of a commit.
    case unheardCommit
    /// A push that the service was too busy for counts as sent.
    case busyIsSent
    /// A push is sent although the person has read or acknowledged everything.
    case pushAfterReading
    /// The number of unread rows is not that of the rows.
    case driftingCount
    /// An answer to a publish comes before its commit.
    case hastyAnswer
    /// A publish that is tried again is taken in again.
    case forgottenKey
    /// Pushes wait by the machine's clock, which may be set.
    case setClock
    /// A node never asks the database what it has not been told.
    case blindNode
    /// A client that nobody looks at says that somebody does.
    case inattentiveAck
}
