@testable import WireProtocol

/// Writes compressed messages as peers of every kind do.
enum CompressedFrames {
    /// The agreement between the machines of these tests.
    static let agreement = DeflateAgreement(windowBits: 15)
    static let settings = DeflateSettings(thresholdBytes: 0, level: 6, windowBits: 15)

    /// The compressed form of a message.
    static func compressed(_ message: [UInt8]) throws -> [UInt8] {
        try Deflater(level: 6, windowBits: 15).compressed(message)
    }

    /// A message of compressed data as it is, in one frame or in several.
    static func message(
        _ opcode: Opcode = .text, data: [UInt8], maximumPayloadBytes: Int = .max, between: [UInt8] = [],
        maskingKey: UInt32?
    ) -> [UInt8] {
        let pieces = data.isEmpty ? [[]] : data.chunks(of: min(maximumPayloadBytes, data.count))
        var bytes: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            let isFirst = index == 0
            let isFinal = index == pieces.count - 1
            bytes += FrameEncoder.encode(
                isFirst ? opcode : .continuation, isFinal: isFinal, isCompressed: isFirst, piece,
                maskingKey: maskingKey)
            if !isFinal { bytes += between }
        }
        return bytes
    }
}

extension WebSocketMachine {
    /// A machine that has agreed on compression.
    static func compressing(_ role: WebSocketRole, maximumMessageBytes: Int = 1 << 20) -> WebSocketMachine {
        WebSocketMachine(
            role: role, maximumMessageBytes: maximumMessageBytes, deflate: CompressedFrames.agreement)
    }
}
