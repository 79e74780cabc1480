import Inbox
import JSON
import Push
import Testing

struct WebPushEndpointTests {
    static let hosts = [
        "fcm.googleapis.com", ".push.apple.com", ".push.services.mozilla.com", "localhost:4443", "127.0.0.1:8443",
        "[::1]:8443",
    ]

    @Test(arguments: [
        ("https://fcm.googleapis.com/fcm/send/abc:APA91", "https://fcm.googleapis.com"),
        ("https://web.push.apple.com/QB-x_1", "https://web.push.apple.com"),
        ("https://updates.push.services.mozilla.com/wpush/v2/gAAA?a=b", "https://updates.push.services.mozilla.com"),
        ("https://fcm.googleapis.com:443/x", "https://fcm.googleapis.com"),
        ("HTTPS://FCM.googleapis.COM/X", "https://fcm.googleapis.com"),
        ("https://localhost:4443/webpush/1", "https://localhost:4443"),
        ("https://127.0.0.1:8443/1", "https://127.0.0.1:8443"), ("https://[::1]:8443/1", "https://[::1]:8443"),
    ])
    func `a push service on the list is taken`(url: String, origin: String) throws {
        let endpoint = try WebPushEndpoint(url, hosts: Self.hosts)
        #expect(endpoint.origin == origin)
        #expect(endpoint.url.hasPrefix(origin + "/"))
        #expect(endpoint.url.hasSuffix(String(url.suffix(1))))
    }

    @Test(
        arguments: [
            ("http://fcm.googleapis.com/x", .notSecure), ("ftp://fcm.googleapis.com/x", .notSecure), ("", .notSecure),
            ("https:/fcm.googleapis.com/x", .notSecure), ("//fcm.googleapis.com/x", .notSecure),
            ("https://user@fcm.googleapis.com/x", .userInformation),
            ("https://fcm.googleapis.com@evil.example/x", .userInformation),
            ("https://fcm.googleapis.com:443@evil.example/x", .userInformation),
            ("https://evil.example/x", .hostNotAllowed), ("https://fcm.googleapis.com.evil.example/x", .hostNotAllowed),
            ("https://evilfcm.googleapis.com/x", .hostNotAllowed), ("https://a.fcm.googleapis.com/x", .hostNotAllowed),
            ("https://push.apple.com/x", .hostNotAllowed), ("https://evilpush.apple.com/x", .hostNotAllowed),
            ("https://fcm.googleapis.com:444/x", .hostNotAllowed), ("https://localhost/x", .hostNotAllowed),
            ("https://localhost:4444/x", .hostNotAllowed), ("https://127.0.0.1:4443/x", .hostNotAllowed),
            ("https://127.1:8443/x", .hostNotAllowed), ("https://2130706433:8443/x", .hostNotAllowed),
            ("https://169.254.169.254/latest", .hostNotAllowed), ("https://[::ffff:127.0.0.1]/x", .hostNotAllowed),
            ("https://0x7f.0.0.1/x", .hostNotAllowed), ("https://fcm.googleapis.com./x", .invalidHost),
            ("https://fcm..googleapis.com/x", .invalidHost), ("https:///x", .invalidHost),
            ("https://fcm.googleapis.com:0/x", .invalidHost), ("https://fcm.googleapis.com:65536/x", .invalidHost),
            ("https://fcm.googleapis.com:+443/x", .invalidHost), ("https://fcm.googleapis.com:/x", .invalidHost),
            ("https://[::1/x", .invalidHost), ("https://[::1]x:8443/x", .invalidHost),
            ("https://fcm.googleapis%2ecom/x", .invalidHost),
            (#"https://evil.example\.push.apple.com/x"#, .invalidCharacter),
            ("https://fcm.googleapis.com/x y", .invalidCharacter),
            ("https://fcm.googleapis.com/x\r\nA: b", .invalidCharacter),
            ("https://fcm.googleapis.com/\u{0}", .invalidCharacter),
            ("https://fcm.googleapis.com/x#y", .invalidCharacter),
            ("https://ｆcm.googleapis.com/x", .invalidCharacter), (" https://fcm.googleapis.com/x", .invalidCharacter),
            ("https://fcm.googleapis.com", .noPath), ("https://fcm.googleapis.com/", .noPath),
            ("https://fcm.googleapis.com?x", .noPath),
            ("https://fcm.googleapis.com/" + String(repeating: "x", count: 2_048), .tooLong),
        ] as [(String, WebPushEndpointError)])
    func `every other address is refused`(url: String, error: WebPushEndpointError) {
        #expect(throws: error) { try WebPushEndpoint(url, hosts: Self.hosts) }
        #expect(error.description.hasPrefix("expected "))
    }

    @Test(arguments: ["https://1.2.3.4/x", "https://a.0x1/x"])
    func `a suffix covers no address, even one that ends like it`(_ url: String) {
        #expect(throws: WebPushEndpointError.hostNotAllowed) { try WebPushEndpoint(url, hosts: [".3.4", ".0x1", "."]) }
    }

    @Test func `nothing is allowed by an empty list`() {
        #expect(throws: WebPushEndpointError.hostNotAllowed) { try WebPushEndpoint("https://a.example/x", hosts: []) }
        #expect(throws: WebPushEndpointError.hostNotAllowed) { try WebPushEndpoint("https://a.example/x", hosts: [""]) }
    }
}
