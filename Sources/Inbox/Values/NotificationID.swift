/// Names one notification across all inboxes: the inbox's row number and the `seq` at which the notification came.
///
/// Written as `n<inbox>-<seq>` in base 36. Clients treat it as opaque; the store reads the row's place from it.
package struct NotificationID: Sendable, Hashable {
    package let inbox: Int64
    package let sequence: Int64

    package init(inbox: Int64, sequence: Int64) {
        self.inbox = inbox
        self.sequence = sequence
    }

    /// Reads what ``text`` wrote; another spelling of the same numbers is no id.
    package init?(_ text: some StringProtocol) {
        guard text.first == "n" else { return nil }
        let parts = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let inbox = Int64(parts[0], radix: 36), let sequence = Int64(parts[1], radix: 36),
            inbox > 0, sequence > 0
        else { return nil }
        self.init(inbox: inbox, sequence: sequence)
        guard self.text == text else { return nil }
    }

    package var text: String { "n\(String(inbox, radix: 36))-\(String(sequence, radix: 36))" }
}
