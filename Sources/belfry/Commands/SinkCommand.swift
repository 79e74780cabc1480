import ArgumentParser
import Foundation
import Gateway
import Inbox
import JSON
import Push
import Transport

struct SinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink",
        abstract: "Run a stand-in for the push services: APNs, FCM, OneSignal and Web Push.",
        discussion: HelpText.with(
            """
            It checks what the real services check, shows at https://<address>/ what phones would show, and prints each \
            request as a line of JSON. At its first start it makes a certificate and all keys. Its first line tells \
            the settings that point a server at it: as JSON, or with --env as lines for a shell.

            A script holds faults, a JSON object a line: answer, goAway, drop, noAnswer, reset, refuseStream, and delay \
            (with milliseconds). docs/sink.md has all their members.
            """, title: "Examples, the first two in two terminals",
            examples: "belfry sink",
            #"eval "$(belfry sink --print-env)" && belfry serve --dev --catalog Config/catalogs/rooms.yaml"#,
            """
            echo '{"times": 2, "fault": "answer", "status": 503}' > faults.ndjson
            echo '{"provider": "fcm", "request": 3, "fault": "goAway"}' >> faults.ndjson
            echo '{"percent": 5, "fault": "drop"}' >> faults.ndjson
            belfry sink --script faults.ndjson
            """))

    @Option(
        help: ArgumentHelp("Where to listen; 127.0.0.1:9443 by default.", valueName: "host:port"),
        transform: SocketAddress.argument)
    var listen: SocketAddress = .tcp(host: "127.0.0.1", port: 9443)

    @Option(help: ArgumentHelp("A file with the faults to cause.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("The seed that selects the requests for rules with a percentage.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(help: ArgumentHelp("Where the certificate and the keys are kept.", valueName: "folder"))
    var data = "./data/sink"

    @Option(help: ArgumentHelp("Another key for APNs tokens, private or public, in PEM.", valueName: "file"))
    var apnsKey: String?

    @Flag(help: "Print the settings as lines for a shell, and nothing else.")
    var printEnv = false

    @Flag(help: "Print the settings as lines for a shell first, in place of JSON.")
    var env = false

    @Flag(help: "Print no requests.")
    var quiet = false

    @Option(help: ArgumentHelp("Append a short line of JSON for each request.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Write at the end what each phone has shown, and how often.", valueName: "file"))
    var summary: String?

    @Option(help: ArgumentHelp("Threads that serve connections.", valueName: "number"))
    var shards = 1

    @Option(help: ArgumentHelp("Requests at once on one HTTP/2 connection.", valueName: "number"))
    var streams: UInt32 = 1_000

    func validate() throws {
        guard (1...64).contains(shards) else { throw ValidationError("--shards is 1 to 64") }
        guard streams > 0 else { throw ValidationError("--streams is 1 or more") }
        if printEnv, case .tcp(_, port: 0) = listen {
            throw ValidationError("--print-env needs the port at which the sink will listen: --listen 127.0.0.1:9443")
        }
        if case .unix = listen { throw ValidationError("--listen takes a host and a port") }
    }

    func run() async throws {
        do {
            if printEnv {
                print(try SinkFolder(data).variables(for: listen), asShellLines: true)
            } else {
                try await serve()
            }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        Terminal.outlivesReaders()
        let stopSignal = try StopSignal()
        var options = SinkOptions(listen: listen, folder: try SinkFolder(data))
        options.script = try faults()
        options.apnsKeyFile = apnsKey
        options.shards = shards
        options.concurrentStreams = streams
        options.keepsShown = summary != nil
        let recorder = try record.map { try SinkRecorder(appendingTo: $0) }
        let sink = try SinkServer(
            options, now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
            outputs: SinkOutputs(print: quiet ? nil : Self.printLine, recorder: recorder))
        print(sink.variables, asShellLines: env)
        _ = await stopSignal.received()
        await withCheckedContinuation { continuation in sink.stop { continuation.resume() } }
        if let summary { try Data(sink.summary + [UInt8(ascii: "\n")]).write(to: URL(fileURLWithPath: summary)) }
        if let recorder {
            let failure = await withCheckedContinuation { continuation in
                recorder.close { continuation.resume(returning: $0) }
            }
            if let failure { throw failure }
        }
    }

    private static let printLine: SinkOutputs.Printer = { Terminal.print(String(decoding: $0, as: UTF8.self)) }

    private func faults() throws -> SinkScript {
        guard let script else { return SinkScript(seed: seed) }
        do {
            return try SinkScript(parsing: TextFile.read(script), seed: seed)
        } catch let error as SinkScriptError {
            throw ServerError("\(script), \(error)")
        }
    }

    private func print(_ variables: [(name: String, value: String)], asShellLines: Bool) {
        guard asShellLines else {
            var json = JSONWriter()
            json.object { json in
                for (name, value) in variables {
                    json.key(dynamic: name)
                    json.value(value)
                }
            }
            return Terminal.print(String(decoding: json.bytes, as: UTF8.self))
        }
        for (name, value) in variables {
            // Inside single quotes only the single quote has a meaning for a shell.
            Terminal.print("export \(name)='\(value.replacing("'", with: "'\\''"))'")
        }
    }
}
