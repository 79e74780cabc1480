import Synchronization
import Testing

@testable import Transport

/// Our client with servers that go, refuse, or never were.
@Suite struct HTTP2FaultTests {
    // MARK: Goodbyes and refusals

    @Test(arguments: [(1, 50), (7, 100), (50, 490)])
    func `goodbyes under load lose no request and double none`(requestsPerConnection: Int, atLeast: Int) throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, on in
            if incoming.requestNumber == requestsPerConnection {
                // Half of them said in advance, half out of the blue; what is above was not looked at.
                if incoming.connectionNumber.isMultiple(of: 2) { try incoming.session.announceGoAway() }
                try incoming.session.goAway(lastStream: incoming.stream)
            }
            guard incoming.requestNumber <= requestsPerConnection else { return }
            tally.count(incoming.request)
            try incoming.echo()
        }
        let fixture = try HTTP2ClientFixture(files) {
            $0.streamsPerConnection = 10
            $0.connectionsPerOrigin = 2
        }
        var answered = 0
        for (index, answer) in try fixture.sendAll(500, to: server.url).enumerated() {
            switch answer {
            case .success(let response):
                #expect(response.body == Array("\(index)".utf8))
                #expect(tally.all["/\(index)"] == 1)
                answered += 1
            case .failure:
                // Sent back by two connections: nobody processed it, and the caller may send it again.
                #expect(answer.transportMessage == "refused")
                #expect(tally.all["/\(index)"] == nil)
            }
        }
        #expect(tally.all.count == answered)
        #expect(answered >= atLeast)
        try fixture.close()
    }

    @Test func `requests that a goodbye leaves out are answered elsewhere, and the caller sees nothing`() throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, _ in
            guard incoming.connectionNumber == 1 else {
                tally.count(incoming.request)
                return try incoming.echo()
            }
            if incoming.requestNumber == 1 {
                tally.count(incoming.request)
                try incoming.echo()
            }
            if incoming.requestNumber == 50 { try incoming.session.goAway(lastStream: 1) }
        }
        let fixture = try HTTP2ClientFixture(files)
        let answers = try fixture.sendAll(50, to: server.url)
        for (index, answer) in answers.enumerated() { #expect(try answer.get().body == Array("\(index)".utf8)) }
        #expect(tally.all.count == 50 && tally.all.values.allSatisfy { $0 == 1 })
        #expect(server.connectionCount == 2)
        try fixture.close()
    }

    @Test func `requests below a goodbye's last stream are still answered on the old connection`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, on in
            let text = Array("\(incoming.connectionNumber)".utf8)
            guard incoming.connectionNumber == 1 else { return try incoming.answer(body: text) }
            if incoming.requestNumber == 1 {
                try incoming.session.announceGoAway()
                return on.shard.schedule(at: on.now + .milliseconds(200), on) { on in
                    try? incoming.answer(body: text)
                    try? incoming.session.goAway()
                    incoming.handler.flush(on)
                }
            }
            try incoming.answer(body: text)
        }
        let fixture = try HTTP2ClientFixture(files)
        let first = fixture.begin(server.url)
        #expect(try first.next().get().body == Array("1".utf8))
        #expect(try fixture.send(server.url).get().body == Array("2".utf8))
        try fixture.close()
    }

    @Test func `a refused stream is sent again once`() throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, _ in
            tally.count(incoming.request)
            let isFirst = tally.all[incoming.request.path] == 1
            if incoming.request.path == "/never" || isFirst {
                try incoming.session.refuse(incoming.stream)
            } else {
                try incoming.echo()
            }
        }
        let fixture = try HTTP2ClientFixture(files)
        #expect(try fixture.send(server.url + "/once", body: [9]).get().body == [9])
        #expect(try fixture.send(server.url + "/never").httpError == .transport(code: 7, message: "refused"))
        #expect(tally.all == ["/once": 2, "/never": 2])
        try fixture.close()
    }

    @Test func `a reset stream fails its request alone`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in
            if incoming.request.path.hasSuffix("3") {
                try incoming.session.reset(incoming.stream)
            } else {
                try incoming.echo()
            }
        }
        let fixture = try HTTP2ClientFixture(files)
        for (index, answer) in try fixture.sendAll(100, to: server.url).enumerated() {
            if index % 10 == 3 {
                #expect(answer.httpError == .transport(code: 2, message: "stream reset"))
            } else {
                #expect(try answer.get().status == 200)
            }
        }
        #expect(server.connectionCount == 1)
        try fixture.close()
    }

    // MARK: Limits

    @Test func `one stream at a time is enough, and is never exceeded`() throws {
        let files = try CertificateFiles()
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = 1
        let server = try HTTP2TestServer(files, limits: limits) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files)
        for (index, answer) in try fixture.sendAll(500, to: server.url).enumerated() {
            #expect(try answer.get().body == Array("\(index)".utf8))
        }
        try fixture.close()
    }

    @Test func `a limit that is lowered midway holds from then on`() throws {
        let files = try CertificateFiles()
        let underWay = Mutex((now: 0, mostAfterwards: 0))
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = 100
        let server = try HTTP2TestServer(files, limits: limits) { incoming, on in
            if incoming.requestNumber == 100 { try incoming.session.limitStreams(to: 5) }
            underWay.withLock {
                $0.now += 1
                if incoming.requestNumber > 105 { $0.mostAfterwards = max($0.mostAfterwards, $0.now) }
            }
            on.shard.schedule(at: on.now + .milliseconds(20), on) { on in
                underWay.withLock { $0.now -= 1 }
                try? incoming.echo()
                incoming.handler.flush(on)
            }
        }
        let fixture = try HTTP2ClientFixture(files) { $0.connectionsPerOrigin = 1 }
        for (index, answer) in try fixture.sendAll(200, to: server.url).enumerated() {
            #expect(try answer.get().body == Array("\(index)".utf8))
        }
        #expect((1...5).contains(underWay.withLock { $0.mostAfterwards }))
        try fixture.close()
    }

    // MARK: Connecting

    @Test func `where nobody listens requests fail fast until the pause is over, and then it is tried again`() throws {
        let files = try CertificateFiles()
        let silent = try HTTP2TestServer(files) { incoming, _ in try incoming.echo() }
        try silent.stop()
        // Who waited for the end of such a pause would come to the end of the time for the request.
        let resting = try HTTP2ClientFixture(files) {
            $0.firstPause = .seconds(3_600)
            $0.longestPause = .seconds(3_600)
        }
        for _ in 0..<2 {
            #expect(try resting.send(silent.url).transportMessage?.contains("Connection refused") == true)
        }
        try resting.close()
        let fixture = try HTTP2ClientFixture(files) { $0.firstPause = .milliseconds(400) }
        #expect(try fixture.send(silent.url).transportMessage?.contains("Connection refused") == true)
        let back = try HTTP2TestServer(files, port: silent.port) { incoming, _ in try incoming.echo() }
        var answer = try fixture.send(back.url, body: [1])
        while answer.transportMessage?.hasPrefix("cannot connect") == true {
            try back.wait(for: .milliseconds(50))
            answer = try fixture.send(back.url, body: [1])
        }
        #expect(try answer.get().body == [1])
        try fixture.close()
    }

    @Test func `a server that accepts and says nothing is given up at the deadline`() throws {
        let host = try TestShard(.epoll)
        let address = try host.listen { descriptor, on in
            _ = try? RecordingHandler.attach(descriptor, Journal(), on, react: RecordingHandler.passive)
        }
        let fixture = try HTTP2ClientFixture(try CertificateFiles()) { $0.connectTimeout = .milliseconds(300) }
        let answer = try fixture.send("https://\(address)/")
        // Either the connection or the pool notices first.
        let possible = ["Connection timed out", "no answer within 0 s"].map { "cannot connect: \($0)" }
        #expect(possible.contains(answer.transportMessage ?? ""))
        try fixture.close()
    }

    @Test func `a name that stands for no host is told as that`() throws {
        let fixture = try HTTP2ClientFixture(try CertificateFiles())
        let message = try fixture.send("https://no-such-host.invalid/").transportMessage
        // Without a name service nobody knows.
        let possible = ["there is no such host", "the name service does not answer"].map { "cannot connect: \($0)" }
        #expect(possible.contains(message ?? ""))
        try fixture.close()
    }

    @Test func `a certificate for nobody we trust is refused, and the message says why`() throws {
        let (files, others) = (try CertificateFiles(), try CertificateFiles())
        let server = try HTTP2TestServer(files) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(others)
        #expect(
            try fixture.send(server.url).transportMessage?.contains("certificate not trusted: self-signed certificate")
                == true)
        try fixture.close()
    }

    @Test func `a certificate for another name is refused`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files, host: "127.0.0.2") { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files)
        #expect(try fixture.send(server.url).transportMessage?.contains("mismatch") == true)
        try fixture.close()
    }

    @Test(arguments: [["http/1.1"], []])
    func `a server without HTTP/2 is an error that says so`(protocols: [String]) throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files, applicationProtocols: protocols) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files)
        let message = try #require(try fixture.send(server.url).transportMessage)
        #expect(message.contains(protocols.isEmpty ? "ALPN h2" : "no application protocol"))
        try fixture.close()
    }
}
