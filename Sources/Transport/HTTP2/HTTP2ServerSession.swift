import CNghttp2

/// The server's side of one HTTP/2 connection (RFC 9113): bytes in, requests out; responses in, bytes out.
///
/// Does no I/O. Confined to the shard that owns the connection. After every call that may have produced output, take
/// ``pendingOutput()`` and send it; close the connection when ``isFinished``.
package final class HTTP2ServerSession {
    package struct Limits: Sendable {
        /// Told to the client in the settings.
        package var concurrentStreams: UInt32 = 1_000
        /// A request with more is reset.
        package var bodyBytes = 64 << 10
        /// Names and values of one request.
        package var headerBytes = 16 << 10

        package init() {}
    }

    private struct Stream {
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

    private let limits: Limits
    private var session: OpaquePointer?
    private var streams: [Int32: Stream] = [:]
    private var events: [HTTP2Event] = []

    package init(limits: Limits = Limits()) throws(HTTP2Failure) {
        self.limits = limits
        session = try HTTP2Callbacks.makeServerSession(for: self)
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: limits.concurrentStreams)
        ]
        try check(
            nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count), "settings")
    }

    deinit { nghttp2_session_del(session) }

    /// Neither side has anything more to say: close the connection.
    package var isFinished: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Takes in bytes as they came, however they are cut.
    ///
    /// A client's mistake in one stream resets that stream; one in the connection leads to a GOAWAY and, when that is
    /// sent, to ``isFinished``.
    /// - Throws: when the connection is beyond that: send what is pending, then close.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Failure) -> [HTTP2Event] {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        let count = nghttp2_session_mem_recv(session, start, bytes.count)
        try check(Int32(clamping: min(count, 0)), "receive")
        defer { events.removeAll() }
        return events
    }

    /// All bytes that are to be sent now, as far as the client's windows admit.
    package func pendingOutput() throws(HTTP2Failure) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            try check(Int32(clamping: min(count, 0)), "send")
            guard count > 0 else { return output }
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// Answers a request; nothing happens if its stream has ended meanwhile, or has its answer.
    ///
    /// - Parameter headers: names in lower case.
    package func respond(
        to stream: Int32, status: Int, headers: [(name: String, value: String)], body: [UInt8]
    ) throws(HTTP2Failure) {
        guard case .awaitingResponse = streams[stream]?.phase else { return }
        streams[stream]?.phase = .answering(body, sent: 0)
        var code: Int32 = 0
        HTTP2Headers([(":status", String(status))] + headers).withFields { fields in
            var provider = nghttp2_data_provider()
            provider.read_callback = HTTP2Callbacks.readResponse
            code =
                body.isEmpty
                ? nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil)
                : nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider)
        }
        try check(code, "response")
    }

    /// Ends one stream without an answer.
    package func reset(_ stream: Int32) throws(HTTP2Failure) {
        guard streams.removeValue(forKey: stream) != nil else { return }
        try check(
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, NGHTTP2_INTERNAL_ERROR.rawValue), "reset")
    }

    /// Takes no new requests: those that have come are still answered, then the connection is finished.
    package func goAway() throws(HTTP2Failure) {
        try check(
            nghttp2_submit_goaway(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session),
                NGHTTP2_NO_ERROR.rawValue, nil, 0), "goAway")
    }

    private func check(_ code: Int32, _ call: String) throws(HTTP2Failure) {
        guard code < 0 else { return }
        throw HTTP2Failure(call: call, reason: String(cString: nghttp2_strerror(code)))
    }
}

// MARK: What the library calls

extension HTTP2ServerSession {
    func begin(_ stream: Int32) { streams[stream] = Stream() }

    /// False if the request is not worth going on with.
    func receive(header name: String, _ value: String, of stream: Int32) -> Bool {
        guard var request = streams.removeValue(forKey: stream) else { return false }
        // Taken out and put back: the arrays are then changed in place.
        defer { streams[stream] = request }
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
        guard let received = streams[stream]?.body.count else { return }
        if received + body.count > limits.bodyBytes {
            // Fails only without memory, and then the next call that can throw tells it.
            _ = nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
            streams[stream] = nil
        } else {
            streams[stream]?.body.append(contentsOf: body)
        }
    }

    func finishRequest(_ stream: Int32) {
        guard let request = streams[stream], case .receiving = request.phase else { return }
        streams[stream] = Stream(phase: .awaitingResponse)
        events.append(
            .request(
                stream: stream,
                HTTP2Request(
                    method: request.method, path: request.path, authority: request.authority,
                    headers: request.headers, body: request.body)))
    }

    func close(_ stream: Int32) {
        switch streams.removeValue(forKey: stream)?.phase {
        case .awaitingResponse: events.append(.cancelled(stream: stream))
        case .receiving, .answering, nil: break
        }
    }

    /// Copies the next part of a response; returns how much, and whether that was the last.
    func readResponse(_ stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        guard case .answering(let response, let sent) = streams[stream]?.phase else { return (0, true) }
        let end = min(sent + buffer.count, response.count)
        buffer.copyBytes(from: response[sent..<end])
        streams[stream]?.phase = .answering(response, sent: end)
        return (end - sent, end == response.count)
    }
}
