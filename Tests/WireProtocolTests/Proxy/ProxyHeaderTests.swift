import Testing

@testable import WireProtocol

struct ProxyHeaderTests {
    static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    /// - Parameter length: what the header says; nil for the truth.
    static func bytes(command: UInt8 = 0x21, family: UInt8 = 0x11, _ block: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? block.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + block
    }

    static let v4: [UInt8] = [198, 51, 100, 7, 10, 0, 0, 1, 0x12, 0x67, 0x1, 0xBB]
    static let v6: [UInt8] =
        [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7] + [UInt8](repeating: 1, count: 16) + [1, 2, 3, 4]

    /// Feeds a header in pieces; what it does not take is left over.
    static func read(_ bytes: [UInt8], inChunksOf count: Int) throws -> (header: ProxyHeader?, rest: [UInt8]) {
        var (reader, position) = (ProxyHeaderReader(), 0)
        while position < bytes.count {
            let chunk = Array(bytes[position..<min(bytes.count, position + count)])
            let (header, taken) = try chunk.withUnsafeBytes { try reader.take($0) }
            position += taken
            if let header { return (header, Array(bytes[position...])) }
        }
        return (nil, [])
    }

    @Test(arguments: [
        (bytes(v4), ProxyHeader.proxied(IPAddress("198.51.100.7"))),
        (bytes(family: 0x21, v6), .proxied(IPAddress("2001:db8::7"))),
        // Fields behind the addresses: an empty one, one of three bytes.
        (bytes(v4 + [4, 0, 0, 2, 0, 3, 1, 2, 3]), .proxied(IPAddress("198.51.100.7"))),
        (bytes(family: 0x31, [UInt8](repeating: 0x61, count: 216)), .proxied(nil)),
        (bytes(family: 0, []), .proxied(nil)),
        (bytes(family: 0, [1, 2, 3]), .proxied(nil)),
        (bytes(family: 0x41, [1, 2, 3]), .proxied(nil)),
        (bytes(command: 0x20, family: 0, []), .local),
        // The addresses in a LOCAL header are skipped, right or wrong.
        (bytes(command: 0x20, family: 0x11, [1]), .local),
        (bytes(v4 + [UInt8](repeating: 0, count: 4_084 - 16)), .proxied(IPAddress("198.51.100.7"))),
    ])
    func `a header is the same however it is cut, and what follows is left`(_ bytes: [UInt8], _ header: ProxyHeader)
        throws
    {
        for chunkBytes in [1, 2, 3, 7, 15, 16, 17, 100, 10_000] {
            let (read, rest) = try Self.read(bytes + Array("GET".utf8), inChunksOf: chunkBytes)
            #expect(read == header)
            #expect(rest == Array("GET".utf8))
        }
    }

    @Test(arguments: [
        (Array("GET / HTTP/1.1\r\n".utf8), ProxyViolation.missing),
        ([0x16, 3, 1, 2, 0], .missing),
        ([13, 10, 13, 10, 1], .missing),
        (Array("PROXY TCP4 198.51.100.7 10.0.0.1 4711 443\r\n".utf8), .version1),
        (bytes(command: 0x11, v4), .unknownVersion),
        (bytes(command: 0x31, v4), .unknownVersion),
        (bytes(command: 0x22, v4), .unknownCommand),
        (bytes(command: 0x2F, v4), .unknownCommand),
        (bytes(Array(v4.dropLast())), .tooShort),
        (bytes([]), .tooShort),
        (bytes(family: 0x21, v4), .tooShort),
        (bytes(family: 0x31, v6), .tooShort),
        (bytes(v4, length: 4_081), .tooLong),
        (bytes(v4, length: 65_535), .tooLong),
    ])
    func `other bytes are refused as soon as that is clear`(_ bytes: [UInt8], _ violation: ProxyViolation) {
        for chunkBytes in [1, 5, 16, 10_000] {
            #expect(throws: violation) { try Self.read(bytes, inChunksOf: chunkBytes) }
        }
    }

    @Test func `it never wants more than the header has`() throws {
        var reader = ProxyHeaderReader()
        var wanted: [Int] = []
        let bytes = Self.bytes(Self.v4)
        for byte in bytes {
            wanted.append(reader.bytesWanted)
            _ = try [byte].withUnsafeBytes { try reader.take($0) }
        }
        #expect(wanted == Array((1...16).reversed()) + Array((1...12).reversed()))
        #expect(reader.bytesWanted == 0)
    }
}
