package import Inbox

/// The numbers of push-only notifications, which never stand in an inbox: the upper half of the queue's range, see
/// ``PushJobNumber``.
package enum PushOnlyNumber {
    /// Half of ``PushJobNumber/notifications``: the lower half is left for an inbox's own changes.
    private static let base: Int64 = 1 << 33
    /// 2026-01-01T00:00:00Z.
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    package static let all = base...PushJobNumber.notifications.upperBound

    package static func isOne(_ notification: Int64) -> Bool { notification >= base }

    /// A number that no notification of the inbox has had. It counts seconds, so that it does not come back after its
    /// row is gone, or while a device still shows it. Nil when the range ends, in 272 years.
    /// - Parameter newest: the highest number in use.
    package static func next(after newest: Int64?, at now: Timestamp) -> Int64? {
        let second = base + max(0, (now.milliseconds - start.milliseconds) / 1_000)
        let number = max(second, (newest ?? 0) + 1)
        return all.contains(number) ? number : nil
    }
}
