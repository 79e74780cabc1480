import CNghttp2

/// The client's side of one HTTP/2 connection (RFC 9113): requests in, bytes out; bytes in, ended exchanges out.
///
/// Does no I/O. Confined to the shard that owns the connection. The caller must keep to ``streamLimit``: the library
/// would hold further streams back, and the peer would not know them.
final class HTTP2ClientSession {
    /// The connection's window for responses; a stream's stays at the protocol's 64 KiB.
    private static let windowBytes: Int32 = 1 << 20

    private let responseBytes: Int
    private var session: OpaquePointer?
    private var exchanges = HTTP2Streams()
    /// The exchange whose headers are arriving.
    private var current: HTTP2Exchange?
    private var ended: [HTTP2Exchange] = []
    private var fields = HTTP2RequestFields()
    /// Whether the server takes no new requests on this connection.
    private(set) var hasGoneAway = false

    /// - Parameter responseBytes: the most bytes of a response, headers and body; the stream of a longer one is reset.
    init(responseBytes: Int) throws(HTTP2Failure) {
        self.responseBytes = responseBytes
        session = try HTTP2ClientCallbacks.makeSession(for: self)
        var settings = [nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)]
        try HTTP2Failure.check(nghttp2_submit_settings(session, Self.noFlags, &settings, settings.count), "settings")
        try HTTP2Failure.check(
            nghttp2_session_set_local_window_size(session, Self.noFlags, 0, Self.windowBytes), "settings")
    }

    deinit { nghttp2_session_del(session) }

    private static var noFlags: UInt8 { UInt8(NGHTTP2_FLAG_NONE.rawValue) }

    /// The number of streams that the server allows at once; 100 before it has told a number.
    var streamLimit: Int {
        Int(clamping: nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Whether neither side has more to say, so that the connection can be closed.
    var isFinished: Bool { nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

    // MARK: Output

    /// Gives a request a stream.
    ///
    /// - Throws: without a free stream number on this connection, or without memory; nothing is sent then.
    func submit(_ exchange: HTTP2Exchange, authority: String) throws(HTTP2Failure) {
        var stream: Int32 = 0
        fields.withFields(of: exchange, authority: authority) { fields in
            var provider = nghttp2_data_provider()
            provider.read_callback = HTTP2ClientCallbacks.readBody
            stream =
                exchange.hasBody
                ? nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, &provider, nil)
                : nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, nil, nil)
        }
        try HTTP2Failure.check(stream, "request")
        exchange.begin(stream: stream)
        exchanges.insert(exchange, stream)
    }

    /// Gives up a request; it causes no further events.
    func cancel(_ exchange: HTTP2Exchange) {
        guard let stream = exchange.stream, exchanges.remove(stream) != nil else { return }
        reset(stream)
    }

    private func reset(_ stream: Int32) {
        // Fails only without memory; the next call that can throw reports it.
        _ = nghttp2_submit_rst_stream(session, Self.noFlags, stream, NGHTTP2_CANCEL.rawValue)
    }

    func ping() throws(HTTP2Failure) { try HTTP2Failure.check(nghttp2_submit_ping(session, Self.noFlags, nil), "ping") }

    /// Queues a goodbye.
    func terminate() throws(HTTP2Failure) {
        try HTTP2Failure.check(nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue), "terminate")
    }

    /// Appends all output that the server's windows admit now.
    func takeOutput(into output: inout [UInt8]) throws(HTTP2Failure) {
        try HTTP2Output.take(from: session, into: &output)
    }

    // MARK: Input

    /// Takes in received bytes, however they are cut; then see ``takeEnded(into:)``.
    ///
    /// - Throws: when the connection cannot go on: send the pending output, then close.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Failure) {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        try HTTP2Failure.check(nghttp2_session_mem_recv(session, start, bytes.count), "receive")
    }

    /// Returns the exchanges that have ended since the last call, in that order, each with its ending. Output may end
    /// exchanges too.
    ///
    /// - Parameter list: empty; its memory is used again next time.
    func takeEnded(into list: inout [HTTP2Exchange]) { swap(&list, &ended) }
}

// MARK: Calls from the library

extension HTTP2ClientSession {
    func headersBegin(_ stream: Int32) {
        current = exchanges[stream]
        current?.headersBegin()
    }

    func receive(header name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        current?.receive(header: name, value, maximumBytes: responseBytes) ?? true
    }

    func headersEnd(isLast: Bool) {
        current?.headersEnd()
        if isLast { current?.isComplete = true }
        current = nil
    }

    func receive(body part: UnsafeBufferPointer<UInt8>, of stream: Int32) {
        guard let exchange = exchanges[stream], !exchange.isTooLarge else { return }
        if !exchange.receive(body: part, maximumBytes: responseBytes) { reset(stream) }
    }

    func bodyEnd(_ stream: Int32) { exchanges[stream]?.isComplete = true }

    func goneAway() { hasGoneAway = true }

    func unsent(_ stream: Int32) { exchanges[stream]?.wasUnsent = true }

    func streamClosed(_ stream: Int32, code: UInt32) {
        guard let exchange = exchanges.remove(stream) else { return }
        exchange.stream = nil
        exchange.ending =
            if exchange.isTooLarge {
                .tooLarge
            } else if exchange.isComplete {
                .answered
            } else if exchange.wasUnsent || code == NGHTTP2_REFUSED_STREAM.rawValue {
                .unprocessed
            } else {
                .reset(code: code)
            }
        ended.append(exchange)
    }

    func readBody(_ stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool)? {
        exchanges[stream]?.readBody(into: buffer)
    }
}
