@testable import WireProtocol

/// Either end of an open WebSocket: understands the same however the bytes are cut, and what the plain reader
/// understands.
///
/// The first byte chooses the end and its settings, the rest is what the peer sends.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzWebSocket(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, input) = FuzzInput(start, count).selectorAndRest
    let settings = SocketSettings(selector)
    var reader = PlainSocketReader(settings)
    let expected = reader.events(in: input)
    for chunking in Chunking.allCases {
        let events = SocketTranscript(of: input, settings, cut: chunking).events
        claimEqual(events, expected, "\(chunking) bytes are understood differently by us and the plain reader")
    }
    return 0
}

/// What the first byte of an input stands for.
struct SocketSettings {
    let role: WebSocketRole
    let acceptsBinary: Bool
    let deflate: DeflateAgreement?
    let maximumMessageBytes: Int
    /// Whether we begin to close once something has come.
    let closesEarly: Bool

    init(_ selector: UInt8) {
        role = selector & 1 == 0 ? .server : .client
        acceptsBinary = selector & 2 == 0
        deflate = selector & 4 == 0 ? nil : DeflateAgreement(windowBits: 15)
        maximumMessageBytes = selector & 8 == 0 ? 70_000 : 200
        closesEarly = selector & 16 != 0
    }

    static let earlyCloseCode: UInt16 = 1001
}

/// What has come of a peer's bytes, in a form that can be compared.
enum SocketEvent: Equatable {
    case text([UInt8])
    case binary([UInt8])
    /// With what a pong has carried back.
    case ping([UInt8])
    case pong
    /// The handshake of closing is over; `reply` is the code that our own close frame carried back.
    case closed(code: UInt16, reason: String, byPeer: Bool, reply: UInt16?)
    /// The peer did wrong what this code stands for.
    case failed(code: UInt16, hasCloseFrame: Bool)
}
