@testable import WireProtocol

extension Collection<UInt8> {
    /// These bytes as the network might cut them.
    func chunks(of count: Int) -> [[UInt8]] {
        let bytes = Array(self)
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<Swift.min($0 + count, bytes.count)]) }
    }
}

/// A request as a test wants to see it: its head and its body in one piece.
struct WholeRequest {
    let head: HTTPRequestHead
    var body: [UInt8] = []
    var hasEnded = false

    var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPRequestParser {
    mutating func feed(pieces: [[UInt8]]) throws(HTTPViolation) -> [WholeRequest] {
        var requests: [WholeRequest] = []
        for piece in pieces {
            piece.withUnsafeBytes { append($0) }
            while let event = try next() {
                switch event {
                case .head(let head): requests.append(WholeRequest(head: head))
                case .body(let piece): requests[requests.count - 1].body += piece
                case .end: requests[requests.count - 1].hasEnded = true
                }
            }
        }
        return requests
    }

    mutating func feed(_ bytes: [UInt8], inChunksOf count: Int = .max / 2) throws(HTTPViolation) -> [WholeRequest] {
        try feed(pieces: bytes.chunks(of: count))
    }

    mutating func feed(_ text: String, inChunksOf count: Int = .max / 2) throws(HTTPViolation) -> [WholeRequest] {
        try feed(Array(text.utf8), inChunksOf: count)
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
