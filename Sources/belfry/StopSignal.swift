import Dispatch
import Glibc
import Synchronization
import Transport

/// The signals that end a server in good order.
///
/// They are caught from the moment this is made and kept until somebody waits for them, so that one which comes during
/// the start is not lost: a Dispatch signal source alone would lose what comes before it is registered. Made once a
/// process.
final class StopSignal {
    private static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]
    /// Where the handler writes; a handler can reach nothing but what is global.
    private static let pipeEnd = Atomic<Int32>(-1)

    private let source: any DispatchSourceRead
    private let signals: AsyncStream<Int32>

    /// From here on these signals do not end the process by themselves.
    init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError("pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.pipeEnd.store(ends[1], ordering: .relaxed)
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler { [descriptor = ends[0]] in
            var number: UInt8 = 0
            while read(descriptor, &number, 1) == 1 { continuation.yield(Int32(number)) }
        }
        source.activate()
        for number in Self.names.keys { signal(number, Self.handler) }
    }

    /// Nothing but an atomic read and a system call: all that a handler may do (signal-safety(7)).
    private static let handler: @convention(c) (Int32) -> Void = { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
    }

    /// Waits for the first signal, and returns its name. After it they have their usual effect again: a second one ends
    /// the program at once.
    func received() async -> String {
        let first = await signals.first { _ in true }
        for number in Self.names.keys { signal(number, SIG_DFL) }
        return first.flatMap { Self.names[$0] } ?? ""
    }
}
