import Synchronization
import Transport
import WireProtocol

/// The publishes that are being taken in, from their first byte to their answer: bounds the memory that they take, and
/// tells a node that leaves what it still owes.
package final class PublishLoad: Sendable {
    /// One publish; it counts until ``end()``, or for as long as somebody holds it.
    final class Share: Sendable {
        private let load: PublishLoad
        private let byteCount: Int
        private let hasEnded = Atomic(false)

        fileprivate init(_ load: PublishLoad, _ byteCount: Int) {
            self.load = load
            self.byteCount = byteCount
        }

        deinit { end() }

        /// Gives back what it takes, if it has not yet. For just before the answer: with that the next publish of the same
        /// connection may be looked at, while this one's objects are still held.
        func end() {
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            load.bytes.wrappingSubtract(byteCount, ordering: .relaxed)
            load.count.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    private let maximumBytes: Int
    private let bytes = Atomic(0)
    private let count = Atomic(0)

    /// - Parameter maximumBytes: with so many bytes under way nothing more is taken in; what is under way may exceed it by
    ///   one publish.
    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// How many publishes wait for their answer.
    package var underWay: Int { count.load(ordering: .relaxed) }

    /// Whether others have to wait, or to come again.
    var isFull: Bool { bytes.load(ordering: .relaxed) >= maximumBytes }

    /// Counts one more; nil if there are too many already.
    func take(_ byteCount: Int) -> Share? { isFull ? nil : takeAnyway(byteCount) }

    /// Counts one that is here already.
    func takeAnyway(_ byteCount: Int) -> Share {
        bytes.wrappingAdd(byteCount, ordering: .relaxed)
        count.wrappingAdd(1, ordering: .relaxed)
        return Share(self, byteCount)
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
