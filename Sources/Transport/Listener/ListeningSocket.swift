import Glibc

/// A listening socket that belongs to no shard yet.
package struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// With the port that the kernel chose for port 0.
    package let address: SocketAddress
    let ownership: Ownership

    /// The effect of a close on clients.
    enum Ownership: Sendable, Hashable {
        /// Nothing else shares the socket or its port.
        case alone
        /// A Unix socket whose path is removed with it.
        case path
        /// Others listen on the same port, and get the clients after the close.
        case sharedPort
        /// Others have the same socket, and its queue of clients stays.
        case duplicate
    }

    /// The same socket under another descriptor, for one more shard.
    package func duplicate() throws(SystemCallError) -> ListeningSocket {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemCallError("fcntl", errno: errno, subject: address.description) }
        return ListeningSocket(descriptor: copy, address: address, ownership: .duplicate)
    }

    /// Closes a socket that no ``Listener`` has taken over.
    package func close() { Glibc.close(descriptor) }
}
