@testable import WireProtocol

extension Inflater {
    /// One message that comes in several parts, inflated; what is handed out before a failure is judged, too.
    func message(in parts: [ArraySlice<UInt8>], maximumBytes: Int) -> Result<[UInt8], WebSocketViolation> {
        var message: [UInt8] = []
        func take(_ piece: UnsafeRawBufferPointer) {
            claim(!piece.isEmpty && piece.count <= 32 << 10, "a piece of a size that was not promised")
            message.append(contentsOf: piece)
            claim(message.count <= maximumBytes, "more than the limit was handed out")
        }
        begin(maximumBytes: maximumBytes)
        for part in parts {
            let outcome = part.withOwnMemory { part in
                Result { () throws(WebSocketViolation) in try consume(part) { take($0) } }
            }
            if case .failure(let violation) = outcome { return .failure(violation) }
        }
        return Result { () throws(WebSocketViolation) in
            try finish()
            return message
        }
    }
}
