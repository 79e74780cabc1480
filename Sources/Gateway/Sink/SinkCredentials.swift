import Foundation
import Inbox
import Push

/// Judges the credentials that requests for pushes carry, with the keys of a sink's folder.
struct SinkCredentials: Sendable {
    private let apns: APNsTokenCheck
    private let oneSignalKey: Secret
    let tokens: AccessTokens
    /// What a Web Push sender's token may be meant for.
    private let audiences: Set<String>

    /// - Parameters:
    ///   - apnsKeyFile: another key than the folder's, with which any key id and team may sign; nil for the folder's
    ///     own.
    ///   - audiences: the origins under which the sink is reached.
    init(folder: SinkFolder, apnsKeyFile: String?, audiences: Set<String>) throws {
        let identity = folder.identity
        do {
            apns =
                try apnsKeyFile.map { try APNsTokenCheck(pem: TextFile.read($0)) }
                ?? APNsTokenCheck(
                    pem: TextFile.read(folder.apnsKeyFile), keyID: identity.apnsKeyID, teamID: identity.apnsTeamID)
        } catch let error as ServerError {
            throw error
        } catch {
            // The library's own words name no file.
            throw ServerError("\(apnsKeyFile ?? folder.apnsKeyFile): expected an EC key on P-256 in PEM form")
        }
        oneSignalKey = identity.oneSignalAPIKey
        tokens = AccessTokens(secret: identity.accessTokenSecret)
        self.audiences = audiences
    }

    func check(
        _ request: SinkRequest, for provider: Device.Provider, webPush: WebPushStandIn, at now: Timestamp
    ) -> CredentialCheck {
        let authorization = request.header("authorization")
        switch provider {
        case .apns: return apns.check(authorization, at: now)
        case .fcm:
            guard let authorization else { return .missing }
            return BearerToken(authorization: authorization).map { tokens.check($0.text, at: now) } ?? .invalid
        case .onesignal:
            guard let authorization else { return .missing }
            // Schemes compare without case (RFC 9110 §11.1).
            let parts = authorization.split(separator: " ", maxSplits: 1)
            let isRight = parts.count == 2 && parts[0].lowercased() == "key" && parts[1] == oneSignalKey.text
            return isRight ? .valid : .invalid
        case .webpush: return webPush.credential(of: request, audiences: audiences, at: now)
        }
    }
}
