import Dispatch
import Glibc
import Synchronization
import Transport

/// Signals as a stream of their numbers.
///
/// Signals are caught from here on and kept until they are read, so that one during the start is not lost. A Dispatch
/// signal source alone would lose signals from before its registration. Made once a process.
final class SignalPipe: Sendable {
    /// The descriptor for the handler, which can only reach globals.
    private static let pipeEnd = Atomic<Int32>(-1)

    let numbers: AsyncStream<Int32>
    private let source: QueueBound<any DispatchSourceRead>

    /// After this, these signals no longer end the process by themselves.
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

    /// Does only an atomic read and a system call, which are allowed in a handler (signal-safety(7)).
    private static let handler: @convention(c) (Int32) -> Void = { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
    }
}
