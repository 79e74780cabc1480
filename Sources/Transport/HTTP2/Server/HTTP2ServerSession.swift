import CNghttp2

/// The server's side of one HTTP/2 connection (RFC 9113): bytes in, requests out; responses in, bytes out.
///
/// Does no I/O. Confined to the shard that owns the connection. After every call that may have produced output, send
/// ``pendingOutput()``; close the connection when ``isFinished``.
package final class HTTP2ServerSession {
    package struct Limits: Sendable {
        /// Sent to the client in the settings.
        package var concurrentStreams: UInt32 = 1_000
        /// A request with a longer body is reset.
        package var bodyBytes = 64 << 10
        /// The most bytes of the names and values of one request.
        package var headerBytes = 16 << 10

        package init() {}
    }

    private final class Stream {
        enum Phase {
            case receiving
            case awaitingResponse
            case answering([UInt8], sent: Int)
        }

        var phase = Phase.receiving
        var method = ""
        var path = ""
        var authority: String?
        var headers: [(name: String, value: String)] = []
        var headerBytes = 0
        var body: [UInt8] = []
    }

    /// Whether PINGs are answered as they come (RFC 9113 §6.7); unanswered ones are dropped.
    package var answersPings = true

    private let limits: Limits
    private var session: OpaquePointer?
    private var streams: [Int32: Stream] = [:]
    private var events: [HTTP2Event] = []
    private var fields = HTTP2Fields()

    package init(limits: Limits = Limits()) throws(HTTP2Failure) {
        self.limits = limits
        session = try HTTP2ServerCallbacks.makeSession(for: self)
        try limitStreams(to: limits.concurrentStreams)
    }

    deinit { nghttp2_session_del(session) }

    /// Whether neither side has more to say, so that the connection can be closed.
    package var isFinished: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Takes in received bytes, however they are cut.
    ///
    /// A client's mistake in one stream resets that stream. A mistake in the connection causes a GOAWAY; after that is
    /// sent, ``isFinished`` is true.
    /// - Throws: when the connection cannot go on: send the pending output, then close.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Failure) -> [HTTP2Event] {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        try HTTP2Failure.check(nghttp2_session_mem_recv(session, start, bytes.count), "receive")
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// All output that the client's windows admit now.
    package func pendingOutput() throws(HTTP2Failure) -> [UInt8] {
        var output: [UInt8] = []
        try HTTP2Output.take(from: session, into: &output)
        return output
    }

    /// Answers a request; does nothing if its stream has ended, or has its answer.
    ///
    /// - Parameter headers: names in lower case.
    package func respond(
        to stream: Int32, status: Int, headers: [(name: String, value: String)], body: [UInt8]
    ) throws(HTTP2Failure) {
        guard let answered = streams[stream], case .awaitingResponse = answered.phase else { return }
        answered.phase = .answering(body, sent: 0)
        fields.removeAll()
        fields.append(":status", String(status))
        for header in headers { fields.append(header.name, header.value) }
        var code: Int32 = 0
        fields.withFields { fields in
            var provider = nghttp2_data_provider()
            provider.read_callback = HTTP2ServerCallbacks.readResponse
            code =
                body.isEmpty
                ? nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil)
                : nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider)
        }
        try HTTP2Failure.check(code, "response")
    }

    // MARK: Ends

    /// Ends one stream without an answer after a failure; the request may have had its effect.
    package func reset(_ stream: Int32) throws(HTTP2Failure) { try reset(stream, NGHTTP2_INTERNAL_ERROR) }

    /// Ends one stream before its request had any effect: the client may send it again (RFC 9113 §8.7).
    package func refuse(_ stream: Int32) throws(HTTP2Failure) { try reset(stream, NGHTTP2_REFUSED_STREAM) }

    private func reset(_ stream: Int32, _ code: nghttp2_error_code) throws(HTTP2Failure) {
        guard streams.removeValue(forKey: stream) != nil else { return }
        try HTTP2Failure.check(
            nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue), "reset")
    }

    /// Takes no new requests. Requests that have come are still answered, then the connection is finished.
    ///
    /// - Parameter lastStream: the last stream that is answered; nil for all that have come, 0 for none. Higher streams
    ///   end at once, and the client may send them again elsewhere (RFC 9113 §6.8). A later call can only lower it.
    package func goAway(lastStream: Int32? = nil) throws(HTTP2Failure) {
        let last = lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
        streams = streams.filter { $0.key <= last }
        try HTTP2Failure.check(
            nghttp2_submit_goaway(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, NGHTTP2_NO_ERROR.rawValue, nil, 0), "goAway")
    }

    /// Asks the client to send no further requests here. Requests that still come are served until
    /// ``goAway(lastStream:)`` (RFC 9113 §6.8).
    package func announceGoAway() throws(HTTP2Failure) {
        try HTTP2Failure.check(nghttp2_submit_shutdown_notice(session), "announceGoAway")
    }

    /// Changes the number of streams that the client may have. Streams above it continue.
    package func limitStreams(to count: UInt32) throws(HTTP2Failure) {
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: count)
        ]
        try HTTP2Failure.check(
            nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count), "settings")
    }
}

// MARK: Calls from the library

extension HTTP2ServerSession {
    func begin(_ stream: Int32) { streams[stream] = Stream() }

    /// False if the request must be reset.
    func receive(header name: String, _ value: String, of stream: Int32) -> Bool {
        guard let request = streams[stream] else { return false }
        request.headerBytes += name.utf8.count + value.utf8.count
        switch name {
        case ":method": request.method = value
        case ":path": request.path = value
        case ":authority": request.authority = value
        case ":scheme": break
        default: request.headers.append((name, value))
        }
        return request.headerBytes <= limits.headerBytes
    }

    func receive(body: UnsafeBufferPointer<UInt8>, of stream: Int32) {
        guard let request = streams[stream] else { return }
        if request.body.count + body.count > limits.bodyBytes {
            // Fails only without memory; the next call that can throw reports it.
            try? reset(stream, NGHTTP2_ENHANCE_YOUR_CALM)
        } else {
            request.body.append(contentsOf: body)
        }
    }

    func finishRequest(_ stream: Int32) {
        guard let request = streams[stream], case .receiving = request.phase else { return }
        events.append(
            .request(
                stream: stream,
                HTTP2Request(
                    method: request.method, path: request.path, authority: request.authority,
                    headers: request.headers, body: request.body)))
        // A stream without the request that was reported, so that it is not kept twice.
        let told = Stream()
        told.phase = .awaitingResponse
        streams[stream] = told
    }

    func close(_ stream: Int32) {
        switch streams.removeValue(forKey: stream)?.phase {
        case .awaitingResponse: events.append(.cancelled(stream: stream))
        case .receiving, .answering, nil: break
        }
    }

    func receivedPing(_ payload: UnsafePointer<UInt8>) {
        guard answersPings else { return }
        // Fails only without memory; the next call that can throw reports it.
        _ = nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_ACK.rawValue), payload)
    }

    /// Copies the next part of a response; returns its size, and whether it was the last.
    func readResponse(_ stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        guard let answered = streams[stream], case .answering(let response, let sent) = answered.phase else {
            return (0, true)
        }
        let end = min(sent + buffer.count, response.count)
        buffer.copyBytes(from: response[sent..<end])
        answered.phase = .answering(response, sent: end)
        return (end - sent, end == response.count)
    }
}
