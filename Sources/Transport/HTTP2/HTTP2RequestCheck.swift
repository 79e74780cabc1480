/// Judges whether something can be a request of HTTP/2: names are tokens, and values hold no line breaks, which would
/// begin another header behind a server that speaks HTTP/1.1 inside. Fields about the connection have no place (RFC
/// 9113 §8.2).
///
/// Remembers what passed last: requests to one service differ in an address and an id, and to read all of each again
/// took longer than to send it.
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

    mutating func admits(_ method: String) -> Bool {
        if self.method.holds(method) { return true }
        var text = method
        guard text.withUTF8(Self.isToken) else { return false }
        self.method.replace(with: method)
        return true
    }

    /// Judges one request of a batch.
    mutating func admits(_ batch: HTTPRequestBatch, _ index: Int) -> Bool {
        let request = batch.requests[index]
        return batch.bytes.withUnsafeBufferPointer { bytes in
            guard Self.isPath(UnsafeBufferPointer(rebasing: bytes[request.path])) else { return false }
            for (place, field) in batch.fields[request.fields].enumerated() {
                let name = UnsafeBufferPointer(rebasing: bytes[field.name])
                let value = UnsafeBufferPointer(rebasing: bytes[field.value])
                guard admits(name, value, at: place) else { return false }
            }
            return true
        }
    }

    private mutating func admits(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> Bool {
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

    /// Octets that a URL may hold, from its host to its fragment.
    private static func isPath(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        path.first == UInt8(ascii: "/") && path.areVisible(butFor: UInt8(ascii: "#"))
    }

    private static func isOneLine(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Letters, digits, dashes and underscores are all that methods and header names of ours need.
    private static func isToken(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func isAboutConnection(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
        // By length, as nearly no other name has one of these.
        guard [2, 4, 7, 10, 16, 17].contains(octets.count) else { return false }
        return connectionNames.contains(String(decoding: octets, as: UTF8.self).lowercased())
    }

    private static let connectionNames: Set = [
        "te", "host", "upgrade", "connection", "keep-alive", "proxy-connection", "transfer-encoding",
    ]
}
