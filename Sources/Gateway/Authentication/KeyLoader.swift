import Foundation
import JSON

/// Reads the keys of a source: at the start, and again after a file has changed.
struct KeyLoader {
    /// A larger file is the wrong one.
    private static let maximumFileBytes = 1 << 20

    private let rules: TokenRules
    /// Where the settings are, for messages.
    private var path: String { rules.settingsPath }
    private var keys: [VerificationKey] = []
    /// A line for each key that was passed over.
    private(set) var notes: [String] = []

    private init(_ rules: TokenRules) { self.rules = rules }

    /// - Parameter rules: keys for other algorithms than these name are passed over.
    /// - Returns: at least one key, and a line for each that was passed over.
    static func load(
        _ source: KeySource, for rules: TokenRules
    ) async throws(KeyProblem) -> (keys: [VerificationKey], notes: [String]) {
        var loader = KeyLoader(rules)
        if let secret = source.secret { try loader.add(secret, from: "\(loader.path).secret") }
        if let file = source.secretFile { try loader.add(secret(in: file), from: file) }
        if let secret = source.developmentSecret { try loader.add(secret, from: DevelopmentSecret.fileName) }
        for file in source.publicKeyFiles { try await loader.addPublicKeys(in: file) }
        if let file = source.jwksFile { try await loader.addKeySet(members(ofKeySetIn: file), from: file) }
        guard !loader.keys.isEmpty else { throw loader.nothingUsable }
        return (loader.keys, loader.notes)
    }

    /// Reads the members of a key set that a provider publishes.
    ///
    /// - Returns: as ``load(_:for:)`` does.
    static func load(
        _ set: [JSONValue], from source: String, for rules: TokenRules
    ) async throws(KeyProblem) -> (keys: [VerificationKey], notes: [String]) {
        var loader = KeyLoader(rules)
        try await loader.addKeySet(set, from: source)
        return (loader.keys, loader.notes)
    }

    private var nothingUsable: KeyProblem {
        let advice = "no key to verify tokens with: give \(path).secret, secretFile, publicKeyFiles or jwksFile"
        return KeyProblem(source: path, reason: ([advice] + notes).joined(separator: "; "))
    }

    private mutating func add(_ secret: Secret, from source: String) throws(KeyProblem) {
        keep(try .shared(secret, from: source), from: source)
    }

    private mutating func keep(_ key: VerificationKey, from source: String) {
        if rules.algorithms.contains(key.algorithm) {
            keys.append(key)
        } else {
            notes.append(
                "\(source): a key for \(key.algorithm.rawValue) is ignored, \(path).algorithms does not list it")
        }
    }

    // MARK: Files

    private static func secret(in file: String) throws(KeyProblem) -> Secret {
        Secret(try text(of: file).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private mutating func addPublicKeys(in file: String) async throws(KeyProblem) {
        let blocks = Self.pemBlocks(in: try Self.text(of: file))
        guard !blocks.isEmpty else { throw KeyProblem(source: file, reason: "expected a public key in PEM form") }
        for block in blocks {
            guard !block.contains("PRIVATE KEY-----") else {
                throw KeyProblem(source: file, reason: "has a private key: expected only the public key")
            }
            guard let key = await VerificationKey.publicKey(pem: block) else {
                let expected = "expected a public key: RSA of 2048 bits or more, P-256 or Ed25519"
                throw KeyProblem(source: file, reason: expected)
            }
            keep(key, from: file)
        }
    }

    private static func pemBlocks(in text: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") { block = [] }
            block?.append(line)
            if line.hasPrefix("-----END "), let lines = block {
                blocks.append(lines.joined(separator: "\n") + "\n")
                block = nil
            }
        }
        return blocks
    }

    /// Adds keys one by one: an unusable key must not cost the others.
    private mutating func addKeySet(_ members: [JSONValue], from source: String) async throws(KeyProblem) {
        let before = keys.count
        for (index, member) in members.enumerated() {
            let name = member.object?["kid"]?.string.map { "key \"\($0)\"" } ?? "key \(index + 1)"
            do {
                keep(try await .publicKey(JSONWebKey(member.object ?? [:])), from: "\(source): \(name)")
            } catch let ignored as JSONWebKey.Ignored {
                notes.append("\(source): \(name) \(ignored.reason)")
            } catch {
                notes.append("\(source): \(name) is not a valid public key")
            }
        }
        guard keys.count > before else {
            throw KeyProblem(source: source, reason: (["no usable key"] + notes).joined(separator: "; "))
        }
    }

    private static func members(ofKeySetIn file: String) throws(KeyProblem) -> [JSONValue] {
        let text = try text(of: file)
        do {
            let set = try JSONValue(parsingUnambiguous: Array(text.utf8))
            if let members = set.object?["keys"]?.array { return members }
        } catch {
            throw KeyProblem(source: file, reason: error.description)
        }
        throw KeyProblem(source: file, reason: "expected a JSON Web Key set: {\"keys\": […]}")
    }

    private static func text(of file: String) throws(KeyProblem) -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw KeyProblem(source: file, reason: "cannot be read: \(FileFailure(error))")
        }
        guard data.count <= maximumFileBytes, let text = String(validating: data, as: UTF8.self) else {
            throw KeyProblem(source: file, reason: "is not a text file, or has more than \(maximumFileBytes) bytes")
        }
        return text
    }
}
