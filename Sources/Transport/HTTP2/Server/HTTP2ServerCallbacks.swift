import CNghttp2

/// The callbacks of nghttp2 for a server; the session is the context of each.
enum HTTP2ServerCallbacks {
    /// - Parameter owner: outlives the library's session, and deletes it.
    static func makeSession(for owner: HTTP2ServerSession) throws(HTTP2Failure) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        try HTTP2Failure.check(nghttp2_session_callbacks_new(&callbacks), "session")
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClose)
        var options: OpaquePointer?
        try HTTP2Failure.check(nghttp2_option_new(&options), "session")
        defer { nghttp2_option_del(options) }
        // The session decides whether a PING is answered.
        nghttp2_option_set_no_auto_ping_ack(options, 1)
        // Closed streams serve a priority tree only, which is not used here.
        nghttp2_option_set_no_closed_streams(options, 1)
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(owner).toOpaque()
        try HTTP2Failure.check(nghttp2_session_server_new2(&session, callbacks, context, options), "session")
        return session
    }

    private static func owner(_ context: UnsafeMutableRawPointer?) -> HTTP2ServerSession? {
        context.map { Unmanaged<HTTP2ServerSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func isRequest(_ frame: nghttp2_frame) -> Bool {
        frame.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) && frame.headers.cat == NGHTTP2_HCAT_REQUEST
    }

    private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, context in
        guard let frame = frame?.pointee, isRequest(frame) else { return 0 }
        owner(context)?.begin(frame.hd.stream_id)
        return 0
    }

    private static let header: nghttp2_on_header_callback = {
        _, frame, name, nameBytes, value, valueBytes, _, context in
        // Trailers are not used.
        guard let frame = frame?.pointee, isRequest(frame), let owner = owner(context) else { return 0 }
        let isWelcome = owner.receive(
            header: String(decoding: UnsafeBufferPointer(start: name, count: nameBytes), as: UTF8.self),
            String(decoding: UnsafeBufferPointer(start: value, count: valueBytes), as: UTF8.self),
            of: frame.hd.stream_id)
        // This code resets the stream and keeps the connection.
        return isWelcome ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
        owner(context)?.receive(body: UnsafeBufferPointer(start: bytes, count: count), of: stream)
        return 0
    }

    private static let frame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame else { return 0 }
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_DATA.rawValue, NGHTTP2_HEADERS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
                owner(context)?.finishRequest(header.stream_id)
            }
        case NGHTTP2_PING.rawValue where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
            withUnsafePointer(to: frame.pointee.ping.opaque_data) { payload in
                payload.withMemoryRebound(to: UInt8.self, capacity: 8) { owner(context)?.receivedPing($0) }
            }
        default: break
        }
        return 0
    }

    private static let streamClose: nghttp2_on_stream_close_callback = { _, stream, _, context in
        owner(context)?.close(stream)
        return 0
    }

    static let readResponse: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, context in
        guard let owner = owner(context) else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let part = owner.readResponse(stream, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        if part.isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return part.count
    }
}
