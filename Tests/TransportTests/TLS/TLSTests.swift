import CLinux
import COpenSSL
import Foundation
import Glibc
import Testing
import Transport

/// Server sessions against libssl's own client, over a socket pair.
struct TLSTests {
    @Test(arguments: [
        (["h2", "http/1.1"], ["http/1.1", "h2"], "h2"), (["http/1.1"], ["h2", "http/1.1"], "http/1.1"),
        ([], ["h2"], nil),
    ])
    func `both ends agree on the server's preferred protocol`(server: [String], client: [String], agreed: String?)
        throws
    {
        let link = try TLSLink(serverProtocols: server, clientProtocols: client)
        try link.finishHandshake()
        #expect(link.server.alpn == agreed)
    }

    @Test func `a client without a common protocol is turned away`() throws {
        let link = try TLSLink(serverProtocols: ["h2"], clientProtocols: ["http/1.1"])
        let failure = #expect(throws: TLSFailure.self) { try link.finishHandshake() }
        #expect(failure?.call == "handshake")
    }

    @Test(arguments: ["DNS:localhost", "IP:127.0.0.1", "IP:::1"])
    func `a client that trusts the certificate file accepts each of its names`(name: String) throws {
        let link = try TLSLink(expectedName: name)
        try link.finishHandshake()
        #expect(SSL_get_verify_result(link.client) == 0)
    }

    @Test func `a client that expects another name refuses the certificate`() throws {
        let link = try TLSLink(expectedName: "DNS:example.org")
        #expect(throws: TLSFailure.self) { try link.finishHandshake() }
    }

    @Test func `bytes go both ways`() throws {
        let link = try TLSLink()
        try link.finishHandshake()
        guard case .wouldBlock = link.serverReads() else {
            Issue.record("nothing was sent yet")
            return
        }
        link.clientWrites("ping")
        guard case .bytes = link.serverReads() else {
            Issue.record("the client's bytes are missing")
            return
        }
        #expect(link.received == Array("ping".utf8))
        guard case .wrote(4) = link.serverWrites(Array("pong".utf8)) else {
            Issue.record("a short answer fits")
            return
        }
        #expect(link.clientReads() == Array("pong".utf8))
    }

    @Test func `a write larger than the socket's buffer goes out in parts`() throws {
        let link = try TLSLink()
        try link.finishHandshake()
        let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var offset = 0
        var blocked = 0
        var arrived: [UInt8] = []
        while offset < sent.count {
            switch link.serverWrites(Array(sent[offset...])) {
            case .wrote(let count): offset += count
            case .wouldBlock:
                blocked += 1
                arrived += link.clientReads()
            case .failed(let failure): throw failure
            }
        }
        while link.server.holdsOutput {
            _ = link.server.drain()
            arrived += link.clientReads()
        }
        arrived += link.clientReads()
        #expect(blocked > 0)
        #expect(arrived == sent)
    }

    @Test(arguments: [true, false])
    func `a client's end is an end of stream, with or without goodbye`(saysGoodbye: Bool) throws {
        let link = try TLSLink()
        try link.finishHandshake()
        if saysGoodbye { SSL_shutdown(link.client) }
        shutdown(link.clientSocket, Int32(SHUT_WR))
        guard case .endOfStream = link.serverReads() else {
            Issue.record("the end was not told")
            return
        }
        link.server.shutdown()
    }

    @Test func `bytes that are no TLS fail with the library's reason`() throws {
        let link = try TLSLink()
        let line = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        #expect(Glibc.write(link.clientSocket, line, line.count) == line.count)
        guard case .failed(let failure) = link.server.handshake() else {
            Issue.record("a plain request passed for TLS")
            return
        }
        #expect(failure.reason.contains("http request"))
        link.server.shutdown()
    }

    @Test func `a client that leaves during the handshake ends it`() throws {
        let link = try TLSLink()
        shutdown(link.clientSocket, Int32(SHUT_RDWR))
        guard case .failed = link.server.handshake() else {
            Issue.record("there is nobody to shake hands with")
            return
        }
    }

