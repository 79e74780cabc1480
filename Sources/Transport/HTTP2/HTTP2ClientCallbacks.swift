import CNghttp2

/// The callbacks of nghttp2 for a client; the session is the context of each.
enum HTTP2ClientCallbacks {
    /// - Parameter owner: outlives the library's session, and deletes it.
    static func makeSession(for owner: HTTP2ClientSession) throws(HTTP2Failure) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        try HTTP2Failure.check(nghttp2_session_callbacks_new(&callbacks), "session")
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame)
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, frameNotSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClose)
        var options: OpaquePointer?
        try HTTP2Failure.check(nghttp2_option_new(&options), "session")
        defer { nghttp2_option_del(options) }
        // Closed streams serve a priority tree only, which is not used here.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_peer_max_concurrent_streams(options, UInt32(HTTP2Member.assumedStreams))
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(owner).toOpaque()
        try HTTP2Failure.check(nghttp2_session_client_new2(&session, callbacks, context, options), "session")
        return session
    }

    /// Lends `body` the session without counting the reference, for each header of each answer: the caller of the
    /// library holds the session.
    private static func withOwner<Result>(
        _ context: UnsafeMutableRawPointer?, _ body: (HTTP2ClientSession) -> Result
    ) -> Result? {
        context.map { Unmanaged<HTTP2ClientSession>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, context in
        if let frame { withOwner(context) { $0.headersBegin(frame.pointee.hd.stream_id) } }
        return 0
    }

    private static let header: nghttp2_on_header_callback = {
        _, _, name, nameBytes, value, valueBytes, _, context in
        let isWelcome = withOwner(context) {
            $0.receive(
                header: UnsafeBufferPointer(start: name, count: nameBytes),
                UnsafeBufferPointer(start: value, count: valueBytes))
        }
        // This code resets the stream and keeps the connection.
        return isWelcome ?? true ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
        withOwner(context) { $0.receive(body: UnsafeBufferPointer(start: bytes, count: count), of: stream) }
        return 0
    }

    private static let frame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let header = frame?.pointee.hd else { return 0 }
        let isLast = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        withOwner(context) { owner in
            switch UInt32(header.type) {
            case NGHTTP2_HEADERS.rawValue: owner.headersEnd(isLast: isLast)
            case NGHTTP2_DATA.rawValue: if isLast { owner.bodyEnd(header.stream_id) }
            case NGHTTP2_GOAWAY.rawValue: owner.goneAway()
            default: break
            }
        }
        return 0
    }

    /// A HEADERS frame is not sent if, for example, a GOAWAY came first.
    private static let frameNotSent: nghttp2_on_frame_not_send_callback = { _, frame, _, context in
        guard let header = frame?.pointee.hd, header.type == UInt8(NGHTTP2_HEADERS.rawValue) else { return 0 }
        withOwner(context) { $0.unsent(header.stream_id) }
        return 0
    }

    private static let streamClose: nghttp2_on_stream_close_callback = { _, stream, code, context in
        withOwner(context) { $0.streamClosed(stream, code: code) }
        return 0
    }

    static let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, context in
        let part = withOwner(context) {
            $0.readBody(stream, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        }
        // The request was given up meanwhile.
        guard let part = part ?? nil else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        if part.isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return part.count
    }
}
