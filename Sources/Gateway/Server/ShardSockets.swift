import Transport

/// The sockets of one listener, one a shard.
struct ShardSockets: Sendable {
    let sockets: [ListeningSocket]
    var address: SocketAddress { sockets[0].address }

    /// Opens `address`.
    ///
    /// - Parameters:
    ///   - mode: a Unix socket's permissions.
    ///   - group: a Unix socket's group; nil to leave it as it is.
    ///   - joins: whether another process may have the port already.
    ///   - inherited: a socket that is open already, in place of it.
    init(
        _ address: SocketAddress, mode: UInt32 = 0o660, group: UInt32? = nil, joins: Bool = false,
        inherited: ListeningSocket?, count: Int
    ) throws(SystemCallError) {
        // The first decides the port where the kernel is to choose one.
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

    /// One more for the same address: the kernel deals connections out among the sockets of a port; where all have the
    /// same socket, the first to come accepts.
    private static func sibling(
        of first: ListeningSocket, isInherited: Bool
    ) throws(SystemCallError) -> ListeningSocket {
        switch first.address {
        case .tcp where !isInherited: try Listener.open(first.address, sharingPort: true)
        case .tcp, .unix: try first.duplicate()
        }
    }

    /// Gives them up, where nobody has taken them over.
    func close() {
        for socket in sockets { socket.close() }
    }
}