    @Test func `a wrong file is named, a wrong key refused`() throws {
        let files = try CertificateFiles()
        let others = try CertificateFiles()
        let missing = #expect(throws: TLSFailure.self) {
            try TLSContext(certificateFile: "/nowhere/cert.pem", keyFile: files.key)
        }
        #expect(missing?.description.contains("/nowhere/cert.pem") == true)
        let mixed = #expect(throws: TLSFailure.self) {
            try TLSContext(certificateFile: files.certificate, keyFile: others.key)
        }
        #expect(
            mixed?.description
                == "key \(others.key): expected the private key of \(files.certificate) in PEM form, unencrypted")
    }

    @Test func `only the owner may read the key, also over an older file`() throws {
        let files = try CertificateFiles()
        let first = try String(contentsOfFile: files.key, encoding: .utf8)
        chmod(files.key, 0o644)
        try SelfSignedCertificate.write(certificateFile: files.certificate, keyFile: files.key)
        let mode = try FileManager.default.attributesOfItem(atPath: files.key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOfFile: files.key, encoding: .utf8) != first)
        _ = try TLSContext(certificateFile: files.certificate, keyFile: files.key)
    }
}

/// A server session and libssl's client at the two ends of a socket pair.
private final class TLSLink {
    let files: CertificateFiles
    let server: TLSSession
    let client: OpaquePointer
    let clientSocket: Int32
    private let serverSocket: Int32
    private let clientContext: OpaquePointer
    private(set) var received: [UInt8] = []

    init(serverProtocols: [String] = [], clientProtocols: [String] = [], expectedName: String? = nil) throws {
        files = try CertificateFiles()
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        (serverSocket, clientSocket) = (pair[0], pair[1])
        let context = try TLSContext(
            certificateFile: files.certificate, keyFile: files.key, applicationProtocols: serverProtocols)
        server = try TLSSession(context: context, descriptor: serverSocket)
        clientContext = try #require(SSL_CTX_new(TLS_client_method()))
        SSL_CTX_load_verify_locations(clientContext, files.certificate, nil)
        client = try #require(SSL_new(clientContext))
        SSL_set_fd(client, clientSocket)
        SSL_set_connect_state(client)
        if let expectedName { expect(expectedName) }
        let list = clientProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(client, list, UInt32(list.count)) }
    }

    deinit {
        SSL_free(client)
        SSL_CTX_free(clientContext)
        close(serverSocket)
        close(clientSocket)
    }

    private func expect(_ name: String) {
        SSL_set_verify(client, SSL_VERIFY_PEER, nil)
        if name.hasPrefix("IP:") {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(client), String(name.dropFirst(3)))
        } else {
            SSL_set1_host(client, String(name.dropFirst(4)))
        }
    }

    /// Lets both ends take turns until the server is done.
    func finishHandshake() throws {
        for _ in 0..<10 {
            SSL_do_handshake(client)
            switch server.handshake() {
            case .done:
                SSL_do_handshake(client)
                return
            case .wouldBlock: continue
            case .failed(let failure): throw failure
            }
        }
        Issue.record("the handshake does not end")
    }

    func clientWrites(_ text: String) {
        let bytes = Array(text.utf8)
        SSL_write(client, bytes, Int32(bytes.count))
    }

    func clientReads() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 32_768)
        while case let count = SSL_read(client, &buffer, Int32(buffer.count)), count > 0 {
            all += buffer.prefix(Int(count))
        }
        return all
    }

    func serverReads() -> TLSReadOutcome {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let outcome = buffer.withUnsafeMutableBytes { server.read(into: $0) }
        if case .bytes(let count) = outcome { received += buffer.prefix(count) }
        return outcome
    }

    func serverWrites(_ bytes: [UInt8]) -> TLSWriteOutcome {
        bytes.withUnsafeBytes { server.write($0) }
    }
}
