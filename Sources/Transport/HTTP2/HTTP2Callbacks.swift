import CNghttp2

/// The functions that nghttp2 calls, each with the session as its context.
enum HTTP2Callbacks {
    /// - Parameter owner: outlives the library's session, which it deletes.
    static func makeServerSession(for owner: HTTP2ServerSession) throws(HTTP2Failure) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { throw outOfMemory }
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClose)
        var session: OpaquePointer?
        guard nghttp2_session_server_new(&session, callbacks, Unmanaged.passUnretained(owner).toOpaque()) == 0
        else { throw outOfMemory }
        return session
    }

    private static var outOfMemory: HTTP2Failure {
        HTTP2Failure(call: "session", reason: String(cString: nghttp2_strerror(NGHTTP2_ERR_NOMEM.rawValue)))
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
        // Trailers carry nothing for us.
        guard let frame = frame?.pointee, isRequest(frame), let owner = owner(context) else { return 0 }
        let isWelcome = owner.receive(
            header: String(decoding: UnsafeBufferPointer(start: name, count: nameBytes), as: UTF8.self),
            String(decoding: UnsafeBufferPointer(start: value, count: valueBytes), as: UTF8.self),
            of: frame.hd.stream_id)
        // This code resets the stream and leaves the connection as it is.
        return isWelcome ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
        owner(context)?.receive(body: UnsafeBufferPointer(start: bytes, count: count), of: stream)
        return 0
    }

    private static let frame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let header = frame?.pointee.hd,
            header.type == UInt8(NGHTTP2_DATA.rawValue) || header.type == UInt8(NGHTTP2_HEADERS.rawValue),
            header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        else { return 0 }
        owner(context)?.finishRequest(header.stream_id)
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
