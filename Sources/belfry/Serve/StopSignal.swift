import Glibc
import Transport

/// The signals that end a program properly. Made once a process.
final class StopSignal: Sendable {
    static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]

    private let pipe: SignalPipe

    /// After this, these signals no longer end the process by themselves.
    init() throws(SystemCallError) { pipe = try SignalPipe(Array(Self.names.keys)) }

    /// Waits for the first signal, and returns its name. After that the signals have their usual effect: a second one
    /// ends the program at once.
    func received() async -> String {
        let first = await pipe.numbers.first { _ in true }
        Self.restore()
        return first.flatMap { Self.names[$0] } ?? ""
    }

    /// After this, these signals end the process at once.
    static func restore() {
        for number in names.keys { signal(number, SIG_DFL) }
    }
}
