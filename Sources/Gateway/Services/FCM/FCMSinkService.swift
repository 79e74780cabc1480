import Inbox
import Push

/// Stands in for FCM, and for the endpoint that issues its access tokens.
struct FCMSinkService: SinkService {
    private let standIn = FCMStandIn(projectID: SinkIdentity.projectID)
    private let tokens: AccessTokens
    private let tokenEndpoint: GoogleTokenEndpoint

    init(_ parts: SinkParts) throws {
        let identity = parts.folder.identity
        tokens = AccessTokens(secret: identity.accessTokenSecret)
        tokenEndpoint = GoogleTokenEndpoint(
            key: try parts.folder.fcmPublicKey(), keyID: identity.fcmKeyID, clientEmail: SinkIdentity.clientEmail,
            audience: parts.baseURL + "/token", tokens: tokens)
    }

    func route(path: Substring) -> SinkRoute? {
        path.hasPrefix("/v1/projects/") ? .push(.fcm) : path == "/token" ? .token : nil
    }

    func device(of request: SinkRequest) -> String? { standIn.device(of: request) }

    func receive(_ request: SinkRequest, for route: SinkRoute, at now: Timestamp, id: String) -> StandInOutcome {
        guard route != .token else { return StandInOutcome(reply: tokenEndpoint.receive(request, at: now)) }
        return standIn.receive(request, credential: check(request.header("authorization"), at: now), id: id)
    }

    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, for route: SinkRoute, id: String) -> PushReply {
        route == .token ? GoogleTokenEndpoint.reply(answer) : standIn.reply(answer, to: request, id: id)
    }

    private func check(_ authorization: String?, at now: Timestamp) -> CredentialCheck {
        guard let authorization else { return .missing }
        return BearerToken(authorization: authorization).map { tokens.check($0.text, at: now) } ?? .invalid
    }
}
