import Glibc
import Transport

/// The signals that end a program in good order. Made once a process.
final class StopSignal: Sendable {
    static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]

    private let pipe: SignalPipe

    /// From here on these signals do not end the process by themselves.
    init() throws(SystemCallError) { pipe = try SignalPipe(Array(Self.names.keys)) }

    /// Waits for the first signal, and returns its name. After it they have their usual effect again: a second one ends
    /// the program at once.
    func received() async -> String {
        let first = await pipe.numbers.first { _ in true }
        Self.restore()
        return first.flatMap { Self.names[$0] } ?? ""
    }

    /// From here on these signals end the process at once.
    static func restore() {
        for number in names.keys { signal(number, SIG_DFL) }
    }
}
