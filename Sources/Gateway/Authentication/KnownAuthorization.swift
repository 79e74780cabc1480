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
        guard value.utf8.count == other.utf8.count else { return false }
        return zip(value.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension KnownAuthorization: CustomStringConvertible, CustomReflectable {
    package var description: String { "<authorization>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
