/// Who is at the other end.
package struct Peer: Sendable, Hashable {
    /// The user id that the kernel vouches for, on a Unix socket; nil elsewhere.
    package let userID: UInt32?
    /// The socket's listener, as the configuration calls it.
    package let isLocal: Bool

    package init(userID: UInt32?, isLocal: Bool) {
        self.userID = userID
        self.isLocal = isLocal
    }
}
