import Glibc

/// A socket that listens and belongs to no shard yet.
package struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// With the port that the kernel chose, where port 0 was asked for.
    package let address: SocketAddress
    /// Whether closing it takes a Unix socket's path away.
    let ownsPath: Bool

    /// The same socket under another descriptor, for one more shard.
    package func duplicate() throws(SystemCallError) -> ListeningSocket {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemCallError("fcntl", errno: errno, subject: address.description) }
        return ListeningSocket(descriptor: copy, address: address, ownsPath: false)
    }
}
