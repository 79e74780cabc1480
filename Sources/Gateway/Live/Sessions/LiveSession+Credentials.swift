import Inbox
import Transport
import WireProtocol

/// The lifetime of a session's token.
extension LiveSession {
    /// Verifies a token from a frame.
    func verify(_ token: String) -> Result<Credentials, TokenProblem> {
        guard let token = BearerToken(token) else { return .failure(.malformed) }
        return node.authenticator.verify(token, at: node.now())
    }

    /// Checks the handshake's credentials again: keys may have changed since, and the token may be revoked.
    func judge(_ credentials: Credentials) -> Result<Credentials, TokenProblem> {
        if node.authenticator.revoked.contain(credentials) { return .failure(.revoked) }
        return node.authenticator.keys.trusts(credentials.signer, in: credentials.user.app)
            ? .success(credentials) : .failure(.unknownKey)
    }

    func believe(_ credentials: Credentials) {
        (signer, issued) = (credentials.signer, credentials.issued)
        lifetime = CredentialLifetime(
            expiry: credentials.expiry, from: node.now(), longest: node.settings.live.renewAfter)
    }

    /// Asks for a new token if the key of the last one is gone.
    func judge(by keys: TrustedKeys, _ on: borrowing OnShard) {
        guard let user, !machine.hasEnded, !keys.trusts(signer, in: user.app) else { return }
        switch lifetime.doubted(at: node.now(), grace: node.settings.live.renewGrace) {
        case .renew(let within):
            send(ServerFrame.renew(within: within), on)
            wakeNext(on)
        case .close: close(.tokenExpired, on)
        case .none: break
        }
    }
}
