import Glibc
import Logging
import Transport

/// The sockets of all listeners, opened in two stages and before any shard: one that cannot be opened fails the start.
///
/// Those on the network come first: a process that follows another on the same port has its place there before the other
/// leaves. So nobody is refused in between. The others come after the other process has left the data folder.
struct ServerSockets: Sendable {
    let clients: ShardSockets
    /// Of publishers on other machines; nil without such a listener.
    let remotePublishers: ShardSockets?
    private(set) var publishers: ShardSockets?
    /// The group of the publishers' socket; nil to leave it unchanged.
    private let group: UInt32?
    /// Nil while another process answers operators at the address.
    private(set) var operators: ListeningSocket?

    init(_ settings: Settings, _ options: StartOptions, count: Int) throws {
        group = try settings.socketGroup.map { name in
            guard let group = SystemGroup.id(of: name) else {
                throw ServerError("socketGroup: this system has no group \"\(name)\"; expected a name or a number")
            }
            return group
        }
        clients = try Self.open(settings.listen, inherited: options.publicSocket, options, count: count)
        do {
            remotePublishers = try settings.publishing.listen.map {
                try Self.open($0, inherited: options.remotePublishSocket, options, count: count)
            }
        } catch {
            clients.close()
            throw error
        }
    }

    private static func open(
        _ address: SocketAddress, inherited: ListeningSocket?, _ options: StartOptions, count: Int
    ) throws -> ShardSockets {
        do throws(SystemCallError) {
            return try ShardSockets(address, joins: options.takesOver, inherited: inherited, count: count)
        } catch {
            guard error.isAddressTaken, !options.takesOver else { throw error }
            throw ServerError("\(error): choose another address, or give --takeover to follow the server that is there")
        }
    }

    mutating func openOthers(_ settings: Settings, _ options: StartOptions, _ logger: Logger) throws {
        let path = options.publishSocket == nil ? try settings.usableSocketPath() : settings.socketPath
        publishers = try ShardSockets(
            .unix(path: path), mode: settings.socketMode.bits, group: group,
            inherited: options.publishSocket,
            count: clients.sockets.count)
        if let inherited = options.opsSocket {
            operators = inherited
            return
        }
        do throws(SystemCallError) {
            operators = try Listener.open(settings.ops)
        } catch {
            guard options.takesOver, error.isAddressTaken else { throw error }
            logger.info("the operators' listener opens when the other process has ended")
        }
    }

    /// Closes the sockets, if nothing has taken them over.
    func close() {
        clients.close()
        remotePublishers?.close()
        publishers?.close()
        operators?.close()
    }
}

extension SystemCallError {
    /// Whether another process listens there.
    var isAddressTaken: Bool { call == "bind" && errno == EADDRINUSE }
}
