import Support
import Testing

@testable import Transport

/// Our client against our server, over real sockets and TLS.
@Suite struct HTTP2ClientTests {
    @Test(arguments: PollerKind.allCases)
    func `status, headers and body are the server's, and the request is the caller's`(poller: PollerKind) throws {
        let files = try CertificateFiles()
        let seen = Journal<HTTP2Request>()
        let server = try HTTP2TestServer(files, poller: poller) { incoming, _ in
            seen.write(incoming.request)
            try incoming.answer(status: 410, [("apns-id", "x1")], body: Array("gone".utf8))
        }
        let fixture = try HTTP2ClientFixture(files, poller: poller)
        let response = try fixture.send(
            server.url + "/3/device/ab?x=1#part",
            headers: [("Apns-Topic", "com.example"), ("authorization", "bearer t")],
            body: Array("{}".utf8)
        ).get()
        #expect(response.status == 410 && response.header("apns-id") == "x1" && response.body == Array("gone".utf8))
        let request = try seen.next()
        #expect(request.method == "POST" && request.path == "/3/device/ab?x=1")
        #expect(request.authority == "127.0.0.1:\(server.port)")
        #expect(
            request.headers.map { "\($0.name): \($0.value)" } == [
                "apns-topic: com.example", "authorization: bearer t", "content-length: 2",
            ])
        #expect(request.body == Array("{}".utf8))
        try fixture.close()
    }

    @Test(arguments: [("[::1]", "::1"), ("localhost", "127.0.0.1")])
    func `a name or an address in brackets is found, checked and told`(written: String, listening: String) throws {
        let files = try CertificateFiles()
        let seen = Journal<HTTP2Request>()
        let server = try HTTP2TestServer(files, host: listening) { incoming, _ in
            seen.write(incoming.request)
            try incoming.echo()
        }
        let fixture = try HTTP2ClientFixture(files)
        #expect(try fixture.send("https://\(written):\(server.port)", body: [7]).get().body == [7])
        let request = try seen.next()
        #expect(request.authority == "\(written):\(server.port)" && request.path == "/")
        try fixture.close()
    }

    @Test func `fields that repeat or not arrive as they were sent`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in
            let text = incoming.request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            try incoming.answer(body: Array(text.utf8))
        }
        let fixture = try HTTP2ClientFixture(files)
        for index in 0..<300 {
            let headers = [("apns-topic", "com.example"), ("apns-id", "id-\(index)"), ("x", String(index / 3))]
            let response = try fixture.send(server.url, method: "GET", headers: headers).get()
            #expect(
                String(decoding: response.body, as: UTF8.self)
                    == "apns-topic=com.example&apns-id=id-\(index)&x=\(index / 3)")
        }
        try fixture.close()
    }

    @Test(arguments: [0, 1, 16_384, 65_535, 65_536, 300_000])
    func `bodies of any size go both ways`(count: Int) throws {
        let files = try CertificateFiles()
        var limits = HTTP2ServerSession.Limits()
        limits.bodyBytes = 1 << 20
        let server = try HTTP2TestServer(files, limits: limits) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files)
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) }
        #expect(try fixture.send(server.url, body: body).get().body == body)
        try fixture.close()
    }

    @Test func `ten thousand at once share two connections, and each is answered once`() throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, _ in
            tally.count(incoming.request)
            try incoming.echo()
        }
        let fixture = try HTTP2ClientFixture(files) { $0.streamsPerConnection = 100 }
        let answers = try fixture.sendAll(10_000, to: server.url)
        for (index, answer) in answers.enumerated() { #expect(try answer.get().body == Array("\(index)".utf8)) }
        #expect(tally.all.count == 10_000 && tally.all.values.allSatisfy { $0 == 1 })
        #expect((1...2).contains(server.connectionCount))
        try fixture.close()
    }

    @Test func `a request that would wait beyond the limit is refused at once`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { _, _ in }
        let fixture = try HTTP2ClientFixture(files) { $0.waitingRequests = 5 }
        let answers = Journal<HTTP2ClientFixture.Answer>()
        for _ in 0..<2_100 {
            fixture.client.send(HTTPClientRequest(method: "GET", url: server.url, timeout: .patience)) {
                answers.write($0)
            }
        }
        // Those in the first letter find no connection yet, so at most five of them wait.
        #expect(try answers.next().httpError == .overloaded)
        try fixture.close()
        let rest = try answers.next(2_099)
        #expect(rest.contains { $0.httpError == .closed })
        #expect(rest.allSatisfy { $0.httpError == .closed || $0.httpError == .overloaded })
    }

    @Test func `a response larger than allowed is refused, and the next one is served`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in
            switch incoming.request.path {
            case "/body": try incoming.answer(body: Array(repeating: 1, count: 5_000))
            case "/headers": try incoming.answer([("x", String(repeating: "x", count: 5_000))])
            default: try incoming.echo()
            }
        }
        let fixture = try HTTP2ClientFixture(files) { $0.responseBytes = 4_000 }
        #expect(try fixture.send(server.url + "/body").httpError == .tooLarge)
        #expect(try fixture.send(server.url + "/headers").httpError == .tooLarge)
        #expect(try fixture.send(server.url + "/", body: [1]).get().body == [1])
        #expect(server.connectionCount == 1)
        try fixture.close()
    }

    @Test(arguments: [
        "http://127.0.0.1/", "https://", "https://user@127.0.0.1/", "https://a b/", "https:///x", "https://h:99999/",
        "https://[::1/", "https://h/\r\nx: y", "ftp://h/", "",
    ])
    func `a text that is no https URL is malformed`(url: String) throws {
        let fixture = try HTTP2ClientFixture(try CertificateFiles())
        #expect(try fixture.send(url).transportMessage == "malformed request")
        try fixture.close()
    }

    @Test(arguments: [
        ("x", "a\r\nb: c"), ("x", "a\0b"), ("x y", "1"), ("", "1"), ("x:", "1"), (":path", "/"), ("Host", "h"),
        ("connection", "close"), ("Transfer-Encoding", "chunked"),
    ])
    func `a header that no request can have is malformed`(name: String, value: String) throws {
        let fixture = try HTTP2ClientFixture(try CertificateFiles())
        let answer = try fixture.send("https://127.0.0.1:1/", headers: [(name, value)])
        #expect(answer.transportMessage == "malformed request")
        try fixture.close()
    }

    @Test func `closing ends what is under way, and what comes after`() throws {
        let files = try CertificateFiles()
        let arrived = Journal<Bool>()
        let server = try HTTP2TestServer(files) { _, _ in arrived.write(true) }
        let fixture = try HTTP2ClientFixture(files)
        let answer = fixture.begin(server.url)
        _ = try arrived.next()
        try fixture.close()
        #expect(try answer.next().httpError == .closed)
        #expect(try fixture.send(server.url).httpError == .closed)
        try fixture.close()
    }
}
