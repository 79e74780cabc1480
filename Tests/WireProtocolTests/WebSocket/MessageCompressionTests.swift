import Testing

@testable import WireProtocol

struct MessageCompressionTests {
    let text = Array(String(repeating: "the same again and again ", count: 20).utf8)

    func compressedFrame(
        of payload: [UInt8], windowBits: Int = 15, thresholdBytes: Int = 0, maskingKey: UInt32? = nil,
        by compression: MessageCompression = MessageCompression()
    ) -> [UInt8]? {
        let settings = DeflateSettings(thresholdBytes: thresholdBytes, level: 6, windowBits: 15)
        return payload.withUnsafeBytes { payload in
            compression.frame(
                .text, payload, DeflateAgreement(windowBits: windowBits), settings, maskingKey: maskingKey)
        }
    }

    @Test(arguments: 9...15)
    func `a client hears the messages that a server compresses`(_ windowBits: Int) throws {
        let frame = try #require(compressedFrame(of: text, windowBits: windowBits))
        #expect(frame.count < text.count / 4)
        #expect(frame[0] == 0xC1)
        var machine = WebSocketMachine.compressing(.client)
        #expect(machine.feed(frame) == [.text(text)])
    }

    @Test func `a client's compressed messages are masked, and the server hears them`() throws {
        let frame = try #require(compressedFrame(of: text, maskingKey: 0x0102_0304))
        var machine = WebSocketMachine.compressing(.server)
        #expect(machine.feed(frame) == [.text(text)])
    }

    @Test func `one shard's compressors serve many messages and windows in turn`() throws {
        let compression = MessageCompression()
        for length in [500, 100, 100_000, 30, 500] {
            let text = Array(String(repeating: "abc ", count: length).utf8)
            for windowBits in [15, 9, 12] {
                let frame = try #require(compressedFrame(of: text, windowBits: windowBits, by: compression))
                var machine = WebSocketMachine.compressing(.client)
                #expect(machine.feed(frame, with: compression) == [.text(text)])
            }
        }
    }

    @Test(arguments: [1_785, 1_786, 1_787, 2_048, 2_100])
    func `a short message refers back as far as it is long, whichever window was agreed on`(_ count: Int) throws {
        let ends = DeflatePayload.random.bytes(258)
        let text = ends + DeflatePayload.random.bytes(count - 2 * 258) + ends
        let largest = try Deflater(level: 6, windowBits: 15)
        let frame = try #require(text.withUnsafeBytes { compressedBinary($0) })
        // Four bytes of the frame's header; how many symbols a block has room for costs another block at most.
        #expect(frame.count <= largest.compressed(text).count + 4 + 8)
        var machine = WebSocketMachine.compressing(.client)
        #expect(machine.feed(frame) == [.binary(text)])
    }

    private func compressedBinary(_ payload: UnsafeRawBufferPointer) -> [UInt8]? {
        let settings = DeflateSettings(thresholdBytes: 0, level: 6, windowBits: 15)
        return MessageCompression().frame(.binary, payload, DeflateAgreement(windowBits: 15), settings)
    }

    @Test func `short messages, and those that would not shrink, go plain`() {
        #expect(compressedFrame(of: text, thresholdBytes: text.count) != nil)
        #expect(compressedFrame(of: text, thresholdBytes: text.count + 1) == nil)
        #expect(compressedFrame(of: []) == nil)
        #expect(compressedFrame(of: Array("abc".utf8)) == nil)
        #expect(compressedFrame(of: DeflatePayload.random.bytes(1000)) == nil)
    }

    @Test func `without settings nothing is compressed`() {
        let frame = text.withUnsafeBytes {
            MessageCompression().frame(.text, $0, CompressedFrames.agreement, nil)
        }
        #expect(frame == nil)
    }
}
