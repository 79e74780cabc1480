import Dispatch
import Glibc
import Support
import Testing

@testable import Transport

@Suite struct DescriptorReuseTests {
    typealias Event = RecordingHandler.Event

    @Test(arguments: PollerKind.allCases)
    func `an event for a closed descriptor does not reach its next owner`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let (closer, closerEnd) = try TestSocket.pair()
        var (victim, victimEnd): (TestSocket?, Int32) = try TestSocket.pair()
        let (heir, heirEnd) = try TestSocket.pair()
        let (victims, heirs) = (Journal<Event>(), Journal<Event>())
        let victimID = try host.connect(victimEnd, victims, react: RecordingHandler.passive)
        let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        _ = try host.connect(closerEnd, Journal()) { event, _, on in
            guard case .received = event else { return }
            on.shard.connection(victimID, on)?.close(on)
            // The lowest number from the closed one on that is free: with epoll, the very same.
            let reused = fcntl(heirEnd, F_DUPFD_CLOEXEC, victimID.descriptor)
            let next = try? RecordingHandler.attach(reused, heirs, on, react: RecordingHandler.passive)
            // A hang-up that reaches a connection which does not read closes it.
            next?.setReading(false, on)
        }
        // Both events are there before the shard looks, so that one batch holds them.
        host.shard.post { _ in
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        try closer.send([1])
        try victim?.send([1])
        victim = nil
        gate.signal()
        while try victims.next() != .closed {}
        for _ in 0..<10 { try host.run { _ in } }
        #expect(heirs.rest == [])
        close(heirEnd)
        _ = heir
    }

    @Test(arguments: PollerKind.allCases)
    func `thousands of short connections leave nothing behind`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let strange = Journal<[UInt8]>()
        let address = try host.listen { descriptor, on in
            // Each connection hears its own number and no other's.
            _ = try? RecordingHandler.attach(descriptor, Journal(), on) { event, connection, on in
                switch event {
                case .received(let bytes):
                    if bytes.count != 4 { strange.write(bytes) }
                    connection.send(bytes, on)
                case .peerFinished: connection.close(on)
                case .deadlineReached, .outputBlocked, .outputDrained, .closed: break
                }
            }
        }
        let failures = Journal<String>()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<500 {
                do { try Self.visit(address, thread: thread, round: round) } catch { failures.write("\(error)") }
            }
        }
        #expect(failures.rest == [] && strange.rest == [])
        let end = ContinuousClock.now + .patience
        var left = Int.max
        // The listener itself is one; a Dispatch source closes its descriptor a moment after the connection.
        while left > 1, ContinuousClock.now < end {
            left = try host.run { _ in descriptors(boundTo: address.port) }
        }
        #expect(left == 1)
        #expect(host.shard.connectionCount == 0)
    }

    private static func visit(_ address: SocketAddress, thread: Int, round: Int) throws {
        let client = try TestSocket(to: address)
        // Half of them reset, which also keeps their ports from lingering.
        if round % 2 == 0 { client.resetAtEnd() }
        guard round % 5 != 0 else { return }
        let number = withUnsafeBytes(of: UInt32(thread << 16 | round)) { Array($0) }
        try client.send(number)
        guard try client.read(exactly: 4) == number else { throw TestSocket.UnexpectedEnd() }
    }
}
