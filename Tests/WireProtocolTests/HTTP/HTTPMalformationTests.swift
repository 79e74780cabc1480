import Testing

@testable import WireProtocol

struct Malformation: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    /// Which rule it breaks, or what two readers could make of it.
    let reason: String
    let status: Int

    init(_ text: String, _ reason: String, _ status: Int = 400) { self.init(bytes: Array(text.utf8), reason, status) }

    init(bytes: [UInt8], _ reason: String, _ status: Int = 400) {
        self.bytes = bytes
        self.reason = reason
        self.status = status
    }

    /// A request that is right but for its first line.
    init(start: String, _ reason: String, _ status: Int = 400) {
        self.init("\(start)\r\nHost: a\r\n\r\n", reason, status)
    }

    /// A request that is right but for its target.
    init(target: String, method: String = "GET", _ reason: String, _ status: Int = 400) {
        self.init(start: "\(method) \(target) HTTP/1.1", reason, status)
    }

    /// A request that is right but for one header line, or some.
    init(line: String, _ reason: String, _ status: Int = 400) {
        self.init("POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", reason, status)
    }

    /// A request that is right but for its Host.
    init(host: String, _ reason: String) { self.init("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", reason) }

    /// A request that is right but for its chunked body.
    init(chunks: String, _ reason: String, _ status: Int = 400) {
        self.init(line: "Transfer-Encoding: chunked\r\n\r\n\(chunks)", reason, status)
    }

    var testDescription: String { "\(String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription): \(reason)" }
}

