import JSON

/// The last written head: most following responses differ from it only in their length.
///
/// A publisher's answers share one head for a second, and that head is longer than their bodies.
package struct HTTPResponseMemory {
    /// A class, so that reading it copies nothing.
    private final class Known: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let moment: HTTPMoment
        let isKeepAlive: Bool
        /// The bytes before the length, and those between it and the body.
        let front: [UInt8]
        let back: [UInt8]

        init(
            status: Int, headers: HTTPHeaders, moment: HTTPMoment, isKeepAlive: Bool, front: [UInt8], back: [UInt8]
        ) {
            (self.status, self.headers, self.moment) = (status, headers, moment)
            (self.isKeepAlive, self.front, self.back) = (isKeepAlive, front, back)
        }

        func isHead(of response: HTTPResponse, isKeepAlive: Bool, at moment: HTTPMoment) -> Bool {
            status == response.status && self.isKeepAlive == isKeepAlive && self.moment == moment
                && headers == response.headers
        }
    }

    private var known: Known?
    /// The status and headers of the response before: a head is kept only if it comes again. Heads with a tag never do.
    private var last: (status: Int, headers: HTTPHeaders)?

    package init() {}

    /// The same bytes as ``HTTPResponse/encoded(isKeepAlive:omitsBody:date:)``, for a response with its body.
    package mutating func encoded(_ response: HTTPResponse, isKeepAlive: Bool, at moment: HTTPMoment) -> [UInt8] {
        guard HTTPResponse.hasBody(status: response.status) else {
            return response.encoded(isKeepAlive: isKeepAlive, date: moment.field)
        }
        if let known, known.isHead(of: response, isKeepAlive: isKeepAlive, at: moment) {
            return Self.join(known, response.body)
        }
        let isRepeated = last.map { $0.status == response.status && $0.headers == response.headers } ?? false
        last = (response.status, response.headers)
        let bytes = response.encoded(isKeepAlive: isKeepAlive, date: moment.field)
        if isRepeated { note(bytes, of: response, isKeepAlive: isKeepAlive, at: moment) }
        return bytes
    }

    /// Whether the response's head is the remembered one.
    func remembers(_ response: HTTPResponse, isKeepAlive: Bool, at moment: HTTPMoment) -> Bool {
        known?.isHead(of: response, isKeepAlive: isKeepAlive, at: moment) ?? false
    }

    private static func join(_ known: Known, _ body: [UInt8]) -> [UInt8] {
        let byteCount = known.front.count + DecimalDigits.maximumBytes + known.back.count + body.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        // Written at once: each separate append would check the room again.
        bytes.append(addingCapacity: byteCount) { room in
            known.front.withUnsafeBufferPointer { room.append(copying: $0) }
            room.append(decimal: Int64(body.count))
            known.back.withUnsafeBufferPointer { room.append(copying: $0) }
            body.withUnsafeBufferPointer { room.append(copying: $0) }
        }
        return bytes
    }

    /// Splits written bytes at the digits of the length, which come after all fields except `Connection`.
    private mutating func note(
        _ bytes: [UInt8], of response: HTTPResponse, isKeepAlive: Bool, at moment: HTTPMoment
    ) {
        known = nil
        let back = "\r\nConnection: \(isKeepAlive ? "keep-alive" : "close")\r\n\r\n"
        let line = "Content-Length: \(response.body.count)\(back)"
        let head = bytes.dropLast(response.body.count)
        // A response with connection options of its own ends differently.
        guard head.suffix(line.utf8.count).elementsEqual(line.utf8) else { return }
        let digits = String(response.body.count)
        known = Known(
            status: response.status, headers: response.headers, moment: moment, isKeepAlive: isKeepAlive,
            front: Array(head.dropLast(digits.utf8.count + back.utf8.count)), back: Array(back.utf8))
    }
}
