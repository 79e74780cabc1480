import Testing

@testable import WireProtocol

struct DeflateNegotiationTests {
    static let name = "permessage-deflate"
    static let plain = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    /// The response's value and the window, or nil where every offer is declined.
    func answer(_ offers: [String], windowBits: Int = 15) throws -> (response: String, windowBits: Int)? {
        let settings = DeflateSettings(thresholdBytes: 256, level: 6, windowBits: windowBits)
        return try DeflateNegotiation.accept(offers: offers, settings: settings).map {
            ($0.responseValue, $0.agreement.windowBits)
        }
    }

    @Test(
        arguments: [
            "", "; server_no_context_takeover", "; client_no_context_takeover", "; client_max_window_bits",
            "; client_max_window_bits=8", "; client_max_window_bits=15", "; client_max_window_bits=\"10\"",
            "; client_no_context_takeover; server_no_context_takeover; client_max_window_bits",
            "; client_max_window_bits ;server_no_context_takeover", "; Client_No_Context_Takeover",
        ])
    func `accepts what asks for nothing of us`(_ parameters: String) throws {
        let answer = try #require(try answer([Self.name + parameters]))
        #expect(answer == (Self.plain, 15))
    }

    @Test(
        arguments: [
            ("=9", 15, 9), ("=\"9\"", 15, 9), ("=\"\\1\\2\"", 15, 12), (" = 10", 15, 10), ("=11", 15, 11),
            ("=12", 15, 12), ("=13", 15, 13), ("=14", 15, 14), ("=15", 15, 15), ("=15", 11, 11), ("=10", 11, 10),
            ("=11", 11, 11), ("=9", 9, 9),
        ])
    func `takes the smaller window of the two and says so`(_ value: String, settings: Int, expected: Int) throws {
        let offer = "\(Self.name); server_max_window_bits\(value); client_max_window_bits"
        let answer = try #require(try answer([offer], windowBits: settings))
        #expect(answer == (Self.plain + "; server_max_window_bits=\(expected)", expected))
    }

    @Test(arguments: 9...14)
    func `tells of its smaller window unasked`(_ windowBits: Int) throws {
        let answer = try #require(try answer([Self.name], windowBits: windowBits))
        #expect(answer == (Self.plain + "; server_max_window_bits=\(windowBits)", windowBits))
    }

    static let declined = [
        "unknown", "unknown=1", "x-server_no_context_takeover", "server_no_context_takeover=1",
        "server_no_context_takeover=true", "server_no_context_takeover=\"1\"",
        "server_no_context_takeover; server_no_context_takeover", "client_no_context_takeover=0",
        "client_no_context_takeover; client_no_context_takeover", "server_max_window_bits",
        "server_max_window_bits=8", "server_max_window_bits=7", "server_max_window_bits=16",
        "server_max_window_bits=0", "server_max_window_bits=08", "server_max_window_bits=010",
        "server_max_window_bits=+10", "server_max_window_bits=-10", "server_max_window_bits=0xA",
        "server_max_window_bits=1e1", "server_max_window_bits=ten", "server_max_window_bits=99999999999999999999",
        "server_max_window_bits=10; server_max_window_bits=10", "client_max_window_bits=7",
        "client_max_window_bits=16", "client_max_window_bits=08", "client_max_window_bits=ten",
        "client_max_window_bits; client_max_window_bits", "client_max_window_bits=10; client_max_window_bits",
        "client_max_window_bits=\"16\"", "client_no_context_takeover; unknown",
    ]

    @Test(arguments: declined)
    func `declines an offer that it cannot keep to and takes the next`(_ parameters: String) throws {
        let bad = "\(Self.name); \(parameters)"
        #expect(try answer([bad]) == nil)
        let good = "\(Self.name); server_max_window_bits=12"
        for offers in [[bad, good], ["\(bad), \(good)"], ["\(bad), \(bad)", "other, \(good), \(Self.name)"]] {
            let answer = try #require(try answer(offers))
            #expect(answer == (Self.plain + "; server_max_window_bits=12", 12))
        }
    }

    @Test(
        arguments: [
            [], ["x-webkit-deflate-frame"], ["permessage-deflate-2"], ["permessage-bzip2; level=9, foo"],
            ["foo; server_max_window_bits=10"],
        ])
    func `passes over other extensions`(_ offers: [String]) throws {
        #expect(try answer(offers) == nil)
        let answer = try #require(try answer(offers + [Self.name]))
        #expect(answer == (Self.plain, 15))
    }

    @Test func `takes the first of several offers`() throws {
        let tens = "\(Self.name); server_max_window_bits=10"
        #expect(try answer(["\(tens), \(Self.name)"])?.windowBits == 10)
        #expect(try answer([tens, Self.name])?.windowBits == 10)
        #expect(try answer(["\(Self.name), \(tens)"])?.windowBits == 15)
        #expect(try answer(["PerMessage-Deflate; SERVER_MAX_WINDOW_BITS=10, \(Self.name)"])?.windowBits == 10)
    }

    @Test(arguments: [
        "", ";", "permessage-deflate;", "permessage-deflate; a=", "permessage-deflate; server_max_window_bits=\"\"",
    ])
    func `a broken header fails, wherever it is broken`(_ broken: String) throws {
        #expect(throws: ExtensionListViolation.malformed) { try answer([broken]) }
        if !broken.isEmpty {
            #expect(throws: ExtensionListViolation.malformed) { try answer([Self.name, broken]) }
            #expect(throws: ExtensionListViolation.malformed) { try answer(["\(Self.name), \(broken)"]) }
        }
    }

    @Test func `more offers than are read fail`() throws {
        let offers = [String](repeating: "\(Self.name); unknown", count: 1000)
        #expect(throws: ExtensionListViolation.tooMany) { try answer(offers) }
    }

    @Test func `an agreement is small enough for every connection`() {
        #expect(MemoryLayout<DeflateAgreement?>.size <= 2)
        for bits in Deflater.windows { #expect(DeflateAgreement(windowBits: bits).windowBits == bits) }
    }
}
