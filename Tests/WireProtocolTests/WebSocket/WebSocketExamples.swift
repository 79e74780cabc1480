import Testing

@testable import WireProtocol

/// Bytes of a peer and what has to come of them.
struct WireExample: Sendable, CustomTestStringConvertible {
    let name: String
    let role: WebSocketRole
    let bytes: [UInt8]
    let events: [HeardEvent]

    var testDescription: String { name }
}

enum WebSocketExamples {
    static let hello = Array("Hello".utf8)

    /// RFC 6455 §5.7.
    static let ofTheRFC: [WireExample] = [
        WireExample(
            name: "unmasked text", role: .client, bytes: [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F],
            events: [.text(hello)]),
        WireExample(
            name: "masked text", role: .server,
            bytes: [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], events: [.text(hello)]),
        WireExample(
            name: "fragmented text", role: .client,
            bytes: [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], events: [.text(hello)]),
        WireExample(
            name: "unmasked ping", role: .client, bytes: [0x89, 0x05] + hello,
            events: [.ping, .send([0x8A, 0x85, 0, 0, 0, 0] + hello)]),
        WireExample(
            name: "masked pong", role: .server,
            bytes: [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], events: [.pong]),
        WireExample(
            name: "256 bytes", role: .client, bytes: [0x82, 0x7E, 0x01, 0x00] + [UInt8](0...255),
            events: [.binary([UInt8](0...255))]),
        WireExample(
            name: "64 KiB", role: .client,
            bytes: [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65536),
            events: [.binary([UInt8](repeating: 7, count: 65536))]),
    ]

    static let more: [WireExample] = [
        WireExample(
            name: "a ping between fragments", role: .client,
            bytes: [0x01, 0x02, 0x48, 0x65, 0x89, 0x00, 0x00, 0x00, 0x8A, 0x00, 0x80, 0x03, 0x6C, 0x6C, 0x6F],
            events: [.ping, .send([0x8A, 0x80, 0, 0, 0, 0]), .pong, .text(hello)]),
        WireExample(
            name: "empty messages", role: .client, bytes: [0x81, 0x00, 0x82, 0x00, 0x01, 0x00, 0x80, 0x00],
            events: [.text([]), .binary([]), .text([])]),
        WireExample(
            name: "a character over two fragments", role: .client, bytes: [0x01, 0x01, 0xC3, 0x80, 0x01, 0xA9],
            events: [.text([0xC3, 0xA9])]),
        WireExample(
            name: "close with code and reason, then more", role: .client,
            bytes: [0x88, 0x05, 0x03, 0xE9, 0x62, 0x79, 0x65, 0x81, 0x00],
            events: [
                .send([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9]),
                .finish(.init(code: 1001, reason: "bye", isClean: true, initiator: .peer, violation: nil)),
            ]),
        WireExample(
            name: "close without a code", role: .server, bytes: [0x88, 0x80, 1, 2, 3, 4],
            events: [
                .send([0x88, 0x00]),
                .finish(.init(code: 1005, reason: "", isClean: true, initiator: .peer, violation: nil)),
            ]),
    ]
}
