import Crypto
import CryptoExtras
import Foundation
import JSON
import Push
import Transport

/// Everything that a trial with a sink needs beside its address: certificate, keys and names, made at the first start
/// and kept for later ones.
package struct SinkFolder: Sendable {
    /// Absolute, so that the paths in it can be used from any folder.
    private let path: String
    let identity: SinkIdentity
    /// The service account's key, as PEM.
    private let fcmKey: Secret

    /// Creates missing files.
    ///
    /// - Throws: an error with the file's name, for a file that cannot be read or made.
    package init(_ path: String) throws {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        self.path = path
        // The folder will hold keys.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if !FileManager.default.fileExists(atPath: Self.certificate(in: path)) {
            try SelfSignedCertificate.write(certificateFile: Self.certificate(in: path), keyFile: path + "/key.pem")
        }
        _ = try Self.text(of: path + "/apns.p8") { P256.Signing.PrivateKey().pemRepresentation }
        _ = try Self.text(of: path + "/vapid.pem") { P256.Signing.PrivateKey().pemRepresentation }
        fcmKey = Secret(
            try Self.text(of: path + "/fcm-key.pem") {
                try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
            })
        let file = path + "/identity.json"
        let text = try Self.text(of: file) { String(decoding: SinkIdentity.random().json, as: UTF8.self) }
        guard let identity = try? JSONValue(parsing: text).object.flatMap(SinkIdentity.init) else {
            throw ServerError("\(file) was not written by `belfry sink`: remove it, and a new one is made")
        }
        self.identity = identity
    }

    /// Also the CA file with which clients trust the sink.
    package var certificateFile: String { Self.certificate(in: path) }
    package var certificateKeyFile: String { path + "/key.pem" }
    package var apnsKeyFile: String { path + "/apns.p8" }
    package var vapidKeyFile: String { path + "/vapid.pem" }
    package var serviceAccountFile: String { path + "/fcm-service-account.json" }
    /// A line for each browser that the sink plays, with its private key.
    var subscribersFile: String { path + "/subscribers.ndjson" }

    func fcmPublicKey() throws -> _RSA.Signing.PublicKey {
        try _RSA.Signing.PrivateKey(pemRepresentation: fcmKey.text).publicKey
    }

    /// Writes the file that Google's console would give out; it names the address of the token endpoint.
    func writeServiceAccount(tokenURI: String) throws {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "service_account")
            json.member("project_id", SinkIdentity.projectID)
            json.member("private_key_id", identity.fcmKeyID)
            json.member("private_key", fcmKey.text)
            json.member("client_email", SinkIdentity.clientEmail)
            json.member("client_id", "100000000000000000000")
            json.member("token_uri", tokenURI)
        }
        try PrivateFile.write(json.bytes, to: serviceAccountFile)
    }

    private static func certificate(in folder: String) -> String { folder + "/certificate.pem" }

    /// Reads a file, and creates it if it is missing.
    private static func text(of file: String, orMake make: () throws -> String) throws -> String {
        if !FileManager.default.fileExists(atPath: file) { try PrivateFile.write(Array(make().utf8), to: file) }
        return try TextFile.read(file)
    }
}
