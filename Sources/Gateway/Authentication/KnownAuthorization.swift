import Inbox

/// A verified value of `Authorization`. A secret.
final class KnownAuthorization: Sendable {
    let value: String
    let credentials: Credentials
    private let verifiedAt: Timestamp
    /// From when on the token is refused; nil for never.
    private let end: Timestamp?

    init(value: String, credentials: Credentials, verifiedAt: Timestamp, end: Timestamp?) {
        (self.value, self.credentials, self.verifiedAt, self.end) = (value, credentials, verifiedAt, end)
    }

    /// Takes the same time for every other value of the same length, which may be another client's.
    func isOf(_ other: String) -> Bool {
        var (value, other) = (value, other)
        return value.withUTF8 { value in
            other.withUTF8 { other in
                guard value.count == other.count else { return false }
                var difference: UInt8 = 0
                for index in value.indices { difference |= value[index] ^ other[index] }
                return difference == 0
            }
        }
    }

    /// Whether the claims still hold; false if the clock was set back to before the verification.
    func holds(at now: Timestamp) -> Bool { verifiedAt <= now && end.map { now < $0 } ?? true }
}

extension KnownAuthorization: CustomStringConvertible, CustomReflectable {
    var description: String { "<authorization>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
