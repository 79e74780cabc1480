import Foundation
import Support
import Synchronization
import Testing

@testable import Transport

/// Against real servers in child processes: nghttpd for HTTP/2, Python for all that it cannot do.
@Suite(.serialized) struct HTTPClientTests {
    /// nghttpd's log names the connection of each frame: `[id=1]`.
    private func connections(in log: [String]) -> Set<Substring> {
        Set(log.compactMap { $0.firstMatch(of: /\[id=(\d+)\]/)?.1 })
    }

    // MARK: HTTP/2

    @Test func `many requests at once share a few connections`() async throws {
        let files = try CertificateFiles()
        let server = try await ChildServer.http2(files)
        let client = try HTTPClient(files.settings)
        let results = await client.sendAll(count: 1_000) { index in
            .post(server.url + "/", body: Array("request \(index)".utf8))
        }
        for (index, result) in results.enumerated() {
            let response = try result.get()
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == "request \(index)")
        }
        await client.close()
        #expect((1...2).contains(connections(in: await server.stop()).count))
    }

    @Test func `status, headers and body are the server's`() async throws {
        let files = try CertificateFiles()
        try Data("hello".utf8).write(to: URL(fileURLWithPath: files.directory + "/hello.txt"))
        let server = try await ChildServer.http2(files)
        let client = try HTTPClient(files.settings)
        let found = try await client.send(.get(server.url + "/hello.txt")).get()
        #expect(found.status == 200)
        #expect(found.body == Array("hello".utf8))
        #expect(found.header("content-length") == "5")
        let missing = try await client.send(.get(server.url + "/missing")).get()
        #expect(missing.status == 404)
        await client.close()
        // Idle, the same connection served both.
        #expect(connections(in: await server.stop()).count == 1)
    }

    @Test func `a server that is killed ends its requests, and is found again`() async throws {
        let files = try CertificateFiles()
        let server = try await ChildServer.http2(files)
        let client = try HTTPClient(files.settings)
        let answered = Atomic<Int>(0)
        let results = await client.sendAll(count: 3_000) { _ in
            .post(server.url + "/", body: Array(repeating: 0x78, count: 2_000))
        } each: { _ in
            if answered.add(1, ordering: .relaxed).newValue == 50 { server.kill() }
        }
        let failures = results.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
        }
        #expect(failures.count > 0 && failures.count < 3_000)
        for failure in failures {
            switch failure {
            case .transport, .cutShort: #expect(failure.mayHaveArrived || failure.description.contains("refused"))
            case .overloaded, .timedOut, .tooLarge, .closed: Issue.record("\(failure)")
            }
        }
        await server.stop()

        let gone = await client.send(.get(server.url + "/"))
        guard case .transport(_, "cannot connect: Connection refused") = gone.error else {
            Issue.record("\(gone)")
            return
        }

        let next = try await ChildServer.http2(files, port: server.port)
        let back = await client.send(.post(next.url + "/", body: [1]))
        #expect(try back.get().body == [1])
        await client.close()
    }

    @Test(.timeLimit(.minutes(15)))
    func `a connection that never answers is not used again`() async throws {
        let files = try CertificateFiles()
        let server = try await ChildServer.python(Scripts.silentHTTP2, files.certificate, files.key)
        let client = try HTTPClient(files.settings)
        for _ in 0..<2 {
            let result = await client.send(.get(server.url + "/", timeout: .milliseconds(400)))
            #expect(result.error == .timedOut)
            // The server says that for each one that it accepts, which may be a while after the kernel did.
            try await server.wait(for: "connection")
        }
        await client.close()
        #expect(await server.stop().filter { $0 == "connection" }.isEmpty)
    }

    @Test func `an unknown certificate is refused`() async throws {
        let files = try CertificateFiles()
        let server = try await ChildServer.http2(files)
        let client = try HTTPClient()
        let result = await client.send(.get(server.url + "/"))
        guard case .transport(code: 60, message: _) = result.error else {
            Issue.record("\(result)")
            return
        }
        await client.close()
    }

    // MARK: HTTP/1.1

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE"])
    func `a Unix socket serves every method`(method: String) async throws {
        let files = try CertificateFiles()
        let path = files.directory + "/s"
        let server = try await ChildServer.python(Scripts.unixSocket, path)
        let client = try HTTPClient()
        for body in [[UInt8](), Array("text".utf8)] where body.isEmpty || method != "GET" {
            let request = HTTPClientRequest(
                method: method, url: "http://local/v1/events?x=1", headers: [("X-Key", "k1"), ("X-Empty", "")],
                body: body, timeout: .patience, socketPath: path)
            let response = try await client.send(request).get()
            #expect(response.status == 202)
            #expect(response.header("x-twice") == "padded")
            // The server answers with what it got.
            let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "\(method) /v1/events?x=1")
            #expect(lines.contains("x-key: k1") && lines.contains("x-empty: "))
            #expect(
                !lines.contains { $0.hasPrefix("content-type") || $0.hasPrefix("expect") || $0.hasPrefix("accept") })
            #expect(lines.last.map(String.init) == "body: " + String(decoding: body, as: UTF8.self))
        }
        await client.close()
        await server.stop()
    }

    @Test func `a deadline ends a request that waits for an answer, and one that waits for its turn`() async throws {
        let server = try await ChildServer.python(Scripts.silent)
        var settings = HTTPClientSettings()
        settings.connectionsPerHost = 1
        settings.streamsPerConnection = 1
        let client = try HTTPClient(settings)
        let results = await client.sendAll(count: 3) { _ in .get(server.url + "/", timeout: .milliseconds(200)) }
        #expect(results.map(\.error) == [.timedOut, .timedOut, .timedOut])
        await client.close()
    }

    @Test func `more than may wait is refused at once, and closing ends the rest`() async throws {
        let server = try await ChildServer.python(Scripts.silent)
        var settings = HTTPClientSettings()
        settings.connectionsPerHost = 1
        settings.streamsPerConnection = 1
        settings.waitingRequests = 2
        let client = try HTTPClient(settings)
        let refused = Atomic<Int>(0)
        let results = await client.sendAll(count: 5) { _ in
            .get(server.url + "/")
        } each: { result in
            // Once the last is refused, one is in flight and two wait.
            guard result.error == .overloaded else { return }
            if refused.add(1, ordering: .relaxed).newValue == 2 { client.close {} }
        }
        #expect(results.map(\.error) == [.closed, .closed, .closed, .overloaded, .overloaded])
        #expect(await client.send(.get(server.url + "/")).error == .closed)
        await client.close()
    }

    @Test func `a response too large is given up`() async throws {
        let files = try CertificateFiles()
        let path = files.directory + "/s"
        let server = try await ChildServer.python(Scripts.unixSocket, path)
        var settings = HTTPClientSettings()
        settings.responseBytes = 2_000
        let client = try HTTPClient(settings)
        for (count, isTooLarge) in [(1_000, false), (3_000, true)] {
            var request = HTTPClientRequest.post("http://local/", body: Array(repeating: 0x78, count: count))
            request.socketPath = path
            #expect(await client.send(request).error == (isTooLarge ? .tooLarge : nil))
        }
        await client.close()
        await server.stop()
    }

    @Test(arguments: [
        ("GET\r\nX: y", "X", "y"), ("GET", "X: a\r\nY", "y"), ("GET", "X", "a\r\nY: b"), ("GET", "", "y"),
    ])
    func `a value that would become a header is not sent`(method: String, name: String, value: String) async throws {
        let client = try HTTPClient()
        let request = HTTPClientRequest(
            method: method, url: "http://127.0.0.1:9/", headers: [(name, value)], timeout: .patience)
        guard case .transport(code: 43, message: _) = await client.send(request).error else {
            Issue.record("it was sent")
            return
        }
        await client.close()
    }

    @Test(arguments: ["file:///etc/passwd", "http://127.0.0.1:1/", "nonsense://x", "http://no-such-host.invalid/"])
    func `a server that cannot be reached fails the request`(url: String) async throws {
        let client = try HTTPClient()
        let error = await client.send(.get(url)).error
        guard case .transport = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await client.close()
    }

    @Test func `a client that is dropped closes itself`() async throws {
        let server = try await ChildServer.python(Scripts.silent)
        let error = await withCheckedContinuation { continuation in
            do {
                let client = try HTTPClient()
                client.send(.get(server.url + "/")) { continuation.resume(returning: $0.error) }
            } catch {
                continuation.resume(returning: nil)
            }
        }
        #expect(error == .closed)
    }
}

