import Testing

@testable import WireProtocol

struct DeflaterTests {
    @Test func `makes the bytes of the RFC's example`() throws {
        let deflater = try Deflater(level: 6, windowBits: 15)
        // RFC 7692 §7.2.3.1.
        #expect(deflater.compressed(Array("Hello".utf8)) == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    }

    @Test(arguments: Deflater.levels)
    func `an empty message is one zero byte at every level`(_ level: Int) throws {
        let deflater = try Deflater(level: level, windowBits: 15)
        // RFC 7692 §7.2.3.6.
        #expect(deflater.compressed([]) == [0x00])
        #expect(deflater.compressed([]) == [0x00], "again")
    }

    @Test(arguments: DeflatePayload.allCases)
    func `a message of every small size comes back`(_ payload: DeflatePayload) throws {
        let deflater = try Deflater(level: 6, windowBits: 15)
        let inflater = try Inflater()
        for count in 0...300 {
            let message = payload.bytes(count)
            #expect(try inflater.inflated(deflater.compressed(message)) == message, "\(count) bytes")
        }
    }

    @Test(arguments: Deflater.windows, DeflatePayload.allCases)
    func `a large message comes back through every window`(_ windowBits: Int, _ payload: DeflatePayload) throws {
        let deflater = try Deflater(level: 6, windowBits: windowBits)
        let inflater = try Inflater()
        for count in [64 << 10, 1 << 20] {
            let message = payload.bytes(count)
            let compressed = deflater.compressed(message)
            #expect(try inflater.inflated(compressed) == message)
            if payload == .random {
                #expect(compressed.count < count + count / 32, "what does not shrink hardly grows")
            } else {
                #expect(compressed.count < count / 2)
            }
        }
    }

    @Test(arguments: Deflater.levels)
    func `a message comes back at every level`(_ level: Int) throws {
        let deflater = try Deflater(level: level, windowBits: 12)
        let message = DeflatePayload.words.bytes(100_000)
        #expect(try Inflater().inflated(deflater.compressed(message)) == message)
    }

    @Test func `output that ends anywhere around the end of a piece is whole`() throws {
        let deflater = try Deflater(level: 1, windowBits: 15)
        let inflater = try Inflater()
        // Random bytes are stored as they are, so that the output's size grows with the message's, a byte at a time.
        let random = DeflatePayload.random.bytes(34_000)
        var sizes: Set<Int> = []
        for count in Array(16_300...16_420) + Array(32_680...32_800) {
            let compressed = deflater.compressed(Array(random[..<count]))
            sizes.insert(compressed.count + Deflater.trailer.count)
            #expect(try inflater.inflated(compressed) == Array(random[..<count]), "\(count) bytes")
        }
        #expect(
            sizes.isSuperset(of: [(16 << 10) - 1, (32 << 10) - 1]), "pieces were filled to their last byte but one")
    }

    @Test(arguments: Deflater.windows)
    func `refers no further back than its window`(_ windowBits: Int) throws {
        let message = DeflatePayload.words.bytes(100_000)
        let compressed = try Deflater(level: 9, windowBits: windowBits).compressed(message)
        #expect(PlainInflate.bytes(compressed, windowBits: Int32(windowBits)) == message)
        if windowBits > 9 {
            #expect(PlainInflate.bytes(compressed, windowBits: Int32(windowBits) - 1) == nil, "uses all of it")
        }
    }

    @Test func `messages of two connections do not see each other`() throws {
        let deflater = try Deflater(level: 6, windowBits: 15)
        let mine = DeflatePayload.words.bytes(5000)
        let yours = DeflatePayload.words.bytes(3000)
        let alone = try [mine, yours].map { try Deflater(level: 6, windowBits: 15).compressed($0) }
        for _ in 0..<3 {
            #expect(deflater.compressed(mine) == alone[0])
            #expect(deflater.compressed(yours) == alone[1])
        }
    }

    @Test func `appends to what is there`() throws {
        let deflater = try Deflater(level: 6, windowBits: 15)
        var output: [UInt8] = [0xC1, 0x07]
        Array("Hello".utf8).withUnsafeBytes { deflater.compress($0, into: &output) }
        #expect(output == [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    }
}
