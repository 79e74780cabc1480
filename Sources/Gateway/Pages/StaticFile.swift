import Crypto
import WireProtocol

/// A file that is served as it is, with its tag: made once, compressed once.
struct StaticFile: Sendable {
    private static let mediaTypes = [
        "js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml",
        "json": "application/json", "yaml": "application/yaml",
    ]

    let name: String
    let bytes: [UInt8]
    private let compressed: [UInt8]?
    private let tag: String
    private let mediaType: String
    private let headers: [(name: String, value: String)]

    /// - Parameters:
    ///   - name: its ending determines the media type.
    ///   - headers: added to every answer, beside those of all files.
    init(name: String, content: StaticString, headers: [(name: String, value: String)]) {
        self.name = name
        bytes = Array(UnsafeBufferPointer(start: content.utf8Start, count: content.utf8CodeUnitCount))
        compressed = HTTPContentCoding.gzip(bytes).flatMap { [bytes] in $0.count < bytes.count ? $0 : nil }
        tag = SHA256.hash(data: bytes).hexadecimal(bytes: 16)
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        mediaType = (Self.mediaTypes[ending] ?? "text/plain") + "; charset=utf-8"
        self.headers = headers
    }

    /// The file, or the answer that it has not changed.
    ///
    /// - Parameter caching: the value of `Cache-Control`.
    func answer(to head: HTTPRequestHead, caching: String) -> HTTPResponse {
        let coded = head.headers.acceptGzip ? compressed : nil
        // With a strong tag, other bytes need another one (RFC 9110 §8.8.3.3).
        let tag = ETag(text: coded == nil ? "\"\(tag)\"" : "\"\(tag)-gzip\"")
        var fields = HTTPHeaders()
        fields.add("ETag", tag.text)
        fields.add("Cache-Control", caching)
        fields.add("Vary", "Accept-Encoding")
        for (name, value) in headers { fields.add(name, value) }
        // A browser reuses its stored answer then, but checks these headers for whether a page may read it.
        guard !tag.matches(head.headers.joined("If-None-Match")) else {
            return HTTPResponse(status: 304, headers: fields)
        }
        fields.add("Content-Type", mediaType)
        if coded != nil { fields.add("Content-Encoding", "gzip") }
        return HTTPResponse(status: 200, headers: fields, body: coded ?? bytes)
    }
}

extension Sequence<UInt8> {
    /// The first bytes of a digest, in hexadecimal.
    func hexadecimal(bytes count: Int) -> String {
        prefix(count).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
