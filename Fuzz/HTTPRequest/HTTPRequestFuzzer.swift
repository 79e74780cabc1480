@testable import WireProtocol

/// A client's requests: read in one way only, however they are cut, and never beyond the limits.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzHTTPRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    let whole = RequestTranscript(of: input, cut: .whole)
    for chunking in [Chunking.byteByByte, .random] {
        claimEqual(RequestTranscript(of: input, cut: chunking), whole, "the cuts change what is read")
    }
    for request in whole.requests { judge(request) }
    return 0
}

private func judge(_ request: RequestTranscript.Request) {
    let (head, headers) = (request.head, request.head.headers)
    claim(request.body.count <= RequestTranscript.maximumBodyBytes, "a body beyond the limit")
    claim(headers.fields.count <= 100, "more header fields than the limit")
    claim(head.method.utf8.isToken && head.minorVersion <= 1, "a request line that is none")
    for field in headers.fields {
        claim(field.name.utf8.isToken, "a header name that is no token")
        claim(!field.value.utf8.contains { $0.isControl && $0 != .tab }, "a control character in a header value")
    }
    claim(headers.values("Host").count <= 1, "two hosts")
    let lengths = headers.values("Content-Length")
    claim(lengths.count <= 1, "two lengths")
    let isChunked = !headers.values("Transfer-Encoding").isEmpty
    claim(!isChunked || (lengths.isEmpty && head.minorVersion == 1), "two ways to know where the body ends")
    if request.hasEnded, !isChunked {
        claimEqual(
            request.body.count, lengths.first.flatMap { Int($0) } ?? 0, "a body of another length than announced")
    }
    claim(!head.path.utf8.contains(0), "NUL in a path")
    judgeReading(of: head)
    judgeHandshake(head)
}

/// What was understood, written out plainly, must be understood as the same.
private func judgeReading(of head: HTTPRequestHead) {
    var bytes = Array("\(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\n".utf8)
    for field in head.headers.fields { bytes += Array("\(field.name): \(field.value)\r\n".utf8) }
    bytes += Array("\r\n".utf8)
    // Octets that are not UTF-8 were replaced by three bytes each.
    var parser = HTTPRequestParser(maximumHeadBytes: 3 * RequestTranscript.maximumHeadBytes)
    bytes.withUnsafeBytes { parser.append($0) }
    do {
        guard case .head(let again) = try parser.next() else { fatalError("a head that is whole is not read") }
        claimEqual(
            RequestTranscript.Request(again), RequestTranscript.Request(head), "a head that changes when written")
    } catch {
        fatalError("a head that was accepted is refused: \(error)")
    }
}

private func judgeHandshake(_ head: HTTPRequestHead) {
    let deflate = DeflateSettings(thresholdBytes: 0, level: 1, windowBits: 12)
    guard let acceptance = try? WebSocketHandshake.accept(head, deflate: deflate, choosing: { $0.first }) else {
        return
    }
    claim(acceptance.deflate == nil || head.headers["Sec-WebSocket-Extensions"] != nil, "compression that nobody wants")
    claim(WebSocketHandshake.isUpgrade(head) && head.method == "GET", "an upgrade that nobody asked for")
    claim(acceptance.response.starts(with: "HTTP/1.1 101 ".utf8), "an acceptance that does not switch protocols")
    let lines = String(decoding: acceptance.response, as: UTF8.self).split(
        separator: "\r\n", omittingEmptySubsequences: false)
    claim(lines.suffix(2) == ["", ""] && lines.dropLast(2).allSatisfy { !$0.isEmpty }, "a response of two parts")
}
