public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request of an ``Inbox`` to its server.
public struct HTTPCall: Sendable, Hashable {
    /// Such as `GET`.
    public let method: String
    /// The complete URL, with the query.
    public let url: URL
    /// Includes `Authorization`: must not be logged.
    public let headers: [String: String]
    /// JSON, if any.
    public let body: Data?
}

/// The server's answer.
public struct HTTPAnswer: Sendable, Hashable {
    /// The HTTP status, such as 200.
    public let status: Int
    /// The whole body, unchanged.
    public let body: Data

    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - body: the whole body, unchanged.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// Sends a request and returns the whole answer, whatever its status. Runs on no actor.
///
/// Throws without an answer; the call then fails with the code `network`.
public typealias HTTPExchange = @Sendable (HTTPCall) async throws -> HTTPAnswer

extension HTTPCall {
    /// Seconds until a call fails without an answer.
    private static let patience: TimeInterval = 30

    /// Uses Foundation's `URLSession`.
    public static let foundation: HTTPExchange = { call in
        var request = URLRequest(url: call.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: patience)
        request.httpMethod = call.method
        request.httpBody = call.body
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw BelfryError.network("no HTTP answer") }
        return HTTPAnswer(status: response.statusCode, body: body)
    }
}
