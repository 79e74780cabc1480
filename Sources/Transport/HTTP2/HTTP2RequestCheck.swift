/// Judges whether something can be a request of HTTP/2: names are tokens, and values hold no line breaks, which would begin
/// another header behind a server that speaks HTTP/1.1 inside. Fields about the connection have no place (RFC 9113 §8.2).
///
/// Remembers what passed last: requests to one service differ in an address and an id, and to read all of each again took
/// longer than to send it.
struct HTTP2RequestCheck {
    private struct Header {
        let name: HTTP2StableText
        let value: HTTP2StableText
    }

    /// That of nearly all requests here; an empty one must not pass for it.
    private let method = HTTP2StableText("POST")
    /// What passed last at each place.
    private var headers: [Header] = []
    /// More headers than any service is sent.
    private static let headersKept = 64

    mutating func admits(_ request: HTTPClientRequest) -> Bool {
        guard request.socketPath == nil else { return false }
        if !method.holds(request.method) {
            guard Self.isToken(request.method) else { return false }
            method.replace(with: request.method)
        }
        for (place, (name, value)) in request.headers.enumerated() {
            guard admits(name, value, at: place) else { return false }
        }
        return true
    }

    private mutating func admits(_ name: String, _ value: String, at place: Int) -> Bool {
        let isKnown = place < headers.count && headers[place].name.holds(name)
        if isKnown, headers[place].value.holds(value) { return true }
        guard isKnown || Self.isToken(name) && !Self.isAboutConnection(name), Self.isOneLine(value) else {
            return false
        }
        if place < headers.count {
            headers[place].name.replace(with: name)
            headers[place].value.replace(with: value)
        } else if place < Self.headersKept {
            headers.append(Header(name: HTTP2StableText(name), value: HTTP2StableText(value)))
        }
        return true
    }

    private static func isOneLine(_ value: String) -> Bool { value.allBytes { $0 >= 0x20 && $0 != 0x7F } }

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
