import Inbox

/// A value of `Authorization` that was verified, kept for as long as its connection may bring it again. A secret.
package final class KnownAuthorization: Sendable {
    private let value: String
    let credentials: Credentials
    /// Of the keys that it was verified with.
    let generation: Int
    let verifiedAt: Timestamp

    init(value: String, credentials: Credentials, generation: Int, verifiedAt: Timestamp) {
        (self.value, self.credentials, self.generation, self.verifiedAt) = (value, credentials, generation, verifiedAt)
    }

    /// Takes as long for any other value of the same length: on a proxy's connection that may be another client's.
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
}

extension KnownAuthorization: CustomStringConvertible, CustomReflectable {
    package var description: String { "<authorization>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
