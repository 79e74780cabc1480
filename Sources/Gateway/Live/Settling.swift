/// The time after a start in which earlier connections are unknown: sessions of an earlier process are on their way
/// back.
package struct Settling {
    /// By then, clients are back that were told to come back or lost their connection.
    package static let span = Duration.seconds(15)

    private let end: ContinuousClock.Instant?

    /// - Parameter span: zero if there cannot have been any sessions.
    init(from start: ContinuousClock.Instant, for span: Duration) { end = span > .zero ? start + span : nil }

    func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { now >= $0 } ?? true }
}
