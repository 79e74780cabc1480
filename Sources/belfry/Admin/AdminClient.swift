import ArgumentParser
import Inbox
import JSON
import Transport

/// Why a call to a server failed, in words for people.
struct AdminFailure: Error {
    let message: String
}

/// Sends requests to a server's local socket.
struct AdminClient {
    /// Longer than a push takes, including its access token.
    private static let timeout = Duration.seconds(60)

    private let socketPath: String
    private let client: HTTPClient
    private let app: AppName?

    /// - Parameter app: the app that each call is about; nil for the server's only one.
    init(socketPath: String, app: AppName? = nil) throws {
        (self.socketPath, self.app) = (socketPath, app)
        client = try HTTPClient()
    }

    /// As ``ask(_:_:query:body:)``. A failure is printed, and ends the command.
    func call(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [], body: [UInt8] = []
    ) async throws -> JSONValue {
        do throws(AdminFailure) {
            return try await ask(method, path, query: query, body: body)
        } catch {
            Terminal.complain(page: error.message)
            throw ExitCode.failure
        }
    }

    /// - Parameters:
    ///   - path: its segments, not escaped yet.
    ///   - query: names and values, not escaped yet.
    func ask(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [], body: [UInt8] = []
    ) async throws(AdminFailure) -> JSONValue {
        var url = "http://localhost" + path.map { "/" + Self.escaped($0) }.joined()
        let query = query + (app.map { [(name: "app", value: $0.text)] } ?? [])
        if !query.isEmpty {
            url += "?" + query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        }
        let headers = body.isEmpty ? [] : [("Content-Type", "application/json")]
        let request = HTTPClientRequest(
            method: method, url: url, headers: headers, body: body, timeout: Self.timeout, socketPath: socketPath)
        let result = await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: $0) }
        }
        switch result {
        case .failure(let error):
            throw AdminFailure(message: "\(socketPath): \(Self.advice(for: error))")
        case .success(let response):
            // An answer that is no JSON is told by its status.
            let json = try? JSONValue(parsing: response.body)
            guard response.status < 300, let json else {
                let detail = json?.at(["detail"])?.string
                throw AdminFailure(message: detail ?? "the server answered with status \(response.status)")
            }
            return json
        }
    }

    private static func escaped(_ segment: String) -> String {
        segment.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: return String(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                return hex.utf8.count < 2 ? "%0\(hex)" : "%\(hex)"
            }
        }.joined()
    }

    private static func advice(for error: HTTPClientError) -> String {
        switch error {
        case .timedOut: "the server did not answer in time"
        case .transport: "\(error); is the server running, and may you use its socket?"
        case .overloaded, .cutShort, .tooLarge, .closed: error.description
        }
    }
}
