/// Sends HTTP/2 requests to any number of servers (RFC 9113, over TLS by ALPN), many at once over few connections.
///
/// A request that the server says it has not processed is sent once more. Any other request whose connection dies ends
/// in an error, and its sender decides whether to repeat it. Completions run on the client's own queue, which all its
/// connections share: they should be short.
///
/// ``HTTPClientError/transport(code:message:)`` has the code of RFC 9113 §7 for a stream that the server reset, else 0.
package final class HTTP2Client: HTTPSender {
    private let inlet: HTTP2Inlet
    private let core: QueueBound<HTTP2ClientCore>

    /// - Throws: ``TLSFailure`` if the CA file cannot be read, ``SystemCallError`` without descriptors.
    package init(_ settings: HTTP2ClientSettings = HTTP2ClientSettings(), poller: PollerKind = .epoll) throws {
        let tls = try TLSClientContext(
            caFile: settings.caFile, applicationProtocols: [HTTP2ClientConnection.applicationProtocol],
            handshakeTimeout: settings.connectTimeout)
        let inlet = HTTP2Inlet(try Shard(index: 0, poller: poller))
        self.inlet = inlet
        core = QueueBound(HTTP2ClientCore(settings, tls: tls, inlet: inlet), on: inlet.shard.queue)
        inlet.lead(to: core)
    }

    /// A client that nobody closed leaves no descriptors behind.
    deinit { close {} }

    package var completionQueue: SerialQueue { .shard(inlet.shard) }

    package func send(_ request: HTTPClientRequest, completion: @escaping Completion) {
        send(HTTPRequestBatch(request)) { _, result in completion(result) }
    }

    package func send(_ batch: HTTPRequestBatch, completion: @escaping BatchCompletion) {
        guard batch.count > 0 else { return }
        // Time on the way to the shard counts as well.
        inlet.send(HTTP2Batch(batch, deadline: .now + batch.timeout, completion: completion))
    }

    package func close(completion: @escaping @Sendable () -> Void) {
        guard inlet.close() else { return inlet.afterEnd(completion) }
        inlet.shard.post { [core, inlet] on in
            core.withState { $0 }.close(on)
            inlet.shard.stop {
                inlet.end()
                completion()
                withExtendedLifetime(core) {}
            }
        }
    }
}
