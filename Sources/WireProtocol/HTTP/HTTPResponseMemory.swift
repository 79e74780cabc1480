import JSON

/// The head that was written last: most responses that follow differ from it only in their length.
///
/// A publisher's answers all have the same head for a second, which is longer than they are.
package struct HTTPResponseMemory {
    private struct Known {
        let status: Int
        let headers: HTTPHeaders
        let date: HTTPHeaders.Field
        let isKeepAlive: Bool
        /// What stands before the length, and between it and the body.
        let front: [UInt8]
        let back: [UInt8]

        func isHead(of response: HTTPResponse, isKeepAlive: Bool, date: HTTPHeaders.Field) -> Bool {
            status == response.status && self.isKeepAlive == isKeepAlive && self.date == date
                && headers == response.headers
        }
    }

    private var known: Known?
    /// Of the response before: a head is kept when it comes again. Those with a tag of their own never do.
    private var last: (status: Int, headers: HTTPHeaders)?

    package init() {}

    /// What ``HTTPResponse/encoded(isKeepAlive:omitsBody:date:)`` returns for a response that is sent whole.
    package mutating func encoded(_ response: HTTPResponse, isKeepAlive: Bool, date: HTTPHeaders.Field) -> [UInt8] {
        guard HTTPResponse.hasBody(status: response.status) else {
            return response.encoded(isKeepAlive: isKeepAlive, date: date)
        }
        if let known, known.isHead(of: response, isKeepAlive: isKeepAlive, date: date) {
            return Self.join(known, response.body)
        }
        let isRepeated = last.map { $0.status == response.status && $0.headers == response.headers } ?? false
        last = (response.status, response.headers)
        let bytes = response.encoded(isKeepAlive: isKeepAlive, date: date)
        if isRepeated { note(bytes, of: response, isKeepAlive: isKeepAlive, date: date) }
        return bytes
    }

    /// Whether the response's head is at hand.
    func remembers(_ response: HTTPResponse, isKeepAlive: Bool, date: HTTPHeaders.Field) -> Bool {
        known?.isHead(of: response, isKeepAlive: isKeepAlive, date: date) ?? false
    }

    private static func join(_ known: Known, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(known.front.count + DecimalDigits.maximumBytes + known.back.count + body.count)
        bytes.append(contentsOf: known.front)
        bytes.append(addingCapacity: DecimalDigits.maximumBytes) { $0.append(decimal: Int64(body.count)) }
        bytes.append(contentsOf: known.back)
        bytes.append(contentsOf: body)
        return bytes
    }

    /// Takes apart what was written, where its length stands: behind all fields but `Connection`.
    private mutating func note(
        _ bytes: [UInt8], of response: HTTPResponse, isKeepAlive: Bool, date: HTTPHeaders.Field
    ) {
        known = nil
        let back = "\r\nConnection: \(isKeepAlive ? "keep-alive" : "close")\r\n\r\n"
        let line = "Content-Length: \(response.body.count)\(back)"
        let head = bytes.dropLast(response.body.count)
        // One with options of its own for the connection ends otherwise.
        guard head.suffix(line.utf8.count).elementsEqual(line.utf8) else { return }
        let digits = String(response.body.count)
        known = Known(
            status: response.status, headers: response.headers, date: date, isKeepAlive: isKeepAlive,
            front: Array(head.dropLast(digits.utf8.count + back.utf8.count)), back: Array(back.utf8))
    }
}
