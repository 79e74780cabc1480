/// How long the next commit waits for publishers that were just answered.
///
/// A backend that waits for each answer publishes again a moment after it. Without a pause such publishers fall into two
/// halves, of which one is committed while the other is answered, and each event pays for half a commit more: the way to
/// the disk and back, and the writer's sleep. A pause that is short beside the commit brings them together.
struct CommitGathering: Sendable {
    /// With so many there is nothing more to gain.
    private static let enough = 64
    private static let longestWindow = Duration.milliseconds(1)

    /// How many publications the last commit had.
    private var answered = 0
    /// At most so long it waits.
    private(set) var window = Duration.zero

    /// - Parameter duration: from the first row to the last answer.
    mutating func committed(_ publications: Int, in duration: Duration) {
        answered = publications
        window = min(duration / 2, Self.longestWindow)
    }

    /// For how many publications to wait; nil if all are there that can be expected, or if there is only one publisher, who
    /// would wait for nobody.
    func expected(waiting: Int) -> Int? {
        let all = min(answered + waiting, Self.enough)
        return all > max(waiting, 1) ? all : nil
    }
}
