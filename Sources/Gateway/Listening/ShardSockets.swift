import Transport

/// The sockets of one listener, one for each shard.
struct ShardSockets: Sendable {
    let sockets: [ListeningSocket]
    var address: SocketAddress { sockets[0].address }

    /// Opens `address`.
    ///
    /// - Parameters:
    ///   - mode: a Unix socket's permissions.
    ///   - group: a Unix socket's group; nil to leave it unchanged.
    ///   - joins: whether another process may have the port already.
    ///   - inherited: an open socket to use instead.
    init(
        _ address: SocketAddress, mode: UInt32 = 0o660, group: UInt32? = nil, joins: Bool = false,
        inherited: ListeningSocket?, count: Int
    ) throws(SystemCallError) {
        // The first one fixes the port if the kernel chooses it.
        let first =
            if let inherited {
                inherited
            } else {
                try Listener.open(address, sharingPort: true, isFirst: !joins, mode: mode, group: group)
            }
        var sockets = [first]
        do throws(SystemCallError) {
            while sockets.count < count {
                sockets.append(try Self.sibling(of: first, isInherited: inherited != nil))
            }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
        self.sockets = sockets
    }

    /// Another socket for the same address: the kernel deals out connections among the sockets of a port. If all share
    /// one socket, the first to come accepts.
    private static func sibling(
        of first: ListeningSocket, isInherited: Bool
    ) throws(SystemCallError) -> ListeningSocket {
        switch first.address {
        case .tcp where !isInherited: try Listener.open(first.address, sharingPort: true)
        case .tcp, .unix: try first.duplicate()
        }
    }

    /// Closes the sockets, if nothing has taken them over.
    func close() {
        for socket in sockets { socket.close() }
    }
}
