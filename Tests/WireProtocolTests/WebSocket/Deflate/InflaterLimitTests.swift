import Testing

@testable import WireProtocol

struct InflaterLimitTests {
    /// The end of one message, and the sizes of its pieces.
    func pieces(of compressed: [UInt8], maximumBytes: Int) throws -> (violation: WebSocketViolation?, sizes: [Int]) {
        var sizes: [Int] = []
        let inflater = try Inflater()
        do throws(WebSocketViolation) {
            try compressed.withUnsafeBufferPointer { (bytes) throws(WebSocketViolation) in
                try inflater.inflate(UnsafeRawBufferPointer(bytes), maximumBytes: maximumBytes) {
                    sizes.append($0.count)
                }
            }
            return (nil, sizes)
        } catch {
            return (error, sizes)
        }
    }

    @Test func `a bomb is stopped before it is built`() throws {
        let bomb = try Deflater(level: 9, windowBits: 15).compressed(DeflatePayload.zeros.bytes(1 << 20))
        #expect(bomb.count < 2000)
        let (violation, sizes) = try pieces(of: bomb, maximumBytes: 4 << 10)
        #expect(violation == .messageTooBig)
        #expect(sizes.reduce(0, +) <= 4 << 10)
    }

    @Test(arguments: [0, 1, 4095, 4096, 32_767, 32_768, 32_769, 65_536, 100_000], DeflatePayload.allCases)
    func `a message may fill its limit and no byte more`(_ count: Int, _ payload: DeflatePayload) throws {
        let compressed = try Deflater(level: 6, windowBits: 15).compressed(payload.bytes(count))
        let atLimit = try pieces(of: compressed, maximumBytes: count)
        #expect(atLimit.violation == nil)
        #expect(atLimit.sizes.reduce(0, +) == count)
        #expect(atLimit.sizes.allSatisfy { (1...(32 << 10)).contains($0) })
        guard count > 0 else { return }
        let beyond = try pieces(of: compressed, maximumBytes: count - 1)
        #expect(beyond.violation == .messageTooBig)
        #expect(beyond.sizes.reduce(0, +) < count)
        #expect(try pieces(of: compressed, maximumBytes: .max).violation == nil)
    }

    @Test func `the limit is one for all chunks and all blocks`() throws {
        let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let three = final + final + final + [0x00]
        let inflater = try Inflater()
        #expect(try inflater.inflated(three, maximumBytes: 15).text == "HelloHelloHello")
        #expect(throws: WebSocketViolation.messageTooBig) { try inflater.inflated(three, maximumBytes: 14) }
        #expect(throws: WebSocketViolation.messageTooBig) {
            try inflater.inflated(chunks: three.map { [$0] }, maximumBytes: 14)
        }
        #expect(try inflater.inflated(three, maximumBytes: 15).text == "HelloHelloHello", "after failures")
    }

    @Test func `a message may end anywhere behind the end of a piece`() throws {
        let deflater = try Deflater(level: 9, windowBits: 15)
        let inflater = try Inflater()
        // A run is copied 258 bytes at a time, so that a piece may be full when the input has been read to its end.
        for count in (32 << 10) - 1...(32 << 10) + 260 {
            let message = DeflatePayload.zeros.bytes(count)
            #expect(try inflater.inflated(deflater.compressed(message)) == message, "\(count) bytes")
        }
    }

    @Test func `a chunk may hold many pieces, or end just where one does`() throws {
        let message = DeflatePayload.zeros.bytes(200_000)
        let compressed = try Deflater(level: 9, windowBits: 15).compressed(message)
        let inflater = try Inflater()
        for count in 1...80 {
            let chunks = compressed.chunks(of: count).map { $0[...] }
            #expect(try inflater.inflated(chunks: chunks) == message, "chunks of \(count)")
        }
    }

    @Test func `an error of the reader of the pieces ends the message`() throws {
        let inflater = try Inflater()
        let compressed = try Deflater(level: 6, windowBits: 15).compressed(DeflatePayload.zeros.bytes(100_000))
        var calls = 0
        #expect(throws: WebSocketViolation.invalidUTF8) {
            try compressed.withUnsafeBufferPointer { (bytes) throws(WebSocketViolation) in
                try inflater.inflate(UnsafeRawBufferPointer(bytes), maximumBytes: 1 << 20) {
                    (_) throws(WebSocketViolation) in
                    calls += 1
                    throw .invalidUTF8
                }
            }
        }
        #expect(calls == 1)
        #expect(try inflater.inflated(compressed) == DeflatePayload.zeros.bytes(100_000))
    }
}
