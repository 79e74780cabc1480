@testable import WireProtocol

/// An event that a machine told, in a form that can be kept and compared.
enum HeardEvent: Hashable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case ping
    case pong
    /// A control frame to write.
    case send([UInt8])
    case finish(WebSocketEnding)

    /// - Returns: one event, or two where a frame is to be written, too.
    static func heard(_ event: WebSocketEvent) -> [HeardEvent] {
        switch event {
        case .text(let message): [.text(message.withUnsafeBytes(Array.init))]
        case .binary(let message): [.binary(message.withUnsafeBytes(Array.init))]
        case .ping(let pong): [.ping, .send(pong)]
        case .pong: [.pong]
        case .finish(let ending, nil): [.finish(ending)]
        case .finish(let ending, let frame?): [.send(frame), .finish(ending)]
        }
    }
}

extension WebSocketMachine {
    /// Everything that comes of pieces, each read into a buffer of its own that is gone, and overwritten, after it.
    mutating func feed(
        _ pieces: [[UInt8]], with compression: MessageCompression = MessageCompression(), maskingKey: UInt32 = 0
    ) -> [HeardEvent] {
        var events: [HeardEvent] = []
        for piece in pieces {
            var buffer = piece
            buffer.withUnsafeMutableBytes { buffer in
                var input = WebSocketInput(buffer)
                while let event = next(in: &input, with: compression, maskingKey: maskingKey) {
                    events += HeardEvent.heard(event)
                }
                buffer.initializeMemory(as: UInt8.self, repeating: 0xEE)
            }
        }
        return events
    }

    /// Everything that comes of `bytes`.
    mutating func feed(
        _ bytes: [UInt8], inChunksOf count: Int = .max / 2,
        with compression: MessageCompression = MessageCompression(), maskingKey: UInt32 = 0
    ) -> [HeardEvent] {
        feed(bytes.chunks(of: count), with: compression, maskingKey: maskingKey)
    }
}
