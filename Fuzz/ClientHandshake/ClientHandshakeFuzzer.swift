@testable import WireProtocol

/// A server's answer to a WebSocket handshake: read in one way only, and accepted only if it proves what it must.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzClientHandshake(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    let whole = outcome(of: input, cut: .whole)
    for chunking in [Chunking.byteByByte, .random] {
        claimEqual(outcome(of: input, cut: chunking), whole, "the cuts change what is read")
    }
    guard case .success(let acceptance?) = whole else { return 0 }
    claim(acceptance.subprotocol == nil || acceptance.subprotocol == "belfry.v1", "a subprotocol that was not offered")
    claim(acceptance.deflate.map { (9...12).contains($0.windowBits) } != false, "a window that was not set")
    claim(input.count >= acceptance.remainder.count, "more bytes than came")
    claim(input.suffix(acceptance.remainder.count).elementsEqual(acceptance.remainder), "a remainder that did not come")
    let head = String(decoding: input.dropLast(acceptance.remainder.count), as: UTF8.self)
    // Of RFC 6455 §1.3, whose key the nonce is.
    claim(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "accepted without the proof")
    return 0
}

private func outcome(
    of bytes: [UInt8], cut chunking: Chunking
) -> Result<WebSocketClientHandshake.Acceptance?, ClientHandshakeFailure> {
    var handshake = WebSocketClientHandshake(
        authority: "localhost", path: "/", subprotocols: ["belfry.v1"], headers: [:],
        deflate: DeflateSettings(thresholdBytes: 0, level: 1, windowBits: 12),
        nonce: Array("the sample nonce".utf8))
    do throws(ClientHandshakeFailure) {
        for chunk in chunking.cut(bytes) {
            chunk.withOwnMemory { handshake.append($0) }
            if let acceptance = try handshake.next() {
                let behind = acceptance.remainder + bytes[chunk.endIndex...]
                return .success(
                    .init(subprotocol: acceptance.subprotocol, deflate: acceptance.deflate, remainder: behind))
            }
        }
        return .success(nil)
    } catch {
        return .failure(error)
    }
}
