import ArgumentParser
import JSON
import Transport
import WireProtocol

struct EchoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo",
        abstract: "Send each WebSocket message back: the socket engine without the gateway.",
        discussion: HelpText.with(
            """
            With --listen it serves at any path, tells its address in its first line, and ends with SIGTERM or SIGINT. \
            With --connect it is the client, and tells each connection's close code in a line; it exits with 1 if one \
            could not be opened. URLs from standard input are visited one after another.
            """, examples: "belfry echo --listen 127.0.0.1:9000"))

    /// The largest size that the engine can count.
    private static let largestMaxMessage = Int(Int32.max)

    @Option(
        help: ArgumentHelp("Where to listen; port 0 is any free one.", valueName: "host:port"),
        transform: SocketAddress.argument)
    var listen: SocketAddress?

    @Option(help: ArgumentHelp("The server, as ws:// or wss://host:port/path; - reads a URL a line.", valueName: "url"))
    var connect: String?

    @Option(help: "Which poller to use: epoll or dispatch.")
    var poller = PollerKind.epoll

    @Option(help: "How many shards serve --listen.")
    var shards = 1

    @Option(help: ArgumentHelp("Encrypt --listen with this certificate, a PEM file.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key, a PEM file.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Trust this authority with --connect instead of the system's, a PEM file.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("How long a message may be.", valueName: "bytes"))
    var maxMessage = 16 << 20

    @Flag(help: "Neither agree to compression nor offer it.")
    var noCompression = false

    private var options: EchoOptions {
        // Compresses every message, and fast, because this command is for testing the engine.
        let deflate = DeflateSettings(thresholdBytes: 0, level: 1, windowBits: 15)
        return EchoOptions(poller: poller, maximumMessageBytes: maxMessage, deflate: noCompression ? nil : deflate)
    }

    func validate() throws {
        guard (listen == nil) != (connect == nil) else { throw ValidationError("give either --listen or --connect") }
        guard (1...256).contains(shards) else { throw ValidationError("--shards is 1 to 256") }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together")
        }
        guard listen != nil || shards == 1 && tlsKey == nil else {
            throw ValidationError("--shards, --tls-certificate and --tls-key belong to --listen")
        }
        guard connect != nil || ca == nil else { throw ValidationError("--ca belongs to --connect") }
        guard (1...Self.largestMaxMessage).contains(maxMessage) else {
            throw ValidationError("--max-message is 1 to \(Self.largestMaxMessage)")
        }
        if let connect, connect != "-" { _ = try Self.url(connect) }
    }

    func run() async throws {
        DescriptorLimit.raise()
        do {
            if let listen { try await serve(listen) }
            if let connect { try await visit(connect) }
        } catch let exitCode as ExitCode {
            throw exitCode
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.failure
        }
    }

    // MARK: The server's role

    private func serve(_ listen: SocketAddress) async throws {
        Terminal.outlivesReaders()
        let stopSignal = try StopSignal()
        let server = try EchoServer(listen: listen, shardCount: shards, tls: tls(), options: options)
        var json = JSONWriter()
        json.object { $0.member("listen", "\(server.address)") }
        Terminal.print(String(decoding: json.bytes, as: UTF8.self))
        _ = await stopSignal.received()
        await server.stop()
    }

    private func tls() throws(TLSFailure) -> TLSServer? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return try TLSServer(TLSServerSettings(certificateFile: tlsCertificate, keyFile: tlsKey))
    }

    // MARK: The client's role

    private func visit(_ place: String) async throws {
        let client = try EchoClient(options, tls: TLSClientContext(caFile: ca))
        guard place == "-" else { return try await visit(Self.url(place), client) }
        var isWell = true
        while let line = readLine() {
            guard !line.isEmpty else { continue }
            do {
                try await visit(Self.url(line), client)
            } catch {
                Terminal.complain("\(error)")
                isWell = false
            }
        }
        guard isWell else { throw ExitCode.failure }
    }

    private func visit(_ url: WebSocketURL, _ client: EchoClient) async throws {
        let outcome = try await client.echo(url)
        var json = JSONWriter()
        json.object { json in
            json.member("closed", Int(outcome.closeCode))
            json.member("messages", outcome.messageCount)
        }
        Terminal.print(String(decoding: json.bytes, as: UTF8.self))
    }

    private static func url(_ text: String) throws(ValidationError) -> WebSocketURL {
        do {
            return try WebSocketURL(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

extension PollerKind: ExpressibleByArgument {}
