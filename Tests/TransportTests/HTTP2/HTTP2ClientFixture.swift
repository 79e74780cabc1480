import Support
import Synchronization

@testable import Transport

/// A client for one test, whose results are waited for.
final class HTTP2ClientFixture: Sendable {
    typealias Answer = Result<HTTPClientResponse, HTTPClientError>

    let client: HTTP2Client

    init(
        _ files: CertificateFiles, poller: PollerKind = .epoll, _ change: (inout HTTP2ClientSettings) -> Void = { _ in }
    )
        throws
    {
        var settings = HTTP2ClientSettings()
        settings.caFile = files.certificate
        settings.firstPause = .milliseconds(50)
        // A slow machine may need longer for either than a user should wait.
        settings.connectTimeout = .patience
        settings.pingTimeout = .patience
        change(&settings)
        client = try HTTP2Client(settings, poller: poller)
    }

    /// Sends a request and waits for what comes of it.
    func send(
        _ url: String, method: String = "POST", headers: [(String, String)] = [], body: [UInt8] = [],
        timeout: Duration = .patience
    ) throws -> Answer {
        try begin(url, method: method, headers: headers, body: body, timeout: timeout).next()
    }

    /// Sends a request again until the client connects: after the loss of a connection it refuses to, for a pause.
    func sendOnceConnected(to server: HTTP2TestServer, body: [UInt8]) throws -> Answer {
        try send(to: server, body: body) { $0.hasPrefix("cannot connect") }
    }

    /// Sends a request again until it is answered, by rules that a slow machine cannot keep each time.
    func sendUntilAnswered(by server: HTTP2TestServer, body: [UInt8]) throws -> Answer {
        try send(to: server, body: body) { _ in true }
    }

    private func send(
        to server: HTTP2TestServer, body: [UInt8], againAfter isTolerated: (String) -> Bool
    ) throws -> Answer {
        let end = ContinuousClock.now + .patience
        while true {
            let answer = try send(server.url, body: body)
            guard let message = answer.transportMessage, isTolerated(message), ContinuousClock.now < end
            else { return answer }
            try server.wait(for: .milliseconds(20))
        }
    }

    /// Sends a request; what comes of it will be in the journal.
    func begin(
        _ url: String, method: String = "POST", headers: [(String, String)] = [], body: [UInt8] = [],
        timeout: Duration = .patience
    ) -> Journal<Answer> {
        let answers = Journal<Answer>()
        let request = HTTPClientRequest(method: method, url: url, headers: headers, body: body, timeout: timeout)
        client.send(request) { answers.write($0) }
        return answers
    }

    /// Sends so many at once, their number in the path and in the body; the results in that order.
    func sendAll(_ count: Int, to url: String, timeout: Duration = .patience) throws -> [Answer] {
        let answers = Journal<(Int, Answer)>()
        for index in 0..<count {
            let request = HTTPClientRequest(
                method: "POST", url: "\(url)/\(index)", headers: [("x-id", "\(index)")], body: Array("\(index)".utf8),
                timeout: timeout)
            client.send(request) { answers.write((index, $0)) }
        }
        return try answers.next(count).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Sends so many requests as one batch, their number in the path, in a header and in the body. The journal gets
    /// each answer with its number.
    func beginBatch(_ count: Int, to url: String, timeout: Duration = .patience) -> Journal<(Int, Answer)> {
        let answers = Journal<(Int, Answer)>()
        var batch = HTTPRequestBatch(method: "POST", origin: url, timeout: timeout, expecting: count)
        for index in 0..<count {
            batch.path("/", "\(index)")
            batch.header("x-all", "the same")
            batch.header("x-id", "\(index)")
            batch.body { $0 += Array("\(index)".utf8) }
        }
        client.send(batch) { answers.write(($0, $1)) }
        return answers
    }

    func close() throws {
        let done = Journal<Bool>()
        client.close { done.write(true) }
        _ = try done.next()
    }
}

/// How often each request was taken in and processed by the server, by its path.
final class HTTP2Tally: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ request: HTTP2Request) { counts.withLock { $0[request.path, default: 0] += 1 } }

    var all: [String: Int] { counts.withLock { $0 } }
}

extension Result where Failure == HTTPClientError {
    var httpError: HTTPClientError? { if case .failure(let error) = self { error } else { nil } }

    var transportMessage: String? {
        if case .failure(.transport(code: _, let message)) = self { message } else { nil }
    }
}
