import Dispatch
import Glibc
import Synchronization
import Transport

/// Signals as a stream of their numbers.
///
/// They are caught from the moment this is made and kept until somebody asks for them, so that one which comes during
/// the start is not lost: a Dispatch signal source alone would lose what comes before it is registered. Made once a
/// process.
final class SignalPipe: Sendable {
    /// Where the handler writes; a handler can reach nothing but what is global.
    private static let pipeEnd = Atomic<Int32>(-1)

    let numbers: AsyncStream<Int32>
    private let source: QueueBound<any DispatchSourceRead>

    /// From here on these signals do not end the process by themselves.
    init(_ caught: [Int32]) throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError("pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.pipeEnd.store(ends[1], ordering: .relaxed)
        let (numbers, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.numbers = numbers
        let queue = DispatchQueue(label: "belfry.signals")
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
        source.setEventHandler { [descriptor = ends[0]] in
            var number: UInt8 = 0
            while read(descriptor, &number, 1) == 1 { continuation.yield(Int32(number)) }
        }
        source.activate()
        self.source = QueueBound(source, on: queue)
        for number in caught { signal(number, Self.handler) }
    }

    /// Nothing but an atomic read and a system call: all that a handler may do (signal-safety(7)).
    private static let handler: @convention(c) (Int32) -> Void = { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
    }
}
