import Crypto
import Foundation
import Inbox
import JSON
import Push
import Synchronization

/// Checks APNs provider tokens as Apple does ("Establishing a token-based connection to APNs"): form, signature, age.
final class APNsTokenCheck: Sendable {
    /// Older tokens are refused.
    private static let maximumAge = Duration.seconds(3_600)
    /// The range of times in this calendar's years, so that no claim overflows a sum.
    private static let seconds: ClosedRange<Int64> = 0...253_402_300_799
    /// A sender signs one token an hour: more than this show a faulty sender.
    private static let maximumRemembered = 1_000

    private let key: P256.Signing.PublicKey
    /// Nil accepts any.
    private let keyID: String?
    private let teamID: String?
    /// The issue times of tokens with a good signature: a load test sends one a hundred thousand times.
    private let verified = Mutex<[String: Timestamp]>([:])

    init(key: P256.Signing.PublicKey, keyID: String? = nil, teamID: String? = nil) {
        (self.key, self.keyID, self.teamID) = (key, keyID, teamID)
    }

    /// - Parameter pem: an EC key on P-256: Apple's `.p8`, or its public half.
    convenience init(pem: String, keyID: String? = nil, teamID: String? = nil) throws {
        let key =
            pem.contains("PRIVATE KEY")
            ? try P256.Signing.PrivateKey(pemRepresentation: pem).publicKey
            : try P256.Signing.PublicKey(pemRepresentation: pem)
        self.init(key: key, keyID: keyID, teamID: teamID)
    }

    /// - Parameter authorization: the header's value.
    func check(_ authorization: String?, at now: Timestamp) -> CredentialCheck {
        guard let authorization else { return .missing }
        guard let token = BearerToken(authorization: authorization), let issued = issueTime(of: token) else {
            return .invalid
        }
        return now - issued > Self.maximumAge ? .expired : .valid
    }

    /// Nil for anything but a token of this key.
    private func issueTime(of token: BearerToken) -> Timestamp? {
        if let issued = verified.withLock({ $0[token.text] }) { return issued }
        guard let issued = verify(token) else { return nil }
        verified.withLock { verified in
            if verified.count >= Self.maximumRemembered { verified = [:] }
            verified[token.text] = issued
        }
        return issued
    }

    private func verify(_ token: BearerToken) -> Timestamp? {
        // APNs does not tell either which part of a token is wrong.
        guard let token = try? EncodedToken(Array(token.text.utf8)), token.algorithm == .es256,
            let named = token.keyIdentifier, keyID.map({ $0 == named }) ?? true,
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            key.isValidSignature(signature, for: token.signedBytes), let claims = try? token.claims(),
            let team = claims["iss"]?.string, teamID.map({ $0 == team }) ?? true,
            let issued = claims["iat"]?.int, Self.seconds.contains(issued)
        else { return nil }
        return Timestamp(milliseconds: issued * 1_000)
    }
}
