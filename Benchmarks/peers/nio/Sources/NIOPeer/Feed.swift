import NIOCore

/// One feed's subscribers. Confined to its event loop.
final class Feed {
    private let loop: any EventLoop
    private var subscribers: ContiguousArray<Subscriber> = []
    private var frames = ByteBuffer()

    init(on loop: any EventLoop) { self.loop = loop }

    func add(_ subscriber: Subscriber) {
        subscriber.place = subscribers.count
        subscribers.append(subscriber)
    }

    /// The last one takes its place, so that leaving costs the same however many there are.
    func remove(_ subscriber: Subscriber) {
        guard let place = subscriber.place else { return }
        subscriber.place = nil
        let last = subscribers.removeLast()
        guard last !== subscriber else { return }
        subscribers[place] = last
        last.place = place
    }

    /// Encoded once for all of them. It leaves when the loop has read all that is there to be read, in one piece with
    /// whatever else was published until then.
    func publish(_ message: ByteBuffer) {
        let isFirst = frames.readableBytes == 0
        append(message)
        guard isFirst else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.deliver() }
    }

    private func deliver() {
        // From the last to the first: a write that fails removes a subscriber, and puts in its place one that had its
        // turn.
        var place = subscribers.count
        while place > 0 {
            place -= 1
            if place < subscribers.count { subscribers[place].send(frames) }
        }
        frames = ByteBuffer()
    }

    /// A server's unmasked text frame (RFC 6455 §5.2).
    private func append(_ message: ByteBuffer) {
        frames.reserveCapacity(minimumWritableBytes: message.readableBytes + 10)
        frames.writeInteger(UInt8(0x81))
        switch message.readableBytes {
        case 0..<126:
            frames.writeInteger(UInt8(message.readableBytes))
        case 126...Int(UInt16.max):
            frames.writeInteger(UInt8(126))
            frames.writeInteger(UInt16(message.readableBytes))
        default:
            frames.writeInteger(UInt8(127))
            frames.writeInteger(UInt64(message.readableBytes))
        }
        frames.writeImmutableBuffer(message)
    }
}
