import COpenSSL
import Foundation
import Testing

@testable import Transport

@Suite struct TLSReloadTests {
    private let files: CertificateFiles

    init() throws { files = try CertificateFiles() }

    @Test(arguments: PollerKind.allCases)
    func `new connections get the new certificate, and open ones go on`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.echo)
        let before = try TLSTestClient(to: address)
        try before.handshake()
        try files.write()
        try server.reload()
        let after = try TLSTestClient(to: address)
        try after.handshake()
        #expect(try before.certificateSerial() != after.certificateSerial())
        for client in [before, after] {
            try client.send("hello")
            #expect(try client.readText(5) == "hello")
        }
    }

    enum Damage: CaseIterable {
        case noCertificate, noKey, certificateIsNone, keyIsNone, keyOfAnother, keyNeedsPassword
    }

    @Test(arguments: Damage.allCases)
    func `a file that does not serve is named, and the old certificate stays`(damage: Damage) throws {
        let host = try TestShard(.epoll)
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.echo)
        let serial = try connect(to: address).certificateSerial()
        let culprit: String
        switch damage {
        case .noCertificate:
            culprit = files.certificate
            try FileManager.default.removeItem(atPath: culprit)
        case .noKey:
            culprit = files.key
            try FileManager.default.removeItem(atPath: culprit)
        case .certificateIsNone:
            culprit = files.certificate
            try "not PEM".write(toFile: culprit, atomically: true, encoding: .utf8)
        case .keyIsNone:
            culprit = files.key
            try "".write(toFile: culprit, atomically: true, encoding: .utf8)
        case .keyOfAnother:
            culprit = files.key
            let other = try CertificateFiles()
            try FileManager.default.removeItem(atPath: culprit)
            try FileManager.default.copyItem(atPath: other.key, toPath: culprit)
        case .keyNeedsPassword:
            culprit = files.key
            try encryptKey(culprit)
        }
        let failure = #expect(throws: TLSFailure.self) { try server.reload() }
        #expect(failure?.description.contains(culprit) == true)
        #expect(failure?.reason.isEmpty == false)
        #expect(try connect(to: address).certificateSerial() == serial)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a session is resumed by its ticket, also after a reload`(version: Int32) throws {
        let host = try TestShard(.epoll)
        let server = try TLSServer(files.settings())
        let address = try host.listen(tls: server, Journal(), react: RecordingHandler.echo)
        let first = try connect(to: address, version: version)
        let second = try connect(to: address, version: version, resuming: first)
        #expect(!first.isResumed && second.isResumed)
        try files.write()
        try server.reload()
        let third = try connect(to: address, version: version, resuming: second)
        #expect(third.isResumed)
        let stranger = try TLSServer(files.settings())
        let elsewhere = try host.listen(tls: stranger, Journal(), react: RecordingHandler.echo)
        #expect(try !connect(to: elsewhere, version: version, resuming: third).isResumed)
    }

    /// A client that has exchanged a few bytes, by when it has its ticket.
    private func connect(
        to address: SocketAddress, version: Int32? = nil, resuming: TLSTestClient? = nil
    ) throws -> TLSTestClient {
        let client = try TLSTestClient(to: address, version: version, resuming: resuming)
        try client.handshake()
        try client.send("ticket")
        #expect(try client.readText(6) == "ticket")
        return client
    }

    private func encryptKey(_ path: String) throws {
        let file = try #require(BIO_new_file(path, "r"))
        defer { BIO_free(file) }
        let key = try #require(PEM_read_bio_PrivateKey(file, nil, nil, nil))
        defer { EVP_PKEY_free(key) }
        let target = try #require(BIO_new_file(path, "w"))
        defer { BIO_free(target) }
        try #require(PEM_write_bio_PKCS8PrivateKey(target, key, EVP_aes_128_cbc(), "secret", 6, nil, nil) == 1)
    }
}

extension TLSTestClient {
    fileprivate func certificateSerial() throws -> Int {
        let certificate = try #require(SSL_get1_peer_certificate(session))
        defer { X509_free(certificate) }
        return ASN1_INTEGER_get(X509_get_serialNumber(certificate))
    }
}
