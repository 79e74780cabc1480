import NIOCore

/// One feed's subscribers. Confined to its event loop.
final class Feed {
    private let loop: any EventLoop
    private var subscribers: ContiguousArray<Subscriber> = []
    private var isFlushAwaited = false

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

    /// One frame for all of them, encoded once; it leaves when the loop has read all that is there to be read, together
    /// with whatever else was published until then.
    func publish(_ message: ByteBuffer) {
        let frame = Self.frame(message)
        for subscriber in subscribers { subscriber.write(frame) }
        guard !isFlushAwaited else { return }
        isFlushAwaited = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.flush() }
    }

    private func flush() {
        isFlushAwaited = false
        // From the last to the first: a write that fails removes a subscriber, and puts in its place one that had its
        // turn.
        var place = subscribers.count
        while place > 0 {
            place -= 1
            if place < subscribers.count { subscribers[place].flush() }
        }
    }

    /// A server's unmasked text frame (RFC 6455 §5.2).
    private static func frame(_ message: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(message.readableBytes + 10)
        frame.writeInteger(UInt8(0x81))
        switch message.readableBytes {
        case 0..<126:
            frame.writeInteger(UInt8(message.readableBytes))
        case 126...Int(UInt16.max):
            frame.writeInteger(UInt8(126))
            frame.writeInteger(UInt16(message.readableBytes))
        default:
            frame.writeInteger(UInt8(127))
            frame.writeInteger(UInt64(message.readableBytes))
        }
        frame.writeImmutableBuffer(message)
        return frame
    }
}
