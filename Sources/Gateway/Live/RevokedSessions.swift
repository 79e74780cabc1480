import Inbox
import Store

/// How many sessions each revocation has ended on a shard, for some seconds.
///
/// A node hears of another node's revocation in two ways: by the commit, and by a question for the number. Either may
/// come first, and ends the sessions.
struct RevokedSessions {
    /// For how long a node still counts as one with sessions of the person. Other nodes ask at once.
    static let watchedFor = Duration.seconds(2)
    /// Longer than any node takes to ask.
    private static let memory = Duration.seconds(10)

    private var counts: [Revocation: Int] = [:]
    /// Those that are then too old are forgotten with the first one behind this moment.
    private var nextSweep = Timestamp(milliseconds: 0)

    /// Notes that a revocation has ended sessions now, and returns how many it has ended in all.
    mutating func add(_ count: Int, by revocation: Revocation) -> Int {
        let moment = revocation.issuedBefore
        if moment > nextSweep {
            counts = counts.filter { $0.key.issuedBefore + Self.memory > moment }
            nextSweep = moment + Self.memory
        }
        if count > 0 { counts[revocation, default: 0] += count }
        return counts[revocation] ?? 0
    }
}
