import Glibc
import WireProtocol

/// Reads the PROXY header of a connection and not a byte more: TLS reads the socket itself.
final class ProxyReception: PollHandler {
    typealias Received = (ConnectionID, ProxyHeader, borrowing OnShard) -> Void

    private var id: ConnectionID
    private var reader = ProxyHeaderReader()
    /// Called once with the header and the descriptor, which the receiver then owns; nil afterwards.
    private var received: Received?

    /// Takes over `descriptor`. Without a valid header in time the descriptor is closed, and `received` is not called.
    static func begin(
        _ descriptor: Int32, timeout: Duration, _ on: borrowing OnShard, received: @escaping Received
    ) {
        let reception = ProxyReception(descriptor, received)
        do {
            reception.id = try on.shard.add(descriptor, handler: reception, on)
        } catch {
            // Without memory for one more socket it is closed, which is all that can be done.
            Glibc.close(descriptor)
            return
        }
        on.shard.schedule(at: on.now + timeout, on) { [weak reception] on in reception?.close(on) }
    }

    private init(_ descriptor: Int32, _ received: @escaping Received) {
        id = ConnectionID(descriptor: descriptor, generation: 0)
        self.received = received
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        while received != nil {
            let room = UnsafeMutableRawBufferPointer(rebasing: on.shard.receiveBuffer[..<reader.bytesWanted])
            let count = recv(id.descriptor, room.baseAddress, room.count, 0)
            guard count > 0 else {
                // A hang-up does not cause EAGAIN, and would be reported without end.
                if count == 0 || (errno != EAGAIN && errno != EINTR) || readiness.contains(.ended) { close(on) }
                return
            }
            do {
                let (header, _) = try reader.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
                if let header { return finish(header, on) }
            } catch {
                return close(on)
            }
        }
    }

    private func finish(_ header: ProxyHeader, _ on: borrowing OnShard) {
        guard let received else { return }
        self.received = nil
        received(id, header, on)
        // The client's first bytes have mostly arrived, and the poller may not report them again.
        on.shard.ready(id.descriptor, generation: id.generation, [.readable, .unrepeated], on)
    }

    private func close(_ on: borrowing OnShard) {
        guard received != nil else { return }
        received = nil
        on.shard.close(id, on)
    }

    func shardLeaves(_ on: borrowing OnShard) { close(on) }
    func shardStops(_ on: borrowing OnShard) { close(on) }
}
