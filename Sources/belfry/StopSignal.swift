import Dispatch
import Glibc

/// The signals that end the server.
enum StopSignal {
    private static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]

    /// Waits for the first of them, and returns its name. After it they have their usual effect again: a second one
    /// ends the program at once.
    static func received() async -> String {
        let sources = names.map { number, name in
            // Without this the default action ends the program before the source sees anything.
            signal(number, SIG_IGN)
            return (name, DispatchSource.makeSignalSource(signal: number, queue: .global()))
        }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        for (name, source) in sources {
            source.setEventHandler { continuation.yield(name) }
            source.activate()
        }
        let first = await stream.first { _ in true }
        for (_, source) in sources { source.cancel() }
        for number in names.keys { signal(number, SIG_DFL) }
        return first ?? ""
    }
}
