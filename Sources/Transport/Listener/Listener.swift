import CLinux
import Glibc

/// A listening socket on a shard: accepts until nobody waits and hands each socket on.
package final class Listener: PollHandler {
    /// Without free descriptors, not even the reserve, `accept` fails at once and the socket stays readable: 87,000
    /// calls a second, unless we wait.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)
    /// So many are taken in before those who are connected get their turn; a socket where more wait stays readable.
    private static let acceptedPerTurn = 64
    /// More than wait in the kernel's queue; those who are turned away meanwhile may come back at once, without end.
    private static let acceptedAtClose = 8_192
    /// So many clients are turned away before the shard's other work gets its turn: they come back at once.
    private static let turnedAwayPerTurn = 64

    /// So much may wait in the kernel before its turn to be sent: without a limit it takes a megabyte or more for a
    /// reader that has stopped, which is neither counted as queued nor seen as blocked.
    private static let unsentBytes: Int32 = 64 << 10

    /// For handshakes that have begun when a listener leaves; longer than a client's packet takes there and back.
    package static let leavingTime = Duration.milliseconds(500)

    package typealias Accepted = (_ descriptor: Int32, borrowing OnShard) -> Void
    package typealias TurnedAway = () -> [UInt8]

    private enum State {
        case open
        /// New clients go to those who share the port; those who had begun are still taken.
        case leaving
        case closed
    }

    private var id: ConnectionID
    private unowned let shard: Shard
    private let accepted: Accepted
    private let listening: ListeningSocket
    private let turnedAway: TurnedAway
    private var reserve = ReserveDescriptor()
    /// A client whose descriptor is above has come at the limit: the kernel gives out the lowest that is free.
    private let highestDescriptor: Int
    private var state = State.open

    /// Takes over `socket`. The process's limit of descriptors is that of this moment.
    ///
    /// - Parameters:
    ///   - use: whose connections they are, which tells how many descriptors are kept free for others.
    ///   - turnedAway: called for each client for whom there is no descriptor to spare; returns what it is sent before
    ///     its connection is closed.
    ///   - accepted: owns the descriptors that it gets: nonblocking, close-on-exec.
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
            // epoll refuses only what is no socket, or without memory: nothing that a listener could go on with.
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
            // This client is gone again, or its network is (accept(2), "Error handling"): the next one.
            case ECONNABORTED, EINTR, EPERM, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH:
                continue
            case EMFILE, ENFILE: return turnAway(on)
            default: return pause(on)
            }
        }
    }

    /// What each accepted socket gets from this one without a call of its own.
    private static func setInheritedOptions(_ descriptor: Int32) {
        func set(_ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        // Frames are gathered by us; Nagle's delay would only be added to them.
        set(TCP_NODELAY, 1)
        set(TCP_NOTSENT_LOWAT, unsentBytes)
    }

    /// The listener's filter came along, and would be run for each packet.
    private func detachFilter(_ descriptor: Int32) {
        var ignored: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, &ignored, socklen_t(MemoryLayout<Int32>.size))
    }

    /// All descriptors are taken: clients are told, instead of waiting in a queue that nobody serves.
    private func turnAway(_ on: borrowing OnShard) {
        for _ in 0..<Self.turnedAwayPerTurn {
            switch reserve.take(from: id.descriptor) {
            case .success(let client): reserve.end(client, answering: turnedAway())
            // Nobody is left.
            case .failure(let error) where error.errno == EAGAIN: return reserve.restore()
            // The reserve went to somebody else.
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

    /// Closes so that nobody who connects to a shared port is refused, as long as somebody else listens on it.
    ///
    /// Closing at once would reset those whose handshake is under way. So the kernel first drops what begins a
    /// connection: such a client sends again a second later, and then reaches those who still listen. Other sockets
    /// close at once.
    /// - Parameter delay: for handshakes that have begun.
    package func leave(within delay: Duration = leavingTime, _ on: borrowing OnShard) {
        guard state == .open, listening.ownership == .sharedPort, belfry_drop_new_handshakes(id.descriptor) == 0 else {
            return close(on)
        }
        state = .leaving
        shard.schedule(at: on.now + delay, on) { [weak self] on in self?.close(on) }
    }

    /// Stops accepting; a Unix socket's path goes away.
    package func close(_ on: borrowing OnShard) {
        guard state != .closed else { return }
        // Who waits to be accepted has a connection already, which closing would reset.
        if listening.ownership != .duplicate { accept(atMost: Self.acceptedAtClose, on) }
        state = .closed
        if listening.ownership == .path, case .unix(let path) = listening.address { unlink(path) }
        shard.close(id, on)
    }

    func shardLeaves(_ on: borrowing OnShard) { leave(on) }
    func shardStops(_ on: borrowing OnShard) { close(on) }
}
