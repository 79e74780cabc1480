import Push
import Testing

struct VAPIDSubjectTests {
    @Test(arguments: [
        "mailto:ops@example.com", "mailto:a.b+c@mail.example.co.uk", "mailto:o'neil@xn--bcher-kva.example",
        "https://example.com", "https://example.com/contact?x=1#y", "https://example.com:8443/",
        "https://myhost.tailscale.ts.net",
        "mailto:fakeemail@internet.net",
    ])
    func `an address or URL with a public name is taken`(subject: String) { #expect(VAPIDSubject.isTaken(subject)) }

    @Test(arguments: [
        "mailto:ops@localhost", "mailto: ops@example.com", "https://localhost", "https://localhost:8080/x", "mailto:",
        "https://", "https:example.com", "https:/example.com", "http://example.com", "ops@example.com", "example.com",
        "",
        "mailto:ops", "mailto:@example.com", "mailto:ops@", "mailto:ops@@example.com", "mailto:a@b@example.com",
        "mailto:ops@example.com ", "mailto:ops@example .com", "mailto:ops@.example.com", "mailto:ops@example..com",
        "mailto:ops@example.com.", "mailto:.ops@example.com", "mailto://ops@example.com", "MAILTO:ops@example.com",
        "mailto:<ops@example.com>", "mailto:ops@server.local", "mailto:ops@LOCALHOST", "mailto:ops@a.localhost",
        "https://server", "https://127.0.0.1", "https://[::1]/", "https://example.com:0", "https://example.com:x",
        "https://user@example.com", "https:// example.com", "mailto:ops@-example.com", "mailto:öps@example.com",
        "mailto:ops\n@example.com",
        "mailto:ops@127.0.0.1", "mailto:a@b.example,c@d.example",
    ])
    func `a subject that Apple would refuse is not taken`(subject: String) { #expect(!VAPIDSubject.isTaken(subject)) }
}

struct BaseURLTests {
    @Test(arguments: [
        "https://localhost:4443", "https://127.0.0.1:9443", "https://proxy.example/apns/", "https://[::1]:4443/x",
        "https://a.example",
    ])
    func `an endpoint is a URL with TLS`(url: String) { #expect(BaseURL.isUsable(url)) }

    @Test(arguments: [
        "http://localhost:4443", "HTTP://x", "localhost:4443", "https:/x", "https://", "https:///x", "https://:443",
        "ftp://x", "",
        "https://x y", "https://x:99999", "https://x:", "https://x:0", "https://user@x", "https://x?a=b", "https://x#a",
        " https://x",
        "wss://x", "https://x\\y",
    ])
    func `a URL that no request could go to is no endpoint`(url: String) { #expect(!BaseURL.isUsable(url)) }
}
