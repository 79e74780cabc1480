/// An id that is unique across all inboxes: the inbox's row number and the `seq` at which the notification came.
///
/// Written as `n<inbox>-<seq>` in base 36. Clients treat it as opaque; the store reads the row's place from it.
package struct NotificationID: Sendable, Hashable {
    package let inbox: Int64
    package let sequence: Int64

    package init(inbox: Int64, sequence: Int64) {
        self.inbox = inbox
        self.sequence = sequence
    }

    /// Reads ``text``; other spellings of the same numbers are refused.
    package init?(_ text: some StringProtocol) {
        guard text.first == "n" else { return nil }
        let parts = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let inbox = Int64(parts[0], radix: 36), let sequence = Int64(parts[1], radix: 36),
            inbox > 0, sequence > 0
        else { return nil }
        self.init(inbox: inbox, sequence: sequence)
        guard self.text == text else { return nil }
    }

    package var text: String {
        // Every push and frame has an id. Nearly all ids fit into a string without memory of its own, but only if the
        // string is not given room for the longest id.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumBytes) { room in
            let count = write(to: room)
            return String(decoding: UnsafeBufferPointer(rebasing: room[..<count]), as: UTF8.self)
        }
    }

    /// Of ``text``: each number takes at most 13 digits and a sign.
    static let maximumBytes = 30

    /// Writes ``text`` to the start of `room`, which has ``maximumBytes``; returns the number of bytes.
    func write(to room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        room[0] = UInt8(ascii: "n")
        let end = Self.write(inbox, into: room, from: 1)
        room[end] = UInt8(ascii: "-")
        return Self.write(sequence, into: room, from: end + 1)
    }

    /// Writes a number in base 36; returns the index behind it.
    private static func write(_ number: Int64, into text: UnsafeMutableBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        if number < 0 {
            text[end] = UInt8(ascii: "-")
            end += 1
        }
        let first = end
        var rest = number.magnitude
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % 36)
            text[end] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest /= 36
            end += 1
        } while rest > 0
        text[first..<end].reverse()
        return end
    }
}
