import Crypto
import Foundation
import Inbox
import Push

/// The access tokens of the sink's token endpoint: each contains its expiry, signed with a secret.
///
/// So the sink stores no tokens, and knows them after a restart, too.
struct AccessTokens: Sendable {
    /// The lifetime that Google grants.
    static let lifetime = Duration.seconds(3_599)
    private static let prefix = "ya29."

    private let key: SymmetricKey

    init(secret: Secret) { key = SymmetricKey(data: Array(secret.text.utf8)) }

    func issue(at now: Timestamp) -> Secret {
        let expiry = (now + Self.lifetime).milliseconds
        // The random part makes two tokens of one moment differ.
        let content = Self.bytes(of: UInt64(bitPattern: expiry)) + Self.bytes(of: .random(in: .min ... .max))
        let code = HMAC<SHA256>.authenticationCode(for: content, using: key)
        return Secret(Self.prefix + Base64URL.encode(content + Array(code)))
    }

    func check(_ token: String, at now: Timestamp) -> CredentialCheck {
        guard token.hasPrefix(Self.prefix), let bytes = Base64URL.decodeLeniently(token.dropFirst(Self.prefix.count)),
            bytes.count == 48,
            HMAC<SHA256>.isValidAuthenticationCode(bytes[16...], authenticating: bytes[..<16], using: key)
        else { return .invalid }
        let expiry = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return now.milliseconds < Int64(bitPattern: expiry) ? .valid : .expired
    }

    private static func bytes(of word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.bigEndian, Array.init) }
}
