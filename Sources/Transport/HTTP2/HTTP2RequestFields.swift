/// Turns requests into header fields, for one connection.
///
/// The peer's table for fields that repeat is small, and what comes in pushes out what came first. So a field goes into it
/// when its name is new or its value is that of the request before: a collapse id or a path would only drive out the
/// topic. Apple asks for the same.
struct HTTP2RequestFields {
    /// Of each name the value that came last; names stand where they stand in most requests.
    private var last: [(name: String, value: String)] = []
    /// More names than any service is sent.
    private static let namesKept = 64
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
            let name = Self.isLowerCase(name) ? name : name.lowercased()
            if name == "content-length" { hasLength = true }
            fields.append(name, value, isIndexed: isWorthIndexing(name, value, at: place))
        }
        // Not needed by the protocol, but expected by some servers of those methods that have a body.
        if !hasLength, !request.body.isEmpty || request.method == "POST" || request.method == "PUT" {
            fields.append("content-length", String(request.body.count), isIndexed: false)
        }
        fields.withFields(body)
    }

    /// - Parameter place: of the field among the request's own.
    private mutating func isWorthIndexing(_ name: String, _ value: String, at place: Int) -> Bool {
        let isThere = place < last.count && last[place].name == name
        guard let place = isThere ? place : last.firstIndex(where: { $0.name == name }) else {
            if last.count < Self.namesKept { last.append((name, value)) }
            return last.count < Self.namesKept
        }
        if last[place].value == value { return true }
        last[place].value = value
        return false
    }

    private static func isLowerCase(_ name: String) -> Bool { name.allBytes { !(0x41...0x5A).contains($0) } }
}

extension HTTPClientRequest {
    /// Whether it can be a request of HTTP/2: names are tokens, and values hold no line breaks, which would begin another
    /// header behind a server that speaks HTTP/1.1 inside. Fields about the connection have no place (RFC 9113 §8.2).
    var isSendableOverHTTP2: Bool {
        socketPath == nil && Self.isToken(method)
            && headers.allSatisfy { name, value in
                Self.isToken(name) && !Self.isAboutConnection(name)
                    && value.allBytes { $0 >= 0x20 && $0 != 0x7F }
            }
    }

    /// Letters, digits, dashes and underscores are all that methods and header names of ours need.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.allBytes {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func isAboutConnection(_ name: String) -> Bool {
        // By length, as nearly no other name has one of these.
        switch name.utf8.count {
        case 2: name.lowercased() == "te"
        case 4: name.lowercased() == "host"
        case 7: name.lowercased() == "upgrade"
        case 10: ["connection", "keep-alive"].contains(name.lowercased())
        case 16: name.lowercased() == "proxy-connection"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}

extension String {
    /// As `utf8.allSatisfy`, which for a text on its way to the wire takes several times as long.
    func allBytes(_ condition: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(condition) } ?? utf8.allSatisfy(condition)
    }
}
