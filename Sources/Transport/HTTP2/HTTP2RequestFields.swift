/// Turns requests into header fields, for one connection.
///
/// The peer's table for fields that repeat is small, and what comes in pushes out what came first. So a field goes into it
/// when its name is new or its value is that of the request before: a collapse id or a path would only drive out the
/// topic. Apple asks for the same.
struct HTTP2RequestFields {
    private struct Last {
        /// In lower case.
        let name: String
        var value: String
        let isLength: Bool
    }

    /// Of each name the value that came last; names stand where they stand in most requests.
    private var last: [Last] = []
    /// More names than any service is sent.
    private static let namesKept = 64
    private static let contentLength = "content-length"
    private var fields = HTTP2Fields()

    /// Calls `body` with the request's fields; they are gone after the call.
    mutating func withFields(
        of exchange: HTTP2Exchange, authority: String, _ body: (HTTP2Fields.Views) -> Void
    ) {
        let request = exchange.request
        fields.removeAll()
        fields.append(":method", request.method)
        fields.append(":scheme", "https")
        fields.append(":authority", authority)
        // Each device its own, and the token in it is no business of a table.
        fields.append(":path", exchange.path, isIndexed: false)
        var hasLength = false
        for (place, (name, value)) in request.headers.enumerated() {
            // Where the request before had the same name it was in lower case.
            if place < last.count, last[place].name == name {
                if last[place].isLength { hasLength = true }
                fields.append(name, value, isIndexed: note(value, at: place))
                continue
            }
            let name = Self.isLowerCase(name) ? name : name.lowercased()
            if name == Self.contentLength { hasLength = true }
            fields.append(name, value, isIndexed: isWorthIndexing(name, value))
        }
        // Not needed by the protocol, but expected by some servers of those methods that have a body.
        if !hasLength, !request.body.isEmpty || request.method == "POST" || request.method == "PUT" {
            fields.append(Self.contentLength, String(request.body.count), isIndexed: false)
        }
        fields.withFields(body)
    }

    private mutating func isWorthIndexing(_ name: String, _ value: String) -> Bool {
        guard let place = last.firstIndex(where: { $0.name == name }) else {
            if last.count < Self.namesKept {
                last.append(Last(name: name, value: value, isLength: name == Self.contentLength))
            }
            return last.count < Self.namesKept
        }
        return note(value, at: place)
    }

    /// Tells whether it is the value of the request before.
    private mutating func note(_ value: String, at place: Int) -> Bool {
        if last[place].value == value { return true }
        last[place].value = value
        return false
    }

    private static func isLowerCase(_ name: String) -> Bool { name.allBytes { !(0x41...0x5A).contains($0) } }
}

extension String {
    /// As `utf8.allSatisfy`, which for a text on its way to the wire takes several times as long.
    func allBytes(_ condition: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(condition) } ?? utf8.allSatisfy(condition)
    }
}
