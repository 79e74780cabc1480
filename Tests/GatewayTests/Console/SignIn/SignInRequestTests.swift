import Foundation
import Inbox
import Testing
import Transport
import WireProtocol

@testable import Gateway

@Suite struct `The requests and answers of a login` {
    private static let issuer = ProviderURL(FetchedAnswers.issuer)
    private static let client = SignInClient(
        clientID: "bel:fry.apps", redirectURI: "https://console.example/console/oidc/callback",
        scopes: ["openid", "email"])
    private static let exchange = SignInMachine.Exchange(code: "a+b/c", verifier: "v", nonce: "n")

    private static func settings(_ more: String = "") -> FetchedDocument {
        FetchedAnswers.document(
            """
            {"issuer":"https://id.example/","authorization_endpoint":"https://id.example/authorize?a=b",
             "token_endpoint":"https://id.example/token"\(more)}
            """)
    }

    private static func fields(of form: some StringProtocol) throws -> [String: String] {
        var headers = HTTPHeaders()
        headers.add("Host", "a")
        let head = try HTTPRequestHead(method: "GET", target: "/?\(form)", headers: headers)
        return Dictionary(uniqueKeysWithValues: head.query.items.map { ($0.name, $0.value) })
    }

    @Test func `send the browser to the provider with all that it needs`() throws {
        let endpoints = try Self.settings().endpoints(of: #require(Self.issuer))
        let secrets = SignInSecrets([UInt8](repeating: 7, count: SignInSecrets.byteCount))
        let url = Self.client.authorizationURL(secrets, at: endpoints.authorization)
        #expect(url.hasPrefix("https://id.example/authorize?a=b&"))
        let fields = try Self.fields(of: url.split(separator: "?", maxSplits: 1)[1])
        #expect(
            fields == [
                "a": "b", "response_type": "code", "client_id": "bel:fry.apps", "scope": "openid email",
                "redirect_uri": "https://console.example/console/oidc/callback", "state": secrets.state,
                "nonce": secrets.nonce, "code_challenge": secrets.challenge, "code_challenge_method": "S256",
            ])
    }

    @Test func `exchange the code with the secret in a header`() throws {
        let endpoints = try Self.settings().endpoints(of: #require(Self.issuer))
        let request = Self.client.tokenRequest(
            for: Self.exchange, at: endpoints, secret: Secret("s/ecret"), timeout: .seconds(1))
        #expect(request.url == "https://id.example/token")
        let basic = Data("bel%3Afry.apps:s%2Fecret".utf8).base64EncodedString()
        #expect(request.headers.contains { $0 == ("authorization", "Basic \(basic)") })
        #expect(
            try Self.fields(of: String(decoding: request.body, as: UTF8.self)) == [
                "grant_type": "authorization_code", "code": "a+b/c", "code_verifier": "v",
                "redirect_uri": "https://console.example/console/oidc/callback",
            ])
    }

    @Test(
        arguments: [
            ("", false), (#","token_endpoint_auth_methods_supported":["client_secret_post"]"#, true),
            (#","token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"]"#, false),
            (#","token_endpoint_auth_methods_supported":["private_key_jwt"]"#, false),
        ])
    func `put the secret into the form where the provider takes no other`(_ more: String, _ isInForm: Bool) throws {
        let endpoints = try Self.settings(more).endpoints(of: #require(Self.issuer))
        let request = Self.client.tokenRequest(
            for: Self.exchange, at: endpoints, secret: Secret("s/ecret"), timeout: .seconds(1))
        let fields = try Self.fields(of: String(decoding: request.body, as: UTF8.self))
        #expect(fields["client_secret"] == (isInForm ? "s/ecret" : nil))
        #expect(request.headers.contains { $0.name == "authorization" } != isInForm)
    }

    @Test func `name a public client in the form`() throws {
        let endpoints = try Self.settings().endpoints(of: #require(Self.issuer))
        let request = Self.client.tokenRequest(for: Self.exchange, at: endpoints, secret: nil, timeout: .seconds(1))
        let fields = try Self.fields(of: String(decoding: request.body, as: UTF8.self))
        #expect(fields["client_id"] == "bel:fry.apps")
        #expect(!request.headers.contains { $0.name == "authorization" })
    }

    @Test func `know from the provider's settings whether it names itself`() throws {
        let issuer = try #require(Self.issuer)
        #expect(try !Self.settings().endpoints(of: issuer).namesIssuer)
        let named = Self.settings(#","authorization_response_iss_parameter_supported":true"#)
        #expect(try named.endpoints(of: issuer).namesIssuer)
    }

    @Test(
        arguments: [
            "{}", "[]", "<html>",
            #"{"issuer":"https://id.example","authorization_endpoint":"https://a/","token_endpoint":"https://a/"}"#,
            #"{"issuer":"https://id.example/","authorization_endpoint":"https://a/"}"#,
            #"{"issuer":"https://id.example/","authorization_endpoint":"javascript:a","token_endpoint":"https://a/"}"#,
            #"{"issuer":"https://id.example/","authorization_endpoint":"https://a/","token_endpoint":"http://a/"}"#,
        ])
    func `believe no settings of another issuer, or that lead away from TLS`(_ text: String) throws {
        let issuer = try #require(Self.issuer)
        #expect(throws: FetchFault.self) { try FetchedAnswers.document(text).endpoints(of: issuer) }
    }

    @Test func `find the ID token in the provider's answer`() throws {
        #expect(try FetchedAnswers.document(#"{"id_token":"a.b.c","token_type":"Bearer"}"#).idToken() == "a.b.c")
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, "code_refused&code=invalid_grant"),
            (401, #"{"error":"invalid_client","error_description":"s3cret"}"#, "code_refused&code=invalid_client"),
            (400, "<html>", "provider_fault"), (500, #"{"error":"invalid_grant"}"#, "provider_fault"),
            (302, #"{"id_token":"a.b.c"}"#, "provider_fault"), (200, #"{"access_token":"s3cret"}"#, "provider_fault"),
            (200, "s3cret", "provider_fault"), (200, #"{"id_token":7}"#, "provider_fault"),
        ])
    func `tell why an answer has none, and nothing else of it`(_ status: Int, _ body: String, _ query: String) {
        do throws(SignInProblem) {
            _ = try FetchedAnswers.document(body, status: status).idToken()
            Issue.record("a token was found")
        } catch {
            #expect(error.query == "refused=\(query)")
            #expect(error.words?.contains("s3cret") != true)
        }
    }
}
