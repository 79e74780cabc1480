package import Inbox

/// When a token was issued (`iat`, RFC 7519 §4.1.6), in four bytes: each open session keeps one, so that it can be judged
/// again without its token.
package struct IssueTime: Sendable, Hashable {
    /// Of a token that does not tell. It counts as older than all others.
    package static let unknown = IssueTime(nil)

    /// Since 1970. 0 if it is unknown, and the last one of 2106 for all later ones.
    private let second: UInt32

    package init(_ time: Timestamp?) { second = UInt32(clamping: (time?.milliseconds ?? 0) / 1_000) }

    package func isBefore(_ moment: Timestamp) -> Bool {
        self == .unknown || Timestamp(milliseconds: Int64(second) * 1_000) < moment
    }
}
