import Synchronization
import Transport
import WireProtocol

/// The publishes that are being taken in, from their first byte to their answer. Bounds their memory, and tells a
/// leaving node what it still owes.
package final class PublishLoad: Sendable {
    /// One publish, which counts until ``end()``, or as long as it is referenced.
    final class Share: Sendable {
        private let load: PublishLoad
        private let publisher: Bytes
        private let record: PublisherRecord?
        private let byteCount = Atomic(0)
        private let hasEnded = Atomic(false)

        fileprivate init(_ load: PublishLoad, _ publisher: Bytes, _ record: PublisherRecord?, _ byteCount: Int) {
            (self.load, self.publisher, self.record) = (load, publisher, record)
            add(byteCount)
        }

        deinit { end() }

        /// Counts the body once it is whole; false if there is no room for it.
        func grow(by bytes: Int) -> Bool {
            guard !load.isFull(for: publisher) else { return false }
            add(bytes)
            return true
        }

        /// Counts events or items of the publisher's that were accepted.
        func accepted(_ count: Int) { record?.events.add(count) }

        private func add(_ bytes: Int) {
            byteCount.wrappingAdd(bytes, ordering: .relaxed)
            load.bytes.wrappingAdd(bytes, ordering: .relaxed)
            publisher.count.wrappingAdd(bytes, ordering: .relaxed)
            record?.bytes.wrappingAdd(bytes, ordering: .relaxed)
        }

        /// Gives back its room, once. To be called just before the answer: then the next publish of the same connection
        /// may be read, while this one's objects still exist.
        func end() {
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            let bytes = byteCount.load(ordering: .relaxed)
            load.bytes.wrappingSubtract(bytes, ordering: .relaxed)
            publisher.count.wrappingSubtract(bytes, ordering: .relaxed)
            record?.bytes.wrappingSubtract(bytes, ordering: .relaxed)
            load.count.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// The bytes that one publisher has under way.
    fileprivate final class Bytes: Sendable {
        let count = Atomic(0)
    }

    /// Publishers are told apart by their user, or their place among those that the settings name, modulo this. Two with
    /// the same remainder share one allowance.
    private static let places: UInt32 = 64
    /// How many times the free room a publisher may have under way: alone three quarters of all, and always some room
    /// whatever the others do.
    private static let shareOfRoom = 3

    private let maximumBytes: Int
    private let bytes = Atomic(0)
    private let count = Atomic(0)
    private let publishers = (0..<places).map { _ in Bytes() }

    /// - Parameter maximumBytes: with so many bytes under way nothing more is taken in; one publish may exceed it.
    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// How many publishes wait for their answers.
    package var underWay: Int { count.load(ordering: .relaxed) }

    /// Whether this publisher has to wait, or to come again.
    func isFull(for caller: Publisher) -> Bool { isFull(for: bytes(of: caller)) }

    private func bytes(of caller: Publisher) -> Bytes {
        publishers[Int((caller.record?.place ?? caller.peer.userID ?? 0) % Self.places)]
    }

    private func isFull(for publisher: Bytes) -> Bool {
        let room = maximumBytes - bytes.load(ordering: .relaxed)
        return room <= 0 || publisher.count.load(ordering: .relaxed) > room * Self.shareOfRoom
    }

    /// Counts another publish; nil if there are too many already.
    func take(_ byteCount: Int, by caller: Publisher) -> Share? {
        let publisher = bytes(of: caller)
        return isFull(for: publisher) ? nil : begin(byteCount, publisher, caller.record)
    }

    /// Counts a publish that is here already.
    func takeAnyway(_ byteCount: Int, by caller: Publisher) -> Share {
        begin(byteCount, bytes(of: caller), caller.record)
    }

    private func begin(_ byteCount: Int, _ publisher: Bytes, _ record: PublisherRecord?) -> Share {
        count.wrappingAdd(1, ordering: .relaxed)
        return Share(self, publisher, record, byteCount)
    }
}

extension HTTPReply {
    /// Answers a publish, which counts until then. From any thread.
    func send(_ response: HTTPResponse, ending share: PublishLoad.Share) {
        post { on in
            share.end()
            send(response, on)
        }
    }
}
