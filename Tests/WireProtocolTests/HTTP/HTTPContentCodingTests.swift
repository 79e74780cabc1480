import Testing

@testable import WireProtocol

struct HTTPContentCodingTests {
    /// `printf hello | gzip -n`
    private static let hello: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    @Test func `gzip is taken, also in several members, up to the byte that may come`() throws {
        let gzip = HTTPContentCoding.gzip
        #expect(try gzip.decode(Self.hello, maximumBytes: 5) == Array("hello".utf8))
        #expect(try gzip.decode(Self.hello + Self.hello, maximumBytes: 10) == Array("hellohello".utf8))
        #expect(throws: HTTPViolation.bodyTooLarge(limit: 4)) { try gzip.decode(Self.hello, maximumBytes: 4) }
        #expect(throws: HTTPViolation.bodyTooLarge(limit: 9)) {
            try gzip.decode(Self.hello + Self.hello, maximumBytes: 9)
        }
        #expect(try gzip.decode([], maximumBytes: 5) == [])
        #expect(try HTTPContentCoding.identity.decode([1, 2], maximumBytes: 5) == [1, 2])
    }

    @Test func `a body that is cut, changed or followed by other bytes is refused`() {
        for count in 1..<Self.hello.count {
            #expect(throws: HTTPViolation.self) {
                try HTTPContentCoding.gzip.decode(Array(Self.hello[..<count]), maximumBytes: 100)
            }
        }
        var damaged = Self.hello
        damaged[17] ^= 1
        for body in [damaged, Self.hello + [0], Array("hello".utf8)] {
            #expect(throws: HTTPViolation.self) { try HTTPContentCoding.gzip.decode(body, maximumBytes: 100) }
        }
    }

    @Test func `a coding that is not known is told what is`() {
        let response = HTTPViolation.unknownCoding.response
        #expect(response.status == 415 && response.headers["Accept-Encoding"] == "gzip, identity")
        #expect(HTTPViolation.encodedStream.response.headers["Accept-Encoding"] == "identity")
        #expect(HTTPViolation.unknownCoding.code == "unsupported_media_type")
    }
}
