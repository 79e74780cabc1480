package import WireProtocol

/// The other end of a connection.
package struct Peer: Sendable, Hashable {
    /// The user id that the kernel tells, on a Unix socket; nil elsewhere.
    package let userID: UInt32?
    /// The group of that process, as the kernel tells it.
    package let groupID: UInt32?
    /// Whether the socket's listener is a local one, by the configuration.
    package let isLocal: Bool
    /// The address of the client; behind a trusted proxy the address that the proxy tells. Nil on a Unix socket.
    package let address: IPAddress?

    package init(userID: UInt32?, groupID: UInt32? = nil, isLocal: Bool, address: IPAddress? = nil) {
        self.userID = userID
        self.groupID = groupID
        self.isLocal = isLocal
        self.address = address
    }

    func at(_ address: IPAddress?) -> Peer {
        Peer(userID: userID, groupID: groupID, isLocal: isLocal, address: address)
    }
}
