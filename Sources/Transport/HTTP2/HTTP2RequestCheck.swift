/// Checks that a request is valid in HTTP/2. Names are tokens. Values hold no line breaks, which would begin another
/// header if the server forwards the request as HTTP/1.1. Fields about the connection are not allowed (RFC 9113 §8.2).
///
/// The check remembers the last valid texts. Requests to one service differ in an address and an id only, and reading
/// all of each took longer than sending it.
struct HTTP2RequestCheck {
    private struct Header {
        let name: HTTP2StableText
        let value: HTTP2StableText
    }

    /// The method of nearly all requests; an empty one must not pass for it.
    private let method = HTTP2StableText("POST")
    /// The last valid header at each index.
    private var headers: [Header] = []
    /// More headers than any service gets.
    private static let headersKept = 64

    mutating func admits(_ method: String) -> Bool {
        if self.method.holds(method) { return true }
        var text = method
        guard text.withUTF8(Self.isToken) else { return false }
        self.method.replace(with: method)
        return true
    }

    /// Checks one request of a batch.
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

    /// Whether all octets are allowed in a URL between its host and its fragment.
    private static func isPath(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        path.first == UInt8(ascii: "/") && path.areVisible(butFor: UInt8(ascii: "#"))
    }

    private static func isOneLine(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Whether all octets are letters, digits, dashes or underscores: the methods and header names here need no others.
    private static func isToken(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func isAboutConnection(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
        // By length first, because nearly no other name has one of these lengths.
        guard [2, 4, 7, 10, 16, 17].contains(octets.count) else { return false }
        return connectionNames.contains(String(decoding: octets, as: UTF8.self).lowercased())
    }

    private static let connectionNames: Set = [
        "te", "host", "upgrade", "connection", "keep-alive", "proxy-connection", "transfer-encoding",
    ]
}
