import CLinux
import Glibc

/// A listening socket on a shard: accepts all waiting clients and hands their sockets on.
package final class Listener: PollHandler {
    /// Without free descriptors, not even the reserve, `accept` fails at once and the socket stays readable. Without a
    /// pause that causes 87,000 calls a second.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)
    /// The most clients accepted before the open connections get their turn; a socket with more stays readable.
    private static let acceptedPerTurn = 64
    /// More than the kernel's queue holds. A limit, because clients that are turned away may come back without end.
    private static let acceptedAtClose = 8_192
    /// The most clients turned away before the shard's other work gets its turn: they come back at once.
    private static let turnedAwayPerTurn = 64

    /// The most unsent bytes in the kernel. Without a limit it takes a megabyte or more for a reader that has stopped;
    /// these bytes count neither as queued nor as blocked.
    private static let unsentBytes: Int32 = 64 << 10

    /// The time for handshakes that have begun when a listener leaves; longer than a packet's round trip to a client.
    package static let leavingTime = Duration.milliseconds(500)

    package typealias Accepted = (_ descriptor: Int32, borrowing OnShard) -> Void
    package typealias TurnedAway = () -> [UInt8]

    private enum State {
        case open
        /// New clients go to other sockets on the port; handshakes that have begun are still accepted.
        case leaving
        case closed
    }

    private var id: ConnectionID
    private unowned let shard: Shard
    private let accepted: Accepted
    private let listening: ListeningSocket
    private let turnedAway: TurnedAway
    private var reserve = ReserveDescriptor()
    /// A client with a higher descriptor came at the limit, because the kernel assigns the lowest free number.
    private let highestDescriptor: Int
    private var state = State.open

    /// Takes over `socket`. The process's limit of descriptors is read once, here.
    ///
    /// - Parameters:
    ///   - use: the use of the connections, which decides how many descriptors stay free for other uses.
    ///   - turnedAway: called for each client that gets no descriptor; returns the bytes to send before the close.
    ///   - accepted: takes over accepted descriptors, which are nonblocking and close-on-exec.
    package init(
        _ socket: ListeningSocket, for use: DescriptorLimit.Use = .operators, on: borrowing OnShard,
        turnedAway: @escaping TurnedAway = { [] },
        accepted: @escaping Accepted
    ) {
        shard = on.shard
        self.accepted = accepted
        self.turnedAway = turnedAway
        listening = socket
        highestDescriptor = DescriptorLimit.highest(of: DescriptorLimit.current, for: use)
        if case .tcp = socket.address { Self.setInheritedOptions(socket.descriptor) }
        id = ConnectionID(descriptor: socket.descriptor, generation: 0)
        do {
            id = try shard.add(socket.descriptor, handler: self, on)
        } catch {
            // epoll refuses only descriptors that are no sockets, or lacks memory: a listener cannot work then.
            state = .closed
            Glibc.close(socket.descriptor)
        }
    }

    // MARK: Accepting

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) { accept(atMost: Self.acceptedPerTurn, on) }

    private func accept(atMost limit: Int, _ on: borrowing OnShard) {
        for _ in 0..<limit where state != .closed {
            let descriptor = belfry_accept(id.descriptor)
            if descriptor > highestDescriptor {
                ReserveDescriptor.close(descriptor, answering: turnedAway())
                continue
            }
            if descriptor >= 0 {
                if state == .leaving { detachFilter(descriptor) }
                accepted(descriptor, on)
                continue
            }
            switch errno {
            case EAGAIN: return
            // This client or its network is gone (accept(2), "Error handling"): continue with the next one.
            case ECONNABORTED, EINTR, EPERM, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH:
                continue
            case EMFILE, ENFILE: return turnAway(on)
            default: return pause(on)
            }
        }
    }

    /// Sets the options that accepted sockets inherit, which saves a call for each.
    private static func setInheritedOptions(_ descriptor: Int32) {
        func set(_ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        // Frames are gathered before sending, so Nagle's algorithm would only add its delay.
        set(TCP_NODELAY, 1)
        set(TCP_NOTSENT_LOWAT, unsentBytes)
    }

    /// Removes the inherited filter of the listener, which would run for each packet.
    private func detachFilter(_ descriptor: Int32) {
        var ignored: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, &ignored, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Tells clients that all descriptors are taken, so that they do not wait in a queue that nobody serves.
    private func turnAway(_ on: borrowing OnShard) {
        for _ in 0..<Self.turnedAwayPerTurn {
            switch reserve.take(from: id.descriptor) {
            case .success(let client): reserve.end(client, answering: turnedAway())
            // No client is left.
            case .failure(let error) where error.errno == EAGAIN: return reserve.restore()
            // The reserve went to another use.
            case .failure: return pause(on)
            }
        }
    }

    private func pause(_ on: borrowing OnShard) {
        shard.watch(id, reading: false, writing: false, on)
        shard.schedule(at: on.now + Self.pauseWithoutDescriptors, on) { [weak self] on in
            guard let self, state != .closed else { return }
            reserve.restore()
            shard.watch(id, reading: true, writing: false, on)
        }
    }

    // MARK: Closing

    /// Closes a shared port so that no client is refused while another socket listens on it.
    ///
    /// A close at once would reset clients whose handshake is under way. So the kernel first drops packets that begin a
    /// connection: such a client sends again a second later, and reaches another socket. Other sockets close at once.
    /// - Parameter delay: the time for handshakes that have begun.
    package func leave(within delay: Duration = leavingTime, _ on: borrowing OnShard) {
        guard state == .open, listening.ownership == .sharedPort, belfry_drop_new_handshakes(id.descriptor) == 0 else {
            return close(on)
        }
        state = .leaving
        shard.schedule(at: on.now + delay, on) { [weak self] on in self?.close(on) }
    }

    /// Stops accepting, and removes a Unix socket's path.
    package func close(_ on: borrowing OnShard) {
        guard state != .closed else { return }
        // Clients that wait to be accepted are connected already, and a close would reset them.
        if listening.ownership != .duplicate { accept(atMost: Self.acceptedAtClose, on) }
        state = .closed
        if listening.ownership == .path, case .unix(let path) = listening.address { unlink(path) }
        shard.close(id, on)
    }

    func shardLeaves(_ on: borrowing OnShard) { leave(on) }
    func shardStops(_ on: borrowing OnShard) { close(on) }
}
