import Testing

@testable import WireProtocol

struct TrustedProxiesTests {
    private let proxies: TrustedProxies

    init() throws { proxies = try TrustedProxies(["10.0.0.0/8", "::1", "unix"]) }

    @Test(arguments: [
        ("198.51.100.7", "198.51.100.7"),
        ("198.51.100.7, 10.0.0.1", "198.51.100.7"),
        // Each proxy appends: what stands before the last stranger is only that stranger's word.
        ("1.1.1.1, 198.51.100.7, 10.0.0.1", "198.51.100.7"),
        ("10.0.0.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.9, 10.0.0.1", "10.0.0.9"),
        ("nonsense, 198.51.100.7", "198.51.100.7"),
        // Behind what cannot be read nothing is believed.
        ("198.51.100.7, nonsense, 10.0.0.1", "10.0.0.1"),
        ("198.51.100.7, nonsense", nil),
        ("unknown", nil), ("_hidden", nil), ("", nil), (",,", nil),
        (" 198.51.100.7 ,, ", "198.51.100.7"),
        ("198.51.100.7:4711", "198.51.100.7"), ("198.51.100.7:", nil), ("198.51.100.7:99999", nil),
        ("198.51.100.7:+80", nil),
        ("2001:db8::7", "2001:db8::7"), ("[2001:db8::7]", "2001:db8::7"), ("[2001:db8::7]:443", "2001:db8::7"),
        ("\"[2001:db8::7]:443\"", "2001:db8::7"), ("[2001:db8::7", nil), ("[2001:db8::7]x", nil),
        ("::ffff:198.51.100.7, ::1", "198.51.100.7"),
    ])
    func `the client is the last address that is no trusted proxy's`(_ field: String, client: String?) {
        #expect(proxies.client(forwardedIn: ["X-Forwarded-For": field]) == client.flatMap { IPAddress($0) })
    }

    @Test func `several fields are one list`() {
        let headers: HTTPHeaders = ["x-forwarded-for": "1.1.1.1", "X-Forwarded-For": "198.51.100.7, 10.0.0.1"]
        #expect(proxies.client(forwardedIn: headers) == IPAddress("198.51.100.7"))
        #expect(proxies.client(forwardedIn: [:]) == nil)
    }

    @Test func `only those named are trusted`() {
        #expect(proxies.trusts(IPAddress("10.1.2.3")) && proxies.trusts(IPAddress("::1")) && proxies.trusts(nil))
        #expect(!proxies.trusts(IPAddress("11.0.0.1")) && !proxies.trusts(IPAddress("::2")))
        #expect(!TrustedProxies.none.trusts(nil) && !TrustedProxies.none.trusts(IPAddress("127.0.0.1")))
    }

    @Test func `an entry that is none is named, with what was expected`() {
        let failure = #expect(throws: TrustedProxies.Malformed.self) { try TrustedProxies(["::1", "10.0.0.0/40"]) }
        #expect(failure?.entry == "10.0.0.0/40")
        #expect(failure?.description.contains("no network such as 10.0.0.0/8") == true)
    }
}