struct HTTPMalformationTests {
    static let startLines: [Malformation] = [
        .init("GET / HTTP/1.1\nHost: a\r\n\r\n", "bare LF: some readers end lines there, some do not"),
        .init("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "an empty line that ends in a bare LF"),
        .init("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "one empty line is forgiven (RFC 9112 §2.2), two are not"),
        .init(start: "GET /\r HTTP/1.1", "bare CR: some readers take it for white space (§2.2)"),
        .init(start: "GET / HTTP/1.1\r", "CR before CR LF"),
        .init(start: "GET  / HTTP/1.1", "two spaces: an empty target, or none (§3)"),
        .init(start: "GET / HTTP/1.1 ", "space at the end: a fourth word (§3)"),
        .init(start: " GET / HTTP/1.1", "space at the start: an empty method (§3)"),
        .init(start: "GET\t/\tHTTP/1.1", "tab for space (§3)"),
        .init(start: "GET\u{B}/ HTTP/1.1", "vertical tab for space (§3)"),
        .init(start: "GET / a HTTP/1.1", "space inside the target: where it ends is a guess (§3.2)"),
        .init(start: "GET /", "HTTP/0.9, which has no version and no fields"),
        .init("GET /\r\n", "HTTP/0.9 sends nothing more: refused before the head ends"),
        .init(start: "GE:T / HTTP/1.1", "a method is a token (RFC 9110 §9.1)"),
        .init(start: "GET\u{0} / HTTP/1.1", "NUL ends strings in C"),
        .init(start: "G\u{E9}T / HTTP/1.1", "a method is a token, which is ASCII"),
        .init(start: "GET / http/1.1", "the version's name has its case (§2.3)"),
        .init(start: "GET / HTTP/1.10", "a version has one digit on each side (§2.3)"),
        .init(start: "GET / HTTP/11", "a version has a dot (§2.3)"),
        .init(start: "GET / HTTP/+1.1", "a version has no sign (§2.3)"),
        .init(start: "GET / HTP/1.1", "another protocol"),
        .init(start: "GET / HTTP/1.2", "a version that nobody has defined", 505),
        .init(start: "GET / HTTP/0.9", "a version that was never written this way", 505),
        .init(start: "GET / HTTP/2.0", "HTTP/2 is not written in lines", 505),
        .init("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2 begun without asking (RFC 9113 §3.4)", 505),
        .init(bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x0A], "TLS on a plain port"),
        .init(start: "GET / HTTP/1.1\r\n folded", "a start line cannot be folded"),
    ]

    static let targets: [Malformation] = [
        .init(target: "*", "the asterisk is for OPTIONS only (§3.2.4)"),
        .init(target: "a", "neither a path nor a URL (§3.2)"),
        .init(target: "belfry:443", "authority form is for CONNECT only (§3.2.3)"),
        .init(target: "belfry:443", method: "CONNECT", "this server is not a proxy", 501),
        .init(target: "/", method: "CONNECT", "this server is not a proxy", 501),
        .init(target: "/", method: "TRACE", "it would send back what only those between may know", 501),
        .init(target: "ftp://a/", "not an http URL"),
        .init(target: "http:///a", "a URL without a host (RFC 9110 §4.2.1)"),
        .init(target: "http://:80/a", "a URL without a host (RFC 9110 §4.2.1)"),
        .init(target: "http://user:pw@a/", "a user name in it is an attempt to mislead (RFC 9110 §4.2.4)"),
        .init(target: "http://a,b/", "two hosts in one"),
        .init(target: "http://a:x/", "a port is a number"),
        .init(target: "http://a\\b/", "no character of a URL: browsers take it for a slash"),
        .init(target: "/a#b", "a fragment is never sent (§3.2.1)"),
        .init(target: "/%", "a broken escape"),
        .init(target: "/%4", "a broken escape"),
        .init(target: "/%4g", "a broken escape"),
        .init(target: "/%00", "NUL ends strings in C"),
        .init(target: "/%ff", "no text in UTF-8"),
        .init(target: "/%c3%28", "no text in UTF-8"),
        .init(target: "/%c3/%a9", "a character across a slash"),
        .init(target: "/?a=%zz", "a broken escape in the query"),
        .init(target: "/?%ff", "no text in UTF-8 in the query"),
        .init(target: "/é", "characters beyond ASCII are to be escaped"),
        .init(target: "/\u{7F}", "a control character"),
        .init(target: "/\u{0}", "a control character"),
    ]

    static let fields: [Malformation] = [
        .init("GET / HTTP/1.1\r\nHost: a\n\r\n", "bare LF ends a field: some readers go on"),
        .init("GET / HTTP/1.1\r\nHost: a\r\n\n", "bare LF ends the head: some readers wait for more"),
        .init("GET / HTTP/1.1\r\nHost: a\r\n\rX: y\r\n\r\n", "bare CR before a name"),
        .init(line: "A: b\rc", "bare CR in a value: some readers begin a line there"),
        .init(line: "A: b\r", "CR before CR LF"),
        .init(line: " folded", "a folded line: some readers add it to the one before (§5.2)"),
        .init(line: "\tfolded", "a folded line (§5.2)"),
        .init(line: "A: b\r\n Content-Length: 5", "a folded line hides a field from some readers (§5.2)"),
        .init(line: "A : b", "space before the colon (§5.1)"),
        .init(line: "A\t: b", "tab before the colon (§5.1)"),
        .init(line: "Transfer-Encoding : chunked", "some readers drop the field, some trim its name (§5.1)"),
        .init(line: "Content-Length : 5", "some readers drop the field, some trim its name (§5.1)"),
        .init(line: ": b", "an empty name"),
        .init(line: "A", "no colon"),
        .init(line: "A(: b", "a name is a token (RFC 9110 §5.1)"),
        .init(line: "A B: c", "a name is a token (RFC 9110 §5.1)"),
        .init(line: "Ä: b", "a name is a token, which is ASCII"),
        .init(line: "A\u{0}: b", "NUL ends strings in C"),
        .init(line: "A: b\u{0}c", "NUL ends strings in C (RFC 9110 §5.5)"),
        .init(line: "A: b\u{7F}c", "a control character (RFC 9110 §5.5)"),
        .init(line: "A: b\u{1B}c", "a control character (RFC 9110 §5.5)"),
        .init(line: "Expect: 200-ok", "an expectation that nobody knows (RFC 9110 §10.1.1)", 417),
        .init(line: "Expect: 100-continue, 200-ok", "one of two expectations is not known", 417),
        .init(line: "Expect: 100-continue\r\nExpect: x", "one of two expectations is not known", 417),
    ]

    static let hosts: [Malformation] = [
        .init("GET / HTTP/1.1\r\n\r\n", "no Host (§3.2)"),
        .init("GET http://a/ HTTP/1.1\r\n\r\n", "no Host, though the target has one (§3.2)"),
        .init("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "two Hosts (§3.2)"),
        .init("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "two Hosts (§3.2)"),
        .init("GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "two Hosts, though the target counts (§3.2)"),
        .init(host: "a, b", "two Hosts that somebody has joined"),
        .init(host: "a,b", "two Hosts that somebody has joined"),
        .init(host: "a/b", "a path in it"),
        .init(host: "a b", "a space in it"),
        .init(host: "user@a", "a user name in it"),
        .init(host: "a:b", "a port is a number"),
        .init(host: "a:80:81", "two ports"),
        .init(host: "a:65536", "no port has this number"),
        .init(host: "a:-1", "no port has this number"),
        .init(host: "::1", "an IPv6 address without brackets: where the port begins is a guess"),
        .init(host: "[::1", "a bracket that is not closed"),
        .init(host: "[::1]x", "something behind the brackets"),
        .init(host: "[a]", "no address in the brackets"),
        .init(host: "é", "a host is ASCII"),
    ]

    static let framing: [Malformation] = [
        .init(line: "Content-Length: 0\r\nContent-Length: 0", "two lengths, though the same (§6.3)"),
        .init(line: "Content-Length: 0\r\nContent-Length: 1", "two lengths (§6.3)"),
        .init(line: "Content-Length: 1\r\ncontent-length: 0", "two lengths (§6.3)"),
        .init(line: "Content-Length: 5, 5", "a list of lengths, though the same (§6.3)"),
        .init(line: "Content-Length: 0,", "a list of lengths (§6.3)"),
        .init(line: "Content-Length: +0", "a sign: some readers take it"),
        .init(line: "Content-Length: -1", "a sign"),
        .init(line: "Content-Length: 0x5", "hexadecimal: 0 to some readers"),
        .init(line: "Content-Length: 1 2", "white space inside"),
        .init(line: "Content-Length: 5\u{B}", "white space of another kind"),
        .init(line: "Content-Length: 1_0", "some readers take it for 10"),
        .init(line: "Content-Length: ٥", "a digit, but not of ASCII"),
        .init(line: "Content-Length: 5.0", "not a whole number"),
        .init(line: "Content-Length:", "no number"),
        .init(line: "Content-Length: 99999999999999999999", "more than fits 64 bits: small to some readers", 413),
        .init(line: "Content-Length: 9223372036854775808", "negative to some readers", 413),
        .init(line: "Content-Length: 0\r\nTransfer-Encoding: chunked", "both framings (§6.1)"),
        .init(line: "Transfer-Encoding: chunked\r\nContent-Length: 0", "both framings (§6.1)"),
        .init(line: "Transfer-Encoding: x\r\nContent-Length: 0", "both framings, one of them unknown (§6.1)"),
        .init(line: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "chunked twice (§6.1)"),
        .init(line: "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "two fields: some readers see one of them"),
        .init(line: "Transfer-Encoding: chunked, chunked", "chunked twice (§6.1)"),
        .init(line: "Transfer-Encoding: chunked, gzip", "not chunked at last: the end is unknown (§6.3)"),
        .init(line: "Transfer-Encoding: chunked, identity", "a coding that was withdrawn, and not chunked at last"),
        .init(line: "Transfer-Encoding: gzip, chunked", "a coding that is not known here (§6.1)", 501),
        .init(line: "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "the same in two fields (§6.1)", 501),
        .init(line: "Transfer-Encoding: ,chunked", "an empty element: some readers see no chunked"),
        .init(line: "Transfer-Encoding: identity", "the end is unknown (§6.3)"),
        .init(line: "Transfer-Encoding: xchunked", "the end is unknown, unless one looks for a part of the word"),
        .init(line: "Transfer-Encoding: chunkedx", "the end is unknown, unless one looks for a part of the word"),
        .init(line: "Transfer-Encoding: \"chunked\"", "in quotes it is no coding"),
        .init(line: "Transfer-Encoding: chunked;q=1", "with a parameter it is chunked to some readers"),
        .init(line: "Transfer-Encoding:", "no coding"),
        .init(line: "Transfer-Encoding: \u{B}chunked", "white space of another kind: some readers trim it"),
        .init(line: "Transfer-Encoding: chunked\u{C}", "white space of another kind: some readers trim it"),
        .init("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.0 knows no chunks (§6.1)"),
    ]

    static let chunks: [Malformation] = [
        .init(chunks: "\r\n", "no size"),
        .init(chunks: "g\r\n", "no hexadecimal digit"),
        .init(chunks: "-1\r\n", "a sign"),
        .init(chunks: "+5\r\nhello\r\n", "a sign: some readers take it"),
        .init(chunks: "0x1\r\na\r\n", "0 to some readers, 1 to others"),
        .init(chunks: "1_0\r\n", "16 to some readers"),
        .init(chunks: " 1\r\na\r\n", "space before the size"),
        .init(chunks: "1 \r\na\r\n", "space behind the size, and no extension"),
        .init(chunks: "1\na\r\n", "bare LF behind the size"),
        .init(chunks: "1\ra\r\n", "bare CR behind the size"),
        .init(chunks: "1\r\na\n", "bare LF behind the data"),
        .init(chunks: "1\r\nab\r\n", "more data than the size says"),
        .init(chunks: "1\r\na0\r\n\r\n", "no line end behind the data"),
        .init(chunks: "2\r\na\r\n0\r\n\r\n", "less data than the size says"),
        .init(chunks: "5;\r\nhello\r\n", "an extension without a name (§7.1.1)"),
        .init(chunks: "1;a=\r\na\r\n", "an extension without a value (§7.1.1)"),
        .init(chunks: "1;a b\r\na\r\n", "an extension of two words (§7.1.1)"),
        .init(chunks: "1;\u{0}\r\na\r\n", "NUL in an extension"),
        .init(chunks: "1;a\nb\r\na\r\n", "bare LF in an extension: some readers end the line there"),
        .init(chunks: "1;a\rb\r\na\r\n", "bare CR in an extension"),
        .init(chunks: "1;a=\"\r\n\"\r\na\r\n", "a line end in quotes: some readers go on behind it"),
        .init(chunks: "1;a=\"b\r\na\r\n", "quotes that are not closed"),
        .init(chunks: "1;a=\"b\\\r\na\r\n", "a line end behind a backslash"),
        .init(chunks: ";a\r\n", "an extension of nothing"),
        .init(chunks: "fffffffffffffff\r\n", "a size that no body has", 413),
        .init(chunks: "10000000000000000\r\n", "0 to readers with 64 bits", 413),
        .init(chunks: "100000001\r\na\r\n", "1 to readers with 32 bits", 413),
        .init(chunks: "00000000000000000000001\r\na\r\n", "more zeros than anybody needs", 413),
        .init(chunks: "0\r\nA : b\r\n\r\n", "a trailer is a field like others"),
        .init(chunks: "0\r\n folded\r\n\r\n", "a folded trailer"),
        .init(chunks: "0\r\n\n", "bare LF ends the body"),
        .init(chunks: "0\r\nContent-Length: 5\r\n\r\n", "a trailer by which bodies are framed (RFC 9110 §6.5.1)"),
        .init(chunks: "0\r\ntransfer-encoding: chunked\r\n\r\n", "a trailer by which bodies are framed"),
        .init(chunks: "0\r\nHost: b\r\n\r\n", "a trailer by which requests are routed"),
        .init(chunks: "0\r\nAuthorization: b\r\n\r\n", "a trailer by which requests are judged"),
    ]

    @Test(arguments: startLines + targets + fields + hosts + framing + chunks)
    func `is refused with its status however the bytes are cut`(_ row: Malformation) {
        for chunkBytes in [1, 2, 3, 7, 10_000] {
            var parser = HTTPRequestParser()
            let violation = #expect(throws: HTTPViolation.self) { try parser.feed(row.bytes, inChunksOf: chunkBytes) }
            #expect(violation?.status == row.status, "in chunks of \(chunkBytes): \(violation?.reason ?? "")")
        }
    }

    /// Requests that look odd and are right. Refusing them would keep honest clients out.
    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "get / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\t005 \t\r\n\r\nhello",
        "POST / HTTP/1.1\r\nHost: a\r\ntransfer-ENCODING:\tCHUNKED\t\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 ; a=b;c ; d = \"e\\\"; f\"\r\nx\r\n0;g\r\nT: u\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nX_Under: \u{E9}\r\n\r\n",
    ])
    func `is taken as one request however the bytes are cut`(_ text: String) throws {
        for chunkBytes in [1, 2, 3, 7, 10_000] {
            var parser = HTTPRequestParser()
            let requests = try parser.feed(text, inChunksOf: chunkBytes)
            #expect(requests.count == 1 && requests.first?.hasEnded == true && parser.isBetweenRequests)
        }
    }

    @Test(arguments: [
        (400, "bad_request"), (408, "request_timeout"), (413, "body_too_large"), (414, "head_too_large"),
        (417, "unsupported_expectation"), (431, "head_too_large"), (501, "not_implemented"),
        (505, "unsupported_version"),
    ])
    func `a violation tells programs its kind`(status: Int, code: String) {
        let problem = HTTPViolation(status: status, reason: "why").problem
        #expect(problem == Problem(status: status, code: code, detail: "why"))
    }
}
