import Support
import Testing

@testable import Transport

/// Our client with servers that fall silent or die.
@Suite struct HTTP2SilenceTests {
    @Test func `a server that hangs up in the middle of a response fails it, and the next request finds it again`()
        throws
    {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, on in
            guard incoming.connectionNumber == 1 else { return try incoming.echo() }
            try incoming.answer(body: Array(repeating: 1, count: 500_000))
            // Sends as much as the windows admit, which is not all.
            incoming.handler.flush(on)
            incoming.handler.connection.finish(on)
        }
        let fixture = try HTTP2ClientFixture(files)
        #expect(try fixture.send(server.url).transportMessage == "connection lost: the server closed the connection")
        #expect(try fixture.sendOnceConnected(to: server, body: [1]).get().body == [1])
        try fixture.close()
    }

    @Test func `a request that is never answered ends at its deadline, and others are not delayed`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in
            if incoming.request.path != "/never" { try incoming.echo() }
        }
        let fixture = try HTTP2ClientFixture(files) { $0.silence = .patience }
        let start = ContinuousClock.now
        let never = fixture.begin(server.url + "/never", timeout: .milliseconds(300))
        #expect(try fixture.send(server.url, body: [1]).get().body == [1])
        #expect(try never.next().httpError == .timedOut)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(try fixture.send(server.url, body: [2]).get().body == [2])
        #expect(server.connectionCount == 1)
        try fixture.close()
    }

    @Test func `a connection whose PINGs go unanswered is given up, and the next request gets a fresh one`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(
            files, setUp: { $0.answersPings = false },
            script: { incoming, _ in
                if incoming.request.path != "/never" { try incoming.echo() }
            })
        let fixture = try HTTP2ClientFixture(files) {
            $0.silence = .milliseconds(100)
            $0.pingTimeout = .milliseconds(200)
        }
        // A slow machine may take longer than that for any answer.
        #expect(try fixture.sendUntilAnswered(by: server, body: [1]).get().body == [1])
        let given = server.connectionCount
        #expect(
            try fixture.send(server.url + "/never", timeout: .patience).transportMessage
                == "connection lost: no answer to a PING")
        #expect(try fixture.sendUntilAnswered(by: server, body: [2]).get().body == [2])
        #expect(server.connectionCount > given)
        try fixture.close()
    }

    @Test func `a slow server that answers PINGs is waited for`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, on in
            on.shard.schedule(at: on.now + .seconds(1), on) { on in
                try? incoming.echo()
                incoming.handler.flush(on)
            }
        }
        let fixture = try HTTP2ClientFixture(files) {
            $0.silence = .milliseconds(60)
            $0.pingTimeout = .patience
        }
        #expect(try fixture.send(server.url, body: [1], timeout: .patience).get().body == [1])
        #expect(server.connectionCount == 1)
        try fixture.close()
    }

    @Test func `a server that stops reading does not hold anybody longer than a PING may take`() throws {
        let files = try CertificateFiles()
        // A machine that begins the last request after that time sends it over the next connection: it gets more time.
        for time in [1, 5, 25, 60].map(Duration.seconds) {
            let server = try HTTP2TestServer(files) { incoming, on in
                guard incoming.connectionNumber == 1 else { return try incoming.echo() }
                incoming.handler.connection.setReading(false, on)
            }
            let fixture = try HTTP2ClientFixture(files) {
                $0.silence = .milliseconds(100)
                $0.pingTimeout = time
                $0.connectionsPerOrigin = 1
            }
            let body = [UInt8](repeating: 1, count: 60_000)
            let answers = (0..<80).map { _ in fixture.begin(server.url, body: body, timeout: .patience) }
            let lost = try answers.filter {
                try $0.next().transportMessage == "connection lost: no answer to a PING"
            }
            if lost.count == answers.count {
                #expect(try fixture.sendUntilAnswered(by: server, body: [2]).get().body == [2])
                return try fixture.close()
            }
            try fixture.close()
        }
        Issue.record("some are not told that the connection is lost")
    }

    @Test func `an idle connection is closed in time, and its end is noticed`() throws {
        let files = try CertificateFiles()
        let ends = Journal<Int>()
        let server = try HTTP2TestServer(files, ended: ends.write) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files) {
            $0.idleTimeout = .milliseconds(100)
            $0.pingInterval = .milliseconds(40)
            $0.pingTimeout = .patience
        }
        #expect(try fixture.send(server.url, body: [1]).get().body == [1])
        #expect(try ends.next() == 1)
        #expect(try fixture.send(server.url, body: [2]).get().body == [2])
        #expect(server.connectionCount == 2)
        try fixture.close()
    }

    @Test func `one server's silence does not delay another's answers`() throws {
        let files = try CertificateFiles()
        let silent = try HTTP2TestServer(files) { _, _ in }
        let lively = try HTTP2TestServer(files) { incoming, _ in try incoming.echo() }
        let fixture = try HTTP2ClientFixture(files) { $0.silence = .patience }
        let waiting = (0..<3_000).map { _ in fixture.begin(silent.url, timeout: .patience) }
        for (index, answer) in try fixture.sendAll(1_000, to: lively.url).enumerated() {
            #expect(try answer.get().body == Array("\(index)".utf8))
        }
        #expect(waiting.allSatisfy { $0.rest.isEmpty })
        try fixture.close()
    }
}
