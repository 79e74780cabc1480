import Support
import Testing

@testable import WireProtocol

struct InflaterTests {
    /// A compressed message and what it holds.
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let compressed: [UInt8]
        var text = "Hello"
        /// Where it may be cut and still is whole: behind the first bits of an empty block.
        var wholePrefixes: Set<Int> = []
        var testDescription: String { name }
    }

    static let examples = [
        Example(name: "one block (RFC 7692 §7.2.3.1)", compressed: [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
        Example(
            name: "without compression (§7.2.3.3)",
            compressed: [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00], wholePrefixes: [1]),
        Example(
            name: "a block marked as the last (§7.2.3.4)",
            compressed: [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
        Example(
            name: "two blocks (§7.2.3.5)",
            compressed: [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
            wholePrefixes: [4]),
        Example(name: "empty (§7.2.3.6)", compressed: [0x00], text: ""),
        Example(name: "empty, marked as the last", compressed: [0x01], text: ""),
        Example(
            name: "two blocks marked as the last",
            compressed: [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            text: "HelloHello", wholePrefixes: [8]),
        Example(
            name: "stored and marked as the last, then compressed",
            compressed: [0x01, 0x01, 0x00, 0xFE, 0xFF, 0x3E, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            text: ">Hello", wholePrefixes: [1]),
    ]

    /// A block that defines its own codes and is cut amid those for distances. The trailer's zeros and ones would make
    /// 16 unused codes, eight of three bits, and the end of the block.
    static let codesCutShort: [UInt8] =
        [0x04, 0x5B, 0x01, 0x04, 0x00, 0x00, 0x00, 0x01] + [UInt8](repeating: 0, count: 30) + [0xF0, 0x0F]

    /// The same with sixteen codes of four bits, so that the trailer would end with the codes.
    static let codesJustCompleted: [UInt8] =
        [0xD4, 0x0F, 0x01, 0x04, 0x00, 0x00, 0x04] + [UInt8](repeating: 0, count: 29) + [0xC0, 0xFF, 0x3F, 0x00]

    @Test(arguments: examples)
    func `reads the example, however it is cut`(_ example: Example) throws {
        let inflater = try Inflater()
        let bytes = example.compressed
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try inflater.inflated(chunks: chunks).text == example.text, "cut at \(first) and \(second)")
            }
        }
        #expect(try inflater.inflated(chunks: bytes.map { [$0] }).text == example.text)
    }

    @Test(arguments: examples)
    func `an example that lacks its end is invalid`(_ example: Example) throws {
        let inflater = try Inflater()
        // Cut behind a block marked as the last: the empty block that the trailer completes has not begun.
        for count in 0..<example.compressed.count where !example.wholePrefixes.contains(count) {
            #expect(throws: WebSocketViolation.invalidCompression, "\(count) bytes") {
                try inflater.inflated(Array(example.compressed[..<count]))
            }
        }
    }

    @Test(arguments: DeflatePayload.allCases)
    func `a message that lacks its end is invalid`(_ payload: DeflatePayload) throws {
        // Short enough for one block, so that no earlier place can pass for the end.
        let compressed = try Deflater(level: 6, windowBits: 15).compressed(payload.bytes(700))
        let inflater = try Inflater()
        // Random bytes are stored, and the first byte of a block without compression is an empty message.
        let first = payload == .random ? 2 : 0
        for count in first..<compressed.count {
            #expect(throws: WebSocketViolation.invalidCompression, "\(count) bytes") {
                try inflater.inflated(Array(compressed[..<count]))
            }
        }
    }

    @Test(
        arguments: [
            ("a block of the reserved type", [0x07]),
            (
                "a stored block whose lengths disagree",
                [0x00, 0x05, 0x00, 0xFA, 0xFE, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
            ),
            (
                "a stored block that the trailer would fill",
                [0x00, 0x09, 0x00, 0xF6, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
            ),
            ("the trailer itself", [0x00, 0x00, 0x00, 0xFF, 0xFF]),
            ("a block whose end the trailer would complete", [0x5A, 0xB0, 0x60, 0xC1, 0x82, 0x05, 0x0B]),
            ("a block whose header the trailer would complete", [0x5A, 0xB0, 0x60, 0xC1, 0x02, 0x80]),
            ("a block whose codes and end the trailer would complete", codesCutShort),
            ("a block whose codes the trailer would complete", codesJustCompleted),
            ("something behind the end", [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
            ("a reference into an earlier message (RFC 7692 §7.2.3.2)", [0xF2, 0x00, 0x11, 0x00, 0x00]),
            ("zlib's header", [0x78, 0x9C, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
            ("plain text", Array("{\"type\":\"hello\"}".utf8)),
        ] as [(String, [UInt8])])
    func `invalid data is refused, and the next message is read`(_ name: String, _ compressed: [UInt8]) throws {
        let inflater = try Inflater()
        for _ in 0..<2 {
            #expect(try inflater.inflated([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]).text == "Hello")
            #expect(throws: WebSocketViolation.invalidCompression) { try inflater.inflated(compressed) }
            #expect(throws: WebSocketViolation.invalidCompression) {
                try inflater.inflated(chunks: compressed.map { [$0] })
            }
        }
    }

    @Test func `generated faults are refused, or read as zlib reads them`() throws {
        let inflater = try Inflater()
        let deflater = try Deflater(level: 6, windowBits: 15)
        var random = SeededRandom(seed: 11)
        var refused = 0
        for round in 0..<4000 {
            var bytes = deflater.compressed(DeflatePayload.words.bytes(random.next(below: 400)))
            for _ in 0...random.next(below: 3) {
                bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
            }
            let split = random.next(below: bytes.count + 1)
            if let message = try? inflater.inflated(chunks: [bytes[..<split], bytes[split...]]) {
                #expect(message == PlainInflate.bytes(bytes), "round \(round)")
            } else {
                refused += 1
            }
        }
        #expect((2000..<4000).contains(refused))
    }

    @Test func `messages of two connections alternate on one inflater`() throws {
        let deflater = try Deflater(level: 6, windowBits: 15)
        let inflater = try Inflater()
        let mine = DeflatePayload.words.bytes(50_000)
        let yours = DeflatePayload.random.bytes(70_000)
        for _ in 0..<3 {
            #expect(try inflater.inflated(deflater.compressed(mine)) == mine)
            #expect(try inflater.inflated(deflater.compressed(yours)) == yours)
        }
    }
}
