import Glibc
import Transport

/// The signals to a running server. Made once a process.
struct ServerSignals: Sendable {
    enum Event: Sendable, Hashable {
        /// SIGHUP: read the files again.
        case reload
        /// SIGTERM or SIGINT, by its name.
        case stop(String)
    }

    private let pipe: SignalPipe

    /// After this, these signals no longer end the process by themselves.
    init() throws(SystemCallError) { pipe = try SignalPipe(StopSignal.names.keys + [SIGHUP]) }

    /// Passes on each reload until a signal stops the server, and returns that signal's name. A second one then ends
    /// the program at once. Called once.
    func run(_ reload: @Sendable () -> Void) async -> String {
        for await number in pipe.numbers {
            guard number != SIGHUP else {
                reload()
                continue
            }
            // A closing terminal must not end the process before it has stopped properly.
            signal(SIGHUP, SIG_IGN)
            StopSignal.restore()
            return StopSignal.names[number] ?? ""
        }
        return ""
    }
}
