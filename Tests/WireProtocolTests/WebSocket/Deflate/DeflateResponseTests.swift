import Testing

@testable import WireProtocol

struct DeflateResponseTests {
    static let plain = "permessage-deflate; server_no_context_takeover"

    func read(_ response: [String], windowBits: Int = 15) throws(DeflateResponseViolation) -> Int? {
        let settings = DeflateSettings(thresholdBytes: 256, level: 6, windowBits: windowBits)
        return try DeflateNegotiation.read(response: response, settings: settings)?.windowBits
    }

    @Test func `no answer is no compression`() throws {
        #expect(try read([]) == nil)
    }

    @Test(
        arguments: [
            ("", 15, 15), ("", 11, 11), ("; client_no_context_takeover", 15, 15),
            ("; server_max_window_bits=8", 15, 15), ("; server_max_window_bits=15", 15, 15),
            ("; server_max_window_bits=10; client_no_context_takeover", 13, 13),
            ("; client_max_window_bits=9", 15, 9), ("; client_max_window_bits=\"12\"", 15, 12),
            ("; client_max_window_bits=15", 15, 15), ("; client_max_window_bits=14", 10, 10),
        ])
    func `the client's window is the smaller of its own and the server's`(
        _ parameters: String, settings: Int, expected: Int
    ) throws {
        #expect(try read([Self.plain + parameters], windowBits: settings) == expected)
        #expect(
            try read(["Permessage-Deflate; SERVER_NO_CONTEXT_TAKEOVER\(parameters)"], windowBits: settings) == expected)
    }

    @Test(
        arguments: [
            ([""], .list(.malformed)),
            (["\(plain);"], .list(.malformed)),
            (["\(plain); client_max_window_bits="], .list(.malformed)),
            ([String](repeating: plain, count: 17), .list(.tooMany)),
            (["x-webkit-deflate-frame"], .notOffered),
            (["\(plain), foo"], .notOffered),
            (["foo", plain], .notOffered),
            (["\(plain), \(plain)"], .repeated),
            ([plain, plain], .repeated),
            (["\(plain); unknown"], .invalidParameters),
            (["\(plain); server_no_context_takeover"], .invalidParameters),
            (["permessage-deflate; server_no_context_takeover=1"], .invalidParameters),
            (["\(plain); client_no_context_takeover=1"], .invalidParameters),
            (["\(plain); server_max_window_bits"], .invalidParameters),
            (["\(plain); server_max_window_bits=7"], .invalidParameters),
            (["\(plain); server_max_window_bits=16"], .invalidParameters),
            (["\(plain); server_max_window_bits=010"], .invalidParameters),
            (["\(plain); client_max_window_bits"], .invalidParameters),
            (["\(plain); client_max_window_bits=7"], .invalidParameters),
            (["\(plain); client_max_window_bits=16"], .invalidParameters),
            (["\(plain); client_max_window_bits=09"], .invalidParameters),
            (["\(plain); client_max_window_bits=9; client_max_window_bits=9"], .invalidParameters),
            (["permessage-deflate"], .contextTakeover),
            (["permessage-deflate; client_no_context_takeover"], .contextTakeover),
            (["\(plain); client_max_window_bits=8"], .windowTooSmall),
        ] as [([String], DeflateResponseViolation)])
    func `an answer that was not offered, or is wrong, fails`(
        _ response: [String], _ violation: DeflateResponseViolation
    ) {
        #expect(throws: violation) { try read(response) }
    }

    @Test(arguments: Deflater.windows, Deflater.windows)
    func `client and server agree with each other`(server: Int, client: Int) throws {
        let accepted = try #require(
            try DeflateNegotiation.accept(
                offers: [DeflateNegotiation.offer],
                settings: DeflateSettings(thresholdBytes: 0, level: 1, windowBits: server)))
        #expect(accepted.agreement.windowBits == server)
        #expect(try read([accepted.responseValue], windowBits: client) == client)
    }

    @Test func `offers what it can do`() {
        #expect(
            DeflateNegotiation.offer
                == "permessage-deflate; client_no_context_takeover; server_no_context_takeover; client_max_window_bits")
    }
}
