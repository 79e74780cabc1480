/// An absolute `https` URL in the two parts of an HTTP/2 request (RFC 9113 §8.3.1), as they were written.
struct HTTP2URL {
    /// Host and port, not checked yet.
    let authority: Substring
    /// With the query; "/" for an empty path.
    let path: Substring

    /// Nil for any other text, and for bytes that URLs cannot hold.
    init?(_ text: String) {
        var text = text
        guard let parts = text.withUTF8(Self.parts(of:)) else { return nil }
        func part(_ range: Range<Int>) -> Substring {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            // Cut at octets, because all of them are ASCII here.
            return Substring(text.utf8[start..<text.utf8.index(start, offsetBy: range.count)])
        }
        authority = part(parts.authority)
        let path = part(parts.path)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    }

    private static func parts(of text: UnsafeBufferPointer<UInt8>) -> (authority: Range<Int>, path: Range<Int>)? {
        guard text.count > scheme.count, text.prefix(scheme.count).elementsEqual(scheme, by: isSame(_:as:))
        else { return nil }
        var place = scheme.count
        while place < text.count, !endsAuthority(text[place]) {
            guard text[place] > 0x20, text[place] < 0x7F else { return nil }
            place += 1
        }
        let pathStart = place
        while place < text.count, text[place] != UInt8(ascii: "#") {
            guard text[place] > 0x20, text[place] < 0x7F else { return nil }
            place += 1
        }
        // The fragment is not sent.
        guard text[place...].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return (scheme.count..<pathStart, pathStart..<place)
    }

    /// Whether an octet is this character of `scheme`: its letters may be capitals.
    private static func isSame(_ octet: UInt8, as character: UInt8) -> Bool {
        // The bit makes a capital small, and other octets to ":" or "/".
        octet == character || character >= UInt8(ascii: "a") && octet | 0x20 == character
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static let scheme = Array("https://".utf8)
}

/// The server of an origin.
struct HTTP2Authority: Hashable, Sendable {
    /// As written in the URL, for `:authority`.
    let text: String
    /// A name, or an address without brackets.
    let host: String
    let port: UInt16

    /// Nil for a text that names no server, or that also names a user.
    init?(_ text: Substring) {
        let hasPort = text.contains(":") && !text.hasSuffix("]")
        guard !text.isEmpty, !text.contains("@"), !text.contains("%"),
            case .tcp(let host, let port) = SocketAddress(hasPort ? String(text) : "\(text):443"), !host.isEmpty
        else { return nil }
        (self.text, self.host, self.port) = (String(text), host, port)
    }
}
