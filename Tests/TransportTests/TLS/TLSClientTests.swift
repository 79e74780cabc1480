import CLinux
import COpenSSL
import Glibc
import Testing

@testable import Transport

/// Our client's side of TLS against our server's, over real sockets.
@Suite struct TLSClientTests {
    typealias Event = RecordingHandler.Event

    /// The text that a client wrote down, and how its TLS failed.
    private struct Report: Sendable {
        let text: [UInt8]?
        let failure: TLSFailure?
        let isOpen: Bool
    }

    @Test(arguments: PollerKind.allCases, ["localhost", "127.0.0.1", "::1"])
    func `a client that trusts the certificate talks to each of its names`(poller: PollerKind, host: String) throws {
        let files = try CertificateFiles()
        let report = try connect(files, poller, trusting: files.certificate, host: host)
        #expect(report.text == Array("hello".utf8))
        #expect(report.failure == nil && report.isOpen)
    }

    @Test(arguments: ["example.org", "127.0.0.2", "sub.localhost", "ocalhost"])
    func `a certificate for others is refused`(host: String) throws {
        let files = try CertificateFiles()
        let report = try connect(files, .epoll, trusting: files.certificate, host: host)
        #expect(report.text == nil)
        #expect(report.failure?.reason.contains("mismatch") == true)
    }

    @Test func `a certificate that nobody trusted vouches for is refused`() throws {
        let (files, others) = (try CertificateFiles(), try CertificateFiles())
        let report = try connect(files, .epoll, trusting: others.certificate, host: "localhost")
        #expect(report.failure?.reason.contains("self-signed certificate") == true)
        let strict = try connect(files, .epoll, trusting: nil, host: "localhost")
        #expect(strict.failure?.reason.contains("self-signed certificate") == true)
    }

    @Test(arguments: [(-86_400..<(-60), "expired"), (3_600..<86_400, "not yet valid")])
    func `a certificate out of its time is refused`(validity: Range<Int>, reason: String) throws {
        let files = try CertificateFiles(validity: validity)
        let report = try connect(files, .epoll, trusting: files.certificate, host: "localhost")
        #expect(report.failure?.reason.contains(reason) == true)
    }

    @Test func `a file of roots that cannot be read is named`() {
        let failure = #expect(throws: TLSFailure.self) { try TLSClientContext(caFile: "/nowhere/ca.pem") }
        #expect(failure?.description.contains("/nowhere/ca.pem") == true)
    }

    @Test(arguments: PollerKind.allCases)
    func `where nobody listens the system's word is told`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let context = try TLSClientContext()
        let reports = Journal<Int32?>()
        let address = try freeAddress()
        try host.run { on in
            try Self.open(address, context, "localhost", on) { event, connection, on in
                if event == .closed { reports.write(connection.failure) }
            }
        }
        #expect(try reports.next() == ECONNREFUSED)
    }

    private func freeAddress() throws -> SocketAddress {
        let socket = try Listener.open(.tcp(host: "127.0.0.1", port: 0))
        close(socket.descriptor)
        return socket.address
    }

    /// The report of a client that says hello to a server that echoes.
    private func connect(
        _ files: CertificateFiles, _ poller: PollerKind, trusting caFile: String?, host name: String
    ) throws -> Report {
        let host = try TestShard(poller)
        let server = try TLSServer(files.settings(applicationProtocols: ["http/1.1"]))
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.echo)
        let context = try TLSClientContext(caFile: caFile)
        let reports = Journal<Report>()
        try host.run { on in
            try Self.open(address, context, name, on) { event, connection, on in
                switch event {
                case .received(let bytes):
                    #expect(connection.applicationProtocol == "http/1.1")
                    reports.write(Report(text: bytes, failure: connection.tlsFailure, isOpen: connection.isOpen))
                case .closed:
                    reports.write(Report(text: nil, failure: connection.tlsFailure, isOpen: connection.isOpen))
                case .peerFinished, .deadlineReached, .outputBlocked, .outputDrained: break
                }
            }
        }
        return try reports.next()
    }

    /// Begins to connect and says hello, which waits for the handshake.
    private static func open(
        _ address: SocketAddress, _ context: TLSClientContext, _ host: String, _ on: borrowing OnShard,
        react: @escaping RecordingHandler.Reaction
    ) throws {
        let descriptor = try address.resolve { (family, pointer, length) throws(SystemCallError) in
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(family, kind, 0)
            guard Glibc.connect(descriptor, pointer, length) == 0 || errno == EINPROGRESS else {
                let error = SystemCallError("connect", errno: errno)
                Glibc.close(descriptor)
                throw error
            }
            return descriptor
        }
        let connection = try Connection(descriptor: descriptor, tls: context, host: host, on: on) {
            RecordingHandler($0, Journal(), react)
        }
        connection.send(Array("hello".utf8), on)
    }
}
