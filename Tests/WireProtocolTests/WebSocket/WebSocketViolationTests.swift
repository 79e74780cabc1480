import Testing

@testable import WireProtocol

struct WebSocketViolationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let violation: WebSocketViolation
        var role = WebSocketRole.client
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ violation: WebSocketViolation, role: WebSocketRole = .client) {
            self.name = name
            self.bytes = bytes
            self.violation = violation
            self.role = role
        }

        /// A close frame with this payload.
        static func close(_ payload: [UInt8], _ violation: WebSocketViolation) -> Row {
            Row("close \(payload)", [0x88, UInt8(payload.count)] + payload, violation)
        }
    }

    static let framing: [Row] = [
        Row("RSV1", [0xC1], .reservedBit),
        Row("RSV2", [0xA1], .reservedBit),
        Row("RSV3 on a ping", [0x99], .reservedBit),
        Row("masked by a server", [0x81, 0x80], .unexpectedMask),
        Row("unmasked by a client", [0x81, 0x00], .missingMask, role: .server),
        Row("unmasked close by a client", [0x88, 0x00], .missingMask, role: .server),
        Row("125 in two bytes", [0x81, 0x7E, 0, 125], .wastefulLength),
        Row("0 in two bytes", [0x81, 0x7E, 0, 0], .wastefulLength),
        Row("65535 in eight bytes", [0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .wastefulLength),
        Row("top bit", [0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], .impossibleLength),
        Row("fragmented ping", [0x09, 0x00], .fragmentedControlFrame),
        Row("RSV2 on a close", [0xA8], .reservedBit),
        Row("fragmented pong", [0x0A, 0x00], .fragmentedControlFrame),
        Row("fragmented close", [0x08], .fragmentedControlFrame),
        Row("long ping", [0x89, 0x7E], .longControlFrame),
        Row("very long close", [0x88, 0x7F], .longControlFrame),
        Row("continuation first", [0x80, 0x00], .loneContinuation),
        Row("continuation after a message", [0x81, 0x00, 0x00, 0x01], .loneContinuation),
        Row("text in text", [0x01, 0x00, 0x81, 0x00], .interruptedMessage),
        Row("binary in text", [0x01, 0x01, 0x61, 0x02, 0x00], .interruptedMessage),
    ]

    static let contents: [Row] =
        [
            .close([0x03], .truncatedCloseCode),
            .close([0x03, 0xE8, 0xFF], .invalidUTF8),
            .close([0x03, 0xE8, 0xC3], .invalidUTF8),
            Row("broken text", [0x81, 0x02, 0xC3, 0x28], .invalidUTF8),
            Row("broken in an unfinished frame", [0x81, 0x7E, 0x03, 0x00, 0x61, 0xFF], .invalidUTF8),
            Row("broken in an unfinished message", [0x01, 0x01, 0xFF], .invalidUTF8),
            Row("broken over two fragments", [0x01, 0x01, 0xC3, 0x00, 0x01, 0x28], .invalidUTF8),
            Row("character cut at the end", [0x81, 0x01, 0xC3], .invalidUTF8),
            Row("character cut at the last fragment", [0x01, 0x01, 0xC3, 0x80, 0x00], .invalidUTF8),
            Row("too big by its header", [0x81, 0x7E, 0x03, 0xE9], .messageTooBig),
            Row("hugely too big", [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooBig),
            Row(
                "too big over fragments",
                [0x02, 0x7D] + [UInt8](repeating: 0, count: 125) + [0x80, 0x7E, 0x03, 0x6C], .messageTooBig),
        ]
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535].map { (code: UInt16) in
            .close([UInt8(code >> 8), UInt8(code & 0xFF)], .invalidCloseCode)
        }

    static let reservedOpcodes: [Row] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { (opcode: UInt8) in
        Row("opcode \(opcode)", [0x80 | opcode], .reservedOpcode)
    }

    @Test(arguments: framing + contents + reservedOpcodes)
    func `closes with the violation's code as soon as it shows`(_ row: Row) {
        for chunkBytes in [1, 2, 3, 1000] {
            var machine = WebSocketMachine(role: row.role, maximumMessageBytes: 1000)
            let frame = FrameEncoder.close(
                row.violation.closeCode, reason: row.violation.reason, maskingKey: row.role == .client ? 0 : nil)
            let ending = WebSocketEnding(
                code: row.violation.closeCode, reason: "", isClean: false, initiator: .us, violation: row.violation)
            let events = machine.feed(row.bytes, inChunksOf: chunkBytes)
            #expect(events.suffix(2) == [.send(frame), .finish(ending)])
            #expect(machine.feed([0x81, 0x00]) == [])
        }
    }

    @Test func `a role that wants text refuses binary from its header`() {
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 1000, acceptsBinary: false)
        let events = machine.feed([0x82, 0x05])
        guard case .finish(let ending)? = events.last else {
            Issue.record("did not finish")
            return
        }
        #expect(ending.code == 1003)
        #expect(ending.violation == .binaryRefused)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func `a code that may be sent comes back`(_ code: UInt16) {
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 1000)
        let events = machine.feed(FrameEncoder.close(code, reason: "bye", maskingKey: 0xA1B2_C3D4))
        #expect(events.first == .send(FrameEncoder.close(code)))
        #expect(
            events.last
                == .finish(.init(code: code, reason: "bye", isClean: true, initiator: .peer, violation: nil)))
    }

    @Test(arguments: WebSocketViolation.allCases)
    func `every violation has a code and a reason that fits a close frame`(_ violation: WebSocketViolation) {
        #expect([1002, 1003, 1007, 1009].contains(violation.closeCode))
        #expect((1...123).contains(violation.reason.utf8.count))
        #expect(
            Self.framing.contains { $0.violation == violation } || Self.contents.contains { $0.violation == violation }
                || CompressedMessageTests.broken.contains { $0.2 == violation }
                || [.reservedOpcode, .binaryRefused].contains(violation), "no row of the tables shows it")
    }
}
