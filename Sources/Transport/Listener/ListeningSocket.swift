import Glibc

/// A socket that listens and belongs to no shard yet.
package struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// With the port that the kernel chose, where port 0 was asked for.
    package let address: SocketAddress
    let ownership: Ownership

    /// What closing it means for those who connect.
    enum Ownership: Sendable, Hashable {
        /// Nobody else has it.
        case alone
        /// A Unix socket with its path, which goes with it.
        case path
        /// Others listen on the same port, and get the clients when this one is closed.
        case sharedPort
        /// Others have the same socket: its queue of clients stays.
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
