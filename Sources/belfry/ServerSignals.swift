import Glibc
import Transport

/// What a running server is told by signals. Made once a process.
struct ServerSignals: Sendable {
    enum Event: Sendable, Hashable {
        /// SIGHUP: read the files again.
        case reload
        /// SIGTERM or SIGINT, by its name.
        case stop(String)
    }

    private let pipe: SignalPipe

    /// From here on these signals do not end the process by themselves.
    init() throws(SystemCallError) { pipe = try SignalPipe(StopSignal.names.keys + [SIGHUP]) }

    /// Hands on each signal until one stops the server, and returns that one's name. A second one then ends the program
    /// at once. To be called once.
    func run(_ reload: @Sendable () -> Void) async -> String {
        for await number in pipe.numbers {
            guard number != SIGHUP else {
                reload()
                continue
            }
            // What closes a terminal must not cut a good end short.
            signal(SIGHUP, SIG_IGN)
            StopSignal.restore()
            return StopSignal.names[number] ?? ""
        }
        return ""
    }
}
