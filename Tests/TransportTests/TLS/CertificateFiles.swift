import Foundation
import Support

@testable import Transport

/// A fresh certificate and key in a directory of their own, removed with this object.
final class CertificateFiles: Sendable {
    let directory: String
    var certificate: String { directory + "/cert.pem" }
    var key: String { directory + "/key.pem" }

    /// - Parameter validity: in seconds from now.
    init(validity: Range<Int> = -3_600..<86_400) throws {
        directory = NSTemporaryDirectory() + "belfry-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write(validity: validity)
    }

    // A directory that is left behind harms nobody.
    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Replaces both.
    func write(validity: Range<Int> = -3_600..<86_400) throws {
        try SelfSignedCertificate.write(certificateFile: certificate, keyFile: key, validity: validity)
    }

    func settings(
        applicationProtocols: [String] = [], minimumVersion: TLSVersion = .tls12,
        handshakeTimeout: Duration = .patience
    ) -> TLSServerSettings {
        TLSServerSettings(
            certificateFile: certificate, keyFile: key, applicationProtocols: applicationProtocols,
            minimumVersion: minimumVersion, handshakeTimeout: handshakeTimeout)
    }
}
