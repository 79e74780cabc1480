/// The version of a message (RFC 9112 §2.3).
enum HTTPVersion {
    /// The minor version of HTTP/1.0 or HTTP/1.1; other versions and malformed ones are refused.
    static func minor(parsing text: some Collection<UInt8>) throws(HTTPViolation) -> Int {
        let (prefix, version) = (text.prefix(5), text.dropFirst(5))
        guard version.count == 3, prefix.elementsEqual("HTTP/".utf8), let major = version.first, major.isDigit,
            version.dropFirst().first == UInt8(ascii: "."), let minor = version.dropFirst(2).first, minor.isDigit
        else { throw .badRequest("the version is not of the form HTTP/1.1") }
        switch (major, minor) {
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return 0
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return 1
        case (_, _): throw HTTPViolation(status: 505, reason: "only HTTP/1.0 and HTTP/1.1 are spoken here")
        }
    }
}
