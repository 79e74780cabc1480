package import WireProtocol

/// Who is at the other end.
package struct Peer: Sendable, Hashable {
    /// The user id that the kernel vouches for, on a Unix socket; nil elsewhere.
    package let userID: UInt32?
    /// The socket's listener, as the configuration calls it.
    package let isLocal: Bool
    /// The client's; behind a trusted proxy the one that it tells. Nil on a Unix socket.
    package let address: IPAddress?

    package init(userID: UInt32?, isLocal: Bool, address: IPAddress? = nil) {
        self.userID = userID
        self.isLocal = isLocal
        self.address = address
    }

    func at(_ address: IPAddress?) -> Peer { Peer(userID: userID, isLocal: isLocal, address: address) }
}
