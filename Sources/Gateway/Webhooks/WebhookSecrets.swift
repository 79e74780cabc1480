import Foundation
import Inbox

/// The secrets of one endpoint, and what they sign (Standard Webhooks 1.0.0, "Signature scheme",
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
struct WebhookSecrets: Sendable {
    static let expectation =
        "expected secrets, one a line: whsec_ and the Base64 of 24 to 64 random bytes, such as from "
        + "`echo \"whsec_$(openssl rand -base64 32)\"`"
    private static let prefix = "whsec_"
    private static let lengths = 24...64

    private let secrets: [SharedSecret]

    /// Reads the lines of a file. Nil unless there is a secret, and each line is one.
    init?(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let secrets = lines.compactMap { line -> SharedSecret? in
            guard line.hasPrefix(Self.prefix),
                let bytes = Data(base64Encoded: String(line.dropFirst(Self.prefix.count))),
                Self.lengths.contains(bytes.count)
            else { return nil }
            return SharedSecret(Array(bytes))
        }
        guard !secrets.isEmpty, secrets.count == lines.count else { return nil }
        self.secrets = secrets
    }

    /// The headers of one try. Each secret signs, so that a receiver may change to a new one at any time.
    ///
    /// - Parameter now: of the try.
    func headers(of id: String, _ body: [UInt8], at now: Timestamp) -> [(name: String, value: String)] {
        let seconds = now.milliseconds / 1_000
        let content = Array("\(id).\(seconds).".utf8) + body
        let signatures = secrets.map { secret in
            "v1," + Data(content.withUnsafeBytes { secret.signature(of: $0) }).base64EncodedString()
        }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
