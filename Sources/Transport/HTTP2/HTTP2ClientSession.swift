import CNghttp2

/// The client's side of one HTTP/2 connection (RFC 9113): requests in, bytes out; bytes in, ended exchanges out.
///
/// Does no I/O. Confined to the shard that owns the connection. Streams that wait for nothing but the library are no
/// streams of the peer yet, so whoever uses it keeps to ``streamLimit``.
final class HTTP2ClientSession {
    /// The connection's window for responses; a stream's stays at the protocol's 64 KiB.
    private static let windowBytes: Int32 = 1 << 20

    private let responseBytes: Int
    private var session: OpaquePointer?
    private var exchanges = HTTP2Streams()
    /// The one whose headers are coming in.
    private var current: HTTP2Exchange?
    private var ended: [HTTP2Exchange] = []
    private var fields = HTTP2RequestFields()
    /// The server takes no new requests on this connection.
    private(set) var hasGoneAway = false

    /// - Parameter responseBytes: what a response may have at most, headers and body; with more its stream is reset.
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

    /// How many streams the server allows at once; 100 before it has said so.
    var streamLimit: Int {
        Int(clamping: nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Neither side has anything more to say: close the connection.
    var isFinished: Bool { nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

    // MARK: Output

    /// Gives a request a stream.
    ///
    /// - Throws: when there is none left on this connection, or no memory; then nothing of it is sent.
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

    /// Gives a request up; nothing more is told of it.
    func cancel(_ exchange: HTTP2Exchange) {
        guard let stream = exchange.stream, exchanges.remove(stream) != nil else { return }
        reset(stream)
    }

    private func reset(_ stream: Int32) {
        // Fails only without memory, and then the next call that can throw tells it.
        _ = nghttp2_submit_rst_stream(session, Self.noFlags, stream, NGHTTP2_CANCEL.rawValue)
    }

    func ping() throws(HTTP2Failure) { try HTTP2Failure.check(nghttp2_submit_ping(session, Self.noFlags, nil), "ping") }

    /// Says goodbye.
    func terminate() throws(HTTP2Failure) {
        try HTTP2Failure.check(nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue), "terminate")
    }

    /// Appends all that is to be sent now, as far as the server's windows admit.
    func takeOutput(into output: inout [UInt8]) throws(HTTP2Failure) {
        try HTTP2Output.take(from: session, into: &output)
    }

    // MARK: Input

    /// Takes in bytes as they came, however they are cut; then see ``takeEnded(into:)``.
    ///
    /// - Throws: when the connection is beyond words: send what is pending, then close.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Failure) {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        try HTTP2Failure.check(nghttp2_session_mem_recv(session, start, bytes.count), "receive")
    }

    /// The exchanges that have ended since the last call, in that order, each with its ending. Output may end some,
    /// too.
    ///
    /// - Parameter list: empty; gives its memory for the next time.
    func takeEnded(into list: inout [HTTP2Exchange]) { swap(&list, &ended) }
}

// MARK: What the library calls

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
