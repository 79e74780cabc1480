@testable import WireProtocol

/// Reads a peer's bytes as RFC 6455 tells it, with all of them there and no thought of speed: the twin that our machine
/// is compared with.
struct PlainSocketReader {
    private struct Fault: Error {
        let code: UInt16
    }

    private struct Message {
        let isText: Bool
        let isCompressed: Bool
        var bytes: [UInt8] = []
    }

    private let settings: SocketSettings
    private var rest: ArraySlice<UInt8> = []
    private var message: Message?
    private var events: [SocketEvent] = []
    private var isClosing = false
    private var hasEnded = false

    init(_ settings: SocketSettings) { self.settings = settings }

    mutating func events(in bytes: [UInt8]) -> [SocketEvent] {
        rest = bytes[...]
        do throws(Fault) {
            while !hasEnded, try readFrame() {
                if settings.closesEarly, !hasEnded, events.count == 1 { isClosing = true }
            }
        } catch {
            events.append(.failed(code: error.code, hasCloseFrame: !isClosing))
        }
        return events
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns false where bytes are missing.
    private mutating func readFrame() throws(Fault) -> Bool {
        guard let first = take(1)?[0] else { return false }
        let opcode = first & 0xF
        let (isFinal, isCompressed, isControl) = (first & 0x80 != 0, first & 0x40 != 0, opcode >= 8)
        guard [0, 1, 2, 8, 9, 10].contains(opcode), first & 0x30 == 0 else { throw Fault(code: 1002) }
        guard !isCompressed || (settings.deflate != nil && (opcode == 1 || opcode == 2)) else {
            throw Fault(code: 1002)
        }
        guard isFinal || !isControl else { throw Fault(code: 1002) }

        guard let second = take(1)?[0] else { return false }
        guard (second & 0x80 != 0) == (settings.role == .server) else { throw Fault(code: 1002) }
        var length = UInt64(second & 0x7F)
        guard length < 126 || !isControl else { throw Fault(code: 1002) }
        if length >= 126 {
            let (count, smallest): (Int, UInt64) = length == 126 ? (2, 126) : (8, 65_536)
            guard let bytes = take(count) else { return false }
            length = bytes.reduce(0) { $0 << 8 | UInt64($1) }
            guard (smallest..<1 << 63).contains(length) else { throw Fault(code: 1002) }
        }
        guard let key = settings.role == .server ? take(4) : [0, 0, 0, 0] else { return false }

        if !isControl, !isClosing { try judge(opcode, isCompressed, length) }
        let payload = rest.prefix(Int(clamping: length)).enumerated().map { $1 ^ key[$0 & 3] }
        let isWhole = payload.count == Int(clamping: length)
        rest = rest.dropFirst(payload.count)
        if isControl {
            if isWhole { try control(opcode, payload) }
        } else if !isClosing {
            try data(payload, endsMessage: isWhole && isFinal)
        }
        return isWhole
    }

    private mutating func judge(_ opcode: UInt8, _ isCompressed: Bool, _ length: UInt64) throws(Fault) {
        guard (opcode == 0) == (message != nil) else { throw Fault(code: 1002) }
        if opcode != 0 {
            guard opcode == 1 || settings.acceptsBinary else { throw Fault(code: 1003) }
            message = Message(isText: opcode == 1, isCompressed: isCompressed)
        }
        let limit = settings.maximumMessageBytes
        // What cannot be compressed may become an eighth longer.
        let room = message?.isCompressed == true ? limit + limit / 8 + 64 : limit
        guard UInt64(message?.bytes.count ?? 0) + length <= UInt64(room) else { throw Fault(code: 1009) }
    }

    private mutating func data(_ payload: [UInt8], endsMessage: Bool) throws(Fault) {
        message?.bytes += payload
        guard let message else { return }
        if message.isText, !message.isCompressed, !message.bytes.beginsUTF8 { throw Fault(code: 1007) }
        guard endsMessage else { return }
        self.message = nil
        let bytes = message.isCompressed ? try inflated(message) : message.bytes
        if message.isText, String(validating: bytes, as: UTF8.self) == nil { throw Fault(code: 1007) }
        events.append(message.isText ? .text(bytes) : .binary(bytes))
    }

    private func inflated(_ message: Message) throws(Fault) -> [UInt8] {
        guard let inflater = try? Inflater() else { fatalError("no memory for an inflater") }
        var bytes: [UInt8] = []
        let outcome = message.bytes.withUnsafeBytes { compressed in
            Result { () throws(WebSocketViolation) in
                try inflater.inflate(compressed, maximumBytes: settings.maximumMessageBytes) {
                    piece throws(WebSocketViolation) in
                    bytes.append(contentsOf: piece)
                    if message.isText, !bytes.beginsUTF8 { throw .invalidUTF8 }
                }
            }
        }
        if case .failure(let violation) = outcome { throw Fault(code: violation.closeCode) }
        return bytes
    }

    private mutating func control(_ opcode: UInt8, _ payload: [UInt8]) throws(Fault) {
        switch opcode {
        case 8: try close(payload)
        case 9: if !isClosing { events.append(.ping(payload)) }
        default: if !isClosing { events.append(.pong) }
        }
    }

    private mutating func close(_ payload: [UInt8]) throws(Fault) {
        let code = payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard payload.count != 1 else { throw Fault(code: 1002) }
        if let code {
            let canBeSent = (1000...1014).contains(code) && ![1004, 1005, 1006].contains(code)
            guard canBeSent || (3000...4999).contains(code) else { throw Fault(code: 1002) }
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else { throw Fault(code: 1007) }
        hasEnded = true
        events.append(
            isClosing
                ? .closed(code: SocketSettings.earlyCloseCode, reason: "", byPeer: false, reply: nil)
                : .closed(code: code ?? 1005, reason: reason, byPeer: true, reply: code))
    }
}

extension [UInt8] {
    /// Whether some continuation makes this UTF-8: the end may be half a character.
    fileprivate var beginsUTF8: Bool {
        // The second octet of a character has one of these in its range, whatever the first is.
        let endings: [[UInt8]] = [[]] + [0x80, 0xA0].flatMap { [[$0], [$0, 0x80], [$0, 0x80, 0x80]] }
        return endings.contains { String(validating: self + $0, as: UTF8.self) != nil }
    }
}
