import Foundation
import Transport

/// An HTTP/2 server over TLS on a port that is free, which answers each request with 200 and tells its path.
final class PathServer: Sendable {
    let url: String
    let certificateFile: String
    let paths: AsyncStream<String>
    private let shards: ShardGroup
    private let folder = NSTemporaryDirectory() + "belfry-paths-" + UUID().uuidString

    init() throws {
        let (paths, report) = AsyncStream.makeStream(of: String.self)
        self.paths = paths
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        certificateFile = folder + "/cert.pem"
        try SelfSignedCertificate.write(certificateFile: certificateFile, keyFile: folder + "/key.pem")
        let tls = try TLSContext(
            certificateFile: certificateFile, keyFile: folder + "/key.pem", applicationProtocols: ["h2"])
        let socket = try Listener.open(.tcp(host: "127.0.0.1", port: 0))
        url = "https://\(socket.address)"
        shards = try ShardGroup(count: 1, poller: .epoll)
        shards.shards[0].post { on in
            // The shard keeps its listener.
            _ = Listener(socket, on: on) { descriptor, on in
                // A failure shows in the test, whose requests get no answer.
                _ = try? Connection(descriptor: descriptor, tls: tls, on: on) { connection in
                    guard let session = try? HTTP2ServerSession() else { fatalError("no memory") }
                    return Handler(connection, session) { report.yield($0) }
                }
            }
        }
    }

    func stop() async {
        await withCheckedContinuation { continuation in shards.stop { continuation.resume() } }
        try? FileManager.default.removeItem(atPath: folder)  // what stays behind is the system's to clear
    }

    private final class Handler: ConnectionHandler {
        private unowned let connection: Connection
        private let session: HTTP2ServerSession
        private let report: (String) -> Void

        init(_ connection: Connection, _ session: HTTP2ServerSession, report: @escaping (String) -> Void) {
            (self.connection, self.session, self.report) = (connection, session, report)
        }

        func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
            do {
                for case .request(let stream, let request) in try session.receive(UnsafeRawBufferPointer(bytes)) {
                    report(request.path)
                    try session.respond(to: stream, status: 200, headers: [], body: [])
                }
                connection.send(try session.pendingOutput(), on)
            } catch {
                connection.close(on)
            }
        }

        func peerFinished(_ on: borrowing OnShard) { connection.close(on) }
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
        func closed(_ on: borrowing OnShard) {}
    }
}
