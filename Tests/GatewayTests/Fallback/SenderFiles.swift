import CryptoExtras
import Foundation
import JWTKit

/// Keys of a test's own, in files; gone with the value.
final class SenderFiles: Sendable {
    let folder = NSTemporaryDirectory() + "belfry-keys-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // what stays behind is the system's to clear

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func ellipticKey() throws -> String { try write(ES256PrivateKey().pemRepresentation, to: "key.p8") }

    func serviceAccount(project: String = "rooms-1") throws -> String {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let lines = key.split(separator: "\n").joined(separator: "\\n")
        return try write(
            #"""
            {"type": "service_account", "project_id": "\#(project)", "client_email": "belfry@example.com",
             "private_key_id": "1", "private_key": "\#(lines)\n", "token_uri": "https://token.example.com/token"}
            """#, to: "account.json")
    }
}
