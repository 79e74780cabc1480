import Support
import Synchronization
import Testing

@testable import Transport

/// Batches whose requests fare differently: each is told once, by its own place.
@Suite struct HTTP2BatchFaultTests {
    /// The texts of one request, as the server got them.
    private static func texts(_ request: HTTP2Request) -> [UInt8] {
        let headers = request.headers.filter { $0.name.hasPrefix("x-") }.map { "\($0.name)=\($0.value) " }.joined()
        return Array("\(request.path) \(headers)".utf8) + request.body
    }

    private static func texts(at place: Int) -> [UInt8] {
        Array("/\(place) x-all=the same x-id=\(place) \(place)".utf8)
    }

    @Test func `requests of a batch that a goodbye leaves out are sent again on another connection`() throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, _ in
            if incoming.connectionNumber == 1 {
                // Half of the batch has come by then, and of that only the first ten count.
                if incoming.requestNumber == 30 { try incoming.session.goAway(lastStream: 19) }
                guard incoming.requestNumber <= 10 else { return }
            }
            tally.count(incoming.request)
            try incoming.answer(body: Self.texts(incoming.request))
        }
        let fixture = try HTTP2ClientFixture(files)
        let answers = try fixture.beginBatch(60, to: server.url).next(60)
        #expect(Set(answers.map(\.0)) == Set(0..<60))
        for (place, answer) in answers { #expect(try answer.get().body == Self.texts(at: place)) }
        #expect(tally.all.count == 60 && tally.all.values.allSatisfy { $0 == 1 })
        #expect(server.connectionCount == 2)
        try fixture.close()
    }

    @Test func `refused streams of a batch are sent again, and the others are not`() throws {
        let files = try CertificateFiles()
        let tally = HTTP2Tally()
        let server = try HTTP2TestServer(files) { incoming, _ in
            tally.count(incoming.request)
            let path = incoming.request.path
            if path.hasSuffix("3") && tally.all[path] == 1 || path.hasSuffix("5") {
                return try incoming.session.refuse(incoming.stream)
            }
            try incoming.answer(body: Self.texts(incoming.request))
        }
        let fixture = try HTTP2ClientFixture(files)
        let answers = try fixture.beginBatch(60, to: server.url).next(60)
        #expect(Set(answers.map(\.0)) == Set(0..<60))
        for (place, answer) in answers {
            if place % 10 == 5 {
                #expect(answer.httpError == .transport(code: 7, message: "refused"))
            } else {
                #expect(try answer.get().body == Self.texts(at: place))
            }
            #expect(tally.all["/\(place)"] == (place % 10 == 3 || place % 10 == 5 ? 2 : 1))
        }
        try fixture.close()
    }

    @Test func `a request without an answer in time ends alone, and the next batch takes the connection`() throws {
        let files = try CertificateFiles()
        let isForgetful = Mutex(false)
        let server = try HTTP2TestServer(files) { incoming, _ in
            let isOdd = Int(incoming.request.path.dropFirst()).map { !$0.isMultiple(of: 2) } ?? false
            if isOdd, isForgetful.withLock({ $0 }) { return }
            try incoming.answer(body: Self.texts(incoming.request))
        }
        let fixture = try HTTP2ClientFixture(files) { $0.silence = .patience }
        _ = try fixture.beginBatch(1, to: server.url).next().1.get()
        isForgetful.withLock { $0 = true }
        // A machine that is too slow for the others' answers in that time gets more of it.
        var timeout = Duration.milliseconds(500)
        var answers = try fixture.beginBatch(20, to: server.url, timeout: timeout).next(20)
        while timeout < .patience, answers.contains(where: { $0.isMultiple(of: 2) && $1.httpError == .timedOut }) {
            timeout *= 2
            answers = try fixture.beginBatch(20, to: server.url, timeout: timeout).next(20)
        }
        for (place, answer) in answers {
            if place.isMultiple(of: 2) {
                #expect(try answer.get().body == Self.texts(at: place))
            } else {
                #expect(answer.httpError == .timedOut)
            }
        }
        isForgetful.withLock { $0 = false }
        for (place, answer) in try fixture.beginBatch(20, to: server.url).next(20) {
            #expect(try answer.get().body == Self.texts(at: place))
        }
        #expect(server.connectionCount == 1)
        try fixture.close()
    }

    @Test func `of a batch with more than may wait the first are sent, and the rest is refused`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in
            try incoming.answer(body: Self.texts(incoming.request))
        }
        let fixture = try HTTP2ClientFixture(files) { $0.waitingRequests = 20 }
        let answers = try fixture.beginBatch(50, to: server.url).next(50)
        #expect(Set(answers.map(\.0)) == Set(0..<50))
        for (place, answer) in answers {
            if place < 20 {
                #expect(try answer.get().body == Self.texts(at: place))
            } else {
                #expect(answer.httpError == .overloaded)
            }
        }
        try fixture.close()
    }

    @Test func `closing ends what is left of a batch, each once`() throws {
        let files = try CertificateFiles()
        let came = Journal<String>()
        let server = try HTTP2TestServer(files) { incoming, _ in
            if incoming.requestNumber <= 5 { try incoming.answer(body: Self.texts(incoming.request)) }
            came.write(incoming.request.path)
        }
        let fixture = try HTTP2ClientFixture(files)
        let answers = fixture.beginBatch(40, to: server.url)
        _ = try came.next(40)
        let early = try answers.next(5)
        for (place, answer) in early { #expect(try answer.get().body == Self.texts(at: place)) }
        try fixture.close()
        // All are told before the client says that it is closed.
        let late = answers.rest
        #expect(late.allSatisfy { $0.1.httpError == .closed })
        #expect((early + late).map(\.0).sorted() == Array(0..<40))
    }
}
