/// What settings say of the collector: where it is, and which headers it gets.
package enum Collector {
    package static let urlExpectation = "the URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318"
    package static let headersExpectation = "NAME=VALUE, separated by commas, such as authorization=Bearer s3cret"

    /// The URL to post to: the path is `/v1/traces` unless there is another one. Nil for what is no such URL.
    package static func url(_ text: String) -> String? {
        guard let start = ["http://", "https://"].first(where: text.hasPrefix)?.count,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"?#@\\\"<>".utf8.contains($0) })
        else { return nil }
        let rest = text.dropFirst(start)
        let authority = rest.prefix { $0 != "/" }
        // The colons of an IPv6 address are between brackets.
        let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.firstIndex(of: ":")
        let (host, port) = (authority[..<(end ?? authority.endIndex)], authority[(end ?? authority.endIndex)...])
        guard !host.isEmpty, port.isEmpty || port.first == ":" && UInt16(port.dropFirst()).map({ $0 > 0 }) == true
        else { return nil }
        let path = rest.dropFirst(authority.count)
        return path.isEmpty || path == "/" ? "\(text.prefix(start))\(authority)/v1/traces" : text
    }

    /// Nil for a text that is no such list, or has a header that every request has anyway.
    package static func headers(_ text: String) -> [(name: String, value: String)]? {
        var headers: [(name: String, value: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let end = part.firstIndex(of: "=") else { return nil }
            let name = part[..<end].drop { $0 == " " }
            let value = part[part.index(after: end)...]
            guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte), !value.isEmpty,
                value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
                !["content-type", "content-length", "host"].contains(name.lowercased())
            else { return nil }
            headers.append((name: String(name), value: String(value)))
        }
        return headers
    }

    /// RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