struct HTTPRequestQueueTests {
    private let start = ContinuousClock.now

    private func queue(_ inFlight: Int, _ waiting: Int) -> HTTPRequestQueue {
        HTTPRequestQueue(maximumInFlight: inFlight, maximumWaiting: waiting)
    }

    @Test func `requests start in order, so many at once`() {
        var queue = queue(2, 10)
        for ticket in 1...5 { #expect(queue.enter(ticket, deadline: start) == true) }
        #expect([queue.start(), queue.start(), queue.start()] == [1, 2, nil])
        queue.finish()
        #expect([queue.start(), queue.start()] == [3, nil])
        queue.finish()
        queue.finish()
        #expect([queue.start(), queue.start(), queue.start()] == [4, 5, nil])
        #expect(queue.inFlight == 2)
    }

    @Test func `a full line takes no more until one leaves`() {
        var queue = queue(1, 2)
        #expect(queue.enter(1, deadline: start) == true)
        #expect(queue.start() == 1)
        #expect(queue.enter(2, deadline: start) == true)
        #expect(queue.enter(3, deadline: start) == true)
        #expect(queue.enter(4, deadline: start) == false)
        queue.finish()
        #expect(queue.start() == 2)
        #expect(queue.enter(5, deadline: start) == true)
    }

    @Test func `those that waited too long leave, whatever their place`() {
        var queue = queue(1, 10)
        for (ticket, seconds) in [(1, 9), (2, 5), (3, 1), (4, 7), (5, 1)] {
            #expect(queue.enter(ticket, deadline: start + .seconds(seconds)) == true)
        }
        #expect(queue.earliestDeadline == start + .seconds(1))
        #expect(queue.expire(at: start) == [])
        #expect(queue.expire(at: start + .seconds(1)) == [3, 5])
        #expect(queue.earliestDeadline == start + .seconds(5))
        #expect(queue.start() == 1)
        #expect(queue.expire(at: start + .seconds(8)) == [2, 4])
        #expect(queue.earliestDeadline == nil)
        queue.finish()
        #expect(queue.start() == nil)
    }

    @Test func `a long line keeps its order`() {
        var queue = queue(1, 10_000)
        var started: [Int] = []
        for ticket in 0..<3_000 {
            #expect(queue.enter(ticket, deadline: start) == true)
            if ticket % 3 == 0, let next = queue.start() {
                started.append(next)
                queue.finish()
            }
        }
        #expect(started + queue.removeAll() == Array(0..<3_000))
        #expect(queue.removeAll() == [])
        #expect(queue.earliestDeadline == nil)
    }
}

struct AnswerLogTests {
    /// Milliseconds after the request: the last answer on its connection, if there was one, and the time of judgement.
    @Test(arguments: [
        (nil, 400, true), (nil, 100, false), (-50, 400, true), (-50, 100, false), (0, 400, false), (300, 400, false),
    ])
    func `a connection is silent if nothing came since the request`(answer: Int?, now: Int, isSilent: Bool) {
        let start = ContinuousClock.now
        var log = AnswerLog()
        log.answered(8, at: start + .milliseconds(now))
        if let answer { log.answered(7, at: start + .milliseconds(answer)) }
        #expect(log.isSilent(7, since: start, at: start + .milliseconds(now)) == isSilent)
    }
}

// MARK: - Sending

extension HTTPClientRequest {
    fileprivate static func get(_ url: String, timeout: Duration = .patience) -> Self {
        Self(method: "GET", url: url, timeout: timeout)
    }

