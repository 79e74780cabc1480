import Foundation
import Transport

/// What the provider knows the console as, and the requests that it gets. No I/O.
struct SignInClient: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: [String]

    /// Where a browser begins a login (OpenID Connect Core 1.0 §3.1.2.1), with PKCE (RFC 7636 §4.3).
    func authorizationURL(_ secrets: SignInSecrets, at endpoint: ProviderURL) -> String {
        let query = Self.form([
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.joined(separator: " ")), ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
        ])
        // RFC 6749 §3.1: a query of the endpoint's own stays.
        return endpoint.text + (endpoint.text.contains("?") ? "&" : "?") + query
    }

    /// Exchanges a code for tokens (§3.1.3.1).
    ///
    /// - Parameter secret: nil for a public client, which PKCE alone protects.
    func tokenRequest(
        for exchange: SignInMachine.Exchange, at endpoints: SignInEndpoints, secret: Secret?, timeout: Duration
    ) -> HTTPClientRequest {
        var fields = [
            ("grant_type", "authorization_code"), ("code", exchange.code), ("redirect_uri", redirectURI),
            ("code_verifier", exchange.verifier),
        ]
        var headers = [
            (name: "content-type", value: "application/x-www-form-urlencoded"),
            (name: "accept", value: "application/json"),
        ]
        if let secret, !endpoints.takesSecretInForm {
            // RFC 6749 §2.3.1: both are encoded as in a form before.
            let pair = "\(Self.encode(clientID)):\(Self.encode(secret.text))"
            headers.append((name: "authorization", value: "Basic \(Data(pair.utf8).base64EncodedString())"))
        } else {
            fields.append(("client_id", clientID))
            if let secret { fields.append(("client_secret", secret.text)) }
        }
        return HTTPClientRequest(
            method: "POST", url: endpoints.token.text, headers: headers, body: Array(Self.form(fields).utf8),
            timeout: timeout)
    }

    /// RFC 3986 §2.3. Escapes that need not be are misread by providers that take the header as it is.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
    }
}
