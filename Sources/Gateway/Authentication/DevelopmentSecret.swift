import Foundation
package import Inbox
import Push
import SQLiteStore
import Store

/// The secret of this machine's own tokens: made once, kept in the data folder, readable only by its owner.
package enum DevelopmentSecret {
    package static let fileName = "dev-secret"

    /// Reads the secret of a data folder; creates a missing secret or folder.
    ///
    /// Server and command line may call this at once: the first to put the file in place wins, and both read it.
    package static func load(in folder: String) throws(KeyProblem) -> Secret {
        let path = URL(fileURLWithPath: folder).appendingPathComponent(fileName).path
        do {
            try DataFolder.make(folder)
            try DataFolder.check(file: path)
            let files = FileManager.default
            if !files.fileExists(atPath: path) { try create(at: path) }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return Secret(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        } catch let error as StoreOpenError {
            throw KeyProblem(source: "data", reason: error.description)
        } catch {
            throw KeyProblem(source: path, reason: "cannot be made or read: \(FileFailure(error))")
        }
    }

    /// The secret of an app's tokens: another one in each app, so that it tells the app.
    package static func secret(of app: AppName, from secret: Secret) -> Secret {
        app.isUnnamed ? secret : Secret("\(secret.text) \(app.text)")
    }

    private static func create(at path: String) throws {
        let files = FileManager.default
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<VerificationKey.minimumSecretBytes).map { _ -> UInt8 in random.next() }
        let draft = "\(path).\(UUID().uuidString)"
        let data = Data((Base64URL.encode(bytes) + "\n").utf8)
        guard files.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteNoPermission)
        }
        defer {
            // A leftover draft is harmless, and the outcome is already known.
            try? files.removeItem(atPath: draft)
        }
        try data.write(to: URL(fileURLWithPath: draft))
        do {
            // A link appears whole or not at all, and never replaces another process' file.
            try files.linkItem(atPath: draft, toPath: path)
        } catch {
            // Another process was first: its secret counts.
            guard files.fileExists(atPath: path) else { throw error }
        }
    }
}
