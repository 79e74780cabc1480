import Testing

@testable import Gateway

@Suite struct `A provider's answer` {
    private let issuer = ProviderURL(FetchedAnswers.issuer)

    @Test func `tells where the keys are`() throws {
        #expect(try FetchedAnswers.settings.keysURL(of: #require(issuer)).text == FetchedAnswers.keysURL)
    }

    @Test(
        arguments: [
            #"{"issuer":"https://id.example","jwks_uri":"https://keys.example/"}"#,
            #"{"issuer":"https://ID.example/","jwks_uri":"https://keys.example/"}"#,
            #"{"issuer":7,"jwks_uri":"https://keys.example/"}"#, #"{"jwks_uri":"https://keys.example/"}"#,
            #"{"issuer":"https://id.example/"}"#, #"{"issuer":"https://id.example/","jwks_uri":["https://a/"]}"#,
            #"{"issuer":"https://id.example/","jwks_uri":"http://keys.example/"}"#,
            #"{"issuer":"https://id.example/","jwks_uri":"http://127.0.0.1/"}"#,
            #"{"issuer":"https://id.example/","jwks_uri":"file:///etc/passwd"}"#,
            #"{"issuer":"https://id.example/","jwks_uri":"https://a@b/"}"#,
            #"{"issuer":"https://id.example/","jwks_uri":"/keys"}"#, "[]", "<html></html>", "",
            #"{"issuer":"https://id.example/","issuer":"https://id.example/","jwks_uri":"https://keys.example/"}"#,
        ])
    func `leads to no keys if it is another issuer's, or no address with TLS`(_ text: String) throws {
        let issuer = try #require(issuer)
        #expect(throws: FetchFault.self) { try FetchedAnswers.document(text).keysURL(of: issuer) }
    }

    @Test func `of a provider on this machine may lead to the same host without TLS`() throws {
        let issuer = try #require(ProviderURL("http://127.0.0.1:8081/realms/a"))
        for (url, isGood) in [
            ("http://127.0.0.1:9999/keys", true), ("https://keys.example/", true), ("http://localhost/keys", false),
        ] {
            let text = #"{"issuer":"http://127.0.0.1:8081/realms/a","jwks_uri":"\#(url)"}"#
            let found = try? FetchedAnswers.document(text).keysURL(of: issuer)
            #expect((found != nil) == isGood)
        }
    }

    @Test(
        arguments: [
            ("{\"keys\":[]}", 301), ("{\"keys\":[]}", 500), ("{\"keys\":[]}", 204), ("{\"keys\":\"all\"}", 200),
            ("{}", 200), ("<html>", 200), ("", 200),
            ("{\"keys\":[\(Array(repeating: "1", count: 101).joined(separator: ","))]}", 200),
        ])
    func `has no keys with another status, another form, or too many of them`(_ text: String, _ status: Int) {
        #expect(throws: FetchFault.self) { try FetchedAnswers.document(text, status: status).keys() }
    }

    @Test func `tells nothing of itself in the log`() {
        #expect(throws: FetchFault.self) { try FetchedAnswers.document("{secret").keys() }
        do {
            _ = try FetchedAnswers.document("{secret").keys()
        } catch {
            #expect(!error.description.contains("secret"))
        }
    }

    @Test(
        arguments: [
            ([], 300), ([("cache-control", "max-age=60")], 60), ([("cache-control", "public, MAX-AGE = 60 , x")], 60),
            ([("cache-control", "max-age=\"60\"")], 60), ([("cache-control", "max-age=60"), ("age", "20")], 40),
            ([("cache-control", "max-age=60"), ("age", "90")], 0), ([("cache-control", "max-age=soon")], 0),
            ([("cache-control", "max-age=60"), ("age", "-90")], 60), ([("cache-control", "max-age=-5")], 0),
            ([("cache-control", "no-cache")], 0), ([("cache-control", "private"), ("cache-control", "no-store")], 0),
            ([("cache-control", "s-maxage=9"), ("expires", "0")], 0),
            ([("expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")], 60),
            ([("expires", "Sun, 06 Nov 1994 08:48:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")], 0),
            ([("expires", "Sun, 06 Nov 1994 08:50:37 GMT")], 0),
            ([("cache-control", "max-age=99999999999999999999")], 0),
        ] as [([(String, String)], Int)])
    func `is fresh for as long as its headers say`(_ headers: [(String, String)], _ seconds: Int) {
        #expect(CacheLifetime.of(headers.map { (name: $0.0, value: $0.1) }) == .seconds(seconds))
    }

    @Test(
        arguments: [
            ("https://id.example", true), ("https://id.example:8443/a/b", true), ("http://localhost:8080/", true),
            ("http://[::1]:8080/", true), ("http://127.0.0.1", true), ("http://id.example", false),
            ("http://127.0.0.1.example", false), ("http://localhost@id.example/", false), ("https://", false),
            ("https:///a", false), ("https://a b/", false), ("ftp://localhost/", false), ("HTTPS://id.example", false),
            ("https://id.example/#a", false), ("id.example", false),
        ])
    func `comes over TLS, unless from this machine`(_ url: String, _ isGood: Bool) {
        #expect((ProviderURL(url) != nil) == isGood)
    }

    @Test func `of an issuer is found with and without a slash at the end of its address`() {
        for text in ["https://a.example/x", "https://a.example/x/"] {
            #expect(ProviderURL(text)?.discovery == "https://a.example/x/.well-known/openid-configuration")
        }
    }
}
