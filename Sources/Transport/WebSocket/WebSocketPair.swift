import CLinux
import Glibc
import WireProtocol

/// A WebSocket within one shard, between two handlers of this process. It is a pair of sockets, so that each end has
/// the same back-pressure as over a network.
package enum WebSocketPair {
    /// Opens both ends, the client's first.
    ///
    /// - Throws: if the process has no descriptors left for clients. No handler was called then.
    package static func open(
        server: any WebSocketHandler, client: any WebSocketHandler, _ on: borrowing OnShard
    ) throws(SystemCallError) {
        let descriptors = try descriptors()
        let clientEnd: Connection
        do {
            clientEnd = try Connection(descriptor: descriptors.client, on: on) { connection in
                WebSocketConnection(connection, role: .client, deflate: nil, handler: client)
            }
        } catch {
            close(descriptors.server)
            throw error
        }
        let serverEnd: Connection
        do {
            serverEnd = try Connection(descriptor: descriptors.server, on: on) { connection in
                WebSocketConnection(connection, role: .server, deflate: nil, handler: server)
            }
        } catch {
            clientEnd.handler = nil
            clientEnd.close(on)
            throw error
        }
        for end in [clientEnd, serverEnd] { (end.handler as? WebSocketConnection)?.begin([], on) }
    }

    private static func descriptors() throws(SystemCallError) -> (server: Int32, client: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            throw SystemCallError("socketpair", errno: errno, subject: "a session")
        }
        // The rest is for the store, publishers and operators.
        guard max(pair[0], pair[1]) <= DescriptorLimit.highest(of: DescriptorLimit.current, for: .clients) else {
            for descriptor in pair { close(descriptor) }
            throw SystemCallError("socketpair", errno: EMFILE, subject: "a session")
        }
        return (pair[0], pair[1])
    }
}
