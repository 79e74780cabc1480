/// The version of a message (RFC 9112 §2.3).
enum HTTPVersion {
    /// The minor version of HTTP/1.0 or HTTP/1.1; others are refused, and so is anything that is no version.
    static func minor(parsing text: some Collection<UInt8>) throws(HTTPViolation) -> Int {
        let text = Array(text)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[5].isDigit, text[6] == UInt8(ascii: "."),
            text[7].isDigit
        else { throw .badRequest("the version is not of the form HTTP/1.1") }
        switch (text[5], text[7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return 0
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return 1
        case (_, _): throw HTTPViolation(status: 505, reason: "only HTTP/1.0 and HTTP/1.1 are spoken here")
        }
    }
}
