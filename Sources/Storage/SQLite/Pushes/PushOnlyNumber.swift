import Inbox

/// The numbers of notifications that are pushed and never stand in an inbox: the upper half of those that the queue of
/// pushes has room for, see ``PushJobNumber``.
enum PushOnlyNumber {
    /// Half of ``PushJobNumber/notifications``: an inbox has as many changes left for its own.
    private static let base: Int64 = 1 << 33
    /// 2026-01-01T00:00:00Z.
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    static let all = base...PushJobNumber.notifications.upperBound

    static func isOne(_ notification: Int64) -> Bool { notification >= base }

    /// A number that none of the inbox has had: it begins with the second, so that it comes back neither when its row
    /// is gone nor when a device still shows what had it. Nil when there is no room, in 272 years.
    /// - Parameter newest: the highest that is there.
    static func next(after newest: Int64?, at now: Timestamp) -> Int64? {
        let second = base + max(0, (now.milliseconds - start.milliseconds) / 1_000)
        let number = max(second, (newest ?? 0) + 1)
        return all.contains(number) ? number : nil
    }
}
