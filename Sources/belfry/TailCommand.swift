import ArgumentParser
import BelfryClient
import Transport
import WireProtocol

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Open a live session and print each frame as a line of JSON.",
        discussion: """
            Exits with 0 when it is interrupted, with 1 when the session could not be opened or was closed.

            Example: belfry tail --url ws://127.0.0.1:8080 --token "$(belfry token --user user-7)" --ack
            """)

    @Option(help: "The server, as ws://host:port or wss://host:port.")
    var url: WebSocketURL

    @Option(
        help: ArgumentHelp("Trust this certificate authority instead of the system's, a PEM file.", valueName: "file"))
    var ca: String?

    @Option(help: "The user's token.")
    var token: String

    @Flag(help: "Acknowledge what is shown, as an app on screen does; then no push is sent.")
    var ack = false

    @Flag(help: "Say that nobody looks, as an app in the background does.")
    var inactive = false

    @Option(help: ArgumentHelp("Subscribe to this feed; may be given several times.", valueName: "feed"))
    var feed: [String] = []

    func run() async throws {
        let tls: TLSClientContext?
        do {
            tls = url.isSecure ? try TLSClientContext(caFile: ca) : nil
        } catch {
            Terminal.complain(error.description)
            throw ExitCode.failure
        }
        let shard = try Shard(index: 0, poller: .epoll)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let options = LiveClient.Options(
            url: url, tls: tls, token: token, isActive: !inactive, acknowledges: ack)
        shard.post { [feed] on in
            let session = TailSession(options, feeds: feed) { continuation.yield($0) }
            session.connect(on)
        }
        // The first line is the reason for which nothing more comes.
        for await reason in stream {
            Terminal.complain(reason)
            throw ExitCode.failure
        }
    }
}

/// Prints what one live session says. Confined to its shard.
private final class TailSession {
    private let options: LiveClient.Options
    private let feeds: [String]
    private let ended: (String) -> Void
    private var client: LiveClient?

    init(_ options: LiveClient.Options, feeds: [String], ended: @escaping (String) -> Void) {
        self.options = options
        self.feeds = feeds
        self.ended = ended
    }

    func connect(_ on: borrowing OnShard) {
        let client = LiveClient(options) { [self] event, on in take(event, on) }
        self.client = client
        client.connect(on)
    }

    private func take(_ event: LiveClient.Event, _ on: borrowing OnShard) {
        switch event {
        case .frame(let frame):
            Terminal.print(String(decoding: frame.json, as: UTF8.self))
            if frame.type == "ready" { client?.subscribe(to: feeds, on) }
        case .garbage: ended("the server sent something that is no frame of the live protocol")
        case .failed(let reason): ended("no session: \(reason)")
        case .closed(let code): ended("the session was closed with code \(code)")
        }
    }
}

extension WebSocketURL: ExpressibleByArgument {
    package init?(argument: String) {
        guard let url = try? WebSocketURL(argument) else { return nil }  // the parser has its own words for a bad value
        self = url
    }
}
