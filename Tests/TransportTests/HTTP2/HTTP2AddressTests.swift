import Testing

@testable import Transport

/// Where requests go: URLs, and the addresses behind their names.
@Suite struct HTTP2AddressTests {
    @Test(arguments: [
        ("https://api.push.apple.com/3/device/ab", "api.push.apple.com", "/3/device/ab", "api.push.apple.com", 443),
        ("HTTPS://Host:8443", "Host:8443", "/", "Host", 8443),
        ("https://host?x=1#y", "host", "/?x=1", "host", 443),
        ("https://host/#/x", "host", "/", "host", 443),
        ("https://[::1]:21/a?b=/c", "[::1]:21", "/a?b=/c", "::1", 21),
        ("https://[::1]/", "[::1]", "/", "::1", 443),
        ("https://host//x", "host", "//x", "host", 443),
    ])
    func `a URL has an authority and a path`(
        text: String, authority: String, path: String, host: String, port: UInt16
    ) throws {
        let url = try #require(HTTP2URL(text))
        #expect(url.authority == authority && url.path == path)
        let server = try #require(HTTP2Authority(url.authority))
        #expect(server.text == authority && server.host == host && server.port == port)
    }

    @Test(arguments: [
        "https:/host/", "https//host", "http://host/", "https://", "https://h\u{7F}/", "https://hö/", " https://h/",
        "https\u{1A}//host/", "https:\u{F}/host/", "https:/\u{F}host/", "HTTPS\u{1A}\u{F}\u{F}host/",
    ])
    func `a text that is no https URL has none`(text: String) { #expect(HTTP2URL(text) == nil) }

    @Test(arguments: [
        "", ":443", "user@host", "host:", "host:x", "host:65536", "::1", "[::1", "[host]", "fe80::1%25eth0",
    ])
    func `a text that names no server is no authority`(text: String) { #expect(HTTP2Authority(text[...]) == nil) }

    @Test func `the address that worked comes first, and those that said nothing last`() {
        let addresses = (0..<3).map { HTTP2Address(family: 2, bytes: [$0]) }
        var preference = HTTP2AddressPreference()
        #expect(preference.order(addresses) == addresses)
        preference.timedOut(addresses[0])
        #expect(preference.order(addresses) == [addresses[1], addresses[2], addresses[0]])
        preference.timedOut(addresses[1])
        #expect(preference.order(addresses) == [addresses[2], addresses[0], addresses[1]])
        preference.worked(addresses[2])
        #expect(preference.order(addresses) == [addresses[2], addresses[0], addresses[1]])
        preference.timedOut(addresses[2])
        #expect(preference.order(addresses) == addresses)
        for address in addresses { preference.timedOut(address) }
        // Where none works, the system's order is as good as any.
        #expect(preference.order(addresses) == addresses)
    }

    @Test func `a name stands for addresses, and a wrong one for none`() throws {
        #expect(try HTTP2Address.all(of: .tcp(host: "127.0.0.1", port: 1)).get().count == 1)
        #expect(throws: SystemCallError.self) { try HTTP2Address.all(of: .tcp(host: "no.such.invalid", port: 1)).get() }
    }
}
