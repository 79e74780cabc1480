import Testing

@testable import WireProtocol

struct Malformation: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let status: Int

    init(_ name: String, _ text: String, _ status: Int = 400) { self.init(name, bytes: Array(text.utf8), status) }

    init(_ name: String, bytes: [UInt8], _ status: Int = 400) {
        self.name = name
        self.bytes = bytes
        self.status = status
    }

    /// A request that is right but for one header line.
    init(line: String, _ status: Int = 400) {
        self.init(line, "POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", status)
    }

    /// A chunked body.
    init(chunks: String, _ status: Int = 400) {
        self.init(chunks, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", status)
    }

    /// Another request target.
    init(target: String, method: String = "GET", _ status: Int = 400) {
        self.init(target, "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n", status)
    }

    var testDescription: String { name.debugDescription }
}

struct HTTPMalformationTests {
    static let startLines: [Malformation] = [
        .init("bare LF ends the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        .init("LF alone", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("bare CR in the request line", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        .init("space at the start", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("tab for space", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("no version", "GET /\r\nHost: a\r\n\r\n"),
        .init("method with a colon", "GE:T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("lower-case version", "GET / http/1.1\r\nHost: a\r\n\r\n"),
        .init("version with more digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
        .init("version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        .init("version 0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
        .init("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        .init("TLS on a plain port", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x0A]),
        .init(target: "*"),
        .init(target: "a"),
        .init(target: "belfry:443", method: "GET"),
        .init(target: "belfry:443", method: "CONNECT", 501),
        .init(target: "ftp://a/"),
        .init(target: "http:///a"),
        .init(target: "http://user:pw@a/"),
        .init(target: "/a#b"),
        .init(target: "/%"),
        .init(target: "/%4"),
        .init(target: "/%4g"),
        .init(target: "/%00"),
        .init(target: "/%ff"),
        .init(target: "/%c3%28"),
        .init(target: "/%c3/%a9"),
        .init(target: "/?a=%zz"),
        .init(target: "/?%ff"),
        .init(target: "/é"),
        .init(target: "/\u{7F}"),
    ]

    static let fields: [Malformation] = [
        .init("bare LF ends a header", "GET / HTTP/1.1\r\nHost: a\n\r\n"),
        .init("bare LF ends the head", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        .init("no Host", "GET / HTTP/1.1\r\n\r\n"),
        .init("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        .init("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        .init("Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        .init("Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        .init(line: " folded"),
        .init(line: "\tfolded"),
        .init(line: "A : b"),
        .init(line: "A\t: b"),
        .init(line: ": b"),
        .init(line: "A"),
        .init(line: "A(: b"),
        .init(line: "Ä: b"),
        .init(line: "A: b\u{0}c"),
        .init(line: "A: b\rc"),
        .init(line: "A: b\u{7F}c"),
        .init(line: "A: b\u{1B}c"),
        .init(line: "Transfer-Encoding : chunked"),
        .init(line: "Content-Length: 0\r\nContent-Length: 0"),
        .init(line: "Content-Length: 0\r\nContent-Length: 1"),
        .init(line: "Content-Length: 0, 0"),
        .init(line: "Content-Length: +0"),
        .init(line: "Content-Length: -1"),
        .init(line: "Content-Length: 0x0"),
        .init(line: "Content-Length: 1 2"),
        .init(line: "Content-Length:"),
        .init(line: "Content-Length: 99999999999999999999", 413),
        .init(line: "Content-Length: 0\r\nTransfer-Encoding: chunked"),
        .init(line: "Transfer-Encoding: chunked\r\nContent-Length: 0"),
        .init(line: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        .init(line: "Transfer-Encoding: chunked, chunked"),
        .init(line: "Transfer-Encoding: chunked, gzip"),
        .init(line: "Transfer-Encoding: gzip, chunked", 501),
        .init(line: "Transfer-Encoding: identity"),
        .init(line: "Transfer-Encoding: xchunked"),
        .init(line: "Transfer-Encoding: \"chunked\""),
        .init(line: "Transfer-Encoding: chunked;q=1"),
        .init(line: "Transfer-Encoding:"),
        .init(line: "Transfer-Encoding: \u{B}chunked"),
        .init(line: "Expect: 200-ok", 417),
        .init("chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]

    static let chunks: [Malformation] = [
        .init(chunks: "\r\n"),
        .init(chunks: "g\r\n"),
        .init(chunks: "-1\r\n"),
        .init(chunks: "0x1\r\na\r\n"),
        .init(chunks: " 1\r\na\r\n"),
        .init(chunks: "1 \r\na\r\n"),
        .init(chunks: "1\na\r\n"),
        .init(chunks: "1\r\na\n"),
        .init(chunks: "1\r\nab\r\n"),
        .init(chunks: "2\r\na\r\n0\r\n\r\n"),
        .init(chunks: "1;\u{0}\r\na\r\n"),
        .init(chunks: "1;a\nb\r\na\r\n"),
        .init(chunks: "1;a\rb\r\na\r\n"),
        .init(chunks: ";a\r\n"),
        .init(chunks: "fffffffffffffff\r\n", 413),
        .init(chunks: "10000000000000000\r\n", 413),
        .init(chunks: "00000000000000000000001\r\na\r\n", 413),
        .init(chunks: "0\r\nA : b\r\n\r\n"),
        .init(chunks: "0\r\n folded\r\n\r\n"),
        .init(chunks: "0\r\n\n"),
    ]

    @Test(arguments: startLines + fields + chunks)
    func `is refused with its status however the bytes are cut`(_ row: Malformation) {
        for chunkBytes in [1, 2, 3, 7, 10_000] {
            var parser = HTTPRequestParser()
            let violation = #expect(throws: HTTPViolation.self) { try parser.feed(row.bytes, inChunksOf: chunkBytes) }
            #expect(violation?.status == row.status, "in chunks of \(chunkBytes): \(violation?.reason ?? "")")
        }
    }
}
