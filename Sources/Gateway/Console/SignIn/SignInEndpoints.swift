import JSON

/// Where a provider signs people in: a part of its settings (OpenID Connect Discovery 1.0 §3).
struct SignInEndpoints: Sendable, Hashable {
    /// Opened by browsers.
    let authorization: ProviderURL
    /// Where a code becomes tokens.
    let token: ProviderURL
    /// Whether each answer names the issuer (RFC 9207 §3).
    let namesIssuer: Bool
    /// Whether the client's secret goes into the form, and not into a header (OpenID Connect Core 1.0 §9).
    let takesSecretInForm: Bool
}

extension FetchedDocument {
    /// Reads an issuer's settings.
    func endpoints(of issuer: ProviderURL) throws(FetchFault) -> SignInEndpoints {
        let object = try object()
        guard object["issuer"]?.string == issuer.text else { throw .answer("a document of another issuer") }
        func url(_ name: String) throws(FetchFault) -> ProviderURL {
            guard let url = object[name]?.string.flatMap(ProviderURL.init), issuer.mayLead(to: url) else {
                throw .answer("no usable \(name): expected a URL that begins with https://")
            }
            return url
        }
        let methods = object["token_endpoint_auth_methods_supported"]?.array
        return SignInEndpoints(
            authorization: try url("authorization_endpoint"), token: try url("token_endpoint"),
            namesIssuer: object["authorization_response_iss_parameter_supported"] == true,
            // Without a list it is the header.
            takesSecretInForm: methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
                ?? false)
    }

    /// Reads the answer to a code (OpenID Connect Core 1.0 §3.1.3.3, RFC 6749 §5.2).
    ///
    /// - Returns: the ID token, not verified yet.
    func idToken() throws(SignInProblem) -> String {
        let object = (try? JSONValue(parsingUnambiguous: body))?.object
        if (400..<500).contains(status), let error = object?["error"]?.string {
            throw SignInProblem(.codeRefused, code: error)
        }
        guard status == 200 else { throw SignInProblem(.providerFault, words: "the status \(status)") }
        guard let object else { throw SignInProblem(.providerFault, words: "no JSON object") }
        guard let token = object["id_token"]?.string else {
            throw SignInProblem(.providerFault, words: "no ID token; is openid among the scopes?")
        }
        return token
    }
}