    fileprivate static func post(_ url: String, body: [UInt8]) -> Self {
        Self(method: "POST", url: url, body: body, timeout: .patience)
    }
}

extension HTTPClient {
    fileprivate typealias Answer = Result<HTTPClientResponse, HTTPClientError>

    fileprivate func send(_ request: HTTPClientRequest) async -> Answer {
        await withCheckedContinuation { continuation in
            send(request) { continuation.resume(returning: $0) }
        }
    }

    /// Sends all at once and returns the results in the order of the requests.
    fileprivate func sendAll(
        count: Int, _ request: (Int) -> HTTPClientRequest, each: @escaping @Sendable (Answer) -> Void = { _ in }
    ) async -> [Answer] {
        await withCheckedContinuation { continuation in
            let answers = Answers(count: count) { continuation.resume(returning: $0) }
            for index in 0..<count {
                send(request(index)) { result in
                    each(result)
                    answers.take(index, result)
                }
            }
        }
    }

    /// Gathers results until all are there.
    private final class Answers: Sendable {
        private let results: Mutex<[Answer?]>
        private let whenAll: @Sendable ([Answer]) -> Void

        init(count: Int, whenAll: @escaping @Sendable ([Answer]) -> Void) {
            results = Mutex(Array(repeating: nil, count: count))
            self.whenAll = whenAll
        }

        func take(_ index: Int, _ result: Answer) {
            let all = results.withLock { results -> [Answer]? in
                results[index] = result
                let known = results.compactMap { $0 }
                return known.count == results.count ? known : nil
            }
            if let all { whenAll(all) }
        }
    }

    fileprivate func close() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }
}

extension Result where Failure == HTTPClientError {
    fileprivate var error: HTTPClientError? { if case .failure(let error) = self { error } else { nil } }
}

extension CertificateFiles {
    fileprivate var settings: HTTPClientSettings {
        var settings = HTTPClientSettings()
        settings.caFile = certificate
        return settings
    }
}
