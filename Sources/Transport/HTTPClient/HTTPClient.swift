import Dispatch

/// Sends HTTP requests: HTTP/2 where the server offers it over TLS, else HTTP/1.1; also over a Unix socket.
///
/// Connections are kept and shared, and each request has a deadline. The client repeats no request: if a connection
/// dies, its requests end in an error, and the sender decides whether to repeat one. All completions run on one queue.
package final class HTTPClient: Sendable {
    private let core: QueueBound<HTTPClientCore>

    /// - Parameter label: names the queue, for debuggers.
    package init(_ settings: HTTPClientSettings = HTTPClientSettings(), label: String = "http-client")
        throws
    {
        // The library reads it at the first request, which is late to tell that it is not there.
        if let caFile = settings.caFile { _ = try TLSClientContext(caFile: caFile) }
        let queue = DispatchQueue(label: label)
        core = QueueBound(try HTTPClientCore(settings, queue: queue), on: queue)
    }

    /// A client that nobody closed leaves no descriptors behind.
    deinit { core.post { $0.close {} } }

    package var completionQueue: SerialQueue { .dispatch(core.queue) }

    package func send(
        _ request: HTTPClientRequest,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        // Time in this queue counts as well.
        let deadline = ContinuousClock.now + request.timeout
        core.post { $0.send(request, deadline: deadline, completion: completion) }
    }

    /// Ends all requests with ``HTTPClientError/closed``, then closes all connections.
    package func close(completion: @escaping @Sendable () -> Void) {
        core.post { $0.close(completion) }
    }
}
