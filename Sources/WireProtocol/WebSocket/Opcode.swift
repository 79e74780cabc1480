/// The kind of a frame (RFC 6455 §5.2); the other ten numbers are reserved.
package enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
    var beginsMessage: Bool { self == .text || self == .binary }
}
