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
        abstract: "Run a stand-in for the push services and print each push as a line of JSON.",
        discussion: """
            It speaks APNs' protocol over HTTP/2 and TLS, with a certificate of its own that is made at the first \
            start. Point a server at it with the two variables that its first line tells.

            A script holds faults, a JSON object a line: {"times": 2, "fault": "answer", "status": 503} or \
            {"request": 3, "fault": "goAway"}; others are noAnswer, reset and delay (with milliseconds).

            Example: belfry sink --listen 127.0.0.1:9443
            """)

    @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"))
    var listen: SocketAddress

    @Option(help: ArgumentHelp("A file with faults to show.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Where the certificate and its key are kept.", valueName: "folder"))
    var data = "./data/sink"

    func run() async throws {
        do {
            let stopSignal = try StopSignal()
            let (certificate, key) = ("\(data)/certificate.pem", "\(data)/key.pem")
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            if !FileManager.default.fileExists(atPath: certificate) {
                try SelfSignedCertificate.write(certificateFile: certificate, keyFile: key)
            }
            let faults = try script.map { try SinkScript(parsing: TextFile.read($0)) } ?? SinkScript()
            let tls = try TLSContext(certificateFile: certificate, keyFile: key, applicationProtocols: ["h2"])
            let sink = try SinkServer(
                listen: listen, tls: tls, script: faults,
                now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
                print: { Terminal.print(String(decoding: $0, as: UTF8.self)) })
            Terminal.print(Self.firstLine(sink.address, certificate: certificate))
            _ = await stopSignal.received()
            await withCheckedContinuation { continuation in sink.stop { continuation.resume() } }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.failure
        }
    }

    private static func firstLine(_ address: SocketAddress, certificate: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("APNS_ENDPOINT", "https://\(address)")
            json.member("APNS_CA_FILE", certificate)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
