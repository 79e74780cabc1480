import ArgumentParser
import EngineClient
import Transport
import WireProtocol

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Open a live session and print each frame as a line of JSON.",
        discussion: HelpText.with(
            """
            When the session ends, the command says so and resumes the session: the frames in between follow. Exits with \
            1 when no session can be opened at the start, or the token is refused or has expired.
            """, examples: #"belfry tail --url ws://127.0.0.1:8080 --token "$(belfry token --user sarah)" --ack"#))

    @Option(help: "The server, as ws://host:port or wss://host:port.")
    var url: WebSocketURL

    @Option(
        help: ArgumentHelp("Trust this certificate authority instead of the system's, a PEM file.", valueName: "file"))
    var ca: String?

    @Option(help: "The user's token.")
    var token: String

    @Flag(help: "Acknowledge each notification, as an app on screen does; then no push is sent.")
    var ack = false

    @Flag(help: "Report the session as inactive, as an app in the background does.")
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
        // The first line is the reason for the end.
        for await reason in stream {
            Terminal.complain(reason)
            throw ExitCode.failure
        }
    }
}

/// Prints the frames of a person's live sessions, one session after the other. Confined to its shard.
private final class TailSession {
    private var options: LiveClient.Options
    private let feeds: [String]
    private let ended: (String) -> Void
    private var client: LiveClient?
    private var reconnection = Reconnection()
    /// The printed reason why there is no session; nil while there is one.
    private var toldReason: String?

    init(_ options: LiveClient.Options, feeds: [String], ended: @escaping (String) -> Void) {
        self.options = options
        self.feeds = feeds
        self.ended = ended
    }

    func connect(_ on: borrowing OnShard) {
        options.resume = reconnection.resume
        let client = LiveClient(options) { [self] event, on in take(event, on) }
        self.client = client
        client.connect(on)
    }

    private func take(_ event: LiveClient.Event, _ on: borrowing OnShard) {
        switch event {
        case .frame(let frame):
            Terminal.print(String(decoding: frame.json, as: UTF8.self))
            reconnection.received(frame, at: on.now)
            if frame.type == "ready" { begin(on) }
        case .garbage: ended("the server sent something that is not a frame of the live protocol")
        case .failed(let failure):
            follow(
                reconnection.failed(failure, jitter: .random(in: 0..<1)), "no session: \(LiveClient.reason(failure))",
                on)
        case .closed(let code):
            let reason = "the session was closed with code \(code)"
            follow(reconnection.closed(code: code, at: on.now, jitter: .random(in: 0..<1)), reason, on)
        case .silent:
            let decision = reconnection.fellSilent(at: on.now, jitter: .random(in: 0..<1))
            follow(decision, "the server has stopped answering", on)
        }
    }

    private func begin(_ on: borrowing OnShard) {
        if toldReason != nil { Terminal.complain("the session is open again") }
        toldReason = nil
        if let shown = reconnection.shown { client?.acknowledge(upTo: shown, on) }
        for feed in feeds { client?.subscribe(to: feed, after: reconnection.place(in: feed), on) }
    }

    private func follow(_ decision: Reconnection.Decision, _ reason: String, _ on: borrowing OnShard) {
        switch decision {
        case .stop: ended(reason)
        case .connect(let delay):
            if reason != toldReason { Terminal.complain("\(reason); trying again") }
            toldReason = reason
            on.shard.schedule(at: on.now + delay, on) { [self] on in connect(on) }
        }
    }
}

extension WebSocketURL: ExpressibleByArgument {
    package init?(argument: String) {
        guard let url = try? WebSocketURL(argument) else { return nil }  // the parser has its own words for a bad value
        self = url
    }
}
